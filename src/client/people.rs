//! What a person or a timetable asks for, beside the intents: go on, ask, withdraw, resolve, adopt.

use std::sync::Arc;
use std::time::Duration;

use super::{Client, Operation};
use crate::engine::Errand;
use crate::error::Error;
use crate::intent::{Problem, screen};
use crate::ledger::{Alarm, Decided, Decision, Filter, Record, Resolution};
use crate::operation::{Family, OperationId, OperationKind, State};
use crate::outcome::Outcome;
use crate::payment::Adopted;

/// What may still have an effect, and so is gone on with after a crash.
const OPEN: [State; 4] = [
    State::Sending,
    State::Unknown,
    State::Pending,
    State::ActionRequired,
];

/// How many operations [`Client::recover`] goes on with at a time.
const AT_ONCE: usize = 8;

impl Client {
    /// A client that sees only the operations of one merchant, where a ledger serves several.
    /// References of different tenants do not meet.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if the name cannot be used. This call had no effect.
    pub fn tenant(&self, name: &str) -> Result<Self, Error> {
        screen::reference(name).map_err(|problem| Error::invalid("tenant", problem))?;
        Ok(Self {
            inner: Arc::clone(&self.inner),
            tenant: Arc::from(name),
        })
    }

    /// The tenant of this handle. `None`: the operations without one.
    pub fn tenant_name(&self) -> Option<&str> {
        Some(&*self.tenant).filter(|name| !name.is_empty())
    }

