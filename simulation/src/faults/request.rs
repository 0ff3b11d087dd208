//! What happens to one request on its way.

use payonce_simulator::{ActionKind, Close, CutBody, Fault, RateLimit, Tamper, When};

use super::Kind;
use crate::dice::Dice;
use crate::world::World;

/// What a request is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Bytes {
    /// It moves money: the first send of its operation, or not.
    Send {
        /// It makes a payment, which a customer or an issuer may have a say in.
        payment: bool,
    },
    /// It only asks.
    Ask,
}

const ASKED: &[Kind] = &[
    Kind::NotSent,
    Kind::LostBefore,
    Kind::LostAfter,
    Kind::SlowRequest,
    Kind::SlowReply,
    Kind::ErrorBefore,
    Kind::RateLimited,
    Kind::RateHtml,
    Kind::Forbidden,
    Kind::Cut,
    Kind::HtmlBefore,
    Kind::Redirect,
    Kind::Unauthorized,
    Kind::OtherAmount,
];

const SENT: &[Kind] = &[
    Kind::NotSent,
    Kind::LostBefore,
    Kind::LostAfter,
    Kind::Reset,
    Kind::SlowRequest,
    Kind::SlowReply,
    Kind::Hold,
    Kind::HoldForEver,
    Kind::LateArrival,
    Kind::ErrorBefore,
    Kind::ErrorAfter,
    Kind::StoredBefore,
    Kind::StoredAfter,
    Kind::KeyInUse,
    Kind::RateLimited,
    Kind::LockTimeout,
    Kind::RateHtml,
    Kind::KeyReused,
    Kind::Unauthorized,
    Kind::Forbidden,
    Kind::Cut,
    Kind::HtmlBefore,
    Kind::HtmlAfter,
    Kind::Redirect,
    Kind::OtherAmount,
    Kind::OtherKey,
];

/// What only the making of a payment meets.
const PAID: &[Kind] = &[
    Kind::Decline,
    Kind::DeclineLost,
    Kind::Action,
    Kind::Processing,
];

/// What goes wrong with a request, if anything does. The fault is none where the request never
/// leaves.
pub(crate) fn fault_for(
    world: &World,
    gateway: &str,
    bytes: Bytes,
    label: &str,
) -> Option<(Kind, Option<Fault>)> {
    let kinds: Vec<Kind> = match bytes {
        Bytes::Ask => ASKED.to_vec(),
        Bytes::Send { payment: false } => SENT.to_vec(),
        Bytes::Send { payment: true } => [SENT, PAID].concat(),
    };
    let (kind, mut dice) = world.draw_one(&kinds, label)?;
    Some((kind, fault(kind, gateway, &mut dice)))
}

/// How long a request or a reply is under way, in milliseconds. A request is never under way for
/// as long as the margin that is kept before a key is forgotten: nothing could help then.
fn travel(dice: &mut Dice) -> u64 {
    match dice.below(10) {
        0..4 => dice.between(50, 5_000),
        4..7 => dice.between(5_000, 40_000),
        7..9 => dice.between(40_000, 400_000),
        _ => dice.between(400_000, 2_400_000),
    }
}

