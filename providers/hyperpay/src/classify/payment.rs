//! What a payment says, in a reply to a send and in a look-up.

use payonce::provider::{Call, Effect, Mode, NextAction, PendingAt, Refusal, Ruling};
use payonce::{Doubt, Money, OperationKind};

use super::{raw, undocumented};
use crate::amount;
use crate::codes::{Meaning, meaning};
use crate::encode::payment_type;
use crate::wire::Payment;

/// Where a payment was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// In the reply to a send.
    Reply {
        /// Its status.
        status: u16,
    },
    /// In a look-up.
    LookUp,
}

impl Seen {
    const fn status(self) -> u16 {
        match self {
            Self::Reply { status } => status,
            Self::LookUp => 200,
        }
    }
}

/// The ruling of a payment by its result code.
pub(crate) fn ruling(mode: Mode, call: &Call<'_>, payment: &Payment, seen: Seen) -> Ruling {
    let status = seen.status();
    let code = payment.code().unwrap_or_default();
    if is_of_another(call, payment) {
        return undocumented(status, code);
    }
    // A page may still be opened and paid, so beside one no refusal is the last word.
    let refusal = || {
        let last = payment.redirect.is_none();
        last.then(|| refusal(payment, code))
    };
    let ruling = match meaning(code) {
        Meaning::Done => Some(done(call, payment, seen)),
        // No money moved, so it is no success where money should: a person must see why a live
        // account answers so.
        Meaning::DoneInTest if mode == Mode::Test => Some(done(call, payment, seen)),
        Meaning::Waiting => waiting(call, payment, seen),
        Meaning::Pending => Some(pending(payment, seen)),
        Meaning::Declined => refusal().map(Ruling::Declined),
        Meaning::Rejected => refusal().map(Ruling::Rejected),
        Meaning::Unauthorized => Some(Ruling::Unauthorized),
        Meaning::Repeated => Some(Ruling::Repeated),
        Meaning::Ended if seen == Seen::LookUp => refusal().map(Ruling::Declined),
        Meaning::DoneInTest | Meaning::Ended | Meaning::Unsaid => None,
    };
    let ruling = ruling.unwrap_or_else(|| undocumented(status, code));
    of_our_amount(call, payment, ruling)
}

/// Whether it says of itself that it is not what we sent: another kind of operation, or one on
/// another payment.
fn is_of_another(call: &Call<'_>, payment: &Payment) -> bool {
    let kind = payment.kind.as_deref();
    let parent = payment.referenced_id.as_deref();
    let other_kind = kind.is_some() && kind != payment_type(call.kind);
    let other_parent = call.parent.is_some() && parent.is_some() && parent != call.parent;
    other_kind || other_parent
}

/// A success must show the kind and the amount of the operation, and itself.
fn done(call: &Call<'_>, payment: &Payment, seen: Seen) -> Ruling {
    let money = match shown(payment) {
        Shown::Money(money) => Some(money),
        // A void is asked for without an amount. Where the reply shows none either, it shows at
        // least which payment was voided, and there is no other amount than the whole.
        Shown::Nothing => is_our_void(call, payment).then_some(call.money),
        Shown::NoMoney => None,
    };
    let code = payment.code().unwrap_or_default();
    match named(payment).zip(money) {
        Some((id, money)) => Ruling::Succeeded(Effect::new(id, money, code)),
        None => unreadable(seen),
    }
}

fn is_our_void(call: &Call<'_>, payment: &Payment) -> bool {
    let parent = payment.referenced_id.as_deref();
    call.kind == OperationKind::Void && parent.is_some() && parent == call.parent
}

/// The customer is to go to a page, or there is nothing to do but to wait. `None`: there is a page,
/// but not one to send a customer to.
fn waiting(call: &Call<'_>, payment: &Payment, seen: Seen) -> Option<Ruling> {
    let Some(redirect) = &payment.redirect else {
        return Some(pending(payment, seen));
    };
    let id = named(payment)?;
    // Nobody is there to be sent anywhere when a payment is captured, refunded or voided.
    let has_customer = matches!(call.kind, OperationKind::Charge | OperationKind::Authorize);
    let url = redirect.plain_url().filter(|_| has_customer)?;
    let action = NextAction::new(id, "redirect").with_url(Some(url));
    Some(Ruling::ActionRequired(action))
}

fn pending(payment: &Payment, seen: Seen) -> Ruling {
    let code = payment.code().unwrap_or_default();
    match named(payment) {
        Some(id) => Ruling::Pending(PendingAt::new(id, code)),
        None => unreadable(seen),
    }
}

/// The reply is not what the platform sends.
const fn unreadable(seen: Seen) -> Ruling {
    Ruling::Unknown(Doubt::Unreadable {
        status: Some(seen.status()),
    })
}

/// The id of what says which kind of operation it is. Whether that is ours was asked before. A
/// prepared page has an id too, but no kind.
fn named(payment: &Payment) -> Option<&str> {
    payment.kind.as_ref()?;
    payment.id()
}

fn refusal(payment: &Payment, code: &str) -> Refusal {
    Refusal::new(raw(code))
        .with_reason(payment.acquirer_response().map(raw).as_deref())
        .with_message(payment.description())
        .with_provider_id(payment.id())
}

/// What shows another amount than we asked for is not about ours. Of a success the engine asks the
/// same.
fn of_our_amount(call: &Call<'_>, payment: &Payment, ruling: Ruling) -> Ruling {
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
    let got = match shown(payment) {
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
        provider_id: payment.id().unwrap_or_default().to_owned(),
    })
}

/// What an amount and the currency beside it show.
enum Shown {
    /// Neither of the two is there.
    Nothing,
    /// They are no money, or one of them is missing.
    NoMoney,
    /// This.
    Money(Money),
}

fn shown(payment: &Payment) -> Shown {
    match (payment.amount.as_deref(), payment.currency.as_deref()) {
        (None, None) => Shown::Nothing,
        (Some(amount), Some(currency)) => {
            amount::read(amount, currency).map_or(Shown::NoMoney, Shown::Money)
        }
        (Some(_), None) | (None, Some(_)) => Shown::NoMoney,
    }
}
