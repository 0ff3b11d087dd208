//! No secret shows anywhere but in the one header.

use std::time::SystemTime;

use payonce::Source;
use payonce::provider::{Details, Provider};
use payonce_stripe::Stripe;

use crate::kit::{call, key};

const SECRET: &str = "sk_test_SENTINEL_1";

#[test]
fn c82_debug_and_errors_show_no_secret() {
    let (stripe, key) = (Stripe::new("main", SECRET), key());
    let token = Source::token("pm_SENTINEL_2");
    let mut request = stripe
        .encode(&call(&key), &Details::new(Some(&token), None, None, &[]))
        .unwrap();
    assert!(!format!("{stripe:?} {:?} {:?}", stripe.account(), request).contains("SENTINEL"));
    stripe
        .authorize(&mut request, SystemTime::UNIX_EPOCH)
        .unwrap();
    assert_eq!(
        request.headers["authorization"],
        format!("Bearer {SECRET}").as_str()
    );
    assert!(request.headers["authorization"].is_sensitive());
    assert!(!format!("{request:?} {:?}", request.headers).contains("SENTINEL"));
    assert!(!stripe.account().id().as_str().contains("SENTINEL"));
}

#[test]
fn authorization_is_added_once_and_nothing_else_changes() {
    let (stripe, key) = (Stripe::new("main", SECRET), key());
    let token = Source::token("pm_1Visa");
    let details = Details::new(Some(&token), None, None, &[]);
    let rendered = stripe.encode(&call(&key), &details).unwrap();
    let mut request = rendered.clone();
    for _ in 0..2 {
        stripe
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap();
    }
    assert_eq!(request.headers.get_all("authorization").iter().count(), 1);
    request.headers.remove("authorization");
    assert_eq!(request, rendered);
}

#[test]
fn a_secret_that_cannot_be_sent_is_refused_and_not_repeated() {
    let bad = [
        "",
        "sk_test_SENTINEL\n",
        " sk_test_SENTINEL",
        "sk_test_SENTINEL\0",
        "sk_SENTINELق",
    ];
    for secret in bad {
        let stripe = Stripe::new("main", secret);
        let mut request = payonce::provider::Request::new(http::Method::GET, "/");
        let error = stripe
            .authorize(&mut request, SystemTime::UNIX_EPOCH)
            .unwrap_err();
        assert!(error.to_string().starts_with("secret "), "{error}");
        assert!(
            !format!("{error} {error:?}").contains("SENTINEL"),
            "{error:?}"
        );
        assert!(request.headers.is_empty());
    }
}

/// What is stored before the send has no secret in it, in no part: the ledger's file is backed up,
/// copied and read by people who must not be able to charge.
#[test]
fn c82_the_rendered_request_holds_no_secret() {
    let (stripe, key) = (Stripe::new("main", SECRET), key());
    let token = Source::saved("pm_1Visa", Some("cus_1"));
    let metadata = [("order".to_owned(), "1042".to_owned())];
    let url = Some("https://shop.example/back");
    let details = Details::new(Some(&token), url, Some("Two bags"), &metadata);
    let rendered = stripe.encode(&call(&key), &details).unwrap();
    let mut whole = rendered.path.clone().into_bytes();
    for (name, value) in &rendered.headers {
        whole.extend(name.as_str().bytes());
        whole.extend(value.as_bytes());
    }
    whole.extend(&rendered.body);
    let whole = String::from_utf8(whole).unwrap();
    assert!(whole.contains("pm_1Visa") && !whole.contains("SENTINEL"));
    // Another secret of the same account renders the same bytes: it may be rolled under way.
    let rolled = Stripe::new("main", "rk_test_2");
    assert_eq!(rolled.encode(&call(&key), &details).unwrap(), rendered);
}

/// Secret and restricted keys are sent as they are. A publishable key is refused before anything
/// is sent: Stripe would only answer 401, on an account that cannot charge.
#[test]
fn only_secret_and_restricted_keys_are_taken() {
    let authorized = |secret: &str| {
        let mut request = payonce::provider::Request::new(http::Method::GET, "/");
        let done = Stripe::new("main", secret).authorize(&mut request, SystemTime::UNIX_EPOCH);
        done.map(|()| {
            request.headers["authorization"]
                .to_str()
                .unwrap()
                .to_owned()
        })
    };
    for secret in [
        "sk_live_1",
        "sk_test_1",
        "rk_live_1",
        "rk_test_1",
        "sk_org_1",
    ] {
        assert_eq!(authorized(secret), Ok(format!("Bearer {secret}")));
    }
    for secret in [
        "pk_live_1",
        "pk_test_1",
        "whsec_1",
        "SK_live_1",
        "Bearer sk_live_1",
        "live",
    ] {
        let error = authorized(secret).unwrap_err().to_string();
        assert!(
            error.contains("sk_ or rk_") && !error.contains(secret),
            "{error}"
        );
    }
}
