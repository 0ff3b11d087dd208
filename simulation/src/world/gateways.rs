//! The accounts at the gateways, and how the simulated gateways are set.

use std::time::Duration;

use payonce::{AccountId, Provider};
use payonce_hyperpay::HyperPay;
use payonce_moyasar::Moyasar;
use payonce_simulator::hyperpay::registrations;
use payonce_simulator::{hyperpay, moyasar, stripe};
use payonce_stripe::Stripe;

use crate::plan::Plan;

const ENTITY: &str = "8ac7a4c98694e687018696fd2f2c0b71";

/// Longer than any history.
const LONG: Duration = Duration::from_secs(365 * 24 * 60 * 60);

/// An account at a gateway.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Shop {
    /// Class A.
    Stripe,
    /// Another account of class A.
    Second,
    /// The same gateway, of which less is relied on: class B, whose look-ups show what happened
    /// after a minute.
    Successes,
    /// The same gateway, where captures and voids are taken for class D: it refuses to do either
    /// twice.
    Harmless,
    /// Payments of class A for ever; the rest of class C, compared with what was there before.
    Moyasar,
    /// Class C.
    HyperPay,
}

/// A test card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Card {
    Pays,
    PaysToo,
    Declines,
    Asks,
}

impl Shop {
    pub(crate) const OTHERS: &[Self] = &[
        Self::Second,
        Self::Successes,
        Self::Harmless,
        Self::Moyasar,
        Self::Moyasar,
        Self::HyperPay,
        Self::HyperPay,
    ];

    /// The name of the simulated gateway.
    pub(crate) const fn gateway(self) -> &'static str {
        match self {
            Self::Stripe | Self::Second | Self::Successes | Self::Harmless => "stripe",
            Self::Moyasar => "moyasar",
            Self::HyperPay => "hyperpay",
        }
    }

    /// The merchant's secret there.
    pub(crate) const fn secret(self) -> &'static str {
        match self {
            Self::Stripe => "sk_test_one",
            Self::Second => "sk_test_two",
            Self::Successes => "sk_test_three",
            Self::Harmless => "sk_test_four",
            Self::Moyasar => "sk_test_five",
            Self::HyperPay => "token_six",
        }
    }

    pub(crate) const fn entity() -> &'static str {
        ENTITY
    }

    /// The adapter of the account.
    pub(crate) fn adapter(self) -> Box<dyn Provider> {
        let url = format!("https://{}.test", self.gateway());
        match self {
            Self::Stripe | Self::Second | Self::Successes | Self::Harmless => {
                let label = match self {
                    Self::Second => "second",
                    Self::Successes => "successes",
                    Self::Harmless => "harmless",
                    Self::Stripe | Self::Moyasar | Self::HyperPay => "main",
                };
                Box::new(Stripe::new(label, self.secret()).base_url(url))
            }
            Self::Moyasar => Box::new(Moyasar::new("main", self.secret()).base_url(url)),
            Self::HyperPay => Box::new(HyperPay::test(ENTITY, self.secret()).base_url(url)),
        }
    }

    pub(crate) fn account(self) -> AccountId {
        self.adapter().account().id()
    }

    pub(crate) const fn token(self, card: Card) -> &'static str {
        match (self.gateway().as_bytes(), card) {
            (b"stripe", Card::Pays) => "pm_card_visa",
            (b"stripe", Card::PaysToo) => "pm_card_mastercard",
            (b"stripe", Card::Declines) => "pm_card_chargeDeclined",
            (b"stripe", Card::Asks) => "pm_card_authenticationRequired",
            (b"moyasar", Card::Pays) => "token_mada",
            (b"moyasar", Card::PaysToo) => "token_visa",
            (b"moyasar", Card::Declines) => "token_declined",
            (b"moyasar", Card::Asks) => "token_3ds",
            (_, Card::Pays) => registrations::APPROVED,
            (_, Card::PaysToo) => registrations::REVIEW,
            (_, Card::Declines) => registrations::DECLINED,
            (_, Card::Asks) => registrations::REDIRECT,
        }
    }
}

/// The simulated gateways, as this history sets them.
pub(super) fn all(plan: &Plan) -> payonce_simulator::World {
    let lag = Duration::from_secs(plan.lag);
    let mut world = payonce_simulator::World::new();
    // An account of class B says that its look-ups show everything after a minute: so they do.
    let relied_on = plan.shops.contains(&Shop::Successes);
    let search_lag = if relied_on {
        lag.min(Duration::from_secs(50))
    } else {
        lag
    };
    let mut stripe = stripe::Config::default().search_lag(search_lag);
    let mut moyasar = moyasar::Config::default().read_lag(lag);
    // What lapses by itself leaves nothing in the books, so nothing lapses in a history.
    stripe.authorization_life = LONG;
    moyasar.authorization_life = LONG;
    let hyperpay = hyperpay::Config::default().query_lag(lag);
    world.mount(Box::new(stripe::Stripe::new(stripe)));
    world.mount(Box::new(moyasar::Moyasar::new(moyasar)));
    world.mount(Box::new(hyperpay::HyperPay::new(hyperpay)));
    world
}
