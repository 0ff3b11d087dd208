//! From an intent to a drive: the claim, and what to answer without one.

use std::time::Duration;

use super::{Asked, Drive, Hear, Heard, gone};
use crate::engine::answer::{answer, in_flight, refused, unrecorded};
use crate::engine::backoff::Intervals;
use crate::engine::{Engine, Errand, telemetry};
use crate::error::{Error, LedgerError};
use crate::ledger::{Claim, Claimed, Conclusion, Learned, Record, Refused, Settle, Settled};
use crate::operation::State;
use crate::outcome::{Outcome, UnsentReason};

/// How often a new key is made if the last one is taken.
const KEYS: u32 = 3;

impl Engine {
    /// Carries out an errand: claims the operation, drives it, and answers.
    pub(crate) async fn run(
        &self,
        errand: &Errand,
        mut claim: Claim,
        hear: Hear<'_>,
    ) -> Result<Outcome, Error> {
        let start = self.clock.uptime();
        // A little of the time is kept for writing down what came of it.
        let tenth = errand.deadline().checked_div(10).unwrap_or_default();
        let reserve = tenth.min(Duration::from_secs(1));
        let end = start.saturating_add(errand.deadline().saturating_sub(reserve));
        // If there is a row, its bytes count and not what can be rendered now.
        let render = || match errand {
            Errand::Intent(wanted) => self.render(wanted),
            Errand::Resume { .. }
            | Errand::Recover { .. }
            | Errand::LookUp { .. }
            | Errand::Proceed { .. }
            | Errand::Close { .. } => Err(gone()),
        };
        let mut rendered = render();
        let mut keys = 1;
        // The row, as the ledger last showed it.
        let mut seen: Option<Box<Record>> = None;
        let mut polls = Intervals::new(Duration::from_millis(20), Duration::from_secs(1));
        loop {
            claim.rendered = rendered.as_ref().ok().cloned();
            if let Some(rendered) = &claim.rendered {
                let row = Record::claimed(&claim, rendered, self.clock.now());
                hear(Heard::Wanted(&row));
            }
            let asked = Asked::now(self.clock.as_ref());
            match self.ledger.claim(claim.clone()).await {
                Err(error) => return self.read_back(&claim, seen.as_deref(), error).await,
                Ok(Claimed::Ours(owned)) => {
                    hear(Heard::Stored(&owned.record));
                    let record = &owned.record;
                    let closes = errand.closes(record.closing);
                    // What was never sent is sent only for somebody who wants it, and what is being
                    // ended is sent for nobody.
                    let ask_only = errand.asks_only()
                        || record.closing
                        || (errand.recovers() && record.maybe_sent == 0);
                    let drive = Drive::new(self, hear, *owned, asked, end, ask_only)?;
                    // Both are rare, and would make every other call's future as large as theirs.
                    return if closes {
                        Box::pin(drive.close()).await
                    } else if let Errand::Proceed { input, .. } = errand {
                        Box::pin(drive.proceed(input, errand.deadline())).await
                    } else {
                        drive.run().await
                    };
                }
                Ok(Claimed::Final(record)) => return answer(&record, true),
                Ok(Claimed::Busy(record)) => {
                    hear(Heard::Stored(&record));
                    telemetry::busy();
                    let pause = polls.next();
                    // Somebody else drives it, and that is all a recovery wants.
                    if errand.recovers() {
                        return Ok(in_flight(&record));
                    }
                    if self.clock.uptime().saturating_add(pause) >= end {
                        hear(Heard::OutOfTime);
                        return Ok(in_flight(&record));
                    }
                    self.clock.sleep(pause).await;
                    seen = Some(record);
                }
                Ok(Claimed::Refused(Refused::KeyInUse)) if claim.key.is_none() && keys < KEYS => {
                    keys = keys.saturating_add(1);
                    rendered = render();
                }
                Ok(Claimed::Refused(why)) => return Err(refused(why)),
                Ok(Claimed::Absent) => return Err(rendered.err().unwrap_or_else(gone)),
            }
        }
    }

    /// After a claim that failed it is not known whether it is stored. An error may be returned
    /// only if the ledger shows that no row of this call can have an effect.
    async fn read_back(
        &self,
        claim: &Claim,
        seen: Option<&Record>,
        error: LedgerError,
    ) -> Result<Outcome, Error> {
        let ours = claim.rendered.as_ref();
        let record = match self.ledger.find(claim.identity.clone()).await {
            Ok(None) => return Err(error.into()),
            Ok(Some(record)) => record,
            Err(unread) => {
                tracing::error!(%error, %unread, "a claim failed, and cannot be read back");
                // Without a request of its own the call could only have taken over a row, and
                // nothing was sent for it.
                return match (seen, ours) {
                    // Whatever was rendered, the row that is there counts.
                    (Some(seen), Some(_)) => Ok(unrecorded(seen, &error.to_string())),
                    (Some(seen), None) => Err(Error::ledger(error, seen)),
                    (None, None) => Err(error.into()),
                    (None, Some(rendered)) => {
                        let record = Record::claimed(claim, rendered, self.clock.now());
                        Ok(unrecorded(&record, &error.to_string()))
                    }
                };
            }
        };
        if record.state.is_replaceable() {
            return Err(Error::ledger(error, &record));
        }
        let is_ours = Some(record.id) == ours.map(|ours| ours.id) && record.epoch == 1;
        if record.state != State::Sending || !is_ours {
            return answer(&record, true);
        }
        // Our row is there after all, and nothing was sent.
        let why = error.to_string();
        let retry_after = None;
        let reason = UnsentReason::Unavailable { why, retry_after };
        let settle = Settle::new(&record, Conclusion::Unsent(reason), Learned::default());
        match self.ledger.settle(settle).await {
            Ok(Settled::Applied(record)) if record.state == State::Unsent => {
                Err(Error::ledger(error, &record))
            }
            Ok(_) => Ok(unrecorded(&record, "somebody else has claimed it")),
            Err(error) => Ok(unrecorded(&record, &error.to_string())),
        }
    }
}
