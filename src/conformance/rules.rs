//! The facts of a rule: each has a source, and they do not contradict each other.

use super::run::{Run, Subject};
use super::{Promise, amounts};
use crate::operation::OperationKind;
use crate::provider::{OnRepeat, Placement, Rule};

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let (kind, rule) = (subject.kind, &subject.rule);
    for (fact, source) in sources(rule) {
        if !(source.contains("://") || source.contains("safe reading")) {
            run.broken(
                Promise::Facts,
                kind,
                format!(
                    "`{fact}` has no source: give the address of the page that states it, or write \
                     that it is not documented and is a safe reading"
                ),
            );
        }
    }
    let provider = run.kit.provider.as_ref();
    let again = run.guarded(kind, "rule", || provider.rule(kind)).flatten();
    let twin = run.kit.twin.as_deref().map(|twin| twin.rule(kind));
    if again.as_ref() != Some(rule) || twin.is_some_and(|twin| twin.as_ref() != Some(rule)) {
        run.broken(
            Promise::Facts,
            kind,
            "the rule is another each time: make it of constants and the merchant's settings",
        );
    }
    let class = rule.on_repeat.value;
    let replays = matches!(class, OnRepeat::Replays | OnRepeat::ReplaysSuccess);
    if rule.placement.value == Placement::Nowhere && replays {
        run.broken(
            Promise::Facts,
            kind,
            format!(
                "`on_repeat` is {class}, but no key is sent that a repeat could be known by: say \
                 `RunsAgain`"
            ),
        );
    }
    let traceless = rule.placement.value == Placement::Nowhere
        && rule.key_again.value.is_none()
        && rule.reference_field.value.is_none();
    if traceless && class != OnRepeat::NoFurtherEffect && !rule.baseline.value {
        run.broken(
            Promise::Baseline,
            kind,
            "the operation leaves neither a key nor a reference at the gateway, so nothing could \
             find it again: ask for a baseline in the rule",
        );
    }
    let whole = run.kit.captures_whole && kind == OperationKind::Capture;
    if whole && !rule.baseline.value {
        run.broken(
            Promise::Baseline,
            kind,
            "a capture is of the whole payment, so a part would be captured as the whole: ask for a \
             baseline in the rule, and refuse a payment of another amount there",
        );
    }
    let format = rule.key_format.value;
    if let Some(key) = subject.keys().iter().find(|key| format.check(key).is_err()) {
        run.broken(
            Promise::KeyFormat,
            kind,
            format!(
                "a key as it is made for this format ({} characters) does not fit it: give \
                 `max_len` room for 128 bits in this alphabet",
                key.as_str().len()
            ),
        );
    }
    amounts::round_trip(run, subject);
}

fn sources(rule: &Rule) -> [(&'static str, &'static str); 12] {
    // Every field by name: a new one must be asked for here too.
    let Rule {
        placement,
        key_again,
        reference_field,
        key_format,
        retention,
        on_repeat,
        settling,
        look_up_reliable,
        reversal_final,
        baseline,
        one_capture,
        amount,
    } = rule;
    [
        ("placement", placement.source),
        ("key_again", key_again.source),
        ("reference_field", reference_field.source),
        ("key_format", key_format.source),
        ("retention", retention.source),
        ("on_repeat", on_repeat.source),
        ("settling", settling.source),
        ("look_up_reliable", look_up_reliable.source),
        ("reversal_final", reversal_final.source),
        ("baseline", baseline.source),
        ("one_capture", one_capture.source),
        ("amount", amount.source),
    ]
}
