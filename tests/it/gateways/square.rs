//! Square's row.

use std::time::Duration;

use payonce::{Currency, OperationKind};
use payonce_simulator::{Fault, LoggedRequest, Tamper};
use payonce_square::Square;

use super::shop::{Adapter, Card, Shop};
use crate::world::World;

#[derive(Debug)]
pub(crate) struct SquareShop;

fn has_key(kind: OperationKind) -> bool {
    !matches!(kind, OperationKind::Capture | OperationKind::Void)
}

impl Shop for SquareShop {
    fn name(&self) -> &'static str {
        "square"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        Adapter(Box::new(Square::sandbox("L1", secret).base_url(url)))
    }

    /// No seller there has riyals.
    fn currency(&self) -> Currency {
        Currency::USD
    }

    /// A complete takes all that was approved.
    fn captures_parts(&self) -> bool {
        false
    }

    /// The bank's page is shown by Square's browser code, before there is a token.
    fn asks(&self) -> bool {
        false
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => "cnon:card-nonce-ok",
            Card::PaysToo => "cnon:another-card",
            Card::Declines | Card::Asks => "cnon:card-nonce-declined",
        }
    }

    /// Only a payment has the reference: a refund's one text holds the key.
    fn carries_its_own(&self, kind: OperationKind) -> bool {
        matches!(kind, OperationKind::Charge | OperationKind::Authorize)
    }

    /// A repeat gets the first success.
    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        None
    }

    /// It is there for a conflict of any kind, so it says nothing.
    fn in_progress(&self, kind: OperationKind) -> Option<Fault> {
        has_key(kind).then_some(Fault::KeyInUse)
    }

    fn other_amount(&self, kind: OperationKind, looked_up: bool) -> Tamper {
        let field = match (kind, looked_up && has_key(kind)) {
            (OperationKind::Refund, false) => "/refund/amount_money/amount",
            (OperationKind::Refund, true) => "/refunds/0/amount_money/amount",
            (_, false) => "/payment/total_money/amount",
            (_, true) => "/payments/0/total_money/amount",
        };
        Tamper::set(field, 101)
    }

    /// The lists lag; a payment that is read by its id does not.
    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world.gateway.square(|square| square.config.list_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&post.body).ok()?;
        Some(body.get("idempotency_key")?.as_str()?.to_owned())
    }
}
