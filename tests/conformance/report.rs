//! What the kit says of a good adapter, of each liar, and where it was given too little.

use std::collections::BTreeSet;
use std::thread;

use payonce::conformance::Promise::{self, *};
use payonce::conformance::{Fixture, Kit, Means, Report, Shown};
use payonce::provider::{Call, IdempotencyKey, Provider, Response};
use payonce::{Currency, Customer, Money, OperationKind, ProceedInput, Source};

use crate::gateway::Gateway;
use crate::liars::Liar;
use crate::replies::{self, SECRET};

/// The kit of the example, with what a customer brings back.
fn kit(adapter: impl Provider) -> Kit {
    let code = |code: &str| ProceedInput::new().field("code", code.to_owned());
    replies::kit(adapter)
        .input(code("1234"))
        .input(code("5678"))
}

/// Each lie, and every promise that it breaks.
const LIES: &[(&str, &[Promise])] = &[
    ("a name with capitals", &[Account]),
    ("the secret is the label", &[Account, Secrets]),
    ("a label from memory", &[Account]),
    ("no label", &[Account]),
    ("plain http", &[Account]),
    ("an account of another", &[Account]),
    ("debug shows the secret", &[Secrets]),
    ("a fact without a source", &[Facts]),
    ("a rule from memory", &[Facts]),
    ("no key, and replays", &[Facts]),
    ("no trace, and no baseline", &[Baseline]),
    ("keys that do not fit", &[KeyFormat]),
    ("another spelling of amounts", &[Amounts]),
    ("encode refuses everything", &[Encodes]),
    ("who pays must be known", &[Encodes]),
    ("encode panics", &[Totality]),
    ("an error with the token", &[Secrets]),
    ("an error with the secret", &[Secrets]),
    ("amounts are rounded", &[Amounts]),
    ("every currency is taken", &[Amounts, Difference]),
    ("a parent of its own", &[Target]),
    ("any key is taken", &[KeyFormat]),
    ("a parent as it is", &[Target]),
    ("the key is cut", &[KeyPlace]),
    ("bytes from memory", &[Determinism, Secrets]),
    ("fields in no order", &[Determinism]),
    ("no key in the header", &[KeyPlace]),
    ("no key in the body", &[KeyPlace, Difference]),
    ("the key in capitals", &[KeyPlace]),
    ("the key twice in the body", &[KeyPlace]),
    ("the key in the query too", &[KeyPlace]),
    ("the key is not written again", &[KeyPlace]),
    ("a key where there is none", &[KeyPlace]),
    ("no reference", &[Reference]),
    ("a reference in ASCII", &[Reference]),
    ("amounts in cents", &[Amounts]),
    ("no amount", &[Amounts, Difference]),
    ("no currency", &[Difference]),
    ("no source", &[Difference]),
    ("one parent for all", &[Difference]),
    ("the secret in the body", &[Secrets]),
    ("signed by encode", &[Secrets]),
    ("authorize adds nothing", &[Secrets]),
    ("a key that authorize adds", &[KeyPlace]),
    ("authorize is random", &[Determinism]),
    ("a header that is not sensitive", &[Secrets]),
    ("a body is never empty", &[Totality]),
    (
        "memory of replies",
        &[Totality, Fixtures, Garbage, Fields, Excuses],
    ),
    ("a 500 is a no", &[ServerErrors, Html, Garbage, Fixtures]),
    ("a 599 had no effect", &[ServerErrors, Html]),
    ("a 502 with a body is read", &[ServerErrors]),
    ("a 200 is a success", &[Garbage, Html, Comparison, Excuses]),
    ("a 204 is canceled", &[Garbage, Html]),
    ("a 404 is a no", &[Garbage, Html]),
    ("a 429 had no effect", &[Garbage, Html]),
    ("a 401 is ours", &[Garbage, Html]),
    ("a page is a no", &[Html]),
    ("a redirect is pending", &[Redirects, Html]),
    ("a redirect is read", &[Redirects]),
    ("a word is enough", &[Garbage, Comparison, Excuses]),
    ("all is kept", &[Garbage]),
    ("all is ours", &[Garbage, Fixtures, Comparison]),
    ("no id is needed", &[Garbage]),
    ("declines are mistakes", &[Fixtures]),
    ("a 500 in JSON is a mistake", &[Fixtures, Garbage]),
    ("the key is not compared", &[Comparison]),
    ("the amount is not compared", &[Comparison, Excuses]),
    ("the currency is not compared", &[Comparison]),
    ("nothing is read", &[Fixtures]),
    ("no currency is a no", &[Fields]),
    ("a decline that is not kept", &[Fixtures]),
    ("a 777 is a no", &[Garbage]),
    ("a hint to wait had no effect", &[Garbage]),
    ("no look-up", &[Close, LookUp]),
    ("refunds are not looked up", &[LookUp, Finds]),
    ("absent without asking", &[LookUp, LookUpGarbage, Finds]),
    ("a look-up that pays", &[ReadsOnly]),
    ("a look-up from memory", &[Determinism]),
    ("ids as they are", &[Target]),
    ("the secret in a look-up", &[Secrets]),
    ("a look-up that panics", &[Totality]),
    ("nothing is absent", &[LookUpGarbage]),
    ("a 404 is absent", &[LookUpGarbage]),
    (
        "a 200 is found",
        &[LookUpGarbage, Comparison, Excuses, Baseline],
    ),
    ("a look-up without end", &[LookUpGarbage]),
    ("any object is ours", &[Comparison]),
    ("a reply that guesses", &[Baseline]),
    ("a guess without a mark", &[Baseline]),
    ("a look-up that posts", &[ReadsOnly]),
    ("a strange time panics", &[Totality]),
    ("nothing is found", &[Finds]),
    ("no currency is absent", &[Fields]),
    ("no baseline", &[Baseline, Finds]),
    ("a baseline that voids", &[ReadsOnly]),
    ("a baseline of nothing", &[Baseline, Finds]),
    ("a baseline that panics", &[Totality]),
    ("a close of any id", &[Target]),
    ("one close for all", &[Difference]),
    ("a close that panics", &[Totality]),
    ("no close", &[Encodes]),
    ("a close from memory", &[Determinism]),
    ("a close that pays", &[Close, Difference]),
    ("the secret in a close", &[Secrets]),
    ("a 200 has ended it", &[Close]),
    ("a 400 is a refusal", &[Close]),
    ("a 503 ended nothing", &[Close]),
    ("a close that is read in panic", &[Totality]),
    ("a step without a source", &[Facts]),
    ("a step from memory", &[Determinism]),
    ("one step for every input", &[Difference]),
    ("a step without its key", &[Difference]),
    ("the secret in a step", &[Secrets]),
    ("a step of any id", &[Target]),
    ("a step that panics", &[Totality]),
    ("no step", &[Encodes]),
    ("a 200 went on", &[Proceed]),
    ("a step that is read in panic", &[Totality]),
];

