//! `POST /payments` (OAS).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::error::ApiError;
use super::payment::{Payment, PaymentState};
use super::serve::{amount, only, text};
use super::{Adyen, Cause};
use crate::effect::EffectKind;
use crate::fault::{ActionKind, Steer};

/// The fields that are played. Adyen has more.
const KNOWN: [&str; 17] = [
    "amount",
    "merchantAccount",
    "paymentMethod",
    "reference",
    "returnUrl",
    "shopperReference",
    "shopperInteraction",
    "recurringProcessingModel",
    "captureDelayHours",
    "additionalData",
    "metadata",
    "channel",
    "shopperEmail",
    "shopperIP",
    "telephoneNumber",
    "countryCode",
    "storePaymentMethod",
];

impl Adyen {
    pub(super) fn create(
        &mut self,
        fields: &Map<String, Value>,
        cause: Cause<'_>,
    ) -> Result<Value, ApiError> {
        only(fields, &KNOWN)?;
        let merchant_account = self.account(fields)?;
        let (amount, currency) = amount(fields)?;
        let reference = text(fields, "reference", 80)?.filter(|text| !text.is_empty());
        let reference = reference.ok_or_else(|| ApiError::invalid("130", "Reference Missing"))?;
        let back = text(fields, "returnUrl", 1024)?;
        back.ok_or_else(|| ApiError::invalid("14_030", "Return URL is missing."))?;
        let metadata = metadata(fields.get("metadata"))?;
        let manual_capture = manual_capture(fields)?;
        let natural = of_method(fields)?;
        let state = steered(cause.steer).unwrap_or(natural);
        let payment = Payment {
            id: self.new_id(),
            merchant_account,
            reference,
            amount,
            currency,
            manual_capture,
            metadata,
            state,
            captured: 0,
            refunded: 0,
            released: false,
            key: cause.key.map(str::to_owned),
        };
        let id = payment.id.clone();
        self.payments.insert(id.clone(), payment);
        self.move_money(&id);
        Ok(self
            .payments
            .get(&id)
            .map(Payment::to_json)
            .unwrap_or_default())
    }

    /// The money of a payment that is authorised now: taken at once, or reserved.
    pub(super) fn move_money(&mut self, id: &str) {
        let Some(payment) = self.payments.get_mut(id) else {
            return;
        };
        if payment.state != PaymentState::Authorised {
            return;
        }
        let kind = if payment.manual_capture {
            EffectKind::Authorize
        } else {
            payment.captured = payment.amount;
            EffectKind::Charge
        };
        let payment = payment.clone();
        let key = payment.key.clone();
        self.effect(kind, &payment, &payment.id, payment.amount, key, None);
    }
}

/// At most 20 fields, names of 20 characters, values of 80 (OAS).
fn metadata(value: Option<&Value>) -> Result<BTreeMap<String, String>, ApiError> {
    let too_much = || ApiError::invalid("177", "Metadata size exceeds limit");
    let Some(value) = value else {
        return Ok(BTreeMap::new());
    };
    let fields = value.as_object().ok_or_else(too_much)?;
    if fields.len() > 20 {
        return Err(too_much());
    }
    let field = |(name, value): (&String, &Value)| {
        let value = value.as_str().filter(|value| value.chars().count() <= 80);
        let value = value.filter(|_| name.chars().count() <= 20);
        value.map(|value| (name.clone(), value.to_owned()))
    };
    fields
        .iter()
        .map(|one| field(one).ok_or_else(too_much))
        .collect()
}

/// By hand only where the text says so; a JSON `true` is none (OAS: all values are texts). Left out it
/// is the account's setting, which is played as "at once".
fn manual_capture(fields: &Map<String, Value>) -> Result<bool, ApiError> {
    if let Some(hours) = fields.get("captureDelayHours")
        && !hours
            .as_i64()
            .is_some_and(|hours| (0..=672).contains(&hours))
    {
        return Err(ApiError::invalid(
            "702",
            "captureDelayHours must be 0 to 672",
        ));
    }
    match fields
        .get("additionalData")
        .map(|data| data.get("manualCapture"))
    {
        None | Some(None) => Ok(false),
        Some(Some(Value::String(text))) => Ok(text == "true"),
        Some(Some(_)) => Err(ApiError::unreadable("additionalData holds texts only")),
    }
}

/// What a payment comes to by itself. The holder's name decides, as in Adyen's test platform (TST);
/// the two that ask the customer are this simulator's own, as is a stored method that is refused.
fn of_method(fields: &Map<String, Value>) -> Result<PaymentState, ApiError> {
    let method = fields.get("paymentMethod").and_then(Value::as_object);
    let method = method.ok_or_else(|| ApiError::invalid("14_004", "Missing payment method"))?;
    let word = |name| method.get(name).and_then(Value::as_str).unwrap_or_default();
    let paying = [
        "encryptedCardNumber",
        "storedPaymentMethodId",
        "applePayToken",
        "googlePayToken",
    ];
    if word("type").is_empty() || paying.iter().all(|name| word(name).is_empty()) {
        return Err(ApiError::invalid(
            "14_004",
            "Missing payment method details",
        ));
    }
    let stored = !word("storedPaymentMethodId").is_empty();
    if stored
        && fields
            .get("shopperReference")
            .and_then(Value::as_str)
            .is_none()
    {
        return Err(ApiError::invalid("115", "shopperReference is missing"));
    }
    Ok(match word("holderName") {
        "DECLINED" => refused("2", "Refused"),
        "CARD_EXPIRED" => refused("6", "Expired Card"),
        "NOT_ENOUGH_BALANCE" => refused("12", "Not enough balance"),
        "ACQUIRER_ERROR" => refused("4", "Acquirer Error"),
        "ISSUER_UNAVAILABLE" => refused("9", "Issuer Unavailable"),
        "SIMULATED_REDIRECT" => PaymentState::Waiting { page: true },
        "SIMULATED_CHALLENGE" => PaymentState::Waiting { page: false },
        _ if word("storedPaymentMethodId").starts_with("DECLINED") => refused("2", "Refused"),
        _ => PaymentState::Authorised,
    })
}

pub(super) fn refused(code: &str, reason: &str) -> PaymentState {
    PaymentState::Refused {
        code: code.to_owned(),
        reason: reason.to_owned(),
    }
}

/// How a fault wants it to end.
fn steered(steer: Option<&Steer>) -> Option<PaymentState> {
    match steer? {
        Steer::Decline { decline_code, .. } => Some(match decline_code.as_deref() {
            Some("insufficient_funds") => refused("12", "Not enough balance"),
            Some("expired_card") => refused("6", "Expired Card"),
            _ => refused("2", "Refused"),
        }),
        Steer::RequireAction(kind) => Some(PaymentState::Waiting {
            page: *kind == ActionKind::RedirectToUrl,
        }),
        Steer::Processing => Some(PaymentState::Pending),
        Steer::StoredError { .. } => None,
    }
}