fn fault(kind: Kind, gateway: &str, dice: &mut Dice) -> Option<Fault> {
    let how = dice.pick(Close::Rst, &[Close::Fin]);
    let status = dice.pick(500, &[502, 503, 504]);
    let ms = travel(dice);
    let lost = |when| Fault::ReplyLost { when, how };
    let delay = |when| Fault::Delay { when, ms };
    let html = |when| {
        let size = 300;
        Fault::Html { status, size, when }
    };
    let declined = || Fault::decline("insufficient_funds");
    if let Some(fault) = answered(kind, dice) {
        return Some(fault);
    }
    Some(match kind {
        Kind::LostBefore => lost(When::Before),
        Kind::LostAfter => lost(When::After),
        Kind::Reset => Fault::ResetBeforeReading,
        Kind::SlowRequest => delay(When::Before),
        Kind::SlowReply => delay(When::After),
        Kind::Hold => Fault::Hold { ms },
        Kind::LateArrival => Fault::LateArrival { ms, how },
        Kind::ErrorBefore => Fault::server_error(status, When::Before),
        Kind::ErrorAfter => Fault::server_error(status, When::After),
        Kind::StoredBefore => Fault::stored_error(When::Before),
        Kind::StoredAfter => Fault::stored_error(When::After),
        Kind::KeyInUse => Fault::KeyInUse,
        Kind::KeyReused => Fault::KeyReused,
        Kind::Unauthorized => Fault::Unauthorized,
        Kind::Forbidden => Fault::Forbidden,
        Kind::HtmlBefore => html(When::Before),
        Kind::HtmlAfter => html(When::After),
        Kind::Decline => declined(),
        Kind::DeclineLost => Fault::Together {
            faults: vec![declined(), lost(When::After)],
        },
        Kind::Processing => Fault::Processing,
        Kind::OtherAmount => Fault::Tamper(other_amount(gateway)),
        Kind::OtherKey => Fault::Tamper(other_key(gateway)),
        Kind::NotSent
        | Kind::HoldForEver
        | Kind::RateLimited
        | Kind::LockTimeout
        | Kind::RateHtml
        | Kind::Cut
        | Kind::Redirect
        | Kind::Action
        | Kind::CommitLost
        | Kind::CommitUnanswered
        | Kind::DiskFull
        | Kind::ReadFails
        | Kind::SlowLedger
        | Kind::CrashBeforeWrite
        | Kind::CrashAfterWrite
        | Kind::CrashBeforeSend
        | Kind::CrashAfterSend
        | Kind::Suspend
        | Kind::JumpForward
        | Kind::JumpBack
        | Kind::Skew
        | Kind::Lag
        | Kind::Drop
        | Kind::Dashboard
        | Kind::Hasty => return None,
    })
}

/// What a gateway, or a machine in front of it, answers instead. None: it is another kind.
fn answered(kind: Kind, dice: &mut Dice) -> Option<Fault> {
    let limited = |kind, retry_after| Some(Fault::RateLimited { kind, retry_after });
    if kind == Kind::RateLimited {
        let asks = dice.chance(300).then(|| dice.between(1, 90).to_string());
        limited(RateLimit::RateLimit, asks)
    } else if kind == Kind::LockTimeout {
        limited(RateLimit::LockTimeout, None)
    } else if kind == Kind::RateHtml {
        limited(RateLimit::Html, None)
    } else if kind == Kind::HoldForEver {
        let execute = dice.chance(500);
        Some(Fault::HoldForEver { execute })
    } else if kind == Kind::Cut {
        let others = [CutBody::NoLastChunk, CutBody::CleanEnd];
        let how = dice.pick(CutBody::ShortOfLength, &others);
        Some(Fault::CutBody { how, keep: None })
    } else if kind == Kind::Redirect {
        Some(Fault::Redirect {
            status: 302,
            location: "https://elsewhere.example/".to_owned(),
            when: dice.pick(When::Before, &[When::After]),
        })
    } else if kind == Kind::Action {
        let kind = ActionKind::RedirectToUrl;
        Some(Fault::RequireAction { kind })
    } else {
        None
    }
}

/// The amount of a reply, in each place where a gateway shows it.
fn other_amount(gateway: &str) -> Tamper {
    match gateway {
        "stripe" => Tamper::set("/amount", 101)
            .and_set("/amount_received", 101)
            .and_set("/amount_capturable", 101),
        "moyasar" => Tamper::set("/amount", 101),
        _ => Tamper::set("/amount", "1.01"),
    }
}

fn other_key(gateway: &str) -> Tamper {
    match gateway {
        "hyperpay" => Tamper::set("/merchantTransactionId", "another"),
        _ => Tamper::set("/metadata/payonce_key", "another"),
    }
}
