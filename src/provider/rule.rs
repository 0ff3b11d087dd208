//! What a gateway does with an operation kind: data, each fact with its source.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{AmountRule, KeyFormat};
use crate::operation::stored_as_text;

/// A fact about a gateway and where it is documented.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fact<T> {
    /// The fact.
    pub value: T,
    /// The page that states it. A fact without one is the safe reading, and says so here.
    pub source: &'static str,
}

impl<T> Fact<T> {
    /// A fact with its source.
    pub const fn new(value: T, source: &'static str) -> Self {
        Self { value, source }
    }
}

/// What a gateway does with operations of one kind.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "an adapter names every fact, and a new one must be asked of each"
)]
pub struct Rule {
    /// Where the gateway reads the key.
    pub placement: Fact<Placement>,
    /// The field where the key is written again, so that a look-up can find it.
    pub key_again: Fact<Option<&'static str>>,
    /// The field that carries the merchant's reference.
    pub reference_field: Fact<Option<&'static str>>,
    /// The keys that the gateway takes.
    pub key_format: Fact<KeyFormat>,
    /// How long the gateway remembers a key. `None`: for ever (the key is the object's id).
    pub retention: Fact<Option<Retention>>,
    /// What a second request with the same key does.
    pub on_repeat: Fact<OnRepeat>,
    /// How long a look-up may lag behind what happened.
    pub settling: Fact<Duration>,
    /// Whether a look-up shows successes reliably once the settling time is over.
    pub look_up_reliable: Fact<bool>,
    /// Whether the gateway never retries by itself after it took a success back.
    pub reversal_final: Fact<bool>,
    /// Whether the payment is read before the first send: for operations that have neither a key
    /// nor a reference at the gateway. It needs [`Provider::baseline`](super::Provider::baseline).
    pub baseline: Fact<bool>,
    /// Whether an authorization can be captured once only.
    pub one_capture: Fact<bool>,
    /// How amounts are written.
    pub amount: Fact<AmountRule>,
}

impl Rule {
    /// The parts that decide about sends, as they are stored with a claim.
    pub fn snapshot(&self) -> RuleSnapshot {
        let retention = self.retention.value;
        RuleSnapshot {
            on_repeat: self.on_repeat.value,
            window: retention.map(Retention::window),
            margin: retention.map(|retention| retention.margin),
            look_up_reliable: self.look_up_reliable.value,
            settling: self.settling.value,
            baseline: self.baseline.value,
            one_capture: self.one_capture.value,
        }
    }
}

/// Where a gateway reads the key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Placement {
    /// In a request header of this name.
    Header(&'static str),
    /// In a body field of this name.
    Body(&'static str),
    /// Nowhere: this operation has no key at this gateway.
    Nowhere,
}

/// How long a gateway remembers a key, counted from the first request with it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Retention {
    /// How long it documents.
    pub life: Duration,
    /// How much earlier we stop to rely on it.
    pub margin: Duration,
    /// A shorter window that the merchant chose for the account.
    pub shortened: Option<Duration>,
}

impl Retention {
    /// A documented life with our safety margin.
    pub const fn new(life: Duration, margin: Duration) -> Self {
        Self {
            life,
            margin,
            shortened: None,
        }
    }

    /// The same, but never longer than `window`.
    #[must_use]
    pub const fn with_shortened(mut self, window: Option<Duration>) -> Self {
        self.shortened = window;
        self
    }

    /// How long after the first send a repeat is still safe.
    pub fn window(self) -> Duration {
        let documented = self.life.saturating_sub(self.margin);
        self.shortened
            .map_or(documented, |chosen| chosen.min(documented))
    }
}

/// What a second request with the same key does at a gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum OnRepeat {
    /// Class A: it answers with the first one's stored reply, whatever that was; or the key is
    /// the object's id.
    Replays,
    /// Class B: it stores successes only, needs an identical body, or does not document what it
    /// does while the first one is running.
    ReplaysSuccess,
    /// Class C: it runs again, or is refused without showing the first one's result, or there is
    /// no key at all.
    RunsAgain,
    /// Class D: it documents that repeating this kind has no further effect.
    NoFurtherEffect,
}

stored_as_text!(OnRepeat {
    Replays = "replays",
    ReplaysSuccess = "replays_success",
    RunsAgain = "runs_again",
    NoFurtherEffect = "no_further_effect",
});

