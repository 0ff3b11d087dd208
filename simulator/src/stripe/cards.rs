//! Stripe's test payment methods (TEST), and what declines look like (DECL).

use serde_json::{Value, json};

use super::error::ApiError;

/// What happens when a payment method is tried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CardResult {
    Approved,
    Declined(Decline),
    ActionRequired,
}

/// Why a card was declined.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Decline {
    pub(super) code: String,
    pub(super) decline_code: Option<String>,
}

const APPROVED: [&str; 4] = [
    "pm_card_visa",
    "pm_card_visa_debit",
    "pm_card_mastercard",
    "pm_card_amex",
];

const ACTION_REQUIRED: [&str; 3] = [
    "pm_card_authenticationRequired",
    "pm_card_threeDSecure2Required",
    "pm_card_threeDSecureRequired",
];

/// What follows `pm_card_` or `pm_card_visa_`, the code and the issuer's reason.
const DECLINED: [(&str, &str, Option<&str>); 8] = [
    ("chargeDeclined", "card_declined", Some("generic_decline")),
    (
        "chargeDeclinedInsufficientFunds",
        "card_declined",
        Some("insufficient_funds"),
    ),
    ("chargeDeclinedLostCard", "card_declined", Some("lost_card")),
    (
        "chargeDeclinedStolenCard",
        "card_declined",
        Some("stolen_card"),
    ),
    ("chargeDeclinedExpiredCard", "expired_card", None),
    ("chargeDeclinedIncorrectCvc", "incorrect_cvc", None),
    ("chargeDeclinedProcessingError", "processing_error", None),
    ("radarBlock", "card_declined", Some("fraudulent")),
];

/// Reasons after which the same card must not be tried again.
const DO_NOT_TRY_AGAIN: [&str; 13] = [
    "lost_card",
    "stolen_card",
    "pickup_card",
    "fraudulent",
    "merchant_blacklist",
    "restricted_card",
    "security_violation",
    "revocation_of_authorization",
    "revocation_of_all_authorizations",
    "stop_payment_order",
    "invalid_account",
    "expired_card",
    "incorrect_number",
];

/// What this payment method does; unknown ones do not exist.
pub(super) fn result_of(payment_method: &str) -> Option<CardResult> {
    if APPROVED.contains(&payment_method) {
        return Some(CardResult::Approved);
    }
    if ACTION_REQUIRED.contains(&payment_method) {
        return Some(CardResult::ActionRequired);
    }
    // Public code uses both spellings.
    let rest = payment_method.strip_prefix("pm_card_")?;
    let rest = rest.strip_prefix("visa_").unwrap_or(rest);
    let (_, code, reason) = DECLINED.iter().find(|(name, ..)| *name == rest)?;
    Some(CardResult::Declined(Decline::new(code, *reason)))
}

impl Decline {
    pub(super) fn new(code: &str, decline_code: Option<&str>) -> Self {
        Self {
            code: code.to_owned(),
            decline_code: decline_code.map(str::to_owned),
        }
    }

    /// 3-D Secure was needed and nobody was there to do it.
    pub(super) fn authentication_required() -> Self {
        Self::new("authentication_required", Some("authentication_required"))
    }

    /// The fields of a `card_error`, without the payment.
    pub(super) fn error(&self, charge: &str) -> ApiError {
        let reason = self.decline_code.as_deref().unwrap_or(&self.code);
        let mut error = ApiError::card(format!("Your card was declined ({reason})."))
            .code(&self.code)
            .with("charge", charge);
        if let Some(decline_code) = &self.decline_code {
            error = error.with("decline_code", decline_code.as_str());
        }
        match self.advice() {
            Some(advice) => error.with("advice_code", advice),
            None => error,
        }
    }

    /// What `last_payment_error` shows.
    pub(super) fn last_payment_error(&self, charge: &str, payment_method: &str) -> Value {
        let mut error = self.error(charge).to_json();
        if let Value::Object(members) = &mut error {
            let method =
                json!({ "id": payment_method, "object": "payment_method", "type": "card" });
            members.insert("payment_method".to_owned(), method);
        }
        error
    }

    fn advice(&self) -> Option<&'static str> {
        let reason = self.decline_code.as_deref().unwrap_or(&self.code);
        if DO_NOT_TRY_AGAIN.contains(&reason) {
            return Some("do_not_try_again");
        }
        match reason {
            "incorrect_cvc" => Some("confirm_card_data"),
            "insufficient_funds" | "processing_error" | "issuer_not_available" => {
                Some("try_again_later")
            }
            _ => None,
        }
    }
}
