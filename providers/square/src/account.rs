//! Which account at Square, by what is public about it.

use payonce::provider::{Account, Provider};

use crate::Square;

/// The account. A list of payments shows one location, and a payment belongs to one, so each
/// location is an account of its own: <https://developer.squareup.com/reference/square/payments-api/list-payments>.
pub(crate) fn of(square: &Square) -> Account {
    Account::new(
        square.name(),
        square.location.as_str(),
        square.mode,
        square.base_url.as_str(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_constructor_says_whether_money_moves() {
        let id = |square: &Square| of(square).id().as_str().to_owned();
        assert_eq!(
            id(&Square::live("L1", "token")),
            "square:live:L1@https://connect.squareup.com"
        );
        assert_eq!(
            id(&Square::sandbox("L1", "token").base_url("http://127.0.0.1:9/")),
            "square:test:L1@http://127.0.0.1:9"
        );
    }

    #[test]
    fn another_location_is_another_account() {
        let one = Square::live("L1", "token");
        let other = Square::live("L2", "token");
        assert_ne!(of(&one).id(), of(&other).id());
    }
}
