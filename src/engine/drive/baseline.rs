//! Reading a payment before an operation that leaves no trace of its own at the gateway.

use super::{Drive, Stopped};
use crate::ledger::Purpose;
use crate::machine::{Seen, Step};
use crate::transport::TransportError;

impl Drive<'_> {
    /// Reads the payment and stores what it shows. Nothing is sent before that is durable. `Err`:
    /// nothing may be sent now, and this is the next step.
    pub(super) async fn read_baseline(&mut self) -> Result<Result<(), Step>, Stopped> {
        let text = match self.ask_baseline().await {
            Ok(text) => text,
            Err(why) => {
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

    async fn ask_baseline(&mut self) -> Result<String, String> {
        let provider = self.provider;
        let Some(adapter) = provider.baseline() else {
            return Err("its adapter cannot".to_owned());
        };
        let request = adapter.request(&self.call());
        let (reply, exchange) = self.exchange(Purpose::LookUp, request).await;
        self.note(exchange);
        match reply {
            Ok(reply) => adapter
                .read(&self.call(), &reply)
                .map_err(|_| format!("the gateway answered {}", reply.status.as_u16())),
            Err(
                TransportError::NotSent { problem, .. } | TransportError::MaybeSent { problem, .. },
            ) => Err(problem),
        }
    }
}
