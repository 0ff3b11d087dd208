//! What PayTabs' replies say: the general guess by status first, then the documented words.

mod transaction;

use payonce::Doubt;
use payonce::provider::{Call, Echo, Mode, Refusal, Response, Ruling, Verdict, by_status, excerpt};

pub(crate) use self::transaction::ruling as transaction_ruling;
use crate::codes::{Meaning, meaning};
use crate::wire::{self, Transaction};

/// The verdict on the reply to one send. It is never kept: PayTabs remembers no reply.
pub(crate) fn classify(mode: Mode, call: &Call<'_>, reply: &Response) -> Verdict {
    let shown: Transaction = reply.json().and_then(wire::read).unwrap_or_default();
    let status = reply.status.as_u16();
    let ruling = match (status, shown.code.as_deref()) {
        // A code stands in errors only, and comes before all else:
        // <https://github.com/paytabscom/php-sdk>.
        (200..=299 | 400..=499, Some(code)) => error(status, code, &shown),
        (200..=299, None) => transaction::ruling(mode, call, &shown, status),
        _ => by_status(reply).ruling,
    };
    verdict(call, &shown, ruling)
}

/// A ruling with what else the reply says.
pub(crate) fn verdict(call: &Call<'_>, shown: &Transaction, ruling: Ruling) -> Verdict {
    let echo = echo(call, shown, &ruling);
    Verdict::new(ruling)
        .with_echo(echo)
        .with_provider_id(shown.id())
        .with_request_id(shown.trace.as_deref().map(raw).as_deref())
}

/// An error instead of a transaction: <https://github.com/paytabscom/php-sdk>. Only 400, 401 and the
/// duplicate are documented, so no other status is a refusal, whatever the code.
fn error(status: u16, code: &str, shown: &Transaction) -> Ruling {
    let refusal = || Refusal::new(raw(code)).with_message(shown.message.as_deref());
    match (status, meaning(code)) {
        // It is no reason to wait and send again: after two minutes that is a second payment.
        (_, Meaning::Duplicate) => Ruling::Repeated,
        (401, Meaning::Key) => Ruling::Unauthorized,
        (400, Meaning::Request) => Ruling::Rejected(refusal()),
        (400, Meaning::Payer) => Ruling::Declined(refusal()),
        (_, Meaning::Key | Meaning::Request | Meaning::Payer | Meaning::Unsaid) => {
            undocumented(status, Some(code))
        }
    }
}

/// Whether the reply names our key. Another one is foreign, whatever else it says.
fn echo(call: &Call<'_>, shown: &Transaction, ruling: &Ruling) -> Echo {
    let named = shown.cart_id.as_deref();
    if named.is_some_and(|named| named != call.key.as_str()) {
        return Echo::Foreign;
    }
    // An error makes no transaction that could name it.
    match (asserts(ruling) && shown.id().is_some(), named.is_some()) {
        (true, true) => Echo::Ours,
        (true, false) => Echo::Missing,
        (false, _) => Echo::NotExpected,
    }
}

/// Whether a ruling says something of a transaction.
const fn asserts(ruling: &Ruling) -> bool {
    match ruling {
        Ruling::Succeeded(_)
        | Ruling::Declined(_)
        | Ruling::Rejected(_)
        | Ruling::Canceled(_)
        | Ruling::ActionRequired(_)
        | Ruling::Pending(_) => true,
        Ruling::InProgress
        | Ruling::NoEffect
        | Ruling::Unauthorized
        | Ruling::Repeated
        | Ruling::KeyMismatch
        | Ruling::Unknown(_) => false,
    }
}

/// A status or code that does not say what happened.
fn undocumented(status: u16, code: Option<&str>) -> Ruling {
    Ruling::Unknown(Doubt::Undocumented {
        status,
        code: code.map(raw),
    })
}

/// A word of PayTabs' as it came, but never without end.
fn raw(text: &str) -> String {
    excerpt(text, 100)
}
