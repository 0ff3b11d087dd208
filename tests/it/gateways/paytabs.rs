//! PayTabs' row.

use std::time::Duration;

use payonce::OperationKind;
use payonce_paytabs::{PayTabs, Region};
use payonce_simulator::paytabs::tokens;
use payonce_simulator::{Fault, LoggedRequest, Matcher, Tamper};

use super::shop::{Adapter, Card, Shop};
use crate::world::{World, only_reads};

#[derive(Debug)]
pub(crate) struct PayTabsShop;

impl Shop for PayTabsShop {
    fn name(&self) -> &'static str {
        "paytabs"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        let paytabs = PayTabs::test(Region::SaudiArabia, 987_654, secret).base_url(url);
        Adapter(Box::new(paytabs))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => tokens::APPROVED,
            Card::PaysToo => tokens::APPROVED_TOO,
            Card::Declines => tokens::DECLINED,
            Card::Asks => tokens::REDIRECT,
        }
    }

    fn carries_its_own(&self, _kind: OperationKind) -> bool {
        true
    }

    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyReused)
    }

    /// It is the same answer as that to a duplicate.
    fn in_progress(&self, _kind: OperationKind) -> Option<Fault> {
        None
    }

    fn other_amount(&self, _kind: OperationKind, looked_up: bool) -> Tamper {
        let field = if looked_up {
            "/0/tran_total"
        } else {
            "/tran_total"
        };
        Tamper::set(field, "1.00")
    }

    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world
            .gateway
            .paytabs(|paytabs| paytabs.config.query_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn look_ups(&self) -> Matcher {
        Matcher::post().path("/payment/query")
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        let body: serde_json::Value = serde_json::from_slice(&post.body).ok()?;
        let key = body.get("cart_id")?.as_str()?;
        (!only_reads(&post.path)).then(|| key.to_owned())
    }
}
