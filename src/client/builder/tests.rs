use super::*;
use crate::provider::testing::Fake;
use crate::provider::{Account, Mode, ProviderName};

fn account(label: &str, base_url: &str) -> Fake {
    let fake = Fake::new();
    Fake {
        account: Account::new(fake.name, label, Mode::Test, base_url),
        ..fake
    }
}

/// What is refused, and that the text of it holds no credentials.
#[track_caller]
fn refuses(fake: &Fake, says: &str) {
    match check_account(fake) {
        Err(Error::Config(text)) => {
            assert!(text.contains(says), "{text}");
            assert!(!text.contains("hunter2"), "{text}");
        }
        other => panic!("{says}: {other:?}"),
    }
}

/// Plain HTTP shows the secret to everybody on the way, and a URL with credentials stands in the
/// ledger and in every log.
#[test]
fn a_base_url_must_keep_the_secret() {
    for url in [
        "https://gateway.example",
        "https://gateway.example:8443/api",
        "http://localhost:8080",
        "http://127.0.0.1:1",
        "http://127.8.9.10",
        "http://[::1]:8080",
    ] {
        check_account(&account("main", url)).expect(url);
    }
    for url in [
        "http://gateway.example",
        "http://localhost.gateway.example",
        "http://127.0.0.1.gateway.example",
        "http://10.0.0.1",
        "http://[::2]:8080",
    ] {
        refuses(&account("main", url), "use https");
    }
    for url in [
        "https://user:hunter2@gateway.example",
        "https://hunter2@gateway.example",
        "http://user:hunter2@localhost",
    ] {
        refuses(&account("main", url), "credentials");
    }
    for url in ["gateway.example", "/api", "ftp://gateway.example", "*"] {
        refuses(&account("main", url), "is not https://host");
    }
    for url in [
        "https://",
        "https://:443",
        "https:///pay",
        "",
        "https://a b",
    ] {
        let fake = account("main", url);
        assert!(
            matches!(check_account(&fake), Err(Error::Config(_))),
            "{url}"
        );
    }
}

/// A label with a line break in it would forge lines of the log, and an empty one names nothing.
#[test]
fn a_label_must_be_usable() {
    let url = "https://gateway.example";
    check_account(&account("متجر الرياض", url)).unwrap();
    for label in ["", "ma\nin", "ma\u{0}in", "ma\u{7f}in", "ma\u{85}in"] {
        refuses(&account(label, url), "no usable label");
    }
    let broken = Fake {
        name: ProviderName::new("another"),
        ..Fake::new()
    };
    refuses(&broken, "it is broken");
}

fn headers(name: &str) -> Result<HeaderMap, Error> {
    let providers: Vec<Arc<dyn Provider>> = vec![Arc::new(Fake::new())];
    extra_headers(&[(name.to_owned(), "x".to_owned())], &providers)
}

/// A merchant's own header that the gateway reads could replace the key, or pay to another account.
#[test]
fn headers_that_the_library_or_a_gateway_reads_are_refused() {
    for name in RESERVED.iter().copied().chain([
        // The key's own header, as the rule names it, and what begins with the gateway's name.
        "x-request-key",
        "X-Request-Key",
        "fake-account",
        "Fake-Version",
    ]) {
        match headers(name) {
            Err(Error::Config(text)) => assert!(text.contains("reserved"), "{text}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    for name in ["x-proxy", "x-request", "fakes", "traceparent"] {
        assert!(headers(name).unwrap()[name].is_sensitive(), "{name}");
    }
    assert!(headers("no header").is_err() && headers("").is_err());
    let twice = [("x-a", "1"), ("X-A", "2")].map(|(n, v)| (n.to_owned(), v.to_owned()));
    assert!(extra_headers(&twice, &[]).is_err());
}

/// A policy that allows no send would let every call end without a try.
#[test]
fn a_policy_must_allow_a_send() {
    use std::time::Duration;
    let (short, enough) = (Duration::from_millis(99), Duration::from_millis(100));
    check_policy(&Policy::new()).unwrap();
    check_policy(&Policy::new().deadline(enough).send_timeout(enough)).unwrap();
    check_policy(&Policy::new().sends(1).in_flight(1)).unwrap();
    for policy in [
        Policy::new().deadline(short),
        Policy::new().send_timeout(short),
        Policy::new().sends(0),
        Policy::new().in_flight(0),
    ] {
        assert!(check_policy(&policy).is_err(), "{policy:?}");
    }
}

/// Two accounts with one id: nobody could say through which of them a payment went.
#[cfg(all(feature = "sqlite", feature = "reqwest"))]
#[test]
fn two_accounts_need_two_ids() {
    let folder = tempfile::tempdir().unwrap();
    let build = |second: Fake| {
        let ledger = crate::SqliteLedger::open(folder.path().join("payments.db")).unwrap();
        let builder = Client::builder(ledger).provider(Fake::new());
        builder.provider(second).build()
    };
    match build(Fake::new()) {
        Err(Error::Config(text)) => assert!(text.contains("there twice"), "{text}"),
        other => panic!("{other:?}"),
    }
    let url = "https://gateway.example";
    assert_eq!(build(account("other", url)).unwrap().accounts().len(), 2);
    build(account("main", "https://elsewhere.example")).unwrap();
}
