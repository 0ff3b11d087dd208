//! Doubts and outcomes for tests.

use super::Doubt;
use crate::money::{Currency, Money};

#[expect(clippy::too_many_lines, reason = "it is a list")]
/// One doubt of every kind, and of some kinds several. A new kind does not compile until it is here.
pub(crate) fn doubts() -> Vec<Doubt> {
    let sent = Money::parse("480.00", Currency::SAR).unwrap();
    let got = Money::parse("4.80", Currency::SAR).unwrap();
    let mismatch = |got| Doubt::Mismatch {
        sent,
        got,
        provider_id: "pi_1".to_owned(),
    };
    let doubts = vec![
        Doubt::NoReply {
            problem: "the time ran out".to_owned(),
        },
        Doubt::Unreadable { status: Some(200) },
        Doubt::Unreadable { status: None },
        Doubt::Undocumented {
            status: 200,
            code: Some("half_settled".to_owned()),
        },
        Doubt::Undocumented {
            status: 418,
            code: None,
        },
        Doubt::Blocked { status: 403 },
        Doubt::Redirected {
            status: 307,
            host: Some("gateway.example".to_owned()),
        },
        Doubt::ServerError { status: 503 },
        Doubt::StoredServerError { status: 500 },
        Doubt::InProgress,
        Doubt::KeyMismatch,
        Doubt::KeyUsedElsewhere,
        Doubt::EchoMissing,
        mismatch(Some(got)),
        mismatch(Some(sent)),
        mismatch(None),
        Doubt::Repeated,
        Doubt::LookUpUnclear {
            problem: "the gateway answered 503".to_owned(),
        },
        Doubt::RefusedAfterDoubt {
            code: "card_declined".to_owned(),
        },
        Doubt::WindowOver,
        Doubt::PastSendUntil,
        Doubt::ClockDoubtful,
        Doubt::LookUpOnly,
        Doubt::OwnerLost,
        Doubt::TaskLost,
        Doubt::Frozen,
        Doubt::Unrecorded {
            problem: "there is no space left: free some, then call again with the same intent"
                .to_owned(),
        },
    ];
    let listed = |doubt: &Doubt| match doubt {
        Doubt::NoReply { .. }
        | Doubt::Unreadable { .. }
        | Doubt::Undocumented { .. }
        | Doubt::Blocked { .. }
        | Doubt::Redirected { .. }
        | Doubt::ServerError { .. }
        | Doubt::StoredServerError { .. }
        | Doubt::InProgress
        | Doubt::KeyMismatch
        | Doubt::KeyUsedElsewhere
        | Doubt::EchoMissing
        | Doubt::Mismatch { .. }
        | Doubt::Repeated
        | Doubt::LookUpUnclear { .. }
        | Doubt::RefusedAfterDoubt { .. }
        | Doubt::WindowOver
        | Doubt::PastSendUntil
        | Doubt::ClockDoubtful
        | Doubt::LookUpOnly
        | Doubt::OwnerLost
        | Doubt::TaskLost
        | Doubt::Frozen
        | Doubt::Unrecorded { .. } => true,
    };
    assert!(doubts.iter().all(listed));
    doubts
}
