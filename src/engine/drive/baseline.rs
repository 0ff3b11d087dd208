//! Reading a payment before an operation that leaves no trace of its own at the gateway.

use super::{Drive, Stopped};
use crate::ledger::Purpose;
use crate::machine::{Seen, Step};
use crate::money::Money;
use crate::outcome::Doubt;
use crate::transport::TransportError;

impl Drive<'_> {
    /// Reads the payment and stores what it shows. Nothing is sent before that is durable. `Err`:
    /// nothing may be sent now, and this is the next step.
    pub(super) async fn read_baseline(&mut self) -> Result<Result<(), Step>, Stopped> {
        let text = match self.ask_baseline().await {
            Ok(text) => text,
            // Another payment than ours will not become ours by asking again.
            Err(Unread::Other { got, id }) => {
                let provider_id = id.as_str();
                let seen = Seen::PaymentMismatch { got, provider_id };
                return Ok(Err(self.decide(&seen)));
            }
            Err(Unread::Not(why)) => {
                let why = format!("the payment could not be read before: {why}");
                let seen = Seen::NotSent {
                    why: &why,
                    retry: true,
                };
                return Ok(Err(self.decide(&seen)));
            }
        };
        let (id, epoch) = (self.record.id, self.record.epoch);
        match self.engine.ledger.baseline(id, epoch, text.clone()).await {
            Ok(true) => self.record.baseline = Some(text),
            Ok(false) => return Err(Stopped::Fenced),
            Err(error) => {
                tracing::warn!(%error, "nothing is sent without a stored baseline");
                return Err(Stopped::Blind);
            }
        }
        self.check().await?;
        self.read_gate();
        Ok(Ok(()))
    }

    async fn ask_baseline(&mut self) -> Result<String, Unread> {
        let provider = self.provider;
        let Some(adapter) = provider.baseline() else {
            return Err(Unread::Not("its adapter cannot".to_owned()));
        };
        let request = adapter.request(&self.call());
        let (reply, exchange) = self.exchange(Purpose::LookUp, request).await;
        self.note(exchange);
        match reply {
            Ok(reply) => adapter.read(&self.call(), &reply).map_err(|doubt| {
                if let Doubt::Mismatch {
                    got,
                    provider_id: id,
                    ..
                } = doubt
                {
                    return Unread::Other { got, id };
                }
                Unread::Not(format!("the gateway answered {}", reply.status.as_u16()))
            }),
            Err(
                TransportError::NotSent { problem, .. } | TransportError::MaybeSent { problem, .. },
            ) => Err(Unread::Not(problem)),
        }
    }
}

/// Why there is no baseline.
enum Unread {
    /// The payment is not the one that was meant.
    Other { got: Option<Money>, id: String },
    /// It could not be read, for now.
    Not(String),
}
