//! Look-ups: by id, by the search, by the list.

use payonce::Timestamp;
use payonce::provider::{IdempotencyKey, LookUpStep, Provider, Query, Response};
use payonce_stripe::Stripe;
use serde_json::{Value, json};

use crate::kit::{KEY, call, key, reply, stripe};
use crate::script::{
    DAY, FIRST_SENT, LIST, SEARCH, declined, missing, one, page, path, payment, play, strangers,
};

const UNREADABLE: &str = "unclear: a reply could not be read";
const TOO_MANY: &str = "unclear: there are more payments in that time than are read";

#[test]
fn by_id_is_the_truth() {
    let paid = one(&payment("pi_1", "succeeded", KEY));
    let found = play(Some("pi_1"), &[(&path("pi_1"), paid)]);
    assert_eq!(found, "[pi_1: succeeded succeeded pi_1 480.00 SAR; ours]");
}

#[test]
fn an_id_that_stripe_does_not_have_is_searched_for() {
    let script = [
        (path("pi_1"), missing()),
        (SEARCH.to_owned(), page(&[], false)),
    ]
    .map(|(p, r)| (p, r));
    let mut script: Vec<(&str, Response)> = script
        .iter()
        .map(|(path, reply)| (path.as_str(), reply.clone()))
        .collect();
    script.push((LIST, page(&strangers(0, 2), false)));
    script.push((DAY, page(&strangers(2, 2), false)));
    assert_eq!(play(Some("pi_1"), &script), "absent");
}

#[test]
fn an_id_that_cannot_stand_in_a_path_is_not_put_there() {
    for id in [
        "",
        "pi_1/../../refunds",
        "pi 1",
        "pi_1?x",
        "مدفوع",
        &"p".repeat(256),
    ] {
        let script = [
            (SEARCH, page(&[], false)),
            (LIST, page(&[], false)),
            (DAY, page(&[], false)),
        ];
        assert_eq!(play(Some(id), &script), "absent");
    }
}

/// A reply on which the id rested may have been another's. Then ours is still to be found.
#[test]
fn an_id_of_anothers_payment_is_not_the_end() {
    let theirs = payment("pi_1", "succeeded", "theirs");
    let mut nameless = theirs.clone();
    nameless["metadata"] = json!({});
    let ours = payment("pi_2", "succeeded", KEY);
    for other in [theirs, nameless] {
        let script = [
            (&*path("pi_1"), one(&other)),
            (SEARCH, page(std::slice::from_ref(&ours), false)),
            (&*path("pi_2"), one(&ours)),
        ];
        let found = play(Some("pi_1"), &script);
        assert_eq!(found, "[pi_2: succeeded succeeded pi_2 480.00 SAR; ours]");
    }
}

#[test]
fn what_the_search_shows_is_read_by_id() {
    let stale = page(&[payment("pi_1", "processing", KEY)], false);
    let fresh = one(&payment("pi_1", "succeeded", KEY));
    let found = play(None, &[(SEARCH, stale), (&path("pi_1"), fresh)]);
    assert_eq!(found, "[pi_1: succeeded succeeded pi_1 480.00 SAR; ours]");
}

#[test]
fn every_payment_of_the_search_is_found_once() {
    let both = [
        declined("pi_1"),
        payment("pi_2", "succeeded", KEY),
        declined("pi_1"),
    ];
    let script = [
        (SEARCH, page(&both, false)),
        (&*path("pi_1"), one(&both[0])),
        (&*path("pi_2"), one(&both[1])),
    ];
    let expected = "[pi_1: declined card_declined lost_card pi_1 never again; ours]\
                    [pi_2: succeeded succeeded pi_2 480.00 SAR; ours]";
    assert_eq!(play(None, &script), expected);
}

