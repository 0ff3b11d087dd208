//! Reading what the ledger holds. Nothing is sent and nothing changes.

use std::fmt;

use super::Client;
use crate::clock::Timestamp;
use crate::engine::{answer, summary};
use crate::error::Error;
use crate::ledger::{Filter, Record};
use crate::operation::{Family, Identity, OperationId};
use crate::outcome::{OperationSummary, Outcome};
use crate::payment::Payment;

/// An operation, as the ledger holds it.
#[derive(Clone)]
#[non_exhaustive]
pub struct Operation {
    /// What it is and where it stands.
    pub summary: OperationSummary,
    /// What a call with its intent is answered as long as nothing new is learned.
    pub answer: Result<Outcome, Error>,
    /// The payment that it captures, refunds or voids.
    pub payment: Option<Payment>,
    /// Until when it may be sent.
    pub send_until: Timestamp,
    /// When it was stored.
    pub created_at: Timestamp,
    /// When its row last changed.
    pub updated_at: Timestamp,
}

impl Operation {
    pub(super) fn of(record: &Record) -> Self {
        let payment = record.parent.as_ref();
        Self {
            summary: summary(record),
            answer: answer(record, true),
            payment: payment.map(|id| Payment::new(record.account.clone(), id)),
            send_until: record.send_until,
            created_at: record.created_at,
            updated_at: record.updated_at,
        }
    }
}

impl fmt::Debug for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Operation")
            .field("summary", &self.summary)
            .field("updated_at", &self.updated_at)
            .finish_non_exhaustive()
    }
}

impl Client {
    /// Reads an operation. `None`: there is none with this id.
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`]. This call had no effect.
    pub async fn operation(&self, id: OperationId) -> Result<Option<Operation>, Error> {
        let record = self.read(id).await?;
        Ok(record.as_ref().map(Operation::of))
    }

    /// Finds the latest attempt under a reference, without its source. `None`: there is none.
    ///
    /// ```
    /// # async fn show(client: payonce::Client) -> Result<(), payonce::Error> {
    /// use payonce::Family;
    ///
    /// if let Some(found) = client.find(Family::Payment, "order-1042").await? {
    ///     println!("{} is {}", found.summary.reference, found.summary.state);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`]. This call had no effect.
    pub async fn find(&self, family: Family, reference: &str) -> Result<Option<Operation>, Error> {
        Ok(self.history(family, reference).await?.pop())
    }

    /// Every attempt under a reference, in rising order.
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`]. This call had no effect.
    pub async fn history(&self, family: Family, reference: &str) -> Result<Vec<Operation>, Error> {
        let records = self.attempts(family, reference).await?;
        Ok(records.iter().map(Operation::of).collect())
    }

    /// Lists operations in the order of their making, at most a thousand at a time.
    ///
    /// ```
    /// # async fn show(client: payonce::Client) -> Result<(), payonce::Error> {
    /// use payonce::{Filter, State};
    ///
    /// for held in client.list(Filter::states([State::Unknown])).await? {
    ///     println!("hold {}", held.summary.reference);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`]. This call had no effect.
    pub async fn list(&self, filter: Filter) -> Result<Vec<Operation>, Error> {
        let ledger = &self.inner.engine.ledger;
        let records = ledger.desk().list(self.tenant.to_string(), filter).await?;
        Ok(records.iter().map(Operation::of).collect())
    }

    /// The rows under a reference.
    pub(super) async fn attempts(
        &self,
        family: Family,
        reference: &str,
    ) -> Result<Vec<Record>, Error> {
        let identity = Identity::new(self.tenant.to_string(), family, reference, 1);
        Ok(self.inner.engine.ledger.desk().attempts(identity).await?)
    }

    /// A row, if it is this tenant's.
    pub(super) async fn read(&self, id: OperationId) -> Result<Option<Record>, Error> {
        let record = self.inner.engine.ledger.read(id).await?;
        Ok(record.filter(|record| record.identity.tenant == *self.tenant))
    }
}
