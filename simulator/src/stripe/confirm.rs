//! `POST /v1/payment_intents/{id}/confirm`, and what a try to pay does (PI).

use serde_json::Value;

use super::action::expand;
use super::cards::{self, CardResult, Decline};
use super::create::{self, WITHOUT_EFFECT};
use super::error::ApiError;
use super::form::Form;
use super::objects::{Charge, NextAction, PaymentIntent, PaymentIntentStatus, Pending};
use super::{Cause, Stripe};
use crate::effect::EffectKind;
use crate::fault::{ActionKind, Steer};

/// The parameters of a confirmation.
#[derive(Debug)]
pub(super) struct Confirm {
    payment_method: Option<String>,
    return_url: Option<String>,
    nobody_there: bool,
    expand: Vec<String>,
}

/// One try to pay.
#[derive(Debug)]
pub(super) struct Attempt {
    pub(super) payment_method: String,
    pub(super) return_url: Option<String>,
    /// Nobody can act: `off_session` or `error_on_requires_action`. 3-D Secure is a decline then.
    pub(super) nobody_there: bool,
}

/// What a try comes to.
enum Trial {
    Paid,
    Declined(Decline),
    Action(ActionKind),
    Pending,
}

impl Confirm {
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let off_session = form.boolean("off_session")?.unwrap_or(false);
        let strict = form.boolean("error_on_requires_action")?.unwrap_or(false);
        let confirm = Self {
            payment_method: create::payment_method(&mut form)?,
            return_url: form.text("return_url")?,
            nobody_there: off_session || strict,
            expand: expand(&mut form, &["latest_charge"])?,
        };
        form.ignore(&WITHOUT_EFFECT);
        form.finish()?;
        Ok(confirm)
    }
}

impl Stripe {
    pub(super) fn confirm(
        &mut self,
        id: &str,
        confirm: Confirm,
        cause: Cause<'_>,
    ) -> Result<Value, ApiError> {
        let payment = self.payment(cause.scope, id)?;
        match payment.status {
            PaymentIntentStatus::RequiresPaymentMethod
            | PaymentIntentStatus::RequiresConfirmation
            | PaymentIntentStatus::RequiresAction => {}
            PaymentIntentStatus::Succeeded
            | PaymentIntentStatus::Processing
            | PaymentIntentStatus::RequiresCapture
            | PaymentIntentStatus::Canceled => {
                return Err(self.unexpected_state(payment, "confirmed"));
            }
        }
        let method = confirm
            .payment_method
            .or_else(|| payment.payment_method.clone());
        let Some(payment_method) = method else {
            let message = "You cannot confirm this PaymentIntent because it's missing a payment \
                           method.";
            return Err(self.in_state(payment, message));
        };
        let redirects = payment.automatic_payment_methods.clone();
        create::check_redirects(redirects.as_deref(), confirm.return_url.as_deref())?;
        let attempt = Attempt {
            payment_method,
            return_url: confirm.return_url,
            nobody_there: confirm.nobody_there,
        };
        self.try_payment(id, attempt, cause)?;
        self.show(id, &confirm.expand)
    }

    /// Tries to pay. A decline is an error (PI), but the payment exists and shows it.
    pub(super) fn try_payment(
        &mut self,
        id: &str,
        attempt: Attempt,
        cause: Cause<'_>,
    ) -> Result<(), ApiError> {
        self.change(id, |payment| {
            payment.payment_method = Some(attempt.payment_method.clone());
            payment.key = cause.key.map(str::to_owned);
            payment.last_payment_error = None;
            payment.next_action = None;
        });
        match trial(&attempt, cause.steer) {
            Trial::Paid => {
                self.pay(id);
                Ok(())
            }
            Trial::Declined(decline) => Err(self.decline(id, &decline)),
            Trial::Action(_) if attempt.nobody_there => {
                Err(self.decline(id, &Decline::authentication_required()))
            }
            Trial::Action(kind) => {
                self.change(id, |payment| {
                    payment.status = PaymentIntentStatus::RequiresAction;
                    payment.next_action = Some(next_action(id, kind, attempt.return_url));
                });
                Ok(())
            }
            Trial::Pending => {
                self.change(id, |payment| {
                    payment.status = PaymentIntentStatus::Processing;
                    payment.pending = Some(Pending::Payment);
                });
                Ok(())
            }
        }
    }

