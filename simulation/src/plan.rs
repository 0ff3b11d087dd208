//! What a seed stands for, before anything happens.

use crate::dice::Dice;
use crate::faults::{Kind, Rates};
use crate::world::Shop;

/// What a seed stands for.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) hosts: u64,
    /// The hosts share a machine and its clocks, as all that share a ledger's file do. Else each
    /// has its own, which is harder.
    pub(crate) one_machine: bool,
    /// The accounts at the gateways.
    pub(crate) shops: Vec<Shop>,
    pub(crate) orders: u64,
    pub(crate) rates: Rates,
    /// How long look-ups lag, in seconds.
    pub(crate) lag: u64,
    /// A person decides too early, and it comes out at the worst moment.
    pub(crate) drama: bool,
    /// Keys follow from the references, or are drawn.
    pub(crate) derived_keys: bool,
}

impl Plan {
    pub(crate) fn of(seed: u64) -> Self {
        let rates = Rates::of(seed);
        let mut dice = Dice::of(seed, "plan");
        let mut shops = Vec::new();
        for _ in 0..dice.between(1, 3) {
            let shop = dice.pick(Shop::Stripe, Shop::OTHERS);
            if !shops.contains(&shop) {
                shops.push(shop);
            }
        }
        let lag = dice.pick(5, &[20, 50, 300]);
        let lags = dice.chance(rates.rate(Kind::Lag));
        Self {
            hosts: dice.between(2, 4),
            one_machine: dice.chance(700),
            shops,
            orders: dice.between(2, 5),
            lag: if lags { lag } else { 0 },
            derived_keys: dice.chance(300),
            drama: dice.chance(40),
            rates,
        }
    }
}
