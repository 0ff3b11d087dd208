use std::fmt::Write;

use serde_json::{Value, json};

use super::*;
use crate::money::Currency;

fn operation(state: State) -> OperationSummary {
    OperationSummary {
        id: "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap(),
        kind: OperationKind::Charge,
        reference: "طلب-1042".to_owned(),
        attempt: 1,
        money: Money::parse("480.00", Currency::SAR).unwrap(),
        account: AccountId::new("stripe:test:main@https://api.stripe.com"),
        key: IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b"),
        state,
        sends: 1,
    }
}

fn receipt(state: State) -> Receipt {
    Receipt {
        operation: operation(state),
        provider_id: "pi_1".to_owned(),
        money: Money::parse("480.00", Currency::SAR).unwrap(),
        status: "succeeded".to_owned(),
        inferred: false,
        recorded: true,
    }
}

/// One outcome of every kind, with its name in JSON.
fn outcomes() -> Vec<(&'static str, Outcome)> {
    let refusal = Refusal::new("card_declined").with_reason(Some("insufficient_funds"));
    vec![
        ("succeeded", Outcome::Succeeded(receipt(State::Succeeded))),
        (
            "declined",
            Outcome::Declined(Decline {
                operation: operation(State::Declined),
                refusal: refusal.clone(),
                recorded: true,
            }),
        ),
        (
            "rejected",
            Outcome::Rejected(Rejection {
                operation: operation(State::Rejected),
                refusal: refusal.clone(),
                recorded: true,
            }),
        ),
        (
            "action_required",
            Outcome::ActionRequired(Action {
                operation: operation(State::ActionRequired),
                url: Some("https://bank.example/3ds".to_owned()),
                client_secret: Some("SENTINEL".to_owned()),
                kind: "redirect_to_url".to_owned(),
                provider_id: "pi_1".to_owned(),
                last_decline: Some(refusal),
            }),
        ),
        (
            "pending",
            Outcome::Pending(Pending {
                operation: operation(State::Pending),
                why: PendingReason::AtGateway,
                provider_id: Some("pi_1".to_owned()),
                last_decline: None,
                recorded: true,
            }),
        ),
        (
            "no_effect",
            Outcome::NoEffect(NoEffect {
                operation: operation(State::Canceled),
                why: NoEffectReason::Canceled,
                recorded: true,
            }),
        ),
        (
            "reversed",
            Outcome::Reversed(Reversal {
                receipt: receipt(State::Reversed),
                code: "refund.failed".to_owned(),
            }),
        ),
        (
            "unknown",
            Outcome::Unknown(Unknown {
                operation: operation(State::Unknown),
                doubt: Doubt::ServerError { status: 503 },
                provider_id: None,
                retry_after: Some(Duration::from_secs(7)),
                recorded: false,
            }),
        ),
    ]
}

#[test]
fn every_outcome_is_read_back_as_it_was_written() {
    for (name, outcome) in outcomes() {
        let text = serde_json::to_string(&outcome).unwrap();
        let value: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(value["outcome"], name);
        assert_eq!(value["version"], 1);
        assert_eq!(serde_json::from_str::<Outcome>(&text).unwrap(), outcome);
    }
}

/// A receipt that an older version wrote says nothing of it: it was confirmed, or nobody marked it.
#[test]
fn a_receipt_of_an_older_version_is_read() {
    let old = receipt(State::Succeeded);
    let mut value = serde_json::to_value(Outcome::Succeeded(old.clone())).unwrap();
    assert!(value.as_object_mut().unwrap().remove("inferred").is_some());
    let read: Outcome = serde_json::from_value(value).unwrap();
    assert_eq!(read, Outcome::Succeeded(old));
}

/// Merchants store these, and read them with another version of the library. A name that changes
/// here is a new version of the form.
#[test]
fn the_forms_of_all_outcomes_are_the_reviewed_ones() {
    let mut text = String::new();
    for (_, outcome) in outcomes() {
        writeln!(text, "{}", serde_json::to_string_pretty(&outcome).unwrap()).unwrap();
    }
    assert!(
        text == include_str!("forms.txt"),
        "the forms are now:\n{text}"
    );
}

#[test]
fn another_version_is_not_guessed_at() {
    let mut value = serde_json::to_value(Outcome::Succeeded(receipt(State::Succeeded))).unwrap();
    value["version"] = json!(2);
    serde_json::from_value::<Outcome>(value).unwrap_err();
}

#[test]
fn a_client_secret_is_not_in_debug() {
    for (_, outcome) in outcomes() {
        assert!(!format!("{outcome:?}").contains("SENTINEL"));
    }
}

#[test]
fn only_a_success_suggests_that_it_is_paid() {
    for (name, outcome) in outcomes() {
        assert_eq!(outcome.http_status() == 200, name == "succeeded", "{name}");
        assert_eq!(outcome.is_recorded(), name != "unknown");
    }
}
