#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "a liar names only the answers that it changes"
)]

#[cfg(feature = "sqlite")]
mod alike;
mod answers;
mod liar;

use std::collections::HashSet;

use self::liar::{Lie, Lying};
use super::*;

/// Each lie, and the check that must find it.
const LIES: &[(Lie, &str)] = &[
    (Lie::SharesClaims, "a_claim_is_exclusive"),
    (Lie::AsksOutsideTheLock, "a_claim_is_exclusive"),
    (Lie::AnswersBeforeItStores, "a_claim_is_durable"),
    (Lie::WaitsForTheDead, "a_dead_owner_is_taken_over"),
    (Lie::CountsNoSends, "a_dead_owner_is_taken_over"),
    (Lie::SharesClaims, "a_lapsed_lease_is_taken_over"),
    (Lie::WaitsForTheDead, "a_lapsed_lease_is_taken_over"),
    (
        Lie::SendsWhatIsRenderedNow,
        "a_request_is_stored_byte_for_byte",
    ),
    (Lie::LosesAHeader, "a_request_is_stored_byte_for_byte"),
    (Lie::ReplacesAUsedKey, "a_key_belongs_to_one_operation"),
    (Lie::TakesAnyIntent, "another_intent_is_refused"),
    (Lie::NamesNoField, "another_intent_is_refused"),
    (Lie::TakesAnyAccount, "only_what_is_given_is_made"),
    (
        Lie::AlwaysRenews,
        "the_time_to_send_is_renewed_on_request_only",
    ),
    (
        Lie::NeverRenews,
        "the_time_to_send_is_renewed_on_request_only",
    ),
    (Lie::HasASaltOfItsOwn, "one_salt_is_made_with_the_store"),
    (
        Lie::EndsWhatIsOpen,
        "a_next_attempt_waits_for_a_definite_no",
    ),
    (Lie::LosesTheSuperseding, "an_unsent_attempt_is_superseded"),
    (Lie::LeavesTheEpoch, "an_unsent_attempt_is_superseded"),
    (Lie::EndsWhatIsOpen, "two_attempts_exclude_each_other"),
    (Lie::ForgetsTheFreeze, "a_frozen_reference_is_left_alone"),
    (Lie::FindsTheLatest, "an_attempt_is_found_by_its_number"),
    (Lie::FencesNobody, "an_old_epoch_settles_nothing"),
    (Lie::DropsLateNews, "a_late_success_is_evidence"),
    (Lie::LeavesTheEpoch, "a_late_success_is_evidence"),
    (Lie::FencesNobody, "an_old_epoch_records_only_its_exchange"),
    (Lie::CountsExchangesAgain, "exchanges_are_counted_once"),
    (Lie::SettlesAgain, "a_settlement_counts_once"),
    (
        Lie::BelievesUnsent,
        "what_may_have_been_sent_is_never_unsent",
    ),
    (Lie::TakesGhosts, "what_is_not_there_is_not_settled"),
    (Lie::LosesAField, "every_conclusion_is_read_back"),
    (
        Lie::GuardsOnlyWhatIsDone,
        "refunds_never_exceed_the_payment",
    ),
    (Lie::AsksOutsideTheLock, "refunds_never_exceed_the_payment"),
    (
        Lie::AsksOutsideTheLock,
        "captures_never_exceed_the_authorization",
    ),
    (
        Lie::GuardsOnlyWhatIsDone,
        "captures_never_exceed_the_authorization",
    ),
    (Lie::KeepsWhatItRefused, "what_is_refused_leaves_nothing"),
    (Lie::KnowsOneName, "a_payment_is_known_by_all_its_names"),
    (Lie::TakesAnyPayment, "only_a_success_is_a_payment"),
    (Lie::AdoptsAnew, "an_adopted_payment_is_stored_once"),
    (Lie::TakesAnyBaseline, "a_baseline_is_stored_once"),
    (Lie::ForgetsBaselines, "a_baseline_is_stored_once"),
    (Lie::FencesNobody, "a_baseline_is_stored_once"),
    (
        Lie::ForgetsBaselines,
        "without_its_baseline_nothing_was_sent",
    ),
    (
        Lie::CountsEveryClaim,
        "without_its_baseline_nothing_was_sent",
    ),
    (
        Lie::ForgetsFurtherSteps,
        "a_further_step_begins_at_an_action",
    ),
    (Lie::KeepsTheCounts, "a_further_step_begins_at_an_action"),
    (Lie::FencesNobody, "a_further_step_begins_at_an_action"),
    (Lie::ClosesAgain, "a_close_is_stored_once"),
    (Lie::ClosesForAnybody, "a_close_is_stored_once"),
    (Lie::ForgetsCloses, "a_close_is_stored_once"),
    (Lie::BelievesWhileClosing, "a_success_waits_for_the_close"),
    (Lie::TrustsItsClock, "a_clock_that_goes_back_is_doubted"),
    (Lie::TrustsItsClock, "a_date_that_differs_is_doubted"),
    (Lie::ForgetsDates, "a_date_that_differs_is_doubted"),
    (Lie::IsAlwaysSure, "a_moment_is_sure_after_a_date_agreed"),
    (Lie::ForgetsDates, "a_moment_is_sure_after_a_date_agreed"),
    (
        Lie::DatesWhatIsWritten,
        "a_date_speaks_for_the_clock_that_it_was_compared_with",
    ),
    (
        Lie::ServesAnyTenant,
        "only_what_was_never_sent_is_withdrawn",
    ),
    (Lie::DecidesOverAnybody, "nobody_decides_over_a_live_owner"),
    (Lie::ServesAnyTenant, "a_decision_is_stored_and_fences"),
    (Lie::LeavesTheEpoch, "a_decision_is_stored_and_fences"),
    (Lie::FencesNobody, "a_decision_is_stored_and_fences"),
    (Lie::ServesAnyTenant, "an_alarm_is_seen_once"),
    (Lie::ListsBackwards, "operations_are_listed_in_order"),
    (
        Lie::NamesEveryTenant,
        "every_tenant_with_something_open_is_named",
    ),
    (
        Lie::HidesWhoHasNoTenant,
        "every_tenant_with_something_open_is_named",
    ),
];

fn check(name: &str) -> &'static Check {
    checks().iter().find(|check| check.name() == name).unwrap()
}

#[tokio::test]
async fn every_lie_is_found_by_its_check() {
    let mut passed = Vec::new();
    for (lie, name) in LIES {
        match check(name).run(Lying::new(*lie)).await {
            Ok(()) => passed.push((lie, name)),
            Err(broken) => assert!(broken.to_string().contains(check(name).promise())),
        }
    }
    assert!(passed.is_empty(), "these lies were believed: {passed:?}");
}

/// What a liar adds by itself is not what the checks find.
#[tokio::test]
async fn a_liar_that_tells_the_truth_is_believed() {
    run(|| Lying::new(Lie::None)).await;
}

/// A check that no ledger fails shows nothing.
#[test]
fn every_check_finds_some_lie() {
    let found: HashSet<&str> = LIES.iter().map(|(_, name)| *name).collect();
    let idle: Vec<_> = checks()
        .iter()
        .filter(|c| !found.contains(c.name()))
        .collect();
    assert!(idle.is_empty(), "no lie is planted for {idle:?}");
    assert_eq!(found.len(), checks().len());
}

#[tokio::test]
#[should_panic(expected = "one owner at a time may drive an operation")]
async fn the_text_of_a_failure_names_the_promise() {
    run(|| Lying::new(Lie::SharesClaims)).await;
}
