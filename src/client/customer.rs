//! What the customer has in hand: to go on when he comes back, or to end it when he does not.

use super::{Client, Operation};
use crate::engine::{Errand, cannot_end, cannot_go_on};
use crate::error::Error;
use crate::intent::screen;
use crate::ledger::Record;
use crate::operation::OperationId;
use crate::outcome::Outcome;
use crate::provider::ProceedInput;

/// Why nothing but look-ups is made of an operation.
const DIFFERS: &str = "the gateway shows something else than was sent: a person must resolve it";

impl Client {
    /// Goes on after the customer came back, where the gateway needs another request for that: with
    /// the result of a redirect, or a one-time password. What he brings back is not trusted: the
    /// gateway's answer to it counts.
    ///
    /// It is a further step with a key and stored bytes of its own. If its outcome stays unknown,
    /// [`Self::resume`] goes on with that step; it is never begun a second time meanwhile. Where no
    /// action of a customer is waited for, the input is not used and the call goes on with what is
    /// under way.
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if the gateway needs no such request: call [`Self::look_up`] there.
    /// [`Error::Invalid`] if the input cannot be used; [`Error::WrongState`] if it was never sent, is
    /// being ended, or a person must resolve it first; [`Error::Unavailable`] and
    /// [`Error::Unauthorized`] if it was not carried out; [`Error::NotFound`], [`Error::Frozen`], [`Error::AccountNotConfigured`]. This call had no
    /// effect.
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn proceed(&self, id: OperationId, input: ProceedInput) -> Result<Outcome, Error> {
        for (name, value) in input.fields() {
            screen::name(name).map_err(|problem| Error::invalid("input name", problem))?;
            screen::input(value).map_err(|problem| Error::invalid("input", problem))?;
        }
        let record = self.existing(id).await?;
        if !record.state.is_open() || record.frozen {
            return Operation::of(&record).answer;
        }
        if record.state.is_replaceable() || record.closing {
            return Err(wrong_state(&record, "it waits for no customer"));
        }
        if record.look_up_only {
            return Err(wrong_state(&record, DIFFERS));
        }
        let engine = &self.inner.engine;
        if let Some(provider) = engine.provider(&record.account)
            && provider.proceed(record.kind).is_none()
        {
            return Err(cannot_go_on(provider.name().as_str(), record.kind));
        }
        let deadline = engine.policy.deadline;
        self.go_on(&record, Errand::Proceed { input, deadline })
            .await
    }

    /// Ends what the customer left open: a page, a redirect, a client secret that may still be used.
    /// After it comes back [canceled](Outcome::NoEffect) the next attempt may follow. It moves no
    /// money; if the customer was faster the answer is the operation's own success.
    ///
    /// It comes back [pending](Outcome::Pending) as long as the close may still take effect: ask
    /// again, or let [`Self::recover`] do it. Of what has ended already it tells the outcome.
    ///
    /// ```
    /// # async fn leave(client: payonce::Client, action: payonce::Action)
    /// #     -> Result<(), payonce::Error> {
    /// use payonce::Outcome;
    ///
    /// match client.close(action.operation.id).await? {
    ///     Outcome::NoEffect(_) => { /* now .attempt(2) with another card may follow */ }
    ///     Outcome::Succeeded(receipt) => println!("paid after all: {}", receipt.provider_id),
    ///     _ => { /* not known yet: ask again */ }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// [`Error::Unsupported`] if this gateway has no way to end such an operation,
    /// [`Error::WrongState`] if it was never sent, or if a person must resolve it first;
    /// [`Error::Unavailable`] and [`Error::Unauthorized`] if the close was not carried out, and
    /// [`Error::NotFound`], [`Error::Frozen`], [`Error::AccountNotConfigured`]. This call had no
    /// effect.
    ///
    /// # Panics
    ///
    /// As [`Self::charge`].
    pub async fn close(&self, id: OperationId) -> Result<Outcome, Error> {
        let record = self.existing(id).await?;
        if !record.state.is_open() || record.frozen {
            return Operation::of(&record).answer;
        }
        if record.state.is_replaceable() {
            let why = "nothing of it was sent, so there is nothing to end: withdraw it";
            return Err(wrong_state(&record, why));
        }
        if record.look_up_only {
            return Err(wrong_state(&record, DIFFERS));
        }
        let engine = &self.inner.engine;
        if let Some(provider) = engine.provider(&record.account)
            && provider.close(record.kind).is_none()
        {
            return Err(cannot_end(provider.name().as_str(), record.kind));
        }
        let deadline = engine.policy.deadline;
        self.go_on(&record, Errand::Close { deadline }).await
    }
}

fn wrong_state(record: &Record, why: &str) -> Error {
    Error::WrongState {
        operation: record.id,
        state: record.state,
        why: why.to_owned(),
    }
}
