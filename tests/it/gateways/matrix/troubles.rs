//! What goes wrong: the rows of the matrix.

use std::time::Duration;

use payonce::OperationKind;
use payonce::provider::OnRepeat;
use payonce_simulator::{Close, Fault, Matcher, RateLimit, When};

use crate::gateways::shop::Place;
use crate::world::{late_reply, lost_after};

/// Longer than any gateway here keeps a key, if it ever forgets one.
pub(super) const A_DAY: Duration = Duration::from_secs(25 * 3600);

/// One thing that goes wrong.
pub(super) struct Trouble {
    pub(super) name: &'static str,
    /// The call is one of the next day: the reply to the first send was lost before, or after, it
    /// was carried out, and nothing could be looked up.
    pub(super) a_day_after: Option<When>,
    /// The call waits for a reply only a short time.
    pub(super) hurried: bool,
    /// Plants it. `None`: this gateway has no such thing.
    pub(super) plant: Plant,
}

type Plant = fn(&Place, OperationKind) -> Option<()>;

const fn now(name: &'static str, plant: Plant) -> Trouble {
    Trouble {
        name,
        a_day_after: None,
        hurried: false,
        plant,
    }
}

const fn next_day(name: &'static str, lost: When, plant: Plant) -> Trouble {
    Trouble {
        name,
        a_day_after: Some(lost),
        hurried: false,
        plant,
    }
}

/// Plants a fault, if there is one, for the next request that moves money.
fn fault(place: &Place, fault: impl Into<Option<Fault>>) -> Option<()> {
    place.world.fault(fault.into()?);
    Some(())
}

/// Both, one for each of the next two sends. Where no send ever follows another there is none.
fn then(place: &Place, kind: OperationKind, first: Fault, second: Fault) -> Option<()> {
    (place.rule(kind).on_repeat == OnRepeat::Replays).then_some(())?;
    fault(place, first)?;
    fault(place, second)
}

fn lost(when: When) -> Fault {
    let how = Close::Fin;
    Fault::ReplyLost { when, how }
}

fn page(when: When) -> Fault {
    Fault::Html {
        status: 200,
        size: 2_000,
        when,
    }
}

fn stored(place: &Place, kind: OperationKind, when: When) -> Option<()> {
    // Only what is kept under a key can be kept there.
    (place.shop.name() == "stripe").then_some(())?;
    (place.rule(kind).on_repeat == OnRepeat::Replays).then_some(())?;
    fault(place, Fault::stored_error(when))
}

fn lag(place: &Place, kind: OperationKind, age: Duration) {
    // What was there an hour before, the payment, is shown.
    let lag = age + Duration::from_secs(1800);
    place.shop.look_ups_lag(&place.world, kind, lag);
}

/// The rows, in the order of `matrix.txt`.
pub(super) const ALL: &[Trouble] = &[
    now("nothing goes wrong", |_, _| Some(())),
    now("reset before it is read", |place, kind| {
        // Without its body a query by POST cannot be told from what moves money.
        let reads = place.shop.reads_by_post() && place.rule(kind).baseline;
        let reset = Fault::ResetBeforeReading.on(Matcher::post());
        let faults = place.world.gateway.faults();
        faults.push(reset.skip(u32::from(reads)));
        Some(())
    }),
    now("reply lost, not done", |place, _| {
        fault(place, lost(When::Before))
    }),
    now("reply lost, done", |place, _| fault(place, lost_after())),
    Trouble {
        hurried: true,
        ..now("no reply in time, done", |place, _| {
            fault(place, late_reply())
        })
    },
    now("arrives after the reply is lost", |place, _| {
        // Long after the call has ended: only what it pauses takes no time.
        let (ms, how) = (4_000, Close::Fin);
        fault(place, Fault::LateArrival { ms, how })
    }),
    now("500, not done", |place, _| {
        fault(place, Fault::server_error(500, When::Before))
    }),
    now("500, done", |place, _| {
        fault(place, Fault::server_error(500, When::After))
    }),
    now("500 that is kept, not done", |place, kind| {
        stored(place, kind, When::Before)
    }),
    now("500 that is kept, done", |place, kind| {
        stored(place, kind, When::After)
    }),
    now("cut body", |place, _| {
        let (how, keep) = (payonce_simulator::CutBody::default(), None);
        fault(place, Fault::CutBody { how, keep })
    }),
    now("a page, done", |place, _| fault(place, page(When::After))),
    now("another amount in the reply", |place, kind| {
        let tamper = place.shop.other_amount(kind, false);
        fault(place, Fault::Tamper(tamper))
    }),
    now("rate limit", |place, _| {
        let (kind, retry_after) = (RateLimit::RateLimit, None);
        fault(place, Fault::RateLimited { kind, retry_after })
    }),
    now("401", |place, _| fault(place, Fault::Unauthorized)),
    now("in progress", |place, kind| {
        fault(place, place.shop.in_progress(kind))
    }),
    now("duplicate answer", |place, kind| {
        fault(place, place.shop.duplicate(kind))
    }),
    now("lost, then a duplicate answer", |place, kind| {
        let duplicate = place.shop.duplicate(kind)?;
        then(place, kind, lost_after(), duplicate)
    }),
    now("lost, then a decline", |place, kind| {
        let decline = Fault::decline("insufficient_funds");
        then(place, kind, lost_after(), decline)
    }),
    now("declined", |place, _| {
        fault(place, Fault::decline("insufficient_funds"))
    }),
    now("declined, and lost", |place, _| {
        let faults = vec![Fault::decline("insufficient_funds"), lost_after()];
        fault(place, Fault::Together { faults })
    }),
    now("no result yet", |place, _| fault(place, Fault::Processing)),
    now("lost, look-up shows nothing", |place, kind| {
        lag(place, kind, Duration::ZERO);
        fault(place, lost_after())
    }),
    next_day("a day later: done", When::After, |_, _| Some(())),
    next_day("a day later: not done", When::Before, |_, _| Some(())),
    next_day(
        "a day later: look-up shows nothing",
        When::After,
        |place, kind| {
            lag(place, kind, A_DAY);
            Some(())
        },
    ),
    next_day("a day later: look-up fails", When::After, |place, _| {
        let fault = Fault::server_error(503, When::Before).on(Matcher::get());
        place.world.gateway.faults().push(fault.always());
        Some(())
    }),
    next_day("a day later: another amount", When::After, |place, kind| {
        let tamper = place.shop.other_amount(kind, true);
        let fault = Fault::Tamper(tamper).on(Matcher::get());
        place.world.gateway.faults().push(fault.always());
        Some(())
    }),
];
