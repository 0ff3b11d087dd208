//! Stripe's adapter, changed: of another class, or with a fault in its code.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

use payonce::provider::{
    Account, Call, Details, EncodeError, LookUp, LookUpStep, OnRepeat, Provider, ProviderName,
    Query, Request, Response, Rule, Verdict,
};
use payonce::{Doubt, OperationKind, Outcome};
use payonce_simulator::{Close, Fault, When};
use payonce_stripe::Stripe;

use crate::world::{World, assert_word, charge, hasty, word};

/// Where an adapter panics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    Rule,
    Encode,
    Authorize,
    Classify,
    LookUp,
}

#[derive(Debug)]
struct Changed {
    inner: Stripe,
    class: OnRepeat,
    panics: Option<(At, Arc<AtomicU32>)>,
}

impl Changed {
    fn of_class(world: &World, class: OnRepeat) -> Self {
        Self {
            inner: world.stripe(),
            class,
            panics: None,
        }
    }

    /// Panics as often as is left there.
    fn at(&self, here: At) {
        if let Some((at, left)) = &self.panics
            && *at == here
            && left
                .fetch_update(Ordering::SeqCst, Ordering::SeqCst, |left| {
                    left.checked_sub(1)
                })
                .is_ok()
        {
            panic!("a fault in the adapter");
        }
    }
}

impl Provider for Changed {
    fn name(&self) -> ProviderName {
        self.inner.name()
    }

    fn account(&self) -> Account {
        self.inner.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        self.at(At::Rule);
        let mut rule = self.inner.rule(kind)?;
        rule.on_repeat.value = self.class;
        rule.look_up_reliable.value = true;
        Some(rule)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        self.at(At::Encode);
        self.inner.encode(call, details)
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.at(At::Authorize);
        self.inner.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        self.at(At::Classify);
        self.inner.classify(call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }
}

impl LookUp for Changed {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        self.at(At::LookUp);
        let look_up = self.inner.look_up().unwrap();
        look_up.next(call, query, replies)
    }
}

fn lost(when: When) -> Fault {
    Fault::ReplyLost {
        when,
        how: Close::Fin,
    }
}

/// Where a gateway stores successes only, a repeat that comes too soon finds none and charges
/// again. So it waits until the first one's success would show, in the same call and in the next.
#[tokio::test]
async fn a_class_b_gateway_is_sent_to_again_only_when_the_last_send_has_settled() {
    let settled = Duration::from_secs(60);
    let one_call = World::new();
    one_call.clock.longest_pause(settled);
    one_call.fault(lost(When::Before));
    let class_b = Changed::of_class(&one_call, OnRepeat::ReplaysSuccess);
    let builder = one_call.builder(one_call.ledger()).provider(class_b);
    let deadline = Duration::from_secs(180);
    let client = builder.policy(hasty().deadline(deadline)).build().unwrap();
    assert_word(&client.charge(charge("r1")).await, "succeeded");
    assert_eq!((one_call.sent().len(), one_call.effects("r1")), (2, 1));
    assert!(
        one_call
            .clock
            .pauses()
            .iter()
            .any(|pause| *pause >= settled)
    );

    let two_calls = World::new();
    two_calls.clock.longest_pause(settled);
    two_calls.no_look_ups();
    two_calls.fault(lost(When::Before));
    let call = |deadline| {
        let class_b = Changed::of_class(&two_calls, OnRepeat::ReplaysSuccess);
        let builder = two_calls.builder(two_calls.ledger()).provider(class_b);
        builder.policy(hasty().deadline(deadline)).build().unwrap()
    };
    assert_word(&call(deadline).charge(charge("r1")).await, "unknown");
    two_calls.gateway.faults().clear();
    // Too early, and there is no time to wait.
    let early = call(settled + Duration::from_secs(1));
    let early = early.charge(charge("r1")).await;
    assert_word(&early, "unknown");
    assert_eq!(two_calls.sent().len(), 1);
    two_calls.clock.advance(settled * 2);
    assert_word(&call(deadline).charge(charge("r1")).await, "succeeded");
    assert_eq!((two_calls.sent().len(), two_calls.effects("r1")), (2, 1));
}

/// Where a repeat runs again, nothing is sent twice, however empty the look-up is.
#[tokio::test]
async fn a_class_c_gateway_is_never_sent_to_again() {
    let world = World::new();
    world.fault(lost(When::Before));
    for _ in 0..3 {
        let class_c = Changed::of_class(&world, OnRepeat::RunsAgain);
        let builder = world.builder(world.ledger()).provider(class_c);
        let client = builder.build().unwrap();
        assert_word(&client.charge(charge("r1")).await, "unknown");
        world.clock.advance(Duration::from_secs(3600));
    }
    assert_eq!((world.sent().len(), world.effects("r1")), (1, 0));
}

/// An adapter that panics loses a task, and nothing else: every caller is answered, and the next
/// call goes on with the same key.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_panic_in_an_adapter_loses_nothing() {
    for at in [
        At::Rule,
        At::Encode,
        At::Authorize,
        At::Classify,
        At::LookUp,
    ] {
        let world = World::new();
        let left = Arc::new(AtomicU32::new(0));
        let adapter = Changed {
            panics: Some((at, Arc::clone(&left))),
            ..Changed::of_class(&world, OnRepeat::Replays)
        };
        let builder = world.builder(world.ledger()).provider(adapter);
        let client = builder.policy(hasty().sends(1)).build().unwrap();
        if at == At::LookUp {
            world.fault(lost(When::After));
        }
        left.store(1, Ordering::SeqCst);
        let result = client.charge(charge("r1")).await;
        let expected = match at {
            At::Rule | At::Encode => "error",
            At::Authorize | At::Classify | At::LookUp => "unknown",
        };
        assert_word(&result, expected);
        if let Ok(Outcome::Unknown(unknown)) = &result {
            assert_eq!(unknown.doubt, Doubt::TaskLost);
        }
        let again = client.charge(charge("r1")).await;
        assert_eq!(word(&again), "succeeded", "{at:?}: {again:?}");
        assert!(world.keys().len() == 1 && world.effects("r1") == 1);
    }
}
