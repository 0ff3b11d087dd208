//! What is sent and asked, and what is learned of it.

use super::*;

/// A charge whose one send was lost under one rule, and that is called again under another, a
/// time later. How often the second call sends.
async fn sends_again(stored: Fake, now: Fake, later: Duration) -> usize {
    let world = World::new();
    world.sends([LOST]);
    let first = world.engine(vec![stored], Policy::new().sends(1));
    let charge = wanted("r1");
    let result = run(&first, &charge).await;
    assert!(matches!(result, Ok(Outcome::Unknown(_))), "{result:?}");
    drop(first);
    world.done();
    world.advance(later, later);
    let second = world.engine(vec![now], Policy::new());
    drop(run(&second, &charge).await);
    world.count("send")
}

/// What the gateway promised when the key was made, and what it promises now: the one that allows
/// less holds, or a repeat charges again.
#[tokio::test]
async fn of_the_stored_and_the_current_rule_the_narrower_one_holds() {
    let class = |class| Fake::new().with(|rule| rule.on_repeat.value = class);
    let replays = || class(OnRepeat::Replays);
    let runs_again = || class(OnRepeat::RunsAgain);
    let none = Duration::ZERO;
    assert_eq!(sends_again(replays(), replays(), none).await, 1);
    assert_eq!(sends_again(replays(), runs_again(), none).await, 0);
    assert_eq!(sends_again(runs_again(), replays(), none).await, 0);
    let cannot = Fake {
        rule: None,
        ..Fake::new()
    };
    assert_eq!(sends_again(replays(), cannot, none).await, 0);
    let short = || {
        Fake::new().with(|rule| {
            let retention = rule.retention.value.unwrap();
            rule.retention.value = Some(retention.with_shortened(Some(HOUR)));
        })
    };
    assert_eq!(sends_again(replays(), replays(), HOUR * 2).await, 1);
    assert_eq!(sends_again(replays(), short(), HOUR * 2).await, 0);
    assert_eq!(sends_again(short(), replays(), HOUR * 2).await, 0);
}

/// Successes pay for repeats, and nothing else does: a gateway in trouble that declines or fails
/// would otherwise be stormed again.
#[tokio::test]
async fn only_successes_pay_for_more_repeats() {
    let world = World::new();
    let policy = Policy::new().retry_budget(1).sends(2);
    let engine = world.engine(vec![Fake::new()], policy);
    let sends = async |reference: &str, next: &[Next]| {
        world.done();
        world.sends(next.iter().copied());
        drop(run(&engine, &wanted(reference)).await);
        world.count("send")
    };
    assert_eq!(sends("spends it", &[LOST]).await, 2);
    assert_eq!(sends("has none", &[LOST]).await, 1);
    for number in 0..20 {
        let reference = format!("declined {number}");
        assert_eq!(sends(&reference, &[Some((402, "declined"))]).await, 1);
    }
    assert_eq!(sends("still none", &[LOST]).await, 1);
    // The first one succeeded by its repeat: nine more make ten.
    for number in 0..8 {
        sends(&format!("paid {number}"), &[]).await;
    }
    assert_eq!(sends("not yet", &[LOST]).await, 1);
    sends("the tenth", &[]).await;
    assert_eq!(sends("paid for", &[LOST]).await, 2);
}

/// A look-up that never comes to an end, or to no answer, keeps neither the call nor the gateway
/// busy for ever.
#[tokio::test]
async fn look_ups_end_after_so_many_requests_and_tries() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new().sends(1));
    let asked = || world.count("ask /payments/-");
    world.sends([LOST]);
    drop(run(&engine, &wanted("unclear")).await);
    assert_eq!(asked(), 3);
    world.sends([LOST]);
    world.look_ups(vec![Some((200, "more")); 1000]);
    let result = run(&engine, &wanted("endless")).await;
    assert!(matches!(result, Ok(Outcome::Unknown(_))), "{result:?}");
    assert_eq!(asked(), 3 * 45);
}

/// A stored error ends the repeats. Two replies are one stored error only if they are the same in
/// status and body: of two different ones the second may be the gateway's own answer to a repeat.
#[tokio::test]
async fn a_reply_is_the_same_only_with_status_and_body() {
    let of = async |next: [Next; 2]| {
        let world = World::new();
        let engine = world.engine(vec![Fake::new()], Policy::new().sends(3));
        world.sends(next);
        let charge = wanted("r1");
        let result = run(&engine, &charge).await;
        let stored = row(&engine, &charge).await.stored_error;
        (world.count("send"), stored, result.is_ok())
    };
    let kept = |status| Some((status, "kept"));
    assert_eq!(of([kept(500), kept(500)]).await, (2, true, true));
    assert_eq!(of([kept(500), kept(502)]).await, (3, false, true));
    let other_body = Some((500, "kept, too"));
    assert_eq!(of([kept(500), other_body]).await, (3, false, true));
}

/// The id of somebody else's payment is not learned: ours would be looked up there for ever.
#[tokio::test]
async fn only_a_reply_that_names_our_key_says_which_payment_is_ours() {
    for (word, id, asks) in [
        ("theirs", None, None),
        ("nameless", None, Some("ask /payments/-")),
        ("named", Some("p_1"), Some("ask /payments/p_1")),
    ] {
        let world = World::new();
        let engine = world.engine(vec![Fake::new()], Policy::new().sends(1));
        world.sends([Some((500, word))]);
        let charge = wanted("r1");
        let result = run(&engine, &charge).await;
        assert!(matches!(result, Ok(Outcome::Unknown(_))), "{result:?}");
        let done = world.done();
        let asked = done.iter().find(|done| done.starts_with("ask"));
        assert_eq!(asked.map(String::as_str), asks, "{word}");
        let standing = row(&engine, &charge).await.standing;
        assert_eq!(standing.provider_id.as_deref(), id, "{word}");
    }
}

/// A process may die in a pause. What it had learned by then is what the next one starts from.
#[tokio::test]
async fn what_was_learned_is_written_before_a_pause() {
    let world = World::new();
    let engine = world.engine(vec![Fake::new()], Policy::new());
    world.sends([Some((500, "named"))]);
    drop(run(&engine, &wanted("r1")).await);
    let order = [
        "claim", "send", "record", "pause", "check", "send", "settle",
    ];
    assert_eq!(world.done(), order);
}

/// The same before the wait until a send has settled at the gateway.
#[tokio::test]
async fn what_was_learned_is_written_before_a_look_up_waits() {
    let world = World::new();
    let fake = Fake::new().with(|rule| {
        rule.on_repeat.value = OnRepeat::ReplaysSuccess;
        rule.look_up_reliable.value = true;
    });
    let engine = world.engine(vec![fake], Policy::new());
    world.sends([Some((500, "named"))]);
    world.look_ups([Some((200, "absent")); 2]);
    let result = run(&engine, &wanted("r1")).await;
    assert!(matches!(result, Ok(Outcome::Succeeded(_))), "{result:?}");
    let order = [
        "claim",
        "send",
        "ask /payments/p_1",
        "record",
        "check",
        "pause",
        "ask /payments/p_1",
        "record",
        "check",
        "pause",
        "check",
        "send",
        "settle",
    ];
    assert_eq!(world.done(), order);
}
