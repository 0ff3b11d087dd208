//! The account, the name, and where no secret may show.

use std::time::{Duration, SystemTime};

use super::run::Run;
use super::{Promise, fields};
use crate::provider::{Account, Provider, Request};

/// Any moment: an adapter gets its time as an argument.
const NOW: Duration = Duration::from_secs(1_796_036_000);

pub(super) fn check(run: &Run<'_>) {
    let kit = run.kit;
    if kit.secrets.iter().any(|secret| secret.len() < 4) {
        run.broken(
            Promise::Inputs,
            None,
            "a secret of the kit has less than four characters, so it cannot be looked for: give \
             the one that the adapter was made with",
        );
    }
    let provider = kit.provider.as_ref();
    let Some(account) = run.guarded(None, "account", || provider.account()) else {
        return;
    };
    names(run, provider, &account);
    stability(run, provider, &account);
    let shown = format!("{provider:?}\n{provider:#?}");
    run.no_secret(None, "`Debug` of the adapter", shown.as_bytes());
    let shown = format!("{account:?}\n{}", account.id());
    run.no_secret(None, "the account", shown.as_bytes());
    if let Some(look_up) = provider.look_up() {
        let shown = format!("{look_up:?}");
        run.no_secret(None, "`Debug` of the look-up", shown.as_bytes());
    }
    if let Some(baseline) = provider.baseline() {
        let shown = format!("{baseline:?}");
        run.no_secret(None, "`Debug` of the baseline", shown.as_bytes());
    }
}

fn names(run: &Run<'_>, provider: &dyn Provider, account: &Account) {
    let name = provider.name().as_str();
    let fits = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    if name.is_empty() || !name.bytes().all(fits) {
        run.broken(
            Promise::Account,
            None,
            "the name is not of small ASCII letters, digits and dashes: rename it",
        );
    }
    if account.provider().as_str() != name {
        run.broken(
            Promise::Account,
            None,
            "the account is of a provider of another name: give `Account::new` the adapter's own",
        );
    }
    if account.label().is_empty() {
        run.broken(
            Promise::Account,
            None,
            "the account has no label: take the gateway's public id of it, or ask the merchant \
             for a name",
        );
    }
    if !account.base_url().starts_with("https://") {
        run.broken(
            Promise::Account,
            None,
            "the base URL does not start with https://: make that the default, and give the kit \
             an adapter at its default address",
        );
    }
}

fn stability(run: &Run<'_>, provider: &dyn Provider, account: &Account) {
    let unstable = "the account or the name is another each time: make both of what the merchant \
                    gave, and of nothing else";
    let again = run.guarded(None, "account", || provider.account());
    if again.as_ref() != Some(account) || provider.name() != provider.name() {
        run.broken(Promise::Account, None, unstable);
    }
    let twin = run.kit.twin.as_deref();
    if twin.is_some_and(|twin| twin.name() != provider.name() || twin.account() != *account) {
        run.broken(
            Promise::Account,
            None,
            "the twin is another account: leave secrets out of the account's id, or give the kit \
             a twin of the same account and mode",
        );
    }
}

/// What `authorize` makes of a request, checked. `None`: nothing usable.
pub(super) fn authorized(run: &Run<'_>, request: &Request) -> Option<Request> {
    let now = SystemTime::UNIX_EPOCH.checked_add(NOW)?;
    let before = format!("{request:?}\n{request:#?}\n{:?}", request.headers);
    run.no_secret(None, "`Debug` of a request", before.as_bytes());
    let authorize = || {
        let mut request = request.clone();
        let done = run.kit.provider.authorize(&mut request, now);
        done.map(|()| request)
    };
    let first = match run.guarded(None, "authorize", authorize)? {
        Ok(first) => first,
        Err(problem) => {
            let text = format!("{problem}\n{problem:?}");
            run.no_secret(None, "an error of `authorize`", text.as_bytes());
            run.broken(
                Promise::Inputs,
                None,
                "`authorize` refuses the secret that the adapter was made with: give the kit an \
                 adapter with a secret of the right form",
            );
            return None;
        }
    };
    if run.guarded(None, "authorize", authorize)? != Ok(first.clone()) {
        run.broken(
            Promise::Determinism,
            None,
            "`authorize` gives other bytes for the same request and time: take the time from its \
             argument, and leave out what is random",
        );
    }
    if first == *request {
        run.broken(
            Promise::Secrets,
            None,
            "`authorize` adds nothing, so every request goes out without authentication: add it \
             there, and not in `encode`",
        );
    }
    let after = format!("{first:?}\n{first:#?}\n{:?}", first.headers);
    run.no_secret(
        None,
        "`Debug` of an authorized request's headers (mark the value with `set_sensitive`)",
        after.as_bytes(),
    );
    let open = |(name, value): (&http::HeaderName, &http::HeaderValue)| {
        request.headers.get(name) != Some(value)
            && !value.is_sensitive()
            && (name == http::header::AUTHORIZATION || holds_secret(run, value.as_bytes()))
    };
    if first.headers.iter().any(open) {
        run.broken(
            Promise::Secrets,
            None,
            "the header that holds the secret is not marked: call `set_sensitive(true)` on its \
             value",
        );
    }
    Some(first)
}

fn holds_secret(run: &Run<'_>, bytes: &[u8]) -> bool {
    let mut secrets = run.kit.secrets.iter();
    secrets.any(|secret| fields::holds(bytes, secret))
}