    /// The card was approved: money is taken or reserved.
    pub(super) fn pay(&mut self, id: &str) {
        let Some(payment) = self.payments.get(id).cloned() else {
            return;
        };
        let now = self.now;
        let manual = payment.capture_method == "manual";
        let capture_before = now.checked_add(self.config.authorization_life);
        let charge = self.charges.add(|id| Charge {
            amount_captured: if manual { 0 } else { payment.amount },
            capture_before: capture_before.filter(|_| manual),
            ..Charge::new(id, &payment, now)
        });
        self.change(id, |payment| {
            payment.latest_charge = Some(charge);
            payment.next_action = None;
            payment.last_payment_error = None;
            payment.pending = None;
            if manual {
                payment.status = PaymentIntentStatus::RequiresCapture;
                payment.amount_capturable = payment.amount;
                payment.authorized_at = Some(now);
            } else {
                payment.status = PaymentIntentStatus::Succeeded;
                payment.amount_received = payment.amount;
            }
        });
        let kind = if manual {
            EffectKind::Authorize
        } else {
            EffectKind::Charge
        };
        self.moved(kind, &payment, payment.amount);
    }

    /// The card was declined. The payment waits for another one.
    pub(super) fn decline(&mut self, id: &str, decline: &Decline) -> ApiError {
        let now = self.now;
        let Some(payment) = self.payments.get(id).cloned() else {
            return ApiError::missing("payment_intent", id);
        };
        let charge = self.charges.add(|id| Charge {
            failure_code: Some(decline.code.clone()),
            ..Charge::new(id, &payment, now)
        });
        self.change(id, |payment| {
            let method = payment.payment_method.take().unwrap_or_default();
            payment.last_payment_error = Some(decline.last_payment_error(&charge, &method));
            payment.latest_charge = Some(charge.clone());
            payment.status = PaymentIntentStatus::RequiresPaymentMethod;
            payment.next_action = None;
            payment.pending = None;
        });
        let shown = self.payments.get(id).map(|payment| payment.to_json(None));
        decline
            .error(&charge)
            .with("payment_intent", shown.unwrap_or_default())
    }

    /// A payment that is not in a state for this. The error shows the payment (ERR).
    pub(super) fn unexpected_state(&self, payment: &PaymentIntent, verb: &str) -> ApiError {
        let because = match (verb, payment.status) {
            ("captured", PaymentIntentStatus::Succeeded) => {
                "it has already been captured".to_owned()
            }
            ("confirmed", PaymentIntentStatus::Succeeded) => {
                "it has already succeeded after being previously confirmed".to_owned()
            }
            (_, status) => format!("it has a status of {}", status.as_str()),
        };
        let message = format!("This PaymentIntent could not be {verb} because {because}.");
        self.in_state(payment, &message)
    }

    fn in_state(&self, payment: &PaymentIntent, message: &str) -> ApiError {
        ApiError::invalid(message)
            .code("payment_intent_unexpected_state")
            .with("payment_intent", self.render(payment, &[]))
    }
}

fn trial(attempt: &Attempt, steer: Option<&Steer>) -> Trial {
    match steer {
        Some(Steer::Decline { code, decline_code }) => {
            Trial::Declined(Decline::new(code, decline_code.as_deref()))
        }
        Some(Steer::RequireAction(kind)) => Trial::Action(*kind),
        Some(Steer::Processing) => Trial::Pending,
        Some(Steer::StoredError { .. }) | None => {
            match cards::result_of(&attempt.payment_method) {
                Some(CardResult::Approved) => Trial::Paid,
                Some(CardResult::Declined(decline)) => Trial::Declined(decline),
                // With an address to come back to the customer is sent away, else Stripe's own
                // client code has to handle it.
                Some(CardResult::ActionRequired) if attempt.return_url.is_some() => {
                    Trial::Action(ActionKind::RedirectToUrl)
                }
                Some(CardResult::ActionRequired) => Trial::Action(ActionKind::UseStripeSdk),
                None => Trial::Declined(Decline::new("card_declined", Some("generic_decline"))),
            }
        }
    }
}

fn next_action(id: &str, kind: ActionKind, return_url: Option<String>) -> NextAction {
    match kind {
        ActionKind::RedirectToUrl => {
            let url = format!("https://hooks.stripe.example/3d_secure/{id}");
            NextAction::RedirectToUrl { url, return_url }
        }
        ActionKind::UseStripeSdk => NextAction::UseStripeSdk,
    }
}
