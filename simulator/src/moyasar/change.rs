//! Capture, refund and void: `POST /v1/payments/{id}/..` (OPS). None of them has a key: the same
//! request again is another one.

use http::StatusCode;

use super::Moyasar;
use super::auth::Scope;
use super::body::Body;
use super::error::ApiError;
use super::payment::{Payment, PaymentStatus};
use super::tokens::Decline;
use crate::effect::EffectKind;
use crate::exchange::{Reply, Request};
use crate::fault::Steer;

impl Moyasar {
    /// Takes reserved money, once. What is not captured is released.
    pub(super) fn capture(
        &mut self,
        scope: &Scope,
        id: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let asked = amount(request)?;
        let (number, payment) = self.payment_of(scope, id)?;
        if payment.status != PaymentStatus::Authorized {
            return Err(wrong_status(payment, "captured"));
        }
        // The payment still shows `authorized` when the issuer dropped the hold.
        let life = self.config.authorization_life;
        if payment.paid_at.is_some_and(|at| self.is_over(at, life)) {
            return Err(ApiError::invalid("The authorization has expired"));
        }
        let amount = asked.unwrap_or(payment.amount);
        at_most(amount, payment.amount)?;
        refused_by(steer)?;
        let now = self.now;
        self.change(number, |payment| {
            payment.status = PaymentStatus::Captured;
            payment.captured = amount;
            payment.captured_at = Some(now);
        });
        self.done(EffectKind::Capture, number, amount)
    }

    /// Gives money back, all that is left or a part. The status stays until all is given back.
    pub(super) fn refund(
        &mut self,
        scope: &Scope,
        id: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let asked = amount(request)?;
        let (number, payment) = self.payment_of(scope, id)?;
        let taken = payment.taken();
        let left = taken.saturating_sub(payment.refunded);
        if left <= 0 {
            return Err(wrong_status(payment, "refunded"));
        }
        let amount = asked.unwrap_or(left);
        at_most(amount, left)?;
        refused_by(steer)?;
        let now = self.now;
        self.change(number, |payment| {
            payment.refunded = payment.refunded.saturating_add(amount);
            // Of which refund this is the time when there are several is not documented.
            payment.refunded_at = Some(now);
            if payment.refunded >= taken {
                payment.status = PaymentStatus::Refunded;
            }
        });
        self.done(EffectKind::Refund, number, amount)
    }

    /// Releases what is reserved, or takes back what has not settled yet.
    pub(super) fn void(
        &mut self,
        scope: &Scope,
        id: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        Body::parse(request)?.finish()?;
        let (number, payment) = self.payment_of(scope, id)?;
        let amount = match payment.status {
            PaymentStatus::Authorized => payment.amount,
            PaymentStatus::Paid | PaymentStatus::Captured => self.voidable(payment)?,
            PaymentStatus::Initiated
            | PaymentStatus::Failed
            | PaymentStatus::Refunded
            | PaymentStatus::Voided
            | PaymentStatus::Verified
            | PaymentStatus::Abandoned => return Err(wrong_status(payment, "voided")),
        };
        refused_by(steer)?;
        let now = self.now;
        self.change(number, |payment| {
            payment.status = PaymentStatus::Voided;
            payment.voided_at = Some(now);
        });
        self.done(EffectKind::Void, number, amount)
    }

    /// What a void takes back of a payment that was taken.
    fn voidable(&self, payment: &Payment) -> Result<i64, ApiError> {
        // What a void does to a payment that was refunded in part is not documented.
        if payment.refunded > 0 {
            return Err(ApiError::invalid("A refunded payment cannot be voided"));
        }
        let taken_at = payment.captured_at.or(payment.paid_at);
        if taken_at.is_some_and(|at| self.is_over(at, self.config.settlement)) {
            return Err(ApiError::invalid("A settled payment cannot be voided"));
        }
        Ok(payment.taken())
    }

    /// Records the movement and shows the payment. Its metadata stands in for the movement's own,
    /// which there is not.
    fn done(&mut self, kind: EffectKind, number: u64, amount: i64) -> Result<Reply, ApiError> {
        if let Some(payment) = self.payments.get(number).cloned() {
            self.moved(kind, &payment, amount, None);
        }
        self.show(number, StatusCode::OK)
    }

    fn payment_of(&self, scope: &Scope, id: &str) -> Result<(u64, &Payment), ApiError> {
        let missing = || ApiError::missing("Payment");
        let number = self.payments.find(scope, id).ok_or_else(missing)?;
        let payment = self.payments.get(number).ok_or_else(missing)?;
        Ok((number, payment))
    }
}

/// The body of a capture or a refund.
fn amount(request: &Request) -> Result<Option<i64>, ApiError> {
    let mut body = Body::parse(request)?;
    // The least amount is documented for payments, not for these.
    let amount = body.integer("amount", 1);
    body.finish()?;
    Ok(amount)
}

fn at_most(amount: i64, most: i64) -> Result<(), ApiError> {
    if amount <= most {
        return Ok(());
    }
    let why = format!("must be less than or equal to {most}");
    Err(ApiError::field("amount", why))
}

/// How Moyasar tells of a capture, refund or void that the issuer did not take is not documented:
/// here with 400, as it tells of every other one that it refuses. Other ends there are not.
fn refused_by(steer: Option<&Steer>) -> Result<(), ApiError> {
    let Some(Steer::Decline { code, decline_code }) = steer else {
        return Ok(());
    };
    let decline = Decline::of(decline_code.as_deref().unwrap_or(code));
    Err(ApiError::invalid(decline.message))
}

fn wrong_status(payment: &Payment, verb: &str) -> ApiError {
    let status = payment.status.as_str();
    ApiError::invalid(format!(
        "The payment cannot be {verb}: its status is {status}"
    ))
}
