//! Result codes: what they are called and what they stand for (H2).

/// The code of a payment that waits for its result.
pub(super) const PENDING: &str = "000.200.000";
/// The code of a query that found something.
pub(super) const QUERIED: &str = "000.000.100";
/// The authorization system said no.
pub(super) const DECLINED: &str = "800.100.152";
/// The customer did not pass 3-D Secure.
pub(super) const NOT_AUTHENTICATED: &str = "100.380.401";
/// The issuer wants the customer to be there.
pub(super) const SOFT_DECLINED: &str = "300.100.100";
/// The same transaction again.
pub(super) const DUPLICATE: &str = "800.110.100";
/// A parameter is missing or wrong.
pub(super) const PARAMETER: &str = "200.300.404";
/// There is no such transaction.
pub(super) const NOT_FOUND: &str = "700.400.580";
/// The token or the entity is not accepted.
pub(super) const UNAUTHORIZED: &str = "800.900.300";
/// Too many requests.
pub(super) const THROTTLED: &str = "800.120.100";
/// Something went wrong inside.
pub(super) const SYSTEM: &str = "999.999.999";
/// The registration is unknown.
pub(super) const NO_REGISTRATION: &str = "100.150.200";
/// The amount is missing or too low.
pub(super) const AMOUNT_TOO_LOW: &str = "100.550.300";
/// The currency is not that of the payment it belongs to.
pub(super) const OTHER_CURRENCY: &str = "700.100.500";
/// More than is authorized, or the authorization is gone.
pub(super) const CANNOT_CAPTURE: &str = "700.400.100";
/// More than was taken, or it was reversed.
pub(super) const CANNOT_REFUND: &str = "700.400.200";
/// Already refunded, captured or reversed.
pub(super) const CANNOT_REVERSE: &str = "700.400.300";
/// There is no such authorization.
pub(super) const CAPTURE_NEEDS: &str = "700.400.510";
/// There is no such charge or capture.
pub(super) const REFUND_NEEDS: &str = "700.400.520";
/// There is no such charge or authorization.
pub(super) const REVERSAL_NEEDS: &str = "700.400.530";
/// It waits for its own result.
pub(super) const REFERENCE_PENDING: &str = "700.400.570";
/// It is too late.
pub(super) const TOO_LATE_TO_REVERSE: &str = "700.300.700";
/// What is only for tests was sent to the live platform.
pub(super) const TEST_MODE_LIVE: &str = "600.200.701";

const DESCRIPTIONS: [(&str, &str); 36] = [
    ("000.000.000", "Transaction succeeded"),
    (
        "000.100.110",
        "Request successfully processed in 'Merchant in Integrator Test Mode'",
    ),
    (
        "000.100.112",
        "Request successfully processed in 'Merchant in Connector Test Mode'",
    ),
    (QUERIED, "successful request"),
    (PENDING, "transaction pending"),
    (
        "000.400.000",
        "Transaction succeeded (please review manually due to fraud suspicion)",
    ),
    (
        "000.400.030",
        "Transaction partially failed (please reverse manually due to failed automatic reversal)",
    ),
    ("100.400.500", "waiting for external risk"),
    (
        AMOUNT_TOO_LOW,
        "request contains no amount or too low amount",
    ),
    (NO_REGISTRATION, "registration does not exist"),
    (NOT_AUTHENTICATED, "User Authentication Failed"),
    (PARAMETER, "invalid or missing parameter"),
    (
        SOFT_DECLINED,
        "Transaction declined (additional customer authentication required)",
    ),
    (TEST_MODE_LIVE, "testMode not allowed on production"),
    (
        OTHER_CURRENCY,
        "referenced payment currency does not match with requested payment currency",
    ),
    (
        TOO_LATE_TO_REVERSE,
        "referenced tx can not be reversed (reversal not possible anymore)",
    ),
    (
        CANNOT_CAPTURE,
        "cannot capture (PA value exceeded, PA reverted or invalid workflow?)",
    ),
    (
        CANNOT_REFUND,
        "cannot refund (refund volume exceeded or tx reversed or invalid workflow?)",
    ),
    (
        CANNOT_REVERSE,
        "cannot reverse (already refunded|reversed, invalid workflow or amount exceeded)",
    ),
    (
        CAPTURE_NEEDS,
        "capture needs at least one successful transaction of type (PA)",
    ),
    (
        REFUND_NEEDS,
        "refund needs at least one successful transaction of type (CP or DB or RB or RC)",
    ),
    (
        REVERSAL_NEEDS,
        "reversal needs at least one successful transaction of type (CP or DB or RB or PA)",
    ),
    (
        REFERENCE_PENDING,
        "cannot reference a waiting/pending transaction",
    ),
    (NOT_FOUND, "cannot find transaction"),
    ("800.100.151", "transaction declined (invalid card)"),
    (DECLINED, "transaction declined by authorization system"),
    ("800.100.153", "transaction declined (invalid CVV)"),
    ("800.100.157", "transaction declined (wrong expiry date)"),
    ("800.100.159", "transaction declined (stolen card)"),
    ("800.100.203", "transaction declined (insufficient funds)"),
    (DUPLICATE, "duplicate transaction"),
    (THROTTLED, "Too many requests. Please try again later."),
    (UNAUTHORIZED, "invalid authentication information"),
    ("900.100.300", "timeout, uncertain result"),
    (
        "900.100.301",
        "Transaction timed out without response from connector/acquirer. It was reversed.",
    ),
    (SYSTEM, "UNDEFINED CONNECTOR/ACQUIRER ERROR"),
];

/// The text that goes with a code.
pub(super) fn description(code: &str) -> &'static str {
    let known = DESCRIPTIONS.iter().find(|(known, _)| *known == code);
    // A test may answer with any code; not all of them are listed here.
    known.map_or("result of the simulator", |(_, description)| *description)
}

/// Whether this has the form of a result code.
pub(super) fn is_code(text: &str) -> bool {
    let mut parts = text.split('.');
    let three = |part: &str| part.len() == 3 && part.bytes().all(|byte| byte.is_ascii_digit());
    let all = parts.by_ref().take(3).filter(|part| three(part)).count() == 3;
    all && parts.next().is_none()
}

/// Whether a payment with this code is done, those included that somebody has to review.
pub(super) fn is_success(code: &str) -> bool {
    // These look like a success and are the result of something else than a payment.
    let other = ["000.100.105", "000.100.106", "000.300.10", "000.310."];
    let done = [
        "000.000.",
        "000.100.1",
        "000.3",
        "000.6",
        "000.400.0",
        "000.400.100",
    ];
    let begins = |starts: &[&str]| starts.iter().any(|start| code.starts_with(start));
    begins(&done) && !begins(&other) && code != QUERIED && code != "000.400.030"
}

/// Whether a payment with this code waits for its result.
pub(super) fn is_pending(code: &str) -> bool {
    ["000.200", "800.400.5", "100.400.500"]
        .iter()
        .any(|start| code.starts_with(start))
}

/// Whether nobody knows what became of a payment with this code.
pub(super) fn is_uncertain(code: &str) -> bool {
    let starts = ["900.", "999.", "600.1", "800.5", "800.6", "000.400.030"];
    starts.iter().any(|start| code.starts_with(start)) && code != "900.100.301"
}
