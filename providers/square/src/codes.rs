//! Square's error codes: what each says of the request that it answers.
//! <https://developer.squareup.com/reference/square/enums/ErrorCode>
//!
//! A code that is not here says nothing, nor does one of another category or with a status that it
//! is not known to come with.

use crate::wire::ApiError;

/// What an error says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Says {
    /// The payer's side refused.
    Declined,
    /// The same, and not this card again.
    DeclinedForGood,
    /// The request was refused as it is.
    Rejected,
    /// Our token was refused.
    Unauthorized,
    /// Too many requests came.
    NoEffect,
    /// The key was used with other parameters.
    KeyMismatch,
    /// Nothing that this adapter knows.
    Nothing,
}

/// Refusals of the card or account that pays. `TEMPORARY_ERROR` and what a card reader says are
/// not among them.
const DECLINED: [&str; 20] = [
    "ADDRESS_VERIFICATION_FAILURE",
    "BAD_EXPIRATION",
    "BUYER_REFUSED_PAYMENT",
    "CARD_DECLINED",
    // The customer must be asked by the bank: the browser code makes a new token for that, and so
    // it is a new payment.
    "CARD_DECLINED_VERIFICATION_REQUIRED",
    "CVV_FAILURE",
    "EXPIRATION_FAILURE",
    "GENERIC_DECLINE",
    "INSUFFICIENT_FUNDS",
    "INVALID_EXPIRATION",
    "INVALID_EXPIRATION_DATE",
    "INVALID_EXPIRATION_YEAR",
    "INVALID_POSTAL_CODE",
    "PAYMENT_LIMIT_EXCEEDED",
    "REFUND_DECLINED",
    "RESERVATION_DECLINED",
    "TRANSACTION_LIMIT",
    "VERIFY_AVS_FAILURE",
    "VERIFY_CVV_FAILURE",
    "VOICE_FAILURE",
];

/// Declines after which this card must not be tried again.
const FOR_GOOD: [&str; 7] = [
    "ALLOWABLE_PIN_TRIES_EXCEEDED",
    "CARD_DECLINED_CALL_ISSUER",
    "CARD_EXPIRED",
    "CARD_NOT_SUPPORTED",
    "INVALID_ACCOUNT",
    "INVALID_CARD",
    "PAN_FAILURE",
];

/// Refusals of a request for a payment or a refund. Some of them may be due to an earlier send of
/// ours (the source is used, there is less to refund): the engine knows of those, and looks up.
const REJECTED: [&str; 36] = [
    "AMOUNT_TOO_HIGH",
    "BAD_REQUEST",
    "CARD_MISMATCH",
    "CARD_PRESENCE_REQUIRED",
    "CARD_PROCESSING_NOT_ENABLED",
    "CARD_TOKEN_EXPIRED",
    "CARD_TOKEN_USED",
    "CONFLICTING_PARAMETERS",
    "CURRENCY_MISMATCH",
    "CUSTOMER_NOT_FOUND",
    "INCORRECT_TYPE",
    "INSUFFICIENT_PERMISSIONS_FOR_REFUND",
    "INVALID_CARD_DATA",
    "INVALID_LOCATION",
    "INVALID_VALUE",
    "LOCATION_MISMATCH",
    "MANUALLY_ENTERED_PAYMENT_NOT_SUPPORTED",
    "MISSING_REQUIRED_PARAMETER",
    "PAYMENT_AMOUNT_MISMATCH",
    "PAYMENT_NOT_REFUNDABLE",
    "PAYMENT_NOT_REFUNDABLE_DUE_TO_DISPUTE",
    "REFUND_ALREADY_PENDING",
    "REFUND_AMOUNT_INVALID",
    "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION",
    "SOURCE_EXPIRED",
    "SOURCE_USED",
    "UNKNOWN_BODY_PARAMETER",
    "UNSUPPORTED_CARD_BRAND",
    "UNSUPPORTED_COUNTRY",
    "UNSUPPORTED_CURRENCY",
    "UNSUPPORTED_INSTRUMENT_TYPE",
    "UNSUPPORTED_SOURCE_TYPE",
    "VALUE_EMPTY",
    "VALUE_TOO_HIGH",
    "VALUE_TOO_LONG",
    "VALUE_TOO_LOW",
];

/// What one error says, with the status that it came with. `makes`: the request makes a payment or a
/// refund.
///
/// Which status a decline has is documented nowhere: a 400 was seen, a 402 is from memory.
pub(crate) fn says(status: u16, error: &ApiError, makes: bool) -> Says {
    let (Some(category), Some(code)) = (error.category.as_deref(), error.code.as_deref()) else {
        return Says::Nothing;
    };
    let of_payer = category == "PAYMENT_METHOD_ERROR";
    let of_request = category == "INVALID_REQUEST_ERROR";
    let refusal = of_payer || of_request || category == "REFUND_ERROR";
    match (status, code) {
        (400..=499, "IDEMPOTENCY_KEY_REUSED") if of_request => Says::KeyMismatch,
        (429, "RATE_LIMITED") if category == "RATE_LIMIT_ERROR" => Says::NoEffect,
        (401 | 403, _) if category == "AUTHENTICATION_ERROR" => Says::Unauthorized,
        (404, "NOT_FOUND") if of_request => Says::Rejected,
        // What a complete or a cancel is refused with says in which state the payment is, and no
        // page lists those codes. The payment itself tells.
        _ if !makes => Says::Nothing,
        (400 | 402, code) if refusal && DECLINED.contains(&code) => Says::Declined,
        (400 | 402, code) if refusal && FOR_GOOD.contains(&code) => Says::DeclinedForGood,
        (400 | 402, code) if refusal && REJECTED.contains(&code) => Says::Rejected,
        _ => Says::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_code_stands_in_two_tables() {
        let mut all = [&DECLINED[..], &FOR_GOOD[..], &REJECTED[..]].concat();
        let count = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), count);
    }
}
