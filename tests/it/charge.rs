//! The plain ways of a charge.

use payonce::Outcome;

use crate::world::{World, assert_word, charge};

#[tokio::test]
async fn a_charge_moves_the_money_once_and_is_answered_from_the_ledger_ever_after() {
    let world = World::new();
    let client = world.client();
    let first = client.charge(charge("order-1042")).await;
    assert_word(&first, "succeeded");
    let Ok(Outcome::Succeeded(receipt)) = first else {
        panic!("{first:?}")
    };
    assert_eq!(receipt.money.to_string(), "480.00 SAR");
    assert!(receipt.recorded && receipt.provider_id.starts_with("pi_"));

    let again = world.client().charge(charge("order-1042")).await.unwrap();
    assert_eq!(again, Outcome::Succeeded(receipt));
    assert_eq!(world.effects("order-1042"), 1);
    assert_eq!(world.sent().len(), 1);
}