    /// A handle for each tenant that has operations which may still have an effect, in the order of
    /// their names; those without a tenant come first. It does not matter whose handle asks: it is
    /// for the worker that recovers them all.
    ///
    /// ```
    /// # async fn every_minute(client: payonce::Client) -> Result<(), payonce::Error> {
    /// for tenant in client.tenants().await? {
    ///     for operation in tenant.recover().await? {
    ///         println!("{:?}: {:?}", tenant.tenant_name(), operation);
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// What was never sent is not counted: nobody goes on with it but its own caller.
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`]. This call had no effect.
    pub async fn tenants(&self) -> Result<Vec<Self>, Error> {
        let ledger = &self.inner.engine.ledger;
        let names = ledger.desk().tenants(OPEN.to_vec()).await?.into_iter();
        let handle = |name: String| Self {
            inner: Arc::clone(&self.inner),
            tenant: Arc::from(name),
        };
        Ok(names.map(handle).collect())
    }

    /// Goes on with the latest attempt under a reference, as its intent would: with the stored
    /// bytes, and without the source. It renews the time in which it may be sent.
    ///
    /// # Errors
    ///
    /// As [`Self::charge`], and [`Error::NotFound`].
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn resume(&self, family: Family, reference: &str) -> Result<Outcome, Error> {
        let Some(record) = self.attempts(family, reference).await?.pop() else {
            let what = format!("no {family} has the reference {reference}");
            return Err(Error::NotFound { what });
        };
        let deadline = self.inner.engine.policy.deadline;
        self.go_on(&record, Errand::Resume { deadline }).await
    }

    /// Asks the gateway what became of an operation. It never sends a request that moves money.
    ///
    /// # Errors
    ///
    /// As [`Self::charge`], and [`Error::NotFound`].
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn look_up(&self, id: OperationId) -> Result<Outcome, Error> {
        let record = self.existing(id).await?;
        let deadline = self.inner.engine.policy.deadline;
        // The gateway can show nothing of what was never sent.
        if record.state.is_replaceable() {
            return Operation::of(&record).answer;
        }
        self.go_on(&record, Errand::LookUp { deadline }).await
    }

    /// Goes once through what is open and not driven by anybody: after a crash, or from a
    /// timetable. It asks the gateways, and sends again only what may be sent anyway, within its
    /// time. What was never sent, and what somebody else drives, is left alone.
    ///
    /// It is for this handle's tenant. [`Self::tenants`] gives the handles of all that need one.
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`] if they cannot be listed. What became of each is in the list.
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn recover(&self) -> Result<Vec<Operation>, Error> {
        let accounts = self.accounts();
        let deadline = self.inner.engine.policy.deadline;
        let mut tasks = tokio::task::JoinSet::new();
        let mut done = Vec::new();
        let mut filter = Filter::states(OPEN);
        loop {
            let page = self.page(filter.clone()).await?;
            let Some(last) = page.last() else { break };
            filter = filter.after(last.id);
            for record in page {
                if record.frozen || !accounts.contains(&record.account) {
                    continue;
                }
                while tasks.len() >= AT_ONCE {
                    done.extend(tasks.join_next().await.and_then(Result::ok));
                }
                let client = self.clone();
                tasks.spawn(async move {
                    let answer = client.go_on(&record, Errand::Recover { deadline }).await;
                    let now = client.read(record.id).await.ok().flatten();
                    Operation {
                        answer,
                        ..Operation::of(now.as_ref().unwrap_or(&record))
                    }
                });
            }
        }
        while let Some(last) = tasks.join_next().await {
            done.extend(last.ok());
        }
        done.sort_by_key(|operation| operation.summary.id);
        Ok(done)
    }

    /// Ends an operation of which nothing was ever sent with a possible effect: one that is
    /// `unsent` or `queued`. The next attempt may follow.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], and [`Error::WrongState`] if it may have been sent. This call had no
    /// effect.
    pub async fn withdraw(&self, id: OperationId) -> Result<Outcome, Error> {
        let ledger = &self.inner.engine.ledger;
        let decided = ledger.desk().withdraw(id, self.tenant.to_string()).await?;
        let record = done(
            id,
            decided,
            "only what was never sent can be withdrawn; look it up",
        )?;
        Operation::of(&record).answer
    }

    /// Settles an operation by a person's evidence, and ends the freeze of its reference. Who
    /// decided and why is kept.
    ///
    /// Compare it with the gateway's own list first: [`Decision::NotExecuted`] lets the next attempt
    /// follow, and if the money moved after all it moves twice.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`], and [`Error::WrongState`] while it is being driven, or if it would put
    /// another payment, or none, in place of one that the gateway confirmed. This call had no
    /// effect.
    pub async fn resolve(
        &self,
        id: OperationId,
        decision: Decision,
        who: &str,
        why: &str,
    ) -> Result<Outcome, Error> {
        for (field, text) in [("who", who), ("why", why)] {
            screen::text(text).map_err(|problem| Error::invalid(field, problem))?;
        }
        if let Decision::Succeeded { provider_id, money } = &decision {
            screen::id(provider_id).map_err(|p| Error::invalid("provider id", p))?;
            let asked = self.existing(id).await?.money;
            if money.currency() != asked.currency() || money.is_zero() {
                let text = format!("must be an amount in {}", asked.currency());
                return Err(Error::invalid("amount", Problem::other(text)));
            }
        }
        let resolution = Resolution {
            id,
            tenant: self.tenant.to_string(),
            decision,
            who: who.to_owned(),
            why: why.to_owned(),
        };
        let decided = self.inner.engine.ledger.desk().resolve(resolution).await?;
        let record = done(
            id,
            decided,
            "it is being driven now, and then try again when it is over; or the gateway confirmed \
             the payment, and that is neither rewritten nor denied",
        )?;
        Operation::of(&record).answer
    }

    /// Brings in a payment that was made without payonce, so that it can be captured, refunded and
    /// voided. Of a payment that is known it changes nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Invalid`] if its facts cannot be true, or differ from what is known. This call had
    /// no effect.
    pub async fn adopt(&self, adopted: Adopted) -> Result<(), Error> {
        let text = &adopted.payment.provider_id;
        screen::id(text).map_err(|problem| Error::invalid("payment", problem))?;
        if !self.accounts().contains(&adopted.payment.account) {
            let problem = "is of an account that this client does not have";
            return Err(Error::invalid("payment", Problem::other(problem)));
        }
        let whole = adopted.money.minor();
        let captured = match adopted.kind {
            OperationKind::Authorize => adopted.captured,
            OperationKind::Charge
            | OperationKind::Capture
            | OperationKind::Refund
            | OperationKind::Void => whole,
        };
        let is_payment = adopted.kind.family() == Family::Payment;
        let fits = is_payment
            && (0..=whole).contains(&captured)
            && (0..=captured).contains(&adopted.refunded);
        if !fits || adopted.money.is_zero() {
            let problem = "cannot be: at most the payment is captured, and at most that refunded";
            return Err(Error::invalid("amount", Problem::other(problem)));
        }
        let (ledger, tenant) = (&self.inner.engine.ledger, self.tenant.to_string());
        let stored = ledger.desk().adopt(adopted.clone(), tenant).await?;
        if stored.tenant != *self.tenant {
            let what = format!("the payment {} is not here", adopted.payment.provider_id);
            return Err(Error::NotFound { what });
        }
        if !stored.is(&adopted) {
            let problem = "is known already, with other facts";
            return Err(Error::invalid("payment", Problem::other(problem)));
        }
        Ok(())
    }

    /// What a person must see: contradictions, duplicates and mismatches that nobody acknowledged.
    ///
    /// # Errors
    ///
    /// [`Error::Ledger`]. This call had no effect.
    pub async fn alarms(&self) -> Result<Vec<Alarm>, Error> {
        let ledger = &self.inner.engine.ledger;
        Ok(ledger.desk().alarms(self.tenant.to_string()).await?)
    }

    /// Notes who saw an alarm. It changes no operation: [`Self::resolve`] does.
    ///
    /// # Errors
    ///
    /// [`Error::NotFound`] if there is no such open alarm. This call had no effect.
    pub async fn acknowledge(&self, alarm: &Alarm, who: &str) -> Result<(), Error> {
        screen::text(who).map_err(|problem| Error::invalid("who", problem))?;
        let (tenant, who) = (self.tenant.to_string(), who.to_owned());
        let ledger = &self.inner.engine.ledger;
        if ledger.desk().acknowledge(alarm.number, tenant, who).await? {
            return Ok(());
        }
        let what = format!("alarm {} is not open", alarm.number);
        Err(Error::NotFound { what })
    }

    /// Takes no new calls, of any tenant, and waits until those under way are over, at most so long.
    /// What could not be written is tried again meanwhile. Gives how many are not over: what they
    /// sent is in the ledger, and the next client goes on with it.
    pub async fn shutdown(&self, within: Duration) -> usize {
        let (engine, flights) = (&self.inner.engine, &self.inner.flights);
        flights.shut();
        let over = async {
            flights.emptied().await;
            engine.write_later().await;
        };
        tokio::select! {
            biased;
            () = over => 0,
            () = engine.clock.sleep(within) => flights.count(),
        }
    }

    /// A page of this tenant's rows.
    async fn page(&self, filter: Filter) -> Result<Vec<Record>, Error> {
        let ledger = &self.inner.engine.ledger;
        Ok(ledger.desk().list(self.tenant.to_string(), filter).await?)
    }

    pub(super) async fn existing(&self, id: OperationId) -> Result<Record, Error> {
        let record = self.read(id).await?;
        record.ok_or_else(|| not_found(id))
    }

    pub(super) async fn go_on(&self, record: &Record, errand: Errand) -> Result<Outcome, Error> {
        let claim = self.inner.engine.claim_of(record, &errand);
        let answer = self.drive(errand, claim).await;
        answer.map_err(|error| error.about(record))
    }
}

fn not_found(id: OperationId) -> Error {
    let what = format!("there is no operation {id}");
    Error::NotFound { what }
}

fn done(id: OperationId, decided: Decided, why: &str) -> Result<Record, Error> {
    match decided {
        Decided::Done(record) => Ok(*record),
        Decided::Absent => Err(not_found(id)),
        Decided::Taken => Err(Error::invalid(
            "provider id",
            Problem::other("belongs to another operation: compare both with the gateway's list"),
        )),
        Decided::Refused(record) => Err(Error::WrongState {
            operation: record.id,
            state: record.state,
            why: why.to_owned(),
        }),
    }
}
