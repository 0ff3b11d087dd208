//! What a transaction says, in a reply to a send and in a look-up.

use payonce::provider::{Call, Effect, Mode, NextAction, PendingAt, Refusal, Ruling};
use payonce::{Doubt, Money, OperationKind};

use super::{asserts, raw, undocumented};
use crate::amount;
use crate::codes::{Meaning, meaning};
use crate::encode::tran_type;
use crate::wire::{Outcome, Transaction};

/// The ruling of a transaction by the letter of its result:
/// <https://support.paytabs.com/en/support/solutions/articles/60000711358>.
pub(crate) fn ruling(mode: Mode, call: &Call<'_>, shown: &Transaction, status: u16) -> Ruling {
    let (Some(id), Some(_)) = (shown.id(), &shown.tran_type) else {
        return unreadable(status);
    };
    let letter = letter(shown);
    if is_of_another(mode, call, shown) {
        return undocumented(status, letter);
    }
    let ruling = match (shown.redirect_url.is_null(), &shown.payment_result) {
        (false, None) => page(call, shown, id),
        (true, Some(result)) => by_letter(call, id, result),
        // A page beside a result: nobody knows which of them holds.
        (false, Some(_)) => None,
        (true, None) => return unreadable(status),
    };
    let ruling = ruling.unwrap_or_else(|| undocumented(status, letter));
    with_money(call, shown, ruling, status)
}

fn letter(shown: &Transaction) -> Option<&str> {
    shown.payment_result.as_ref()?.status.as_deref()
}

/// Whether it says of itself that it is not what we sent: another kind of operation, one on another
/// transaction or that one itself, or one of a test profile where real money should move.
fn is_of_another(mode: Mode, call: &Call<'_>, shown: &Transaction) -> bool {
    let ours = tran_type(call.kind).unwrap_or_default();
    let kind = shown.tran_type.as_deref().unwrap_or_default();
    let previous = shown.previous_tran_ref.as_deref();
    let other_parent = call.parent.is_some() && previous.is_some() && previous != call.parent;
    let itself = call.parent.is_some() && shown.id() == call.parent;
    let test = shown.id().is_some_and(|id| id.starts_with("TST"));
    // Samples write `Sale` in replies and `sale` in requests.
    !kind.eq_ignore_ascii_case(ours) || other_parent || itself || test && mode == Mode::Live
}

const fn pays(call: &Call<'_>) -> bool {
    matches!(call.kind, OperationKind::Charge | OperationKind::Authorize)
}

/// The customer is to go to a page. Nobody is there to be sent anywhere when a payment is captured,
/// refunded or voided.
fn page(call: &Call<'_>, shown: &Transaction, id: &str) -> Option<Ruling> {
    let url = shown.page().filter(|_| pays(call))?;
    let action = NextAction::new(id, "redirect").with_url(Some(url));
    Some(Ruling::ActionRequired(action))
}

/// `None`: the letter or the code says nothing.
fn by_letter(call: &Call<'_>, id: &str, result: &Outcome) -> Option<Ruling> {
    let letter = result.status.as_deref()?;
    let code = result.code.as_deref().filter(|code| !code.is_empty());
    let refusal = || {
        Refusal::new(raw(code.unwrap_or(letter)))
            .with_reason(Some(letter))
            .with_message(result.message.as_deref())
            .with_provider_id(Some(id))
    };
    let said = code.map_or(Meaning::Unsaid, meaning);
    match letter {
        // The amount is that of the operation until it is read.
        "A" => Some(Ruling::Succeeded(Effect::new(id, call.money, letter))),
        // H: the money is held, and a person at the merchant decides about it.
        "H" | "P" => Some(Ruling::Pending(PendingAt::new(id, letter))),
        // Voided, or a page that was not paid in time. Of a follow-up no page says what it would mean.
        "V" | "X" if pays(call) => Some(Ruling::Canceled(refusal())),
        // The customer left. No page says that he cannot come back and pay, so it is as a decline.
        "C" if pays(call) => Some(Ruling::Declined(refusal())),
        // Codes of issuers are many, and the letter is enough. These three contradict it.
        "D" if matches!(code, Some("113" | "400" | "600")) => None,
        "D" | "E" if said == Meaning::Duplicate => Some(Ruling::Repeated),
        "D" => Some(Ruling::Declined(refusal())),
        "E" => match said {
            Meaning::Request => Some(Ruling::Rejected(refusal())),
            Meaning::Payer => Some(Ruling::Declined(refusal())),
            Meaning::Key | Meaning::Duplicate | Meaning::Unsaid => None,
        },
        _ => None,
    }
}

/// A success shows the amount that the reply shows. What else shows another amount than we asked for
/// is not about ours.
fn with_money(call: &Call<'_>, shown: &Transaction, ruling: Ruling, status: u16) -> Ruling {
    let money = money(call, shown);
    if let Ruling::Succeeded(effect) = &ruling {
        let Shown::Money(money) = money else {
            return unreadable(status);
        };
        let effect = Effect::new(effect.provider_id.as_str(), money, effect.status.as_str());
        return Ruling::Succeeded(effect);
    }
    let got = match money {
        Shown::Money(money) if money != call.money => Some(money),
        Shown::NoMoney => None,
        Shown::Money(_) | Shown::Nothing => return ruling,
    };
    if !asserts(&ruling) {
        return ruling;
    }
    Ruling::Unknown(Doubt::Mismatch {
        sent: call.money,
        got,
        provider_id: shown.id().unwrap_or_default().to_owned(),
    })
}

/// What an amount and the currency beside it show.
#[derive(Clone, Copy)]
enum Shown {
    /// Neither of the two is there.
    Nothing,
    /// They are no money, or one of them is missing.
    NoMoney,
    /// This.
    Money(Money),
}

impl Shown {
    fn of(amount: Option<&str>, currency: Option<&str>) -> Self {
        match (amount, currency) {
            (None, None) => Self::Nothing,
            (Some(amount), Some(currency)) => {
                amount::read(amount, currency).map_or(Self::NoMoney, Self::Money)
            }
            (Some(_), None) | (None, Some(_)) => Self::NoMoney,
        }
    }
}

/// A reply shows what was charged and what stands in the cart. Where the two differ it is the one
/// that is not ours which counts: somebody must look at it.
fn money(call: &Call<'_>, shown: &Transaction) -> Shown {
    let charged = Shown::of(shown.tran_total.as_deref(), shown.tran_currency.as_deref());
    let cart = Shown::of(shown.cart_amount.as_deref(), shown.cart_currency.as_deref());
    match (charged, cart) {
        (Shown::Nothing, other) | (other, Shown::Nothing) => other,
        (Shown::NoMoney, _) | (_, Shown::NoMoney) => Shown::NoMoney,
        (Shown::Money(charged), Shown::Money(cart)) if charged == call.money => Shown::Money(cart),
        (Shown::Money(charged), Shown::Money(_)) => Shown::Money(charged),
    }
}

/// The reply is not what PayTabs sends.
const fn unreadable(status: u16) -> Ruling {
    Ruling::Unknown(Doubt::Unreadable {
        status: Some(status),
    })
}
