//! What an operation ends with, read as it was written.

use std::time::Duration;

use super::bench::{Bench, Kept, charge, holds, learned, same, sar, succeeded};
use crate::ledger::{Conclusion, Settle, UnsentReason};
use crate::outcome::Doubt;
use crate::provider::{NextAction, PendingAt, Refusal};

/// One of each, with every field that it has.
fn conclusions() -> Kept<[Conclusion; 8]> {
    let refusal = Refusal::new("card_declined")
        .with_reason(Some("insufficient_funds"))
        .with_message(Some("لا يوجد رصيد"))
        .with_provider_id(Some("pi_\"1\""))
        .with_do_not_retry(true);
    let action = NextAction::new("pi_1", "redirect_to_url")
        .with_url(Some("https://gateway.example/قهوة?a=1"))
        .with_client_secret(Some("secret"));
    let mismatch = Doubt::Mismatch {
        sent: sar(48_000)?,
        got: Some(sar(47_999)?),
        provider_id: "pi_1".into(),
    };
    let why = UnsentReason::Unavailable {
        why: "no route".to_owned(),
        retry_after: Some(Duration::from_millis(1_001)),
    };
    Ok([
        succeeded("pi_success", 48_000)?,
        Conclusion::Declined(refusal.clone()),
        Conclusion::Rejected(refusal.clone()),
        Conclusion::Canceled(refusal.clone()),
        Conclusion::ActionRequired {
            action: Some(action),
            last_decline: Some(refusal.clone()),
        },
        Conclusion::Pending {
            at: Some(PendingAt::new("pi_1", "processing")),
            last_decline: Some(refusal),
        },
        Conclusion::Hold {
            doubt: mismatch,
            provider_id: Some("pi_1".to_owned()),
        },
        Conclusion::Unsent(why),
    ])
}

pub(super) async fn every_conclusion_is_read_back(bench: Bench) -> Kept {
    let (first, second) = (bench.open().await, bench.open().await);
    for (number, conclusion) in conclusions()?.into_iter().enumerate() {
        let owned = first
            .ours(charge(&format!("order-{number}"), 1)?)
            .await?
            .record;
        bench.clock.pass(Duration::from_millis(7));
        let mut settle = Settle::new(&owned, conclusion, learned(0, 0));
        settle.learned.retry_after = Some(Duration::from_millis(2_002));
        let ended = first.applied(settle).await?;
        same(
            "the row that another handle reads",
            &second.row(owned.id).await?,
            &ended,
        )?;
        let found = format!("a settled claim is still open: {ended:?}");
        holds(
            ended.lease.is_none() && ended.ended_epoch == owned.epoch,
            found,
        )?;
        let is = ended.standing.retry_after;
        same(
            "when to try again",
            &is,
            &Some(Duration::from_millis(2_002)),
        )?;
        holds(
            ended.updated_at > owned.updated_at,
            "it was not noted when the row changed",
        )?;
        let standing = ended.standing;
        let is_there = standing.effect.is_some()
            || standing.refusal.is_some()
            || standing.doubt.is_some()
            || standing.unsent.is_some();
        holds(is_there, "nothing is kept of what the gateway said")?;
    }
    Ok(())
}
