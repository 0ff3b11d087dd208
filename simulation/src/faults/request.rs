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
    let html = |when| Fault::Html {
        status,
        size: 300,
        when,
    };
    Some(match kind {
        Kind::LostBefore => Fault::ReplyLost {
            when: When::Before,
            how,
        },
        Kind::LostAfter => Fault::ReplyLost {
            when: When::After,
            how,
        },
        Kind::Reset => Fault::ResetBeforeReading,
        Kind::SlowRequest => Fault::Delay {
            when: When::Before,
            ms,
        },
        Kind::SlowReply => Fault::Delay {
            when: When::After,
            ms,
        },
        Kind::Hold => Fault::Hold { ms },
        Kind::HoldForEver => Fault::HoldForEver {
            execute: dice.chance(500),
        },
        Kind::LateArrival => Fault::LateArrival { ms, how },
        Kind::ErrorBefore => Fault::server_error(status, When::Before),
        Kind::ErrorAfter => Fault::server_error(status, When::After),
        Kind::StoredBefore => Fault::stored_error(When::Before),
        Kind::StoredAfter => Fault::stored_error(When::After),
        Kind::KeyInUse => Fault::KeyInUse,
        Kind::RateLimited => Fault::RateLimited {
            kind: RateLimit::RateLimit,
            retry_after: dice.chance(300).then(|| dice.between(1, 90).to_string()),
        },
        Kind::LockTimeout => Fault::RateLimited {
            kind: RateLimit::LockTimeout,
            retry_after: None,
        },
        Kind::RateHtml => Fault::RateLimited {
            kind: RateLimit::Html,
            retry_after: None,
        },
        Kind::KeyReused => Fault::KeyReused,
        Kind::Unauthorized => Fault::Unauthorized,
        Kind::Forbidden => Fault::Forbidden,
        Kind::Cut => Fault::CutBody {
            how: dice.pick(
                CutBody::ShortOfLength,
                &[CutBody::NoLastChunk, CutBody::CleanEnd],
            ),
            keep: None,
        },
        Kind::HtmlBefore => html(When::Before),
        Kind::HtmlAfter => html(When::After),
        Kind::Redirect => Fault::Redirect {
            status: 302,
            location: "https://elsewhere.example/".to_owned(),
            when: dice.pick(When::Before, &[When::After]),
        },
        Kind::Decline => Fault::decline("insufficient_funds"),
        Kind::DeclineLost => Fault::Together {
            faults: vec![
                Fault::decline("insufficient_funds"),
                Fault::ReplyLost {
                    when: When::After,
                    how,
                },
            ],
        },
        Kind::Action => Fault::RequireAction {
            kind: ActionKind::RedirectToUrl,
        },
        Kind::Processing => Fault::Processing,
        Kind::OtherAmount => Fault::Tamper(other_amount(gateway)),
        Kind::OtherKey => Fault::Tamper(other_key(gateway)),
        Kind::NotSent
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
