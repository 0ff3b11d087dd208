//! Captures, refunds and cancels (CAP). Each is answered with `received`, whatever becomes of it; a
//! notification tells, and none is played. It happens at once, or never.

use serde_json::{Map, Value, json};

use super::error::ApiError;
use super::payment::{Payment, PaymentState};
use super::serve::{add, amount, only, text};
use super::{Adyen, Cause};
use crate::effect::EffectKind;

/// What is done to a payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ChangeKind {
    /// Reserved money is taken.
    Capture,
    /// Taken money is given back.
    Refund,
    /// A reservation is released.
    Cancel,
}

impl ChangeKind {
    pub(super) fn parse(path: &str) -> Option<Self> {
        match path {
            "captures" => Some(Self::Capture),
            "refunds" => Some(Self::Refund),
            "cancels" => Some(Self::Cancel),
            _ => None,
        }
    }

    const fn effect(self) -> EffectKind {
        match self {
            Self::Capture => EffectKind::Capture,
            Self::Refund => EffectKind::Refund,
            Self::Cancel => EffectKind::Void,
        }
    }
}

/// Something that was received, and whether it took effect.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Change {
    /// Its own `pspReference`.
    pub id: String,
    /// What it does.
    pub kind: ChangeKind,
    /// The payment.
    pub payment: String,
    /// The merchant's reference of it.
    pub reference: Option<String>,
    /// How much; of a cancel, what was released.
    pub amount: i64,
    /// Whether it took effect. Else a notification would say that it failed.
    pub done: bool,
}

impl Adyen {
    pub(super) fn change(
        &mut self,
        payment: &str,
        kind: ChangeKind,
        fields: &Map<String, Value>,
        cause: Cause<'_>,
    ) -> Result<Value, ApiError> {
        let known = ["merchantAccount", "reference", "amount"];
        let known = if kind == ChangeKind::Cancel {
            known.get(..2).unwrap_or_default()
        } else {
            &known
        };
        only(fields, known)?;
        let account = self.account(fields)?;
        let reference = text(fields, "reference", 80)?;
        let asked = match kind {
            ChangeKind::Capture | ChangeKind::Refund => Some(amount(fields)?),
            ChangeKind::Cancel => None,
        };
        let found = self.payments.get(payment);
        let found = found.filter(|payment| payment.merchant_account == account);
        let found = found.ok_or_else(ApiError::no_payment)?.clone();
        let value = asked.as_ref().map_or(found.amount, |(value, _)| *value);
        let done = asked
            .as_ref()
            .is_none_or(|(_, currency)| *currency == found.currency)
            && is_possible(&found, kind, value);
        let id = self.new_id();
        if done {
            self.carry_out(&found, kind, value, &id, (reference.as_deref(), cause));
        }
        let mut shown = json!({
            "merchantAccount": account,
            "paymentPspReference": payment,
            "pspReference": id,
            "status": "received",
        });
        if let Some(reference) = &reference {
            add(&mut shown, "reference", json!(reference));
        }
        if let Some((value, currency)) = asked {
            let amount = json!({ "currency": currency, "value": value });
            add(&mut shown, "amount", amount);
        }
        self.changes.push(Change {
            id,
            kind,
            payment: payment.to_owned(),
            reference,
            amount: value,
            done,
        });
        Ok(shown)
    }

    fn carry_out(
        &mut self,
        found: &Payment,
        kind: ChangeKind,
        value: i64,
        id: &str,
        (reference, cause): (Option<&str>, Cause<'_>),
    ) {
        if let Some(payment) = self.payments.get_mut(&found.id) {
            match kind {
                ChangeKind::Capture => {
                    payment.captured = payment.captured.saturating_add(value);
                    payment.released = true;
                }
                ChangeKind::Refund => payment.refunded = payment.refunded.saturating_add(value),
                ChangeKind::Cancel => payment.released = true,
            }
        }
        let key = cause.key.map(str::to_owned);
        self.effect(kind.effect(), found, id, value, key, reference);
    }
}

/// By default there is one capture, of at most what was authorised; refunds never exceed what was
/// captured; and a cancel is of what was not captured (CAP, IDEM).
fn is_possible(payment: &Payment, kind: ChangeKind, value: i64) -> bool {
    let reserved = payment.state == PaymentState::Authorised && payment.captured == 0;
    match kind {
        ChangeKind::Capture => reserved && !payment.released && value <= payment.amount,
        ChangeKind::Refund => value <= payment.captured.saturating_sub(payment.refunded),
        ChangeKind::Cancel => reserved && !payment.released,
    }
}
