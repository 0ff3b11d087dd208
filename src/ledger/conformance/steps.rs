//! Going on after the customer acted.

use http::Method;

use super::bench::{Bench, Handle, Kept, LEASE, START, charge, declined, holds, learned, same};
use crate::ledger::{Conclusion, NextStep, Record, Settle, StepRequest, UnsentReason};
use crate::operation::State;
use crate::outcome::Doubt;
use crate::provider::{IdempotencyKey, NextAction, OnRepeat, Request, RuleSnapshot};

fn page() -> Conclusion {
    Conclusion::ActionRequired {
        action: Some(NextAction::new("pi_1", "redirect")),
        last_decline: None,
    }
}

fn next(name: &str) -> NextStep {
    let mut request = Request::new(Method::POST, format!("/v1/go?of={name}"));
    request.body = format!("result={name}\0").into_bytes();
    let step = StepRequest::new(IdempotencyKey::new(format!("step-{name}")), request);
    let rule = RuleSnapshot {
        on_repeat: OnRepeat::ReplaysSuccess,
        ..RuleSnapshot::default()
    };
    NextStep::new(step, rule, START.plus(LEASE).plus(LEASE))
}

async fn refused(handle: &Handle, record: &Record, why: &str) -> Kept {
    let gone = handle
        .go_on(record.id, record.epoch, next("refused"))
        .await?;
    holds(gone.is_none(), format!("an operation went on {why}"))
}

pub(super) async fn a_further_step_begins_at_an_action(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    let new = first.ours(charge("order", 1)?).await?.record;
    refused(&first, &new, "that was never answered").await?;
    let taught = Settle::new(&new, page(), learned(0, 1));
    let left = first.applied(taught).await?;
    refused(&first, &left, "without a claim").await?;
    let owned = first.ours(charge("order", 1)?).await?.record;
    let old = Record {
        epoch: left.epoch,
        ..owned.clone()
    };
    refused(&second, &old, "under an old epoch").await?;
    let Some(gone) = first.go_on(owned.id, owned.epoch, next("one")).await? else {
        return holds(false, "its owner could not go on");
    };
    let record = &gone.record;
    let is = (
        record.state,
        record.maybe_sent,
        gone.found,
        record.send_until,
    );
    let until = next("one").send_until;
    same("it", &is, &(State::Sending, 0, State::Sending, until))?;
    same("its request", &gone.request, &next("one").step.request)?;
    same("its row", &second.row(owned.id).await?, record)?;
    let key = record.further.as_ref().map(|further| further.key.clone());
    same("the step's key", &key, &Some(next("one").step.key))?;
    same("the operation's key", &record.key, &new.key)?;
    refused(&first, record, "while it is under way").await?;
    // A dead owner may have sent it, and the next one sends the same bytes.
    bench.kill(first);
    let taken = second.ours(charge("order", 1)?).await?;
    same("the sends of a dead owner", &taken.record.maybe_sent, &1)?;
    same(
        "the request that is taken over",
        &taken.request,
        &next("one").step.request,
    )?;
    let doubt = Conclusion::Hold {
        doubt: Doubt::InProgress,
        provider_id: None,
    };
    let held = second.end(&taken.record, doubt).await?;
    same("it", &held.state, &State::Unknown)?;
    // Answered by one more action, it can go on again; and if that was never sent, the action stays.
    let again = second.ours(charge("order", 1)?).await?.record;
    second.end(&again, page()).await?;
    let again = second.ours(charge("order", 1)?).await?.record;
    let gone = second.go_on(again.id, again.epoch, next("two")).await?;
    holds(gone.is_some(), "it could not go on once more")?;
    let unsent = Conclusion::Unsent(UnsentReason::Unauthorized);
    let left = second.end(&again, unsent).await?;
    same(
        "it, unsent",
        &(left.state, left.maybe_sent),
        &(State::ActionRequired, 0),
    )?;
    let settled = second.settled(charge("order", 1)?, declined()).await?;
    refused(&second, &settled, "that has ended").await
}
