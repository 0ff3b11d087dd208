//! Which account at Tap, by what is public about it.

use payonce::provider::{Account, Mode, Provider};
use secrecy::ExposeSecret;

use crate::Tap;

/// The account. No request names a public id of it, so the merchant's label stands for it.
pub(crate) fn of(tap: &Tap) -> Account {
    Account::new(
        tap.name(),
        tap.label.as_str(),
        mode(tap.secret.expose_secret()),
        tap.base_url.as_str(),
    )
}

/// One address serves both modes, the secret decides:
/// <https://developers.tap.company/reference/testing-keys>. Whatever is not known to be a test key
/// may move money.
fn mode(secret: &str) -> Mode {
    if secret.starts_with("sk_test_") {
        Mode::Test
    } else {
        Mode::Live
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_test_key_is_a_test() {
        for (secret, mode) in [
            ("sk_test_1", Mode::Test),
            ("sk_live_1", Mode::Live),
            ("pk_test_1", Mode::Live),
            ("", Mode::Live),
            (" sk_test_1", Mode::Live),
        ] {
            assert_eq!(Tap::new("main", secret).account().mode(), mode, "{secret}");
        }
    }

    #[test]
    fn the_account_is_named_by_label_mode_and_address() {
        let tap = Tap::new("main", "sk_live_1").base_url("http://127.0.0.1:9/");
        assert_eq!(of(&tap).id().as_str(), "tap:live:main@http://127.0.0.1:9");
    }
}
