//! What can go wrong in a history, and how often.

mod request;

pub(crate) use request::{Bytes, fault_for};

use crate::dice::Dice;

macro_rules! kinds {
    ($($kind:ident = $name:literal),* $(,)?) => {
        /// One kind of thing that goes wrong.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Kind { $($kind),* }

        impl Kind {
            pub(crate) const ALL: &[Self] = &[$(Self::$kind),*];

            pub(crate) const fn name(self) -> &'static str {
                match self { $(Self::$kind => $name),* }
            }
        }
    };
}

kinds! {
    NotSent = "not sent",
    LostBefore = "request lost",
    LostAfter = "reply lost",
    Reset = "reset before reading",
    SlowRequest = "slow request",
    SlowReply = "slow reply",
    Hold = "long in progress",
    HoldForEver = "in progress until the client leaves",
    LateArrival = "connection closes, request arrives late",
    ErrorBefore = "5xx before",
    ErrorAfter = "5xx after",
    StoredBefore = "stored 5xx before",
    StoredAfter = "stored 5xx after",
    KeyInUse = "key in use",
    RateLimited = "rate limited",
    LockTimeout = "lock timeout",
    RateHtml = "rate limit page",
    KeyReused = "key reused",
    Unauthorized = "unauthorized",
    Forbidden = "firewall page",
    Cut = "cut body",
    HtmlBefore = "page instead of a reply, before",
    HtmlAfter = "page instead of a reply, after",
    Redirect = "redirect",
    Decline = "decline",
    DeclineLost = "decline, reply lost",
    Action = "customer must act",
    Processing = "no result yet",
    OtherAmount = "other amount shown",
    OtherKey = "other key shown",
    CommitLost = "commit fails, not durable",
    CommitUnanswered = "commit fails, durable",
    DiskFull = "disk full",
    ReadFails = "ledger read fails",
    SlowLedger = "slow ledger",
    CrashBeforeWrite = "crash before a write",
    CrashAfterWrite = "crash after a write",
    CrashBeforeSend = "crash before a send",
    CrashAfterSend = "crash after a send",
    Suspend = "suspend",
    JumpForward = "clock jumps forward",
    JumpBack = "clock jumps back",
    Skew = "clock skewed",
    Lag = "look-ups lag",
    Drop = "future dropped",
    Dashboard = "dashboard acts",
    Hasty = "person decides too early",
}

impl Kind {
    /// How often it happens where it is switched on, in a thousand chances for it.
    const fn often(self) -> u64 {
        match self {
            Self::LostAfter | Self::LateArrival | Self::SlowReply | Self::ErrorAfter => 90,
            Self::NotSent
            | Self::LostBefore
            | Self::Reset
            | Self::SlowRequest
            | Self::Hold
            | Self::ErrorBefore
            | Self::StoredAfter
            | Self::KeyInUse
            | Self::RateLimited
            | Self::Decline
            | Self::DeclineLost
            | Self::Action
            | Self::Processing
            | Self::Cut => 50,
            Self::Skew | Self::Lag => 500,
            Self::JumpForward | Self::JumpBack => 250,
            Self::Drop | Self::Dashboard => 60,
            Self::Hasty => 120,
            Self::CommitLost | Self::CommitUnanswered | Self::SlowLedger | Self::Suspend => 12,
            Self::CrashBeforeWrite | Self::CrashAfterWrite => 10,
            Self::CrashBeforeSend | Self::CrashAfterSend => 30,
            Self::DiskFull | Self::ReadFails => 8,
            Self::HoldForEver
            | Self::StoredBefore
            | Self::LockTimeout
            | Self::RateHtml
            | Self::KeyReused
            | Self::Unauthorized
            | Self::Forbidden
            | Self::HtmlBefore
            | Self::HtmlAfter
            | Self::Redirect
            | Self::OtherAmount
            | Self::OtherKey => 20,
        }
    }
}

/// How often each kind happens in one history, in a thousand chances for it.
///
/// Each history has some kinds and not the others: with all of them at once hardly anything would
/// go well far enough for the rare ones.
#[derive(Debug, Clone)]
pub(crate) struct Rates(Vec<u64>);

impl Rates {
    pub(crate) fn of(seed: u64) -> Self {
        let mut dice = Dice::of(seed, "rates");
        let busy = dice.pick(150, &[300, 450]);
        let rates = Kind::ALL.iter().map(|kind| {
            if dice.chance(busy) {
                kind.often().saturating_mul(dice.between(1, 3)).min(700)
            } else {
                0
            }
        });
        Self(rates.collect())
    }

    pub(crate) fn rate(&self, kind: Kind) -> u64 {
        let place = Kind::ALL.iter().position(|one| *one == kind);
        place
            .and_then(|place| self.0.get(place).copied())
            .unwrap_or(0)
    }
}
