//! Which account at Stripe, by what is public about it.

use payonce::provider::{Account, Mode, Provider};
use secrecy::ExposeSecret;

use crate::Stripe;

/// The account. Stripe tells an account's own id only on request, so the merchant's label stands
/// for it.
pub(crate) fn of(stripe: &Stripe) -> Account {
    let label = match &stripe.connected_account {
        // Keys are in the connected account's scope. No page says so; it is the reading that never
        // mixes two accounts.
        Some(connected) => format!("{}/{connected}", stripe.label),
        None => stripe.label.clone(),
    };
    Account::new(
        stripe.name(),
        label,
        mode(stripe.secret.expose_secret()),
        stripe.base_url.as_str(),
    )
}

/// One address serves both modes, the secret decides: <https://docs.stripe.com/keys>. Whatever is
/// not known to be a test key may move money.
fn mode(secret: &str) -> Mode {
    let test = secret.starts_with("sk_test_") || secret.starts_with("rk_test_");
    if test { Mode::Test } else { Mode::Live }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_known_test_key_is_a_test() {
        for (secret, mode) in [
            ("sk_test_1", Mode::Test),
            ("rk_test_1", Mode::Test),
            ("sk_live_1", Mode::Live),
            ("rk_live_1", Mode::Live),
            ("sk_org_1", Mode::Live),
            ("", Mode::Live),
            (" sk_test_1", Mode::Live),
        ] {
            assert_eq!(
                Stripe::new("main", secret).account().mode(),
                mode,
                "{secret}"
            );
        }
    }

    #[test]
    fn a_connected_account_is_another_account() {
        let stripe = Stripe::new("main", "sk_live_1").base_url("http://127.0.0.1:9/");
        let own = of(&stripe).id();
        let connected = of(&stripe.connected_account("acct_1Shop")).id();
        assert_eq!(own.as_str(), "stripe:live:main@http://127.0.0.1:9");
        assert_eq!(
            connected.as_str(),
            "stripe:live:main/acct_1Shop@http://127.0.0.1:9"
        );
    }
}
