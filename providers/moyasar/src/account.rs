//! Which account at Moyasar, by what is public about it.

use payonce::provider::{Account, Mode, Provider};
use secrecy::ExposeSecret;

use crate::Moyasar;

/// The account. No page documents a public id of it, so the merchant's label stands for it.
pub(crate) fn of(moyasar: &Moyasar) -> Account {
    Account::new(
        moyasar.name(),
        moyasar.label.as_str(),
        mode(moyasar.secret.expose_secret()),
        moyasar.base_url.as_str(),
    )
}

/// One address serves both modes, the secret decides:
/// <https://docs.moyasar.com/api/authentication>. Whatever is not known to be a test key may move
/// money.
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
            ("sk_1", Mode::Live),
            ("", Mode::Live),
            (" sk_test_1", Mode::Live),
        ] {
            let account = Moyasar::new("main", secret).account();
            assert_eq!(account.mode(), mode, "{secret}");
        }
    }

    #[test]
    fn the_account_is_named_by_label_mode_and_address() {
        let moyasar = Moyasar::new("main", "sk_live_1").base_url("http://127.0.0.1:9/");
        assert_eq!(
            of(&moyasar).id().as_str(),
            "moyasar:live:main@http://127.0.0.1:9"
        );
    }
}
