//! Moyasar's row.

use std::time::Duration;

use payonce::OperationKind;
use payonce_moyasar::Moyasar;
use payonce_simulator::{Fault, LoggedRequest, Tamper};

use super::shop::{Adapter, Card, Shop};
use crate::world::World;

#[derive(Debug)]
pub(crate) struct MoyasarShop;

fn makes_a_payment(kind: OperationKind) -> bool {
    matches!(kind, OperationKind::Charge | OperationKind::Authorize)
}

impl Shop for MoyasarShop {
    fn name(&self) -> &'static str {
        "moyasar"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        Adapter(Box::new(Moyasar::new("main", secret).base_url(url)))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => "token_mada",
            Card::PaysToo => "token_visa",
            Card::Declines => "token_declined",
            Card::Asks => "token_3ds",
        }
    }

    /// What is done to a payment shows on the payment only.
    fn carries_its_own(&self, kind: OperationKind) -> bool {
        makes_a_payment(kind)
    }

    /// Only a payment has an id that can be there already.
    fn duplicate(&self, kind: OperationKind) -> Option<Fault> {
        makes_a_payment(kind).then_some(Fault::KeyReused)
    }

    fn in_progress(&self, kind: OperationKind) -> Option<Fault> {
        makes_a_payment(kind).then_some(Fault::KeyInUse)
    }

    fn other_amount(&self, kind: OperationKind, _looked_up: bool) -> Tamper {
        let field = match kind {
            OperationKind::Capture => "/captured",
            OperationKind::Refund => "/refunded",
            OperationKind::Charge | OperationKind::Authorize | OperationKind::Void | _ => "/amount",
        };
        Tamper::set(field, 101)
    }

    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world
            .gateway
            .moyasar(|moyasar| moyasar.config.read_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&post.body).ok()?;
        Some(body.get("given_id")?.as_str()?.to_owned())
    }
}
