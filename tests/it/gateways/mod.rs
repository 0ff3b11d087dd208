//! The same tests for every gateway: one row an adapter, and tables over the rows.
//!
//! A new adapter gets a row in [`SHOPS`] and with it every test of this folder. `matrix.txt` shows
//! what becomes of each operation under each fault; a change there is reviewed as a change of the
//! promise.

mod adyen;
mod aps;
mod cases;
mod crowd;
mod failover;
mod hyperpay;
mod matrix;
mod moyasar;
mod paytabs;
pub(crate) mod shop;
mod square;
mod stripe;
mod table;
mod tap;
mod ways;

use std::collections::BTreeSet;

use self::shop::Shop;

/// One row for each adapter.
pub(crate) const SHOPS: [&dyn Shop; 8] = [
    &stripe::StripeShop,
    &moyasar::MoyasarShop,
    &hyperpay::HyperPayShop,
    &tap::TapShop,
    &aps::ApsShop,
    &paytabs::PayTabsShop,
    &square::SquareShop,
    &adyen::AdyenShop,
];

/// The row of an adapter.
pub(crate) fn shop(name: &str) -> &'static dyn Shop {
    SHOPS.into_iter().find(|shop| shop.name() == name).unwrap()
}

/// Those whose replies tell what became of every kind, and that are asked again after any failure.
pub(crate) fn told_at_once() -> impl Iterator<Item = &'static dyn Shop> {
    SHOPS.into_iter().filter(|shop| shop.tells_at_once())
}

/// An adapter that no table runs would be one whose double charge nobody sees.
#[test]
fn every_adapter_has_a_row() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/providers");
    let entries = std::fs::read_dir(folder).unwrap().map(Result::unwrap);
    let folders = entries.filter(|entry| entry.file_type().unwrap().is_dir());
    let adapters: BTreeSet<_> = folders
        .map(|entry| entry.file_name().into_string().unwrap())
        .collect();
    let rows: BTreeSet<_> = SHOPS.iter().map(|shop| shop.name().to_owned()).collect();
    assert_eq!(
        adapters, rows,
        "add a row to SHOPS, and its table to matrix.txt"
    );
    assert_eq!(rows.len(), SHOPS.len(), "a name stands there twice");
}
