//! What `HyperPay` keeps: payments of all kinds, and registrations.

mod payment;
mod registration;
pub mod registrations;

pub use payment::{Payment, PaymentType};
pub use registration::{Registration, RegistrationResult};
