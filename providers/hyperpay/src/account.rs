//! Which account at HyperPay, by what is public about it.

use payonce::provider::{Account, Provider};

use crate::HyperPay;

/// The account. A payment is visible only through the entity that made it, so each entity is an
/// account of its own: <https://hyperpay.docs.oppwa.com/reference/parameters>.
pub(crate) fn of(hyperpay: &HyperPay) -> Account {
    Account::new(
        hyperpay.name(),
        hyperpay.entity_id.as_str(),
        hyperpay.mode,
        hyperpay.base_url.as_str(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    const ENTITY: &str = "8ac7a4c98694e687018696fd2f2c0b71";

    #[test]
    fn the_constructor_says_whether_money_moves() {
        let test = HyperPay::test(ENTITY, "token").account().id();
        let live = HyperPay::live(ENTITY, "token").account().id();
        assert_eq!(
            test.as_str(),
            format!("hyperpay:test:{ENTITY}@https://eu-test.oppwa.com")
        );
        assert_eq!(
            live.as_str(),
            format!("hyperpay:live:{ENTITY}@https://eu-prod.oppwa.com")
        );
    }

    #[test]
    fn another_address_or_entity_is_another_account() {
        let own = HyperPay::live(ENTITY, "token");
        let older = own.clone().base_url("https://oppwa.com/");
        let other = HyperPay::live("8ac7a4c98694e687018696fd2f2c0b72", "token");
        assert_eq!(of(&older).base_url(), "https://oppwa.com");
        assert_ne!(of(&own).id(), of(&older).id());
        assert_ne!(of(&own).id(), of(&other).id());
    }
}
