//! What Tap's replies say: the general guess by status first, then the documented table.

mod meaning;

use payonce::provider::{
    Call, Echo, Effect, NextAction, PendingAt, Refusal, Response, Ruling, Verdict, by_status,
    excerpt,
};
use payonce::{Doubt, Money, OperationKind};

use self::meaning::Meaning;
pub(crate) use self::meaning::Seen;
use crate::amount;
use crate::wire::Object;

/// The verdict on the reply to one send.
///
/// It is never `kept`: the page that promises the original response does not say whether it keeps a
/// refusal. Nor is it ever `replayed`: Tap has no such mark.
pub(crate) fn classify(call: &Call<'_>, reply: &Response) -> Verdict {
    let body = Object::of(reply);
    match (reply.status.as_u16(), &body) {
        // What was refused by the bank comes with a 200 too.
        (200, Some(object)) => of_object(call, object, Seen::Reply),
        _ => Verdict::new(of_error(reply, body.as_ref())),
    }
}

/// What a charge, an authorization or a refund says, in a reply to a send and in a look-up.
pub(crate) fn of_object(call: &Call<'_>, object: &Object, seen: Seen) -> Verdict {
    let ruling = match (object.id(), object.text("status")) {
        (Some(id), Some(state)) => of_state(call, object, seen, &id, &state),
        _ => unreadable(),
    };
    let echo = echo(call, object, &ruling);
    let track = object.object("reference").and_then(|all| all.text("track"));
    Verdict::new(ruling)
        .with_echo(echo)
        .with_provider_id(object.id().as_deref())
        .with_request_id(track.as_deref().map(raw).as_deref())
}

fn of_state(call: &Call<'_>, object: &Object, seen: Seen, id: &str, state: &str) -> Ruling {
    let answer = object.object("response");
    let code = answer.as_ref().and_then(|answer| answer.text("code"));
    let undocumented = || {
        Ruling::Unknown(Doubt::Undocumented {
            status: 200,
            code: Some(raw(code.as_deref().unwrap_or(state))),
        })
    };
    if is_of_another(call, object, id) {
        return undocumented();
    }
    let refusal = || {
        let message = answer.as_ref().and_then(|answer| answer.text("message"));
        Refusal::new(raw(state))
            .with_reason(code.as_deref().map(raw).as_deref())
            .with_message(message.as_deref())
            .with_provider_id(Some(id))
    };
    let money = money(object);
    match meaning::of(call.kind, state, code.as_deref(), seen) {
        Meaning::Done => match money {
            Some(money) => Ruling::Succeeded(Effect::new(id, money, raw(state))),
            None => unreadable(),
        },
        Meaning::Repeated => Ruling::Repeated,
        Meaning::Unsaid => undocumented(),
        // What shows another amount is not about ours. Of a success the engine asks the same.
        _ if money != Some(call.money) => mismatch(call, object, id, money),
        Meaning::Open => open(call, object, id, state),
        Meaning::Pending => Ruling::Pending(PendingAt::new(id, raw(state))),
        Meaning::Declined => Ruling::Declined(refusal()),
        Meaning::Rejected => Ruling::Rejected(refusal()),
        Meaning::Canceled => Ruling::Canceled(refusal()),
    }
}

/// How Tap calls the object that an operation makes, and how its ids begin.
pub(crate) const fn object_of(kind: OperationKind) -> (&'static str, &'static str) {
    match kind {
        OperationKind::Refund => ("refund", "re_"),
        // A void makes none: it shows what it voided.
        OperationKind::Authorize | OperationKind::Void => ("authorize", "auth_"),
        OperationKind::Charge | OperationKind::Capture | _ => ("charge", "chg_"),
    }
}

/// Whether it says of itself that it is not what we sent.
fn is_of_another(call: &Call<'_>, object: &Object, id: &str) -> bool {
    let (word, prefix) = object_of(call.kind);
    let named = object.text("object");
    let charge = object.text("charge_id");
    !id.starts_with(prefix)
        || named.is_some_and(|named| named != word)
        || call.kind == OperationKind::Refund && charge.is_some_and(|id| call.parent != Some(&id))
}

