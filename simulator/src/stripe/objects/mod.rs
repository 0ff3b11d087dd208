//! What Stripe keeps: payments, the charges under them, refunds.

mod charge;
mod payment_intent;
mod refund;

pub use payment_intent::{NextAction, PaymentIntent, PaymentIntentStatus};
pub use refund::{Refund, RefundStatus};

pub(super) use charge::Charge;
pub(super) use payment_intent::{Indexed, Pending};
