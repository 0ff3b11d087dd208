//! What the result code of a payment says:
//! <https://docs.adyen.com/online-payments/build-your-integration/payment-result-codes>.

use payonce::provider::{Call, Effect, NextAction, PendingAt, Refusal, Ruling};
use serde_json::{Map, Value};

use super::{Step, raw, undocumented, unreadable};
use crate::wire::Body;

/// The acquirer or the issuer could not be reached, or the payment is not over: a notification may
/// still make a success of these. <https://docs.adyen.com/development-resources/refusal-reasons>
const UNCERTAIN: [&str; 3] = ["4", "9", "13"];

/// The other reasons that are known for certain. An error of any other kind is not believed.
const FINAL: [&str; 12] = [
    "2", "3", "5", "6", "7", "8", "10", "11", "12", "14", "15", "16",
];

/// A refusal comes with a 200 too, so the status says nothing.
pub(super) fn ruling(call: &Call<'_>, step: Step<'_>, body: &Body) -> Ruling {
    let Some(result) = body.result_code.as_deref() else {
        return unreadable(200);
    };
    match result {
        // A part of the amount is told by the amount, which the engine compares.
        "Authorised" | "PartiallyAuthorised" => match (body.id(), body.money()) {
            (Some(id), Some(money)) => Ruling::Succeeded(Effect::new(id, money, result)),
            _ => unreadable(200),
        },
        "Refused" | "Error" => refused(step, result, body),
        "Cancelled" => Ruling::Canceled(refusal(result, body)),
        "RedirectShopper" | "IdentifyShopper" | "ChallengeShopper" | "PresentToShopper" => {
            action(call, body).unwrap_or_else(|| unreadable(200))
        }
        // With something to do it waits for the customer, else for Adyen.
        "Pending" | "Received" if body.action.is_some() => {
            action(call, body).unwrap_or_else(|| unreadable(200))
        }
        "Pending" | "Received" => Ruling::Pending(PendingAt::new(id(call, body), result)),
        // Among them those that are no payments (`AuthenticationFinished`), and `Success`, of which
        // only a notification tells whether it is one.
        _ => undocumented(200, Some(result)),
    }
}

/// `Refused` and `Error` are final states. Before the customer had anything the refusal is a decline.
/// After the customer's result was handed in, the payment that the customer has is over: nobody can
/// pay it any more, and another attempt may follow.
fn refused(step: Step<'_>, result: &str, body: &Body) -> Ruling {
    let reason = body.refusal_reason_code.as_deref();
    let is_final = match (result, reason) {
        // A refusal without its reason may be one of the uncertain ones.
        (_, None) => false,
        ("Error", Some(code)) => FINAL.contains(&code),
        // New numbers come up, and the state is final all the same. What is none is not read.
        (_, Some(code)) => is_number(code) && !UNCERTAIN.contains(&code),
    };
    if !is_final {
        let code = format!("{result} {}", reason.unwrap_or("-"));
        return undocumented(200, Some(&code));
    }
    match step {
        Step::First(_) => Ruling::Declined(refusal(result, body)),
        Step::Details(_) => Ruling::Canceled(refusal(result, body)),
    }
}

fn is_number(code: &str) -> bool {
    !code.is_empty() && code.len() <= 4 && code.bytes().all(|b| b.is_ascii_digit())
}

fn refusal(result: &str, body: &Body) -> Refusal {
    Refusal::new(result)
        .with_reason(body.refusal_reason_code.as_deref().map(raw).as_deref())
        .with_message(body.refusal_reason.as_deref())
        .with_provider_id(body.id())
}

/// A payment that waits for its customer may have no id of Adyen's yet; our reference is then all that
/// names it.
fn id<'a>(call: &Call<'a>, body: &'a Body) -> &'a str {
    body.id().unwrap_or(call.key.as_str())
}

/// A page that opens by a plain link is given as one. Anything else (a form, a challenge, a voucher)
/// is for Adyen's front-end code, which takes the action as it is.
fn action(call: &Call<'_>, body: &Body) -> Option<Ruling> {
    let (kind, action) = body.action()?;
    let next = NextAction::new(id(call, body), raw(kind));
    Some(Ruling::ActionRequired(match page(kind, action) {
        Some(url) => next.with_url(Some(url)),
        None => next.with_client_secret(body.action.as_ref().map(Value::to_string).as_deref()),
    }))
}

fn page<'a>(kind: &str, action: &'a Map<String, Value>) -> Option<&'a str> {
    let text = |name| action.get(name).and_then(Value::as_str);
    let url = text("url")?;
    let address: http::Uri = url.parse().ok()?;
    let opens = address.scheme_str() == Some("https") && address.host().is_some();
    let plain = kind == "redirect" && text("method") == Some("GET") && !action.contains_key("data");
    (opens && plain).then_some(url)
}
