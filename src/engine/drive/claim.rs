//! From an intent to a drive: the claim, and what to answer without one.

use std::time::Duration;

use super::{Drive, gone};
use crate::engine::answer::{answer, in_flight, refused, unknown};
use crate::engine::backoff::Intervals;
use crate::engine::{Engine, Wanted, telemetry};
use crate::error::{Error, LedgerError};
use crate::ledger::{
    Claim, Claimed, Conclusion, Learned, Record, Refused, Settle, Settled, UnsentReason,
};
use crate::operation::State;
use crate::outcome::{Doubt, Outcome};

/// How often a new key is made if the last one is taken.
const KEYS: u32 = 3;

impl Engine {
    /// Carries out an intent: claims it, drives it, and answers. `heard` learns of the row: as it
    /// would be stored (`false`), and as it is (`true`).
    pub(crate) async fn run(
        &self,
        wanted: &Wanted,
        heard: &(dyn Fn(&Record, bool) + Send + Sync),
    ) -> Result<Outcome, Error> {
        let start = self.clock.uptime();
        // A little of the time is kept for writing down what came of it.
        let tenth = wanted.deadline.checked_div(10).unwrap_or_default();
        let reserve = tenth.min(Duration::from_secs(1));
        let end = start.saturating_add(wanted.deadline.saturating_sub(reserve));
        let mut claim = self.claim_for(wanted)?;
        let mut known = None;
        match self.render(wanted) {
            Ok(rendered) => {
                heard(&Record::claimed(&claim, &rendered, self.clock.now()), false);
                claim.rendered = Some(rendered);
            }
            // If there is a row, its bytes count and not what could be rendered now.
            Err(error) => {
                known = self.ledger.find(wanted.identity()).await?;
                if known.is_none() {
                    return Err(error);
                }
            }
        }
        let mut keys = 1;
        let mut polls = Intervals::new(Duration::from_millis(20), Duration::from_secs(1));
        loop {
            match self.ledger.claim(claim.clone()).await {
                Err(error) => return self.read_back(&claim, known, error).await,
                Ok(Claimed::Ours(owned)) => {
                    heard(&owned.record, true);
                    return Drive::new(self, *owned, end)?.run().await;
                }
                Ok(Claimed::Final(record)) => return answer(&record, true),
                Ok(Claimed::Busy(record)) => {
                    heard(&record, true);
                    telemetry::busy();
                    let pause = polls.next();
                    if self.clock.uptime().saturating_add(pause) >= end {
                        return Ok(in_flight(&record));
                    }
                    self.clock.sleep(pause).await;
                }
                Ok(Claimed::Refused(Refused::KeyInUse)) if claim.key.is_none() && keys < KEYS => {
                    keys = keys.saturating_add(1);
                    claim.rendered = Some(self.render(wanted)?);
                }
                Ok(Claimed::Refused(why)) => return Err(refused(why)),
                Ok(Claimed::Absent) => return Err(self.render(wanted).err().unwrap_or_else(gone)),
            }
        }
    }

    /// After a claim that failed it is not known whether it is stored. An error may be returned
    /// only if the ledger shows that no row of this call can have an effect.
    async fn read_back(
        &self,
        claim: &Claim,
        known: Option<Record>,
        error: LedgerError,
    ) -> Result<Outcome, Error> {
        let ours = claim.rendered.as_ref().map(|rendered| rendered.id);
        let record = match self.ledger.find(claim.identity.clone()).await {
            Ok(None) => return Err(error.into()),
            Ok(Some(record)) => record,
            Err(_) => {
                let first = |rendered| Record::claimed(claim, rendered, self.clock.now());
                let record = claim.rendered.as_ref().map(first).or(known);
                return match record {
                    Some(record) => Ok(unknown(&record, Doubt::Unrecorded, false)),
                    None => Err(error.into()),
                };
            }
        };
        if record.state.is_replaceable() {
            return Err(error.into());
        }
        if record.state != State::Sending || Some(record.id) != ours {
            return answer(&record, true);
        }
        // Our row is there after all, and nothing was sent.
        let why = error.to_string();
        let reason = UnsentReason::Unavailable {
            why,
            retry_after: None,
        };
        let settle = Settle::new(&record, Conclusion::Unsent(reason), Learned::default());
        match self.ledger.settle(settle).await {
            Ok(Settled::Applied(record)) if record.state == State::Unsent => Err(error.into()),
            Ok(_) | Err(_) => Ok(unknown(&record, Doubt::Unrecorded, false)),
        }
    }
}
