//! The core's own kit: what the engine relies on, checked from outside.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::conformance::{Fixture, Kit, Means, Shown};
use payonce::{ProceedInput, Source};
use payonce_adyen::Adyen;

use crate::fixtures::verdicts;
use crate::kit::{ACCOUNT, PARENT, TOKEN, call, fixture, key, recorded};

const API_KEY: &str = "AQESENTINEL1";

/// Fixtures whose every field is changed, and the fields that are the answer.
const DECIDED: &[(OperationKind, &str, &[&str])] = &[
    // The amount is what the engine compares with what was sent.
    (Charge, "200_authorised", &["/amount", "/pspReference"]),
    (
        Charge,
        "200_authorised_unknown_fields",
        &["/amount", "/pspReference"],
    ),
    (Charge, "200_refused", &["/pspReference"]),
    (Charge, "200_refused_no_reason", &[]),
    (Charge, "200_refused_acquirer_error", &[]),
    (Charge, "200_error_invalid_card", &["/pspReference"]),
    (Charge, "200_error_issuer_unavailable", &[]),
    (
        Charge,
        "200_cancelled",
        &["/pspReference", "/refusalReasonCode"],
    ),
    (Charge, "200_redirect", &["/pspReference", "/action"]),
    (Charge, "200_redirect_post", &["/pspReference", "/action"]),
    (Charge, "200_identify", &["/action"]),
    (Charge, "200_pending", &["/pspReference"]),
    (
        Charge,
        "200_pending_with_action",
        &["/pspReference", "/action"],
    ),
    (Charge, "200_success", &[]),
    (
        Charge,
        "200_partly_authorised",
        &["/amount", "/pspReference"],
    ),
    (Charge, "401_wrong_key", &[]),
    (Charge, "422_in_progress", &[]),
    (Charge, "422_already_processed", &[]),
    (Charge, "422_return_url_missing", &[]),
    (Charge, "500_stored", &[]),
    (Authorize, "200_authorised", &["/amount", "/pspReference"]),
    (Capture, "201_received", &["/pspReference"]),
    (Capture, "201_received_other_payment", &[]),
    (Refund, "201_received", &["/pspReference"]),
    (Void, "201_received", &["/pspReference"]),
];

fn told(fixture: Fixture) -> Fixture {
    let (kind, name) = (fixture.kind(), fixture.name().to_owned());
    let decided = DECIDED
        .iter()
        .find(|(of, named, _)| (*of, *named) == (kind, &name));
    // A cancel has no amount to show.
    let fixture = if kind == Void {
        fixture.shows(Shown::Nothing)
    } else {
        fixture
    };
    let fixture = match decided {
        Some((.., fields)) => fixture.decided_by(fields),
        None => fixture,
    };
    if name == "200_pending_with_action" {
        // Without something to do for the customer it waits for Adyen.
        fixture.may_become("/action", Means::Pending)
    } else {
        fixture
    }
}

/// With every field changed, one by one: a new value, a null or a missing field settles nothing by
/// itself.
#[test]
fn c39_the_adapter_keeps_the_promises_of_the_kit() {
    let key = key();
    let calls: Vec<_> = OperationKind::all()
        .iter()
        .map(|kind| call(*kind, &key))
        .collect();
    // What an action holds beside a link is given to the front-end code as it came.
    let action = |name: &str| fixture(Charge, name).json().unwrap()["action"].to_string();
    let fixtures = recorded()
        .word("FORM", action("200_redirect_post"))
        .word("SCRIPT", action("200_redirect_script"))
        .word("CHALLENGE", action("200_identify"))
        .word("VOUCHER", action("200_voucher"))
        .word("AWAIT", action("200_pending_with_action"))
        .fixtures(&calls, &verdicts())
        .unwrap();
    Kit::new(Adyen::test(ACCOUNT, API_KEY), API_KEY)
        .twin(Adyen::test(ACCOUNT, "AQEanother"))
        .source(Source::token(TOKEN))
        .source(Source::token(TOKEN.replace("eyJ1", "eyJ4")))
        .source(Source::saved("8416038790273850", Some("shopper-1042")))
        .return_url("https://shop.example/back")
        .parent(PARENT)
        .parent("993617894903480B")
        .odd_id("8816118280275544")
        .fixtures(fixtures.into_iter().map(told))
        .input(ProceedInput::new().field("redirectResult", "X6XtfGC3!Y"))
        .input(ProceedInput::new().field("redirectResult", "Y7YugHD4!Z"))
        .told_later(Capture)
        .told_later(Refund)
        .told_later(Void)
        .check()
        .assert_ok();
}