fn names(promises: impl Iterator<Item = Promise>) -> BTreeSet<&'static str> {
    promises.map(Promise::as_str).collect()
}

fn broken(report: &Report) -> BTreeSet<&'static str> {
    names(report.broken().iter().map(|broken| broken.promise))
}

const OTHER: &str = "sk_test_another";

#[test]
fn a_good_adapter_passes() {
    let good = Gateway::new("main", SECRET);
    kit(good)
        .twin(Gateway::new("main", OTHER))
        .check()
        .assert_ok();
    let honest = kit(Liar::new("none", SECRET)).twin(Liar::new("none", OTHER));
    honest.check().assert_ok();
}

#[test]
fn every_liar_is_found() {
    let workers: Vec<_> = LIES
        .chunks(LIES.len().div_ceil(4))
        .map(|lies| thread::spawn(move || lies.iter().filter_map(missed).collect::<Vec<_>>()))
        .collect();
    let missed: Vec<String> = workers
        .into_iter()
        .flat_map(|worker| worker.join().unwrap())
        .collect();
    assert!(missed.is_empty(), "{}", missed.join("\n"));
}

/// `None`: the lie is found, and nothing else is said of the adapter.
fn missed((lie, expected): &(&'static str, &[Promise])) -> Option<String> {
    let report = kit(Liar::new(lie, SECRET))
        .twin(Liar::new(lie, OTHER))
        // Every lie is found within few.
        .rounds(2)
        .check();
    let shown = report.to_string();
    assert!(
        !shown.contains("SENTINEL"),
        "{lie}: the report shows a secret"
    );
    assert_eq!(shown.lines().count(), report.broken().len(), "{lie}");
    let found = broken(&report);
    (found != names(expected.iter().copied())).then(|| format!("{lie}: {found:?}\n{shown}"))
}

/// A paid charge of 480.00 SAR, without or with its amount.
fn paid(kind: OperationKind, shown: Shown) -> Fixture {
    answered(kind, shown, Means::Succeeded)
}

fn answered(kind: OperationKind, shown: Shown, means: Means) -> Fixture {
    let key = IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b");
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    let call = Call::new(kind, operation, "order-1042", &key, money);
    let body = format!(
        r#"{{"id":"p_1","state":"paid","amount":"480.00","currency":"SAR","key":"{key}"}}"#
    );
    let reply = Response::new(http::StatusCode::OK, http::HeaderMap::new(), body.into());
    Fixture::new("200_paid", &call, reply, means).shows(shown)
}

/// An adapter must not pass because nothing was checked.
#[test]
fn what_the_kit_was_not_given_is_said() {
    let kit = Kit::new(Gateway::new("main", SECRET), "");
    let report = kit.check();
    assert_eq!(broken(&report), names([Inputs].into_iter()), "{report}");
    let text = report.to_string();
    for missing in [
        "Kit::source",
        "Kit::parent",
        "no fixture of a success",
        "a secret of the kit",
    ] {
        assert!(text.contains(missing), "{missing}: {text}");
    }
}

/// A kit that was told of a success, and nothing else, says what would still show nothing.
#[test]
fn a_success_needs_the_fields_that_decide_and_a_look_up_of_it() {
    let kit = Kit::new(Gateway::new("main", SECRET), SECRET)
        .source(Source::token("tok_1"))
        .fixture(paid(OperationKind::Charge, Shown::Amount));
    let text = kit.check().to_string();
    for missing in ["`Fixture::decided_by`", "`Kit::sought`"] {
        let found = text
            .lines()
            .filter(|line| line.starts_with("- charge") && line.contains(missing));
        assert_eq!(found.count(), 1, "{missing}: {text}");
    }
}

#[test]
fn the_customer_of_the_kit_pays() {
    let customer = Customer::new().email("laila@shop.example");
    let liar = Liar::new("who pays must be known", SECRET);
    kit(liar).customer(customer).check().assert_ok();
}

/// An excuse for a kind that is found would hide a later mistake.
#[test]
fn what_is_never_found_needs_no_success_and_may_have_none() {
    let text = Kit::new(Gateway::new("main", SECRET), SECRET)
        .source(Source::token("tok_1"))
        .never_found(OperationKind::Charge)
        .check()
        .to_string();
    let of_charge = |line: &&str| line.starts_with("- charge") && line.contains("`Kit::sought`");
    assert_eq!(text.lines().find(of_charge), None, "{text}");
    let report = kit(Gateway::new("main", SECRET))
        .never_found(OperationKind::Charge)
        .check();
    assert_eq!(broken(&report), names([Excuses].into_iter()), "{report}");
}

/// A reply that is pending is no success, and one that shows another amount or names another key is not
/// even that. Whoever says that no reply is a success must not record one.
#[test]
fn what_only_a_notification_tells_is_pending_and_compared() {
    let kit = || {
        Kit::new(Gateway::new("main", SECRET), SECRET)
            .source(Source::token("tok_1"))
            .told_later(OperationKind::Charge)
    };
    let said = |kit: Kit, text: &str| {
        let report = kit.check().to_string();
        let found = report
            .lines()
            .filter(|line| line.starts_with("- charge") && line.contains(text));
        found.count()
    };
    let pending = answered(OperationKind::Charge, Shown::Amount, Means::Pending);
    assert_eq!(said(kit(), "no fixture of a success"), 1);
    assert_eq!(said(kit().fixture(pending), "no fixture of a success"), 0);
    let success = kit().fixture(paid(OperationKind::Charge, Shown::Amount));
    assert_eq!(said(success, "leave out `Kit::told_later`"), 1);
}

/// Only a void succeeds without an amount: what a charge took must be shown.
#[test]
fn a_charge_cannot_be_excused_from_its_amount() {
    for (shown, expected) in [
        (Shown::Amount, false),
        (Shown::Nothing, true),
        (Shown::Total, true),
    ] {
        let kit = Kit::new(Gateway::new("main", SECRET), SECRET)
            .source(Source::token("tok_1"))
            .fixture(paid(OperationKind::Charge, shown));
        let found = kit.check().to_string().contains("does not show its amount");
        assert_eq!(found, expected, "{shown:?}");
    }
}

#[test]
#[should_panic(expected = "- refund, look-up: a repeat does not show")]
fn a_report_fails_a_test_with_what_to_do() {
    kit(Liar::new("no look-up", SECRET)).check().assert_ok();
}
