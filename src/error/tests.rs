use std::fmt::Write;

use super::*;
use crate::money::Currency;
use crate::outcome::testing::doubts;
use crate::provider::AmountError;

fn id() -> OperationId {
    "01ARZ3NDEKTSV4RRFFQ69G5FAV".parse().unwrap()
}

fn account() -> AccountId {
    AccountId::new("stripe:test:main@https://api.stripe.com".to_owned())
}

#[expect(clippy::too_many_lines, reason = "it is a list")]
/// One error of every kind. A new kind does not compile until it is here.
fn errors() -> Vec<Error> {
    let (operation, state) = (id(), State::Unknown);
    let listed = |error: &Error| match error {
        Error::Invalid { .. }
        | Error::Money(_)
        | Error::Unsupported { .. }
        | Error::IntentMismatch { .. }
        | Error::PriorAttemptOpen { .. }
        | Error::PriorAttemptSucceeded { .. }
        | Error::PriorAttemptMissing { .. }
        | Error::LaterAttempt { .. }
        | Error::ParentBusy { .. }
        | Error::ExceedsParent { .. }
        | Error::NotFound { .. }
        | Error::WrongState { .. }
        | Error::KeyInUse
        | Error::Unavailable { .. }
        | Error::Unauthorized { .. }
        | Error::PaymentMismatch { .. }
        | Error::AccountNotConfigured { .. }
        | Error::Overloaded { .. }
        | Error::Frozen { .. }
        | Error::ShutDown
        | Error::Ledger { .. }
        | Error::Config(_) => true,
    };
    let mut errors: Vec<Error> = problems()
        .into_iter()
        .map(|problem| Error::Invalid {
            field: "reference".to_owned(),
            problem,
        })
        .collect();
    errors.extend(
        amount_errors()
            .into_iter()
            .map(|error| Error::from(EncodeError::Amount(error))),
    );
    errors.extend(money_errors().into_iter().map(Error::Money));
    errors.extend(ledger_errors().into_iter().map(Error::from));
    errors.extend([
        Error::Unsupported {
            what: "stripe has no hosted pages: give a token".to_owned(),
        },
        Error::IntentMismatch {
            fields: vec!["amount".into(), "key".into()],
            operation,
            state,
        },
        Error::PriorAttemptOpen {
            attempt: 1,
            operation,
            state,
        },
        Error::PriorAttemptSucceeded {
            attempt: 1,
            operation,
            state: State::Succeeded,
        },
        Error::PriorAttemptMissing { missing: 2 },
        Error::LaterAttempt {
            attempt: 2,
            operation,
            state,
            outcome: None,
        },
        Error::ParentBusy {
            kind: OperationKind::Void,
            operation,
            state,
        },
        Error::ParentBusy {
            kind: OperationKind::Refund,
            operation,
            state: State::Unsent,
        },
        Error::ParentBusy {
            kind: OperationKind::Capture,
            operation,
            state: State::Succeeded,
        },
        Error::ExceedsParent {
            left: Money::parse("20.00", Currency::SAR).unwrap(),
        },
        Error::KeyInUse,
        Error::Unavailable {
            operation,
            state: State::Unsent,
            why: "the gateway answered 429".to_owned(),
            retry_after: Some(Duration::from_secs(7)),
        },
        Error::Unauthorized {
            account: account(),
            operation,
            state: State::Unsent,
        },
        Error::PaymentMismatch {
            operation,
            state: State::Unsent,
            sent: Money::parse("100.00", Currency::SAR).unwrap(),
            got: Some(Money::parse("100.00", Currency::USD).unwrap()),
            provider_id: "pi_1".to_owned(),
        },
        Error::PaymentMismatch {
            operation,
            state: State::Unsent,
            sent: Money::parse("100.00", Currency::SAR).unwrap(),
            got: None,
            provider_id: "pi_2".to_owned(),
        },
        Error::AccountNotConfigured {
            account: account(),
            operation,
            state,
        },
        Error::Overloaded { limit: 10_000 },
        Error::Frozen { operation, state },
        Error::NotFound {
            what: "no payment has the reference order-1042".to_owned(),
        },
        Error::WrongState {
            operation,
            state,
            why: "only what was never sent can be withdrawn; look it up".to_owned(),
        },
        Error::ShutDown,
        Error::Config("there is no account: add one with .provider(..)".to_owned()),
    ]);
    assert!(errors.iter().all(listed));
    errors
}

fn problems() -> Vec<Problem> {
    vec![
        Problem::Empty,
        Problem::TooLong { limit: 255 },
        Problem::ControlCharacter,
        Problem::EdgeSpace,
        Problem::InvisibleCharacter,
        Problem::CardNumber,
        Problem::SecurityCode,
        Problem::other("is zero: give an amount above zero"),
    ]
}

fn money_errors() -> Vec<MoneyError> {
    vec![
        MoneyError::Negative,
        MoneyError::NotANumber,
        MoneyError::TooManyDecimals {
            currency: Currency::SAR,
            decimals: 2,
        },
        MoneyError::TooLarge,
        MoneyError::UnknownCurrency,
    ]
}

fn amount_errors() -> Vec<AmountError> {
    let currency = Currency::KWD;
    vec![
        AmountError::Currency { currency },
        AmountError::Decimals {
            currency,
            decimals: 2,
        },
        AmountError::Step { currency, step: 10 },
        AmountError::TooLarge {
            currency,
            digits: 8,
        },
    ]
}

fn ledger_errors() -> Vec<LedgerError> {
    let path = || "payments.db".to_owned();
    vec![
        LedgerError::Busy,
        LedgerError::Full,
        LedgerError::ReadOnly { path: path() },
        LedgerError::NotFound { path: path() },
        LedgerError::Exists { path: path() },
        LedgerError::Corrupt {
            detail: "row 3 missing from index".to_owned(),
        },
        LedgerError::Foreign { path: path() },
        LedgerError::NewerSchema { found: 2, known: 1 },
        LedgerError::NetworkFileSystem {
            path: path(),
            kind: "NFS".to_owned(),
        },
        LedgerError::Moved,
        LedgerError::NoWal {
            mode: "delete".to_owned(),
        },
        LedgerError::Unreadable {
            detail: "state: it is not known".to_owned(),
        },
        LedgerError::Closed,
        LedgerError::Failed {
            detail: "disk I/O error".to_owned(),
        },
    ]
}

/// Every text that a merchant can get, reviewed as a whole. Each says what to do.
#[test]
fn every_text_is_the_reviewed_one() {
    let mut text = String::new();
    for error in errors() {
        writeln!(text, "{} {error}", error.http_status()).unwrap();
    }
    for doubt in doubts() {
        writeln!(text, "unknown: {doubt}").unwrap();
    }
    assert!(
        text == include_str!("texts.txt"),
        "the texts are now:\n{text}"
    );
}

#[test]
fn every_doubt_says_that_money_may_have_moved_and_none_invites_a_new_payment() {
    for doubt in doubts() {
        let text = doubt.to_string();
        assert!(text.contains("money may have moved"), "{text}");
        assert!(
            !text.contains("again later") && !text.contains("new payment"),
            "{text}"
        );
    }
}

#[test]
fn an_error_about_an_operation_names_it() {
    for error in errors() {
        // Its own fields say whether it is about one.
        let about_one = format!("{error:?}").contains(&format!("operation: {}", id()));
        assert_eq!(error.operation().is_some(), about_one, "{error:?}");
        assert!(
            error
                .operation()
                .is_none_or(|(operation, _)| operation == id())
        );
    }
}
