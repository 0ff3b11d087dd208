//! The simulated Stripe, request by request.

mod amounts;
mod control;
mod idempotency;
mod lifecycle;
mod lists;
mod parameters;
mod payments;
mod refunds;
mod search;
