//! Who may still write: what a dead or replaced owner says changes nothing that a send relies on.

use super::*;

fn learned(maybe_sent: u32) -> Learned {
    Learned {
        first_sent: None,
        exchanges: vec![Exchange::new(Purpose::Send, NOW, "unknown")],
        maybe_sent,
        stored_error: true,
        provider_id: Some("pi_1".to_owned()),
        retry_after: None,
    }
}

/// The exchange itself happened, and is kept. What its owner makes of it is not: an old id or an
/// old error would decide what the new owner sends.
#[tokio::test]
async fn an_owner_that_was_replaced_records_its_exchange_and_nothing_else() {
    let files = Files::new();
    let (first, second) = (files.open(), files.open());
    let id = ours(&first, claim(1)).await.record.id;
    files.clock.set(NOW.plus(Duration::from_secs(91)));
    let taken = ours(&second, claim(1)).await.record;
    first.record(id, 1, learned(7)).await.unwrap();
    let record = second.read(id).await.unwrap().unwrap();
    assert_eq!((record.epoch, record.sends), (2, 1));
    assert_eq!((record.maybe_sent, record.maybe_sent_open), (1, 0));
    assert!(!record.stored_error);
    assert_eq!(record.standing, taken.standing);
    assert_eq!(record.lease, taken.lease);
    // The new owner's own record counts.
    second.record(id, 2, learned(3)).await.unwrap();
    let record = second.read(id).await.unwrap().unwrap();
    assert_eq!((record.sends, record.maybe_sent_open), (2, 3));
    assert!(record.stored_error);
    assert_eq!(record.standing.provider_id.as_deref(), Some("pi_1"));
}

/// A record that arrives after the settlement of its own claim does not reopen the count.
#[tokio::test]
async fn what_is_recorded_after_the_end_of_a_claim_changes_nothing_of_it() {
    let files = Files::new();
    let ledger = files.open();
    let owned = ours(&ledger, claim(1)).await;
    let ended = end(&ledger, &owned.record, declined()).await;
    ledger.record(ended.id, 1, learned(7)).await.unwrap();
    let record = ledger.read(ended.id).await.unwrap().unwrap();
    assert_eq!((record.state, record.sends), (State::Declined, 1));
    assert_eq!(record.maybe_sent_open, 0);
    assert!(!record.stored_error);
    assert_eq!(record.standing, ended.standing);
}

/// What was replaced by a later attempt is over for its old owner: it may neither send nor settle,
/// or both attempts would take the money.
#[tokio::test]
async fn a_superseded_attempt_is_closed_to_its_old_owner() {
    let files = Files::new();
    let ledger = files.open();
    let first = ours(&ledger, claim(1)).await.record;
    let unsent = Conclusion::Unsent(UnsentReason::Unauthorized);
    let unsent = end(&ledger, &first, unsent).await;
    ours(&ledger, claim(2)).await;
    let replaced = ledger.read(first.id).await.unwrap().unwrap();
    assert_eq!(replaced.state, State::NotExecuted);
    assert_eq!(replaced.epoch, unsent.epoch + 1);
    assert_eq!(replaced.lease, None);
    assert_eq!(
        replaced.standing.no_effect,
        Some(NoEffectReason::Superseded)
    );
    let checked = ledger.check(first.id).await.unwrap().unwrap();
    assert_ne!(checked.epoch, first.epoch, "its owner may not send");
    let settle = Settle::new(&first, declined(), Learned::default());
    drop(ledger.settle(settle).await.unwrap());
    let still = ledger.read(first.id).await.unwrap().unwrap();
    assert_eq!(
        (still.state, still.standing),
        (State::NotExecuted, replaced.standing)
    );
}

/// The answer for an attempt is that attempt's. The latest one's would tell a merchant whose
/// first card was refused that it was charged.
#[tokio::test]
async fn an_attempt_is_found_by_its_own_number() {
    let files = Files::new();
    let ledger = files.open();
    let first = ours(&ledger, claim(1)).await.record;
    end(&ledger, &first, declined()).await;
    let second = ours(&ledger, claim(2)).await.record;
    let find = async |attempt| {
        let mut identity = first.identity.clone();
        identity.attempt = attempt;
        ledger.find(identity).await.unwrap().map(|record| record.id)
    };
    assert_eq!(find(1).await, Some(first.id));
    assert_eq!(find(2).await, Some(second.id));
    assert_eq!(find(3).await, None);
}

/// The highest time seen is what a clock that stepped back is caught by. If work under the wrong
/// clock lowered it, an old key would look young, and a repeat would charge again.
#[tokio::test]
async fn the_highest_time_seen_never_goes_back() {
    let files = Files::new();
    let mark = || files.number("SELECT value FROM meta WHERE name = 'clock_mark'");
    let ledger = files.open();
    let owned = ours(&ledger, claim(1)).await.record;
    files.clock.set(NOW.minus(Duration::from_secs(3600)));
    ledger.record(owned.id, 1, learned(0)).await.unwrap();
    assert_eq!(mark(), NOW.as_millis());
    end(&ledger, &owned, declined()).await;
    assert_eq!(mark(), NOW.as_millis());
    drop(ledger);
    let ledger = files.open();
    let second = ours(&ledger, claim(2)).await;
    assert!(second.clock_doubtful);
    assert_eq!(mark(), NOW.as_millis());
    files.clock.set(NOW.plus(Duration::from_secs(5)));
    end(&ledger, &second.record, declined()).await;
    assert_eq!(mark(), NOW.as_millis() + 5000);
}

/// A repeat under one key with other bytes is refused by some gateways, and carried out by others.
#[tokio::test]
async fn a_header_that_stands_twice_is_sent_twice_after_a_restart() {
    let files = Files::new();
    let mut claim = claim(1);
    let headers = &mut claim.rendered.as_mut().unwrap().request.headers;
    headers.append("x-part", "first".parse().unwrap());
    headers.append("x-part", "second".parse().unwrap());
    let first = ours(&files.open(), claim.clone()).await;
    let again = ours(&files.open(), claim).await;
    assert_eq!(again.request, first.request);
}
