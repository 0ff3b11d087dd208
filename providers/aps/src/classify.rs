//! What the gateway's replies say. The status is always 200, so the code decides, and only under a
//! signature: <https://docs.payfort.com/docs/api/build/index.html#signature>.

use payonce::provider::{
    Call, Echo, Effect, NextAction, PendingAt, Refusal, Response, Ruling, Verdict, by_status,
};
use payonce::{Doubt, Money, OperationKind};

use crate::amount;
use crate::codes::{Meaning, meaning, names};
use crate::rule::{ORDER_KEY, REFUND_KEY};
use crate::sign::Keys;
use crate::wire::{Fields, Unread};

/// The verdict on the reply to one send. It is never kept and never marked as a repeat: the gateway
/// remembers no reply.
pub(crate) fn classify(keys: &Keys, call: &Call<'_>, reply: &Response) -> Verdict {
    if reply.status != 200 {
        return by_status(reply);
    }
    match Fields::of(keys, reply) {
        Ok(fields) => {
            let ruling = of_our_amount(call, &fields, ruling(call, &fields));
            let echo = echo(call, &fields, &ruling);
            Verdict::new(ruling)
                .with_echo(echo)
                .with_provider_id(fields.fort_id().as_deref())
        }
        Err(Unread::NoObject) => by_status(reply),
        // It may be anybody's, or the response phrase is wrong: a person should see which.
        Err(Unread::NotSigned) => {
            Verdict::new(undocumented(Some("its signature is wrong".to_owned())))
        }
    }
}

fn ruling(call: &Call<'_>, fields: &Fields) -> Ruling {
    let undocumented = || undocumented(fields.raw("response_code"));
    let own = names(call.kind).map(|(command, ..)| command);
    // Every parameter of the request comes back. The page of refunds lists the commands of payments
    // here; a reply that says so is looked up.
    if fields.has("command") && fields.text("command") != own {
        return undocumented();
    }
    let Some(code) = fields.code("response_code", "status") else {
        return undocumented();
    };
    let refusal = || refusal(fields, "response_code");
    let ruling = match meaning(call.kind, &code.state, &code.message) {
        Meaning::Done => done(call, fields, &code.text),
        Meaning::Waiting => waiting(fields),
        Meaning::Pending => fields.fort_id().map(|id| pending(id, &code.text)),
        Meaning::Declined => Some(Ruling::Declined(refusal())),
        Meaning::Rejected => Some(Ruling::Rejected(refusal())),
        Meaning::Unauthorized => Some(Ruling::Unauthorized),
        Meaning::Repeated => Some(Ruling::Repeated),
        Meaning::InProgress => Some(Ruling::InProgress),
        Meaning::Unsaid => return undocumented(),
    };
    ruling.unwrap_or(Ruling::Unknown(Doubt::Unreadable { status: Some(200) }))
}

/// A success shows its order and its amount. The page of voids lists no amount in the reply; there
/// is no other one than the whole.
fn done(call: &Call<'_>, fields: &Fields, code: &str) -> Option<Ruling> {
    let money = match shown(fields) {
        Shown::Money(money) => money,
        Shown::Nothing if call.kind == OperationKind::Void => call.money,
        Shown::Nothing | Shown::NoMoney => return None,
    };
    let id = fields.fort_id()?;
    Some(Ruling::Succeeded(Effect::new(id, money, code)))
}

/// The customer passes 3-D Secure on a page, and the payment goes on by itself.
fn waiting(fields: &Fields) -> Option<Ruling> {
    let url = fields.text("3ds_url")?;
    let address: http::Uri = url.parse().ok()?;
    let opens = address.scheme_str() == Some("https") && address.host().is_some();
    let action = NextAction::new(fields.fort_id()?, "3ds").with_url(Some(url));
    opens.then_some(Ruling::ActionRequired(action))
}

/// Something that the gateway works on.
pub(crate) fn pending(id: String, code: &str) -> Ruling {
    Ruling::Pending(PendingAt::new(id, code))
}

/// A refusal by the code in a field.
pub(crate) fn refusal(fields: &Fields, code: &str) -> Refusal {
    // Of the acquirer's two codes the older one is the one that every account may see.
    let reason = fields.raw("acquirer_response_code");
    let message = code.replace("_code", "_message");
    Refusal::new(fields.raw(code).unwrap_or_default())
        .with_reason(reason.as_deref())
        .with_message(fields.text(&message))
        .with_provider_id(fields.fort_id().as_deref())
}

/// What shows another amount than we sent is not about ours. Of a success the engine asks the same.
fn of_our_amount(call: &Call<'_>, fields: &Fields, ruling: Ruling) -> Ruling {
    let asserts = match &ruling {
        Ruling::Declined(_)
        | Ruling::Rejected(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => true,
        Ruling::Succeeded(_)
        | Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    };
    let got = match shown(fields) {
        Shown::Money(money) if money != call.money => Some(money),
        Shown::NoMoney => None,
        Shown::Money(_) | Shown::Nothing => return ruling,
    };
    if !asserts {
        return ruling;
    }
    Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id: fields.fort_id().unwrap_or_default(),
    })
}

/// Whether the reply names our key, and the order that it is about.
fn echo(call: &Call<'_>, fields: &Fields, ruling: &Ruling) -> Echo {
    let order = fields.fort_id();
    if call.parent.is_some() && fields.has("fort_id") && order.as_deref() != call.parent {
        return Echo::Foreign;
    }
    let name = match call.kind {
        OperationKind::Refund => REFUND_KEY,
        OperationKind::Charge | OperationKind::Authorize => ORDER_KEY,
        // They name nothing but their order.
        OperationKind::Capture | OperationKind::Void | _ => return Echo::NotExpected,
    };
    let named = fields.named(name);
    if fields.has(name) && named.as_deref() != Some(call.key.as_str()) {
        return Echo::Foreign;
    }
    let asserts = match ruling {
        Ruling::Succeeded(_)
        | Ruling::Declined(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => true,
        // What was wrong makes no order that could name it.
        Ruling::Rejected(_)
        | Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    };
    match (asserts, named.is_some()) {
        (true, true) => Echo::Ours,
        (true, false) => Echo::Missing,
        (false, _) => Echo::NotExpected,
    }
}

/// A code that does not say what happened.
pub(crate) const fn undocumented(code: Option<String>) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented { status: 200, code })
}

/// What the amount and the currency of a reply show.
enum Shown {
    /// Neither of the two is there.
    Nothing,
    /// They are no money, or one of them is missing.
    NoMoney,
    /// This.
    Money(Money),
}

fn shown(fields: &Fields) -> Shown {
    if !fields.has("amount") && !fields.has("currency") {
        return Shown::Nothing;
    }
    let both = fields.units("amount").zip(fields.text("currency"));
    let money = both.and_then(|(units, currency)| amount::read(units, currency));
    money.map_or(Shown::NoMoney, Shown::Money)
}
