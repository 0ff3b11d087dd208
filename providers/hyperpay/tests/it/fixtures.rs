//! Every fixture and the verdict on it.

mod charge;
mod other;

use http::{HeaderMap, StatusCode};
use payonce::OperationKind;
use payonce::provider::{Provider, Response, Ruling};

use crate::kit::{call, fixture, hyperpay, key, kind, line};

/// The whole table. The kit compares each fixture with its line.
pub(crate) fn verdicts() -> impl Iterator<Item = &'static (&'static str, &'static str)> {
    charge::VERDICTS.iter().chain(other::VERDICTS)
}

fn names() -> impl Iterator<Item = &'static str> {
    verdicts().map(|(name, _)| *name)
}

/// The verdict on a fixture, for the kind that its folder names.
fn verdict(name: &str) -> String {
    let key = key();
    line(&hyperpay().classify(&call(kind(name), &key), &fixture(name)))
}

#[test]
fn c36_a_page_is_never_an_answer() {
    for name in names().filter(|name| name.contains("_html")) {
        assert!(verdict(name).starts_with("unknown"), "{name}");
    }
}

/// The platform says of a duplicate neither whose it is nor what became of it.
#[test]
fn a_duplicate_is_no_decline() {
    assert_eq!(verdict("charge/200_duplicate"), "repeated; -");
    assert_eq!(verdict("charge/400_duplicate"), "repeated; -");
}

/// No reply is stored at HyperPay, so none may speak for an earlier send.
#[test]
fn no_reply_is_kept_or_marked_as_a_repeat() {
    let (hyperpay, key) = (hyperpay(), key());
    for name in names() {
        let verdict = hyperpay.classify(&call(kind(name), &key), &fixture(name));
        assert!(!verdict.kept && !verdict.replayed, "{name}");
    }
}

/// A customer who is sent to a page that needs a form would come back having paid nothing.
#[test]
fn only_a_page_that_opens_by_a_plain_link_is_an_action() {
    for name in names().filter(|name| name.contains("/200_redirect")) {
        let action = verdict(name).starts_with("action");
        let plain = name.contains("redirect_get");
        assert_eq!(action, plain, "{name}");
    }
}

#[test]
fn messages_ids_and_the_trace_are_kept() {
    let key = key();
    let verdict = hyperpay().classify(
        &call(OperationKind::Charge, &key),
        &fixture("charge/400_declined"),
    );
    let trace = "8ac7a4c98694e687018696fd2f2c0b71_fixture01";
    assert_eq!(verdict.request_id.as_deref(), Some(trace));
    let Ruling::Declined(refusal) = verdict.ruling else {
        panic!("{verdict:?}");
    };
    let message = "transaction declined (amount exceeds credit)";
    assert_eq!(refusal.message.as_deref(), Some(message));
}

/// A look-up starts at the payment that a reply named, also where the reply says nothing else.
#[test]
fn the_payment_of_a_doubtful_reply_is_named() {
    let key = key();
    for name in ["200_timeout", "200_partly_failed", "200_redirect_post"] {
        let reply = fixture(&format!("charge/{name}"));
        let verdict = hyperpay().classify(&call(OperationKind::Charge, &key), &reply);
        assert_eq!(verdict.provider_id(), Some(crate::kit::PAYMENT), "{name}");
    }
}

/// Only these statuses may come with an answer, whatever the body says.
#[test]
fn a_failing_machine_answers_nothing() {
    let (hyperpay, key) = (hyperpay(), key());
    for name in ["charge/200_succeeded", "charge/200_declined"] {
        let body = fixture(name).body;
        for status in (100..200).chain(300..400).chain(500..1000) {
            let status = StatusCode::from_u16(status).unwrap();
            let reply = Response::new(status, HeaderMap::new(), body.clone());
            let ruling = hyperpay
                .classify(&call(OperationKind::Charge, &key), &reply)
                .ruling;
            assert!(matches!(ruling, Ruling::Unknown(_)), "{status} {ruling:?}");
        }
    }
}
