//! Which account at Adyen, by what is public about it.

use payonce::provider::{Account, Provider};

use crate::Adyen;

/// The test platform: <https://docs.adyen.com/api-explorer/Checkout/latest/overview>.
pub(crate) const TEST: &str = "https://checkout-test.adyen.com";

/// The live platform, by the prefix of the company account and region:
/// <https://docs.adyen.com/development-resources/live-endpoints>.
pub(crate) fn live(prefix: &str) -> String {
    format!("https://{prefix}-checkout-live.adyenpayments.com/checkout")
}

/// The account. A key is not compared across regions
/// (<https://docs.adyen.com/development-resources/api-idempotency>), so the address is part of it.
pub(crate) fn of(adyen: &Adyen) -> Account {
    Account::new(
        adyen.name(),
        adyen.merchant_account.as_str(),
        adyen.mode,
        adyen.base_url.as_str(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constructor_says_whether_money_moves() {
        let test = Adyen::test("AcmeECOM", "key").account().id();
        let live = Adyen::live("AcmeECOM", "1797-Acme", "key").account().id();
        assert_eq!(
            test.as_str(),
            "adyen:test:AcmeECOM@https://checkout-test.adyen.com"
        );
        assert_eq!(
            live.as_str(),
            "adyen:live:AcmeECOM@https://1797-Acme-checkout-live.adyenpayments.com/checkout"
        );
    }

    /// A repeat at another region's address would be a second payment.
    #[test]
    fn another_region_is_another_account() {
        let here = Adyen::live("AcmeECOM", "1797-Acme", "key");
        let there = Adyen::live("AcmeECOM", "3a2b-Acme", "key");
        assert_ne!(here.account().id(), there.account().id());
    }
}