fn money(object: &Object) -> Option<Money> {
    amount::read(object.raw("amount")?, &object.text("currency")?)
}

fn mismatch(call: &Call<'_>, object: &Object, id: &str, got: Option<Money>) -> Ruling {
    if object.raw("amount").is_none() || object.raw("currency").is_none() {
        return unreadable();
    }
    Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id: id.to_owned(),
    })
}

/// The page for the customer is `transaction.url`; `redirect.url` is our own. Without a page there is
/// nothing to do but to wait: <https://developers.tap.company/reference/charges>.
fn open(call: &Call<'_>, object: &Object, id: &str, state: &str) -> Ruling {
    let page = object
        .object("transaction")
        .and_then(|page| page.text("url"));
    // Nobody is there to be sent anywhere when an authorization is captured.
    let has_customer = call.kind != OperationKind::Capture;
    match page {
        None => Ruling::Pending(PendingAt::new(id, raw(state))),
        Some(url) if has_customer && is_page(&url) => {
            let action = NextAction::new(id, raw(state)).with_url(Some(&url));
            Ruling::ActionRequired(action)
        }
        Some(_) => unreadable(),
    }
}

fn is_page(url: &str) -> bool {
    url.starts_with("https://") || url.starts_with("http://")
}

/// The documented table: <https://developers.tap.company/reference/charge-response-codes>. Which
/// status comes with which code is not documented. A 429 is documented as too many requests, not as
/// without effect, and a 409 as a conflict with another request, not with which.
fn of_error(reply: &Response, body: Option<&Object>) -> Ruling {
    let status = reply.status.as_u16();
    let error = body.and_then(Object::error);
    let code = error.as_ref().and_then(|error| error.text("code"));
    match (status, code.as_deref()) {
        // After a lost reply it was our own first send that used it, and nobody here knows of that.
        (400 | 402 | 403 | 404, Some("1126")) => Ruling::Repeated,
        (400 | 401 | 403, Some("1101" | "2104" | "2105" | "2106" | "2107" | "2108")) => {
            Ruling::Unauthorized
        }
        (400 | 402 | 403 | 404, Some(code)) if meaning::is_of_the_request(code) => {
            let message = error.as_ref().and_then(|error| error.text("description"));
            Ruling::Rejected(Refusal::new(raw(code)).with_message(message.as_deref()))
        }
        (_, code) => {
            let guess = by_status(reply).ruling;
            if matches!(guess, Ruling::Unknown(Doubt::Undocumented { .. })) {
                let code = code.map(raw);
                return Ruling::Unknown(Doubt::Undocumented { status, code });
            }
            guess
        }
    }
}

/// The field that names our key: a payment's, or a refund's.
pub(crate) const fn key_field(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Refund => "merchant",
        OperationKind::Charge
        | OperationKind::Authorize
        | OperationKind::Capture
        | OperationKind::Void
        | _ => "transaction",
    }
}

/// Whether the reply names our key. Another one is foreign, whatever else it says.
fn echo(call: &Call<'_>, object: &Object, ruling: &Ruling) -> Echo {
    if call.kind == OperationKind::Void {
        // It is the authorization that is shown, or it is another one.
        return match object.id() {
            Some(id) if call.parent != Some(&id) => Echo::Foreign,
            Some(_) | None => Echo::NotExpected,
        };
    }
    let reference = object.object("reference");
    let named = reference.and_then(|all| all.text(key_field(call.kind)));
    if named
        .as_deref()
        .is_some_and(|named| named != call.key.as_str())
    {
        return Echo::Foreign;
    }
    match ruling {
        Ruling::Succeeded(_)
        | Ruling::Declined(_)
        | Ruling::Rejected(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => {
            if named.is_some() {
                Echo::Ours
            } else {
                Echo::Missing
            }
        }
        Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => Echo::NotExpected,
    }
}

/// The reply is not what Tap sends.
const fn unreadable() -> Ruling {
    Ruling::Unknown(Doubt::Unreadable { status: Some(200) })
}

/// A word of Tap's as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}
