//! The row of Amazon Payment Services.

use std::time::Duration;

use payonce::OperationKind;
use payonce_aps::{Aps, Keys};
use payonce_simulator::{Fault, LoggedRequest, Tamper};

use super::shop::{Adapter, Card, Shop};
use crate::world::World;

const MERCHANT: &str = "CycHZxVj";

#[derive(Debug)]
pub(crate) struct ApsShop;

impl Shop for ApsShop {
    fn name(&self) -> &'static str {
        "aps"
    }

    /// The access code is what changes: the phrases are the simulator's.
    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        let keys = Keys::new(secret, "request-phrase", "response-phrase");
        Adapter(Box::new(Aps::test(MERCHANT, keys).base_url(url)))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => "visa",
            Card::PaysToo => "mada",
            Card::Declines => "declined",
            Card::Asks => "3ds",
        }
    }

    /// What is done to an order carries the order's reference. A refund has a number of its own, which
    /// is the key.
    fn carries_its_own(&self, kind: OperationKind) -> bool {
        matches!(kind, OperationKind::Charge | OperationKind::Authorize)
    }

    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyReused)
    }

    fn in_progress(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyInUse)
    }

    fn other_amount(&self, kind: OperationKind, looked_up: bool) -> Tamper {
        let field = match kind {
            _ if !looked_up => "/amount",
            OperationKind::Authorize | OperationKind::Void => "/authorized_amount",
            OperationKind::Refund => "/refunded_amount",
            OperationKind::Charge | OperationKind::Capture | _ => "/captured_amount",
        };
        Tamper::set(field, "1")
    }

    /// The gateway shows neither a reference of these nor when they were made.
    fn shows(&self, kind: OperationKind) -> bool {
        !matches!(kind, OperationKind::Capture | OperationKind::Void)
    }

    fn reads_by_post(&self) -> bool {
        true
    }

    fn takes_any_text(&self) -> bool {
        false
    }

    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world.gateway.aps(|aps| aps.config.query_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&post.body).ok()?;
        let name = match body.get("command")?.as_str()? {
            "PURCHASE" | "AUTHORIZATION" => "merchant_reference",
            "REFUND" => "maintenance_reference",
            _ => return None,
        };
        Some(body.get(name)?.as_str()?.to_owned())
    }
}
