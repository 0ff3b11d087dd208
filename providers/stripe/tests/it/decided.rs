//! What a changed field of a reply may change.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::Means;

/// Fixtures whose every field is changed, and the fields that are the answer.
pub(crate) const DECIDED: &[(OperationKind, &str, &[&str])] = &[
    // The amounts are what the engine compares with what was sent.
    (
        Charge,
        "200_succeeded",
        &["/amount", "/amount_received", "/id"],
    ),
    (
        Charge,
        "200_succeeded_unknown_fields",
        &["/amount", "/amount_received", "/id"],
    ),
    (Charge, "200_processing", &["/id"]),
    // Without the page the client secret is handed out instead.
    (
        Charge,
        "200_requires_action_redirect",
        &["/id", "/next_action"],
    ),
    (
        Charge,
        "200_requires_action_sdk",
        &["/id", "/next_action", "/client_secret"],
    ),
    (Charge, "200_canceled", &["/id", "/cancellation_reason"]),
    (
        Charge,
        "200_declined",
        &[
            "/id",
            "/last_payment_error/code",
            "/last_payment_error/decline_code",
        ],
    ),
    (
        Charge,
        "402_insufficient_funds",
        &[
            "/error/code",
            "/error/decline_code",
            "/error/payment_intent",
        ],
    ),
    // The payment contradicts the decline; where none is named, nothing does.
    (Charge, "402_payment_succeeded", &[]),
    (
        Charge,
        "400_payment_left",
        &["/error/code", "/error/payment_intent"],
    ),
    (Charge, "400_idempotency_error", &[]),
    (Charge, "400_missing_parameter", &["/error/code"]),
    (Charge, "404_resource_missing", &[]),
    (Charge, "409_key_in_use", &[]),
    (Charge, "429_lock_timeout", &[]),
    (Charge, "500_first", &[]),
    (
        Authorize,
        "200_authorized",
        &["/amount", "/amount_capturable", "/id"],
    ),
    (Authorize, "200_succeeded", &[]),
    (Authorize, "402_payment_requires_capture", &[]),
    (Authorize, "400_payment_requires_capture", &[]),
    (Capture, "200_captured", &["/amount_received"]),
    (Capture, "200_processing", &[]),
    (Capture, "200_requires_capture", &[]),
    (Capture, "400_already_captured", &["/error/code"]),
    // The payment contradicts the refusal; where none is named, nothing does.
    (Capture, "400_captured_with_our_key", &[]),
    (
        Capture,
        "402_declined",
        &["/error/code", "/error/decline_code"],
    ),
    (Capture, "402_captured", &[]),
    (Refund, "200_succeeded", &["/amount", "/id"]),
    (Refund, "200_pending", &["/id"]),
    (Refund, "200_failed", &["/id", "/failure_reason"]),
    (Refund, "200_canceled", &["/id", "/failure_reason"]),
    (Refund, "400_charge_already_refunded", &["/error/code"]),
    (Void, "200_canceled", &["/amount", "/amount_received"]),
    (Void, "200_requires_capture", &[]),
    // Without the payment, or with another code, it is a refusal like any other.
    (
        Void,
        "400_canceled_before",
        &[
            "/error/payment_intent/amount",
            "/error/payment_intent/amount_received",
        ],
    ),
    (Void, "400_captured", &["/error/code"]),
];

/// Where a change of one field may make another kind of answer, and which.
pub(crate) const BECOMES: &[(OperationKind, &str, &str, Means)] = &[
    // The payment contradicts the decline; where none is named, nothing does.
    (
        Charge,
        "402_payment_succeeded",
        "/error/payment_intent",
        Means::Declined,
    ),
    (
        Authorize,
        "402_payment_requires_capture",
        "/error/payment_intent",
        Means::Declined,
    ),
    (
        Capture,
        "402_captured",
        "/error/payment_intent",
        Means::Declined,
    ),
    (
        Authorize,
        "400_payment_requires_capture",
        "/error/payment_intent",
        Means::Rejected,
    ),
    (
        Capture,
        "400_captured_with_our_key",
        "/error/payment_intent",
        Means::Rejected,
    ),
    (
        Void,
        "400_canceled_before",
        "/error/payment_intent",
        Means::Rejected,
    ),
    // Without our key it is the capture of somebody else.
    (
        Capture,
        "400_captured_with_our_key",
        "/error/payment_intent/metadata",
        Means::Rejected,
    ),
    (
        Capture,
        "400_captured_with_our_key",
        "/error/payment_intent/metadata/payonce_capture_key",
        Means::Rejected,
    ),
];