#[test]
fn a_search_that_does_not_answer_is_followed_by_the_list() {
    let answers = [
        reply(400, r#"{"error":{"type":"invalid_request_error"}}"#),
        reply(429, "<html>"),
        reply(500, ""),
        reply(200, "<html>"),
        reply(200, r#"{"data":7}"#),
        page(&[json!(7), json!({ "id": "no id" })], false),
        page(&[], true),
    ];
    for answer in answers {
        let list = page(&[payment("pi_7", "processing", KEY)], false);
        let found = play(None, &[(SEARCH, answer), (LIST, list)]);
        assert_eq!(found, "[pi_7: pending pi_7 processing; ours]");
    }
}

#[test]
fn a_key_that_differs_by_case_is_another_key() {
    let other = payment("pi_1", "succeeded", &KEY.to_uppercase());
    let script = [
        (SEARCH, page(std::slice::from_ref(&other), false)),
        (&*path("pi_1"), one(&other)),
        (LIST, page(&[other], false)),
        (DAY, page(&[], false)),
    ];
    assert_eq!(play(None, &script), "absent");
}

#[test]
fn a_payment_whose_key_was_changed_since_is_held() {
    let shown = page(&[payment("pi_1", "succeeded", KEY)], false);
    let now = one(&payment("pi_1", "succeeded", "changed-by-hand"));
    let found = play(None, &[(SEARCH, shown), (&path("pi_1"), now)]);
    assert_eq!(
        found,
        "[pi_1: succeeded succeeded pi_1 480.00 SAR; foreign]"
    );
}

#[test]
fn an_untried_payment_says_nothing() {
    for status in [
        "requires_payment_method",
        "requires_confirmation",
        "requires_capture",
    ] {
        let untried = one(&payment("pi_1", status, KEY));
        let found = play(Some("pi_1"), &[(&path("pi_1"), untried)]);
        assert_eq!(
            found,
            format!("[pi_1: unknown: undocumented 200 {status}; -]")
        );
    }
}

#[test]
fn the_list_is_read_page_by_page() {
    let second = format!("{LIST}&starting_after=pi_other99");
    let mut last = strangers(100, 3);
    last.insert(1, payment("pi_1", "succeeded", KEY));
    let script = [
        (SEARCH, page(&[], false)),
        (LIST, page(&strangers(0, 100), true)),
        (&*second, page(&last, false)),
    ];
    assert_eq!(
        play(None, &script),
        "[pi_1: succeeded succeeded pi_1 480.00 SAR; ours]"
    );
}

/// An account that takes many payments: those of the day after are read only if there is nothing
/// around the send itself, so that they do not push it out of reach.
#[test]
fn the_time_around_the_sends_is_read_before_the_day_after() {
    let late = payment("pi_1", "succeeded", KEY);
    let script = [
        (SEARCH, page(&[], false)),
        (LIST, page(&strangers(0, 100), false)),
        (DAY, page(&[late], true)),
    ];
    let found = play(None, &script);
    assert_eq!(found, "[pi_1: succeeded succeeded pi_1 480.00 SAR; ours]");
}

#[test]
fn a_success_ends_the_list_and_a_refusal_does_not() {
    let mut first = strangers(0, 2);
    first.push(payment("pi_1", "succeeded", KEY));
    let script = [(SEARCH, page(&[], false)), (LIST, page(&first, true))];
    assert_eq!(
        play(None, &script),
        "[pi_1: succeeded succeeded pi_1 480.00 SAR; ours]"
    );

    let second = format!("{LIST}&starting_after=pi_1");
    first[2] = declined("pi_1");
    let script = [
        (SEARCH, page(&[], false)),
        (LIST, page(&first, true)),
        (&*second, page(&[payment("pi_0", "succeeded", KEY)], false)),
    ];
    let expected = "[pi_1: declined card_declined lost_card pi_1 never again; ours]\
                    [pi_0: succeeded succeeded pi_0 480.00 SAR; ours]";
    assert_eq!(play(None, &script), expected);
}

/// Ten pages of strangers, all with more behind them, and `ours` on the last.
fn ten_pages(ours: Option<Value>) -> String {
    let mut script = vec![(SEARCH.to_owned(), page(&[], false))];
    let mut ours = ours;
    let mut path = LIST.to_owned();
    for number in 0..10 {
        let mut payments = strangers(number, 1);
        if number == 9
            && let Some(ours) = ours.take()
        {
            payments.push(ours);
        }
        script.push((path, page(&payments, true)));
        path = format!("{LIST}&starting_after=pi_other{number}");
    }
    let script: Vec<(&str, Response)> = script
        .iter()
        .map(|(path, reply)| (path.as_str(), reply.clone()))
        .collect();
    play(None, &script)
}

#[test]
fn a_list_without_end_is_unclear_unless_it_shows_a_success() {
    assert_eq!(ten_pages(None), TOO_MANY);
    assert_eq!(ten_pages(Some(declined("pi_1"))), TOO_MANY);
    let paid = ten_pages(Some(payment("pi_1", "succeeded", KEY)));
    assert_eq!(paid, "[pi_1: succeeded succeeded pi_1 480.00 SAR; ours]");
}

#[test]
fn at_most_ten_payments_of_a_search_are_read() {
    let many = |last: &str| {
        let mut all: Vec<Value> = (0..12).map(|i| declined(&format!("pi_{i}"))).collect();
        all[9] = if last == "succeeded" {
            payment("pi_9", last, KEY)
        } else {
            declined("pi_9")
        };
        let mut script = vec![(SEARCH.to_owned(), page(&all, false))];
        script.extend(
            all[..10]
                .iter()
                .map(|one_of| (path(one_of["id"].as_str().unwrap()), one(one_of))),
        );
        let script: Vec<(&str, Response)> = script
            .iter()
            .map(|(path, reply)| (path.as_str(), reply.clone()))
            .collect();
        play(None, &script)
    };
    assert_eq!(many("declined"), TOO_MANY);
    assert!(many("succeeded").ends_with("[pi_9: succeeded succeeded pi_9 480.00 SAR; ours]"));
}

#[test]
fn a_read_that_fails_is_unclear() {
    let answers = [
        (401, r#"{"error":{"type":"invalid_request_error"}}"#),
        (403, r#"{"error":{}}"#),
        (403, "<html>"),
        (404, "<html>"),
        (404, r#"{"error":{"code":"other"}}"#),
        (429, ""),
        (500, "{}"),
        (503, ""),
        (200, r#"{"id":"pi_1","sta"#),
        (200, "[]"),
        (200, "{}"),
        (200, r#"{"id":"pi_2","status":"succeeded"}"#),
    ];
    for (status, body) in answers {
        let expected = match status {
            200 => UNREADABLE.to_owned(),
            status => format!("unclear: the gateway answered {status}"),
        };
        let by_id = [(&*path("pi_1"), reply(status, body))];
        assert_eq!(play(Some("pi_1"), &by_id), expected, "{status} {body}");
        if !body.contains("pi_") {
            let list = [(SEARCH, page(&[], false)), (LIST, reply(status, body))];
            assert_eq!(play(None, &list), expected, "{status} {body}");
        }
    }
}

#[test]
fn a_page_that_cannot_be_read_whole_is_unclear() {
    let mut no_metadata = payment("pi_1", "succeeded", KEY);
    no_metadata["metadata"] = Value::Null;
    let mut odd_key = payment("pi_1", "succeeded", KEY);
    odd_key["metadata"]["payonce_key"] = json!(7);
    let mut no_id = payment("pi_1", "succeeded", KEY);
    no_id["id"] = Value::Null;
    for odd in [no_metadata, odd_key, no_id, json!("pi_1")] {
        let list = page(&[payment("pi_2", "succeeded", KEY), odd], false);
        let script = [(SEARCH, page(&[], false)), (LIST, list)];
        assert_eq!(play(None, &script), UNREADABLE);
    }
    let no_more_known = reply(200, r#"{"data":[]}"#);
    for odd in [no_more_known, page(&[], true)] {
        let script = [(SEARCH, page(&[], false)), (LIST, odd)];
        assert_eq!(play(None, &script), UNREADABLE);
    }
}

#[test]
fn a_cursor_that_does_not_move_is_unclear() {
    let second = format!("{LIST}&starting_after=pi_other0");
    let script = [
        (SEARCH, page(&[], false)),
        (LIST, page(&strangers(0, 1), true)),
        (&*second, page(&strangers(0, 1), true)),
    ];
    assert_eq!(play(None, &script), UNREADABLE);
}

fn asked(stripe: &Stripe, key: &str) -> LookUpStep {
    let key = IdempotencyKey::new(key);
    let query = Query::new(None, FIRST_SENT, FIRST_SENT);
    stripe.look_up().unwrap().next(&call(&key), &query, &[])
}

#[test]
fn a_key_with_quotes_stays_within_its_quotes() {
    let LookUpStep::Ask(request) = asked(&stripe(), r"a'b\c&d") else {
        panic!("no request")
    };
    let query = request.path.split_once('?').unwrap().1;
    let pairs: Vec<_> = form_urlencoded::parse(query.as_bytes())
        .into_owned()
        .collect();
    assert_eq!(pairs[0].1, r"metadata['payonce_key']:'a\'b\\c&d'");
}

#[test]
fn the_connected_account_is_asked_or_nobody_is() {
    let LookUpStep::Ask(request) = asked(&stripe().connected_account("acct_1"), KEY) else {
        panic!("no request")
    };
    assert_eq!(request.headers["stripe-account"], "acct_1");
    let step = asked(&stripe().connected_account("acct 1"), KEY);
    assert!(matches!(step, LookUpStep::Done(_)));
}

#[test]
fn a_first_send_before_1970_asks_from_then_on() {
    let key = key();
    for (early, until) in [(i64::MIN, 0), (-1, 899), (0, 900)] {
        let query = Query::new(
            None,
            Timestamp::from_millis(early),
            Timestamp::from_millis(early),
        );
        let replies = [page(&[], false)];
        let step = stripe()
            .look_up()
            .unwrap()
            .next(&call(&key), &query, &replies);
        let LookUpStep::Ask(request) = step else {
            panic!("no request")
        };
        assert_eq!(
            request.path,
            format!("/v1/payment_intents?created%5Bgte%5D=0&created%5Blte%5D={until}&limit=100")
        );
    }
}