impl OnRepeat {
    /// The class that holds where two are stated: the one that allows less.
    #[must_use]
    pub const fn narrower(self, other: Self) -> Self {
        match (self, other) {
            (Self::Replays, Self::Replays) => Self::Replays,
            (Self::NoFurtherEffect, Self::NoFurtherEffect) => Self::NoFurtherEffect,
            (Self::Replays | Self::ReplaysSuccess, Self::Replays | Self::ReplaysSuccess) => {
                Self::ReplaysSuccess
            }
            (Self::RunsAgain | Self::NoFurtherEffect, _)
            | (_, Self::RunsAgain | Self::NoFurtherEffect) => Self::RunsAgain,
        }
    }
}

/// The part of a rule that is stored with a claim: what was promised when the key was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
#[non_exhaustive]
pub struct RuleSnapshot {
    /// What a repeat does.
    pub on_repeat: OnRepeat,
    /// How long after the first send a repeat is safe. `None`: for ever.
    pub window: Option<Duration>,
    /// The safety margin within the documented life.
    pub margin: Option<Duration>,
    /// Whether a look-up shows successes reliably.
    pub look_up_reliable: bool,
    /// How long a look-up may lag behind what happened.
    pub settling: Duration,
    /// Whether the payment is read before the first send.
    pub baseline: bool,
    /// Whether an authorization can be captured once only.
    pub one_capture: bool,
}

impl Default for RuleSnapshot {
    /// What holds where a stored rule says nothing: no repeat at all.
    fn default() -> Self {
        Self {
            on_repeat: OnRepeat::RunsAgain,
            window: Some(Duration::ZERO),
            margin: None,
            look_up_reliable: false,
            settling: Duration::MAX,
            baseline: false,
            one_capture: true,
        }
    }
}

impl RuleSnapshot {
    /// What holds where the stored and the current rule differ: of each fact the one that allows
    /// less.
    #[must_use]
    pub fn narrower(self, current: Self) -> Self {
        let least = |a: Option<Duration>, b: Option<Duration>| match (a, b) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        Self {
            on_repeat: self.on_repeat.narrower(current.on_repeat),
            window: least(self.window, current.window),
            margin: least(self.margin, current.margin),
            look_up_reliable: self.look_up_reliable && current.look_up_reliable,
            settling: self.settling.max(current.settling),
            // What was stored without a baseline may have been sent without one.
            baseline: self.baseline,
            one_capture: self.one_capture || current.one_capture,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOUR: Duration = Duration::from_secs(3600);

    #[test]
    fn the_window_ends_before_the_documented_life_and_may_only_be_shortened() {
        let day = Retention::new(HOUR * 24, HOUR);
        assert_eq!(day.window(), HOUR * 23);
        assert_eq!(day.with_shortened(Some(HOUR)).window(), HOUR);
        assert_eq!(day.with_shortened(Some(HOUR * 48)).window(), HOUR * 23);
    }

    #[test]
    fn the_narrower_class_never_allows_more_than_either() {
        let rank = |class| match class {
            OnRepeat::Replays => 2,
            OnRepeat::ReplaysSuccess => 1,
            OnRepeat::RunsAgain | OnRepeat::NoFurtherEffect => 0,
        };
        for a in OnRepeat::all().iter().copied() {
            for b in OnRepeat::all().iter().copied() {
                let both = a.narrower(b);
                assert_eq!(both, b.narrower(a));
                assert!(rank(both) <= rank(a).min(rank(b)));
                assert!(both == OnRepeat::RunsAgain || rank(both) > 0 || a == b);
            }
        }
    }

    #[test]
    fn the_narrower_snapshot_takes_the_shorter_window() {
        let snapshot = |window, on_repeat| RuleSnapshot {
            on_repeat,
            window,
            margin: None,
            look_up_reliable: true,
            settling: HOUR,
            baseline: false,
            one_capture: false,
        };
        let stored = snapshot(Some(HOUR * 23), OnRepeat::Replays);
        let now = snapshot(Some(HOUR), OnRepeat::ReplaysSuccess);
        let both = stored.narrower(now);
        assert_eq!(
            (both.window, both.on_repeat),
            (Some(HOUR), OnRepeat::ReplaysSuccess)
        );
        assert_eq!(
            stored.narrower(snapshot(None, OnRepeat::Replays)).window,
            Some(HOUR * 23)
        );
    }
}
