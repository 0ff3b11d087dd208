use std::fmt::Write;

use serde::de::DeserializeOwned;

use super::*;
use crate::ledger::testing;
use crate::machine::AlarmKind;
use crate::operation::Family;
use crate::outcome::testing::doubts;
use crate::provider::OnRepeat;

/// What stands in the ledger's columns, one form a line, each read back as it was written.
#[derive(Default)]
struct Forms(String);

impl Forms {
    fn json<T: Serialize + DeserializeOwned + PartialEq + fmt::Debug>(
        &mut self,
        column: &str,
        value: &T,
    ) {
        let text = serde_json::to_string(value).unwrap();
        writeln!(self.0, "{column}: {text}").unwrap();
        assert_eq!(serde_json::from_str::<T>(&text).unwrap(), *value);
    }

    fn words<T: Copy>(&mut self, column: &str, all: &[T], word: impl Fn(T) -> &'static str) {
        let words: Vec<&str> = all.iter().map(|value| word(*value)).collect();
        writeln!(self.0, "{column}: {}", words.join(" ")).unwrap();
    }
}

fn whole() -> Standing {
    Standing {
        provider_id: Some("pi_1".to_owned()),
        effect: Some(Effect::new("pi_1", testing::claim(1).money, "succeeded")),
        refusal: Some(
            Refusal::new("card_declined")
                .with_reason(Some("lost_card"))
                .with_message(Some("no"))
                .with_provider_id(Some("pi_1"))
                .with_do_not_retry(true),
        ),
        action: Some(
            NextAction::new("pi_1", "redirect_to_url")
                .with_url(Some("https://bank.example"))
                .with_client_secret(Some("pi_1_secret")),
        ),
        pending: Some(PendingAt::new("pi_1", "processing")),
        doubt: Some(Doubt::OwnerLost),
        unsent: Some(UnsentReason::Unavailable {
            why: "it could not be reached".to_owned(),
            retry_after: Some(Duration::from_millis(7500)),
        }),
        no_effect: Some(NoEffectReason::Superseded),
        reversal: Some("refund.failed".to_owned()),
        duplicates: vec!["pi_2".to_owned()],
        retry_after: Some(Duration::from_secs(7)),
    }
}

/// Rows live for years, and are read by older and newer programs. Whoever changes a form here also
/// raises the schema's number, so that no program misreads one.
#[test]
fn everything_that_is_stored_is_the_reviewed_form() {
    let mut forms = Forms::default();
    forms.words("operation.state", State::all(), State::as_str);
    forms.words(
        "operation.kind",
        OperationKind::all(),
        OperationKind::as_str,
    );
    forms.words("reference.family", Family::all(), Family::as_str);
    forms.words("send.purpose", Purpose::all(), Purpose::as_str);
    forms.words("alarm.kind", AlarmKind::all(), AlarmKind::as_str);
    for class in OnRepeat::all() {
        let rule = RuleSnapshot {
            on_repeat: *class,
            ..testing::claim(1).rendered.unwrap().rule
        };
        forms.json("operation.rule", &rule);
    }
    forms.json("operation.claimed", &testing::moment(testing::NOW));
    let somewhere = Moment::new(testing::NOW, Duration::ZERO, None, false);
    forms.json("operation.window_from", &somewhere);
    forms.json("operation.standing", &Standing::default());
    forms.json("operation.standing", &whole());
    let unauthorized = Standing {
        unsent: Some(UnsentReason::Unauthorized),
        ..Standing::default()
    };
    forms.json("operation.standing", &unauthorized);
    let mismatch = Standing {
        unsent: Some(UnsentReason::PaymentMismatch {
            got: Some(testing::claim(1).money),
            provider_id: "pi_1".to_owned(),
        }),
        ..Standing::default()
    };
    forms.json("operation.standing", &mismatch);
    let inferred = Standing {
        effect: whole().effect.map(Effect::inferred),
        ..Standing::default()
    };
    forms.json("operation.standing", &inferred);
    for doubt in doubts() {
        forms.json("operation.standing doubt", &doubt);
    }
    for why in NoEffectReason::all() {
        forms.json("operation.standing no_effect", why);
    }
    let Forms(text) = forms;
    assert!(
        text == include_str!("stored.txt"),
        "the forms are now:\n{text}"
    );
}

/// The mark is written only where it is true, and a row of an older program has none.
#[test]
fn an_effect_without_the_mark_was_confirmed() {
    let text = r#"{"effect":{"provider_id":"pi_1","money":{"minor":48000,"currency":"SAR"},"status":"succeeded"}}"#;
    let standing: Standing = serde_json::from_str(text).unwrap();
    assert_eq!(standing.effect, whole().effect);
    assert!(standing.effect.is_some_and(|effect| !effect.inferred));
}

/// A row of an older program lacks what came later. It gives the safe reading.
#[test]
fn a_rule_that_says_nothing_allows_no_repeat() {
    let rule: RuleSnapshot = serde_json::from_str("{}").unwrap();
    assert_eq!(rule.on_repeat, OnRepeat::RunsAgain);
    assert_eq!(rule.window, Some(Duration::ZERO));
    assert!(!rule.look_up_reliable);
}
