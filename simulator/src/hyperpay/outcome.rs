//! What an execution comes to: by itself, by a planned result, or by a fault.

use serde::{Deserialize, Serialize};

use super::codes;
use super::objects::{Payment, PaymentType};
use super::{Cause, HyperPay};
use crate::effect::Effect;
use crate::fault::{Matcher, Steer, When};
use crate::gateway::Gateway;

/// A result code that the next execution ends with, whatever it is about. Requests that are
/// refused before they are executed (a wrong parameter, an unknown payment, too high an amount)
/// do not use it up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct PlannedResult {
    /// The code, for example `900.100.300`.
    pub code: String,
    /// Before: the money does not move. After: it does, and the code says what it says.
    pub when: When,
    /// Which requests it is for.
    #[serde(default, rename = "match")]
    pub on: Matcher,
    /// How many executions it still ends.
    #[serde(default = "once")]
    pub times: u32,
}

fn once() -> u32 {
    1
}

/// What an execution comes to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// This code, and whether the money moves.
    Result { code: String, moves: bool },
    /// The customer has to act.
    Redirect,
}

impl PlannedResult {
    /// For the next execution.
    pub fn new(code: &str, when: When) -> Self {
        Self {
            code: code.to_owned(),
            when,
            on: Matcher::default(),
            times: 1,
        }
    }

    /// Only for requests that match.
    #[must_use]
    pub fn on(mut self, matcher: Matcher) -> Self {
        self.on = matcher;
        self
    }

    /// For so many executions.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }
}

impl Outcome {
    /// This code; the money moves if it is a success.
    pub(super) fn of_code(code: &str) -> Self {
        Self::Result {
            code: code.to_owned(),
            moves: codes::is_success(code),
        }
    }

    fn without_money(code: &str) -> Self {
        Self::Result {
            code: code.to_owned(),
            moves: false,
        }
    }
}

impl HyperPay {
    /// Executes a payment that nothing stands against, and gives it back as it is now. `natural`
    /// is what it comes to by itself.
    pub(super) fn execute(
        &mut self,
        payment: Payment,
        natural: Outcome,
        cause: Cause<'_>,
    ) -> Payment {
        if self.is_duplicate(&payment) {
            // It is listed like everything that was rejected.
            return self.keep(payment, codes::DUPLICATE);
        }
        let outcome = self.outcome(&payment, natural, cause);
        match outcome {
            Outcome::Result { code, moves } => {
                let payment = self.keep(payment, &code);
                if moves {
                    return self.move_money(&payment.id).unwrap_or(payment);
                }
                payment
            }
            Outcome::Redirect => {
                let payment = self.payments.add(payment);
                payment.redirect = Some(format!("https://3ds.hyperpay.example/{}", payment.id));
                payment.clone()
            }
        }
    }

    /// Keeps a payment with this result.
    pub(super) fn keep(&mut self, mut payment: Payment, code: &str) -> Payment {
        code.clone_into(&mut payment.code);
        self.payments.add(payment).clone()
    }

    /// The money of a payment moves, once in its life.
    pub(super) fn move_money(&mut self, id: &str) -> Option<Payment> {
        let payment = self.payments.get_mut(id)?;
        if payment.moved {
            return Some(payment.clone());
        }
        payment.moved = true;
        let payment = payment.clone();
        let effect = Effect {
            gateway: self.name().to_owned(),
            account: payment.entity.clone(),
            kind: payment.payment_type.effect(),
            provider_id: payment.id.clone(),
            payment_id: Some(self.root(&payment).id.clone()),
            amount: payment.amount,
            currency: payment.currency.clone(),
            key: payment.fields.transaction_id.clone(),
            fields: payment.fields.by_name(),
            request: None,
            at: self.now,
        };
        self.effects.push(effect);
        Some(payment)
    }

    /// The charge or authorization that a payment goes back to.
    fn root<'a>(&'a self, payment: &'a Payment) -> &'a Payment {
        let referenced = payment.referenced_id.as_deref();
        // A capture, and what is done with the capture: there is no third step.
        let above = referenced.and_then(|id| self.payments.get(id));
        let Some(above) = above else {
            return payment;
        };
        let top = above.referenced_id.as_deref();
        top.and_then(|id| self.payments.get(id)).unwrap_or(above)
    }

    /// A fault comes first, then a planned result, then what the merchant asks for in a test.
    fn outcome(&mut self, payment: &Payment, natural: Outcome, cause: Cause<'_>) -> Outcome {
        let first = matches!(
            payment.payment_type,
            PaymentType::Debit | PaymentType::Preauthorization
        );
        match cause.steer {
            Some(Steer::Decline { code, decline_code }) => {
                return Outcome::without_money(declined(code, decline_code.as_deref()));
            }
            // Nobody is asked for a capture, a refund or a reversal.
            Some(Steer::RequireAction(_)) if first => return Outcome::Redirect,
            Some(Steer::Processing) => return Outcome::without_money(codes::PENDING),
            Some(Steer::RequireAction(_) | Steer::StoredError { .. }) | None => {}
        }
        if let Some(planned) = self.take_planned(cause) {
            return Outcome::Result {
                code: planned.code,
                moves: planned.when == When::After,
            };
        }
        match payment.fields.forced_code() {
            Some(code) => Outcome::of_code(code),
            None => natural,
        }
    }

    fn take_planned(&mut self, cause: Cause<'_>) -> Option<PlannedResult> {
        let name = self.name();
        let mut planned = self.planned.iter_mut();
        let hit = planned.find(|planned| planned.on.matches(name, cause.request))?;
        hit.times = hit.times.saturating_sub(1);
        let hit = hit.clone();
        self.planned.retain(|planned| planned.times > 0);
        Some(hit)
    }

    /// Some accounts refuse a second request under the same reference for a while. Whether the
    /// rule looks at the kind of payment too is not documented; a refund under the reference of
    /// its charge is no repetition. A refused repetition does not begin the time anew.
    fn is_duplicate(&self, payment: &Payment) -> bool {
        let (Some(window), Some(reference)) =
            (self.config.duplicate_window, &payment.fields.transaction_id)
        else {
            return false;
        };
        let recent = |earlier: &Payment| {
            let age = self.now.duration_since(earlier.created);
            age.unwrap_or_default() < window
        };
        self.payments.iter().any(|earlier| {
            earlier.entity == payment.entity
                && earlier.payment_type == payment.payment_type
                && earlier.fields.transaction_id.as_ref() == Some(reference)
                && earlier.code != codes::DUPLICATE
                && recent(earlier)
        })
    }
}

/// The code of a decline: the one that is asked for, or the one that fits the reason.
fn declined<'a>(code: &'a str, decline_code: Option<&'a str>) -> &'a str {
    let reason = decline_code.unwrap_or(code);
    if let Some(code) = [reason, code].into_iter().find(|text| codes::is_code(text)) {
        return code;
    }
    match reason {
        "insufficient_funds" => "800.100.203",
        "expired_card" => "800.100.157",
        "stolen_card" => "800.100.159",
        "incorrect_cvc" => "800.100.153",
        "authentication_required" => codes::SOFT_DECLINED,
        _ => codes::DECLINED,
    }
}
