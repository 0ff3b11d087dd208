//! HyperPay's row.

use std::time::Duration;

use payonce::OperationKind;
use payonce_hyperpay::HyperPay;
use payonce_simulator::hyperpay::registrations;
use payonce_simulator::{Fault, LoggedRequest, Tamper};

use super::shop::{Adapter, Card, Shop};
use crate::world::World;

const ENTITY: &str = "8ac7a4c98694e687018696fd2f2c0b71";

#[derive(Debug)]
pub(crate) struct HyperPayShop;

impl Shop for HyperPayShop {
    fn name(&self) -> &'static str {
        "hyperpay"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        let hyperpay = HyperPay::test(ENTITY, secret).base_url(url);
        Adapter(Box::new(hyperpay))
    }

    /// Only one registration works, so the other card is that of a customer whose payment is
    /// reviewed: it works as well.
    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => registrations::APPROVED,
            Card::PaysToo => registrations::REVIEW,
            Card::Declines => registrations::DECLINED,
            Card::Asks => registrations::REDIRECT,
        }
    }

    fn carries_its_own(&self, _kind: OperationKind) -> bool {
        true
    }

    fn duplicate(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyReused)
    }

    /// There are no keys, so nothing is in progress under one.
    fn in_progress(&self, _kind: OperationKind) -> Option<Fault> {
        None
    }

    fn other_amount(&self, _kind: OperationKind, looked_up: bool) -> Tamper {
        let field = if looked_up {
            "/payments/0/amount"
        } else {
            "/amount"
        };
        Tamper::set(field, "1.00")
    }

    fn look_ups_lag(&self, world: &World, _kind: OperationKind, lag: Duration) {
        let lags = world
            .gateway
            .hyperpay(|hyperpay| hyperpay.config.query_lag = lag);
        lags.unwrap();
    }

    fn look_ups_are_true(&self, world: &World) {
        self.look_ups_lag(world, OperationKind::Charge, Duration::ZERO);
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        post.form_value("merchantTransactionId")
    }
}
