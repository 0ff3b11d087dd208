//! The field cases, at every gateway where they apply.

mod amounts;
mod exposure;
mod identity;
mod replies;
mod secrets;
