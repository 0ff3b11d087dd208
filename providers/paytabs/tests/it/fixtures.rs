//! Every fixture and the verdict on it.

mod charge;
mod other;

use http::{HeaderMap, StatusCode};
use payonce::OperationKind;
use payonce::provider::{Provider, Response, Ruling};
use payonce_paytabs::{PayTabs, Region};

use crate::kit::{PAYMENT, PROFILE, call, fixture, key, kind, line, paytabs};

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
    line(&paytabs().classify(&call(kind(name), &key), &fixture(name)))
}

#[test]
fn c36_a_page_is_never_an_answer() {
    for name in names().filter(|name| name.contains("_html")) {
        assert!(verdict(name).starts_with("unknown"), "{name}");
    }
}

/// A 409 that was waited for and repeated would be a second payment after two minutes.
#[test]
fn a_duplicate_is_neither_a_decline_nor_a_reason_to_send_again() {
    for name in names().filter(|name| name.contains("duplicate")) {
        assert_eq!(verdict(name), "repeated; -", "{name}");
    }
}

/// No reply is stored at PayTabs, so none may speak for an earlier send.
#[test]
fn no_reply_is_kept_or_marked_as_a_repeat() {
    let (paytabs, key) = (paytabs(), key());
    for name in names() {
        let verdict = paytabs.classify(&call(kind(name), &key), &fixture(name));
        assert!(!verdict.kept && !verdict.replayed, "{name}");
    }
}

/// Goods must not leave for what only a test profile took.
#[test]
fn a_live_account_takes_no_test_transaction() {
    let live = PayTabs::live(Region::SaudiArabia, PROFILE, "key");
    let key = key();
    for name in names().filter(|name| name.starts_with("charge/200_")) {
        let reply = fixture(name);
        let verdict = line(&live.classify(&call(kind(name), &key), &reply));
        let unsaid = verdict.starts_with("unknown") || verdict == "repeated; -";
        assert!(unsaid, "{name}: {verdict}");
        let body = String::from_utf8(reply.body.clone()).unwrap();
        let body = body.replace(PAYMENT, "SFT2633500000011");
        let real = Response::new(reply.status, HeaderMap::new(), body.into());
        let verdict = line(&live.classify(&call(kind(name), &key), &real));
        let expected = self::verdict(name).replace("PAYMENT", "SFT2633500000011");
        assert_eq!(verdict, expected, "{name}");
    }
}

#[test]
fn messages_ids_and_the_trace_are_kept() {
    let key = key();
    let charge = call(OperationKind::Charge, &key);
    let verdict = paytabs().classify(&charge, &fixture("charge/200_declined"));
    let trace = "PMNT0302.656A1B2C.0000A1B2";
    assert_eq!(verdict.request_id.as_deref(), Some(trace));
    let Ruling::Declined(refusal) = verdict.ruling else {
        panic!("{verdict:?}");
    };
    assert_eq!(refusal.message.as_deref(), Some("Insufficient funds"));
}

/// A look-up starts at the transaction that a reply named, also where the reply says nothing else.
#[test]
fn the_transaction_of_a_doubtful_reply_is_named() {
    let key = key();
    for name in [
        "200_error_system",
        "200_undocumented_letter",
        "200_page_script",
    ] {
        let reply = fixture(&format!("charge/{name}"));
        let verdict = paytabs().classify(&call(OperationKind::Charge, &key), &reply);
        assert_eq!(verdict.provider_id(), Some(PAYMENT), "{name}");
    }
}

/// Only these statuses may come with an answer, whatever the body says.
#[test]
fn a_failing_machine_answers_nothing() {
    let (paytabs, key) = (paytabs(), key());
    for name in ["200_paid", "200_declined", "409_duplicate", "401_wrong_key"] {
        let body = fixture(&format!("charge/{name}")).body;
        for status in (100..200).chain(300..400).chain(500..1000) {
            let status = StatusCode::from_u16(status).unwrap();
            let reply = Response::new(status, HeaderMap::new(), body.clone());
            let verdict = paytabs.classify(&call(OperationKind::Charge, &key), &reply);
            assert!(matches!(verdict.ruling, Ruling::Unknown(_)), "{status}");
        }
    }
}
