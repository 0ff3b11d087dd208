use crate::stripe::Config;
use crate::testing::{Bench, CHARGE, PAYMENTS, REFUNDS};

fn refused(form: &str) -> String {
    let mut bench = Bench::new();
    let answer = bench.post(PAYMENTS, "k", form);
    assert_eq!(answer.status, 400, "{form}: {}", answer.text);
    assert!(bench.moved().is_empty());
    let param = answer.json["error"]["param"].as_str().unwrap_or_default();
    format!("{} {param}", answer.error())
}

#[test]
fn what_is_missing_or_unknown_is_named() {
    assert_eq!(refused("currency=usd"), "parameter_missing amount");
    assert_eq!(refused("amount=1099"), "parameter_missing currency");
    assert_eq!(
        refused(&format!("{CHARGE}&colour=red")),
        "parameter_unknown colour"
    );
    assert_eq!(
        refused(&format!("{CHARGE}&metadata[a][b]=c")),
        "parameter_unknown metadata[a][b]"
    );
    assert_eq!(
        refused(&format!("{CHARGE}&metadata=x")),
        "parameter_unknown metadata"
    );
    assert_eq!(refused("{\"amount\": 1099}"), "parameter_missing amount");
    assert_eq!(refused(""), "parameter_missing amount");
}

#[test]
fn what_comes_twice_is_refused() {
    assert_eq!(
        refused(&format!("{CHARGE}&amount=1099")),
        "invalid_request_error amount"
    );
    let twice = format!("{CHARGE}&metadata[order]=order-2");
    assert_eq!(refused(&twice), "invalid_request_error metadata[order]");
}

#[test]
fn automatic_payment_methods_need_a_way_back() {
    let base = "amount=1099&currency=usd&payment_method=pm_card_visa&confirm=true";
    let automatic = format!("{base}&automatic_payment_methods[enabled]=true");
    assert_eq!(refused(base), "invalid_request_error return_url");
    assert_eq!(refused(&automatic), "invalid_request_error return_url");
    let mut bench = Bench::new();
    let works = [
        format!("{automatic}&automatic_payment_methods[allow_redirects]=never"),
        format!("{automatic}&return_url=https://shop.example/back"),
        format!("{base}&return_url=https://shop.example/back"),
        format!("{base}&payment_method_types[]=card"),
        format!("{base}&payment_method_types[0]=card"),
    ];
    for form in &works {
        assert_eq!(bench.post(PAYMENTS, form, form).status, 200, "{form}");
    }
    let both = format!("{automatic}&payment_method_types[]=card");
    assert_eq!(
        refused(&both),
        "invalid_request_error automatic_payment_methods"
    );
}

#[test]
fn the_parameters_of_a_try_need_confirm() {
    let base = "amount=1099&currency=usd&payment_method_types[]=card";
    for parameter in [
        "off_session=true",
        "return_url=https://x",
        "error_on_requires_action=true",
    ] {
        let name = parameter.split('=').next().unwrap();
        assert_eq!(
            refused(&format!("{base}&{parameter}")),
            format!("invalid_request_error {name}")
        );
    }
    let without_card = format!("{base}&confirm=true");
    assert_eq!(refused(&without_card), "payment_intent_unexpected_state ");
}

#[test]
fn values_have_to_make_sense() {
    let change = |from: &str, to: &str| refused(&CHARGE.replace(from, to));
    assert_eq!(
        change("confirm=true", "confirm=yes"),
        "invalid_request_error confirm"
    );
    assert_eq!(
        change("pm_card_visa", "pm_card_none"),
        "resource_missing payment_method"
    );
    assert_eq!(
        change("pm_card_visa", "tok_visa"),
        "resource_missing payment_method"
    );
    assert_eq!(
        change("[]=card", "[]=ideal"),
        "invalid_request_error payment_method_types"
    );
    let added = |parameter: &str| refused(&format!("{CHARGE}&{parameter}"));
    assert_eq!(
        added("capture_method=later"),
        "invalid_request_error capture_method"
    );
    assert_eq!(added("customer=42"), "resource_missing customer");
    assert_eq!(added("expand[]=customer"), "invalid_request_error expand");
}

#[test]
fn metadata_has_limits() {
    let mut bench = Bench::new();
    let mut post = |metadata: &str| {
        let form = CHARGE.replace("metadata[order]=order-1", metadata);
        bench.post(PAYMENTS, metadata, &form).status
    };
    let fields = |count: usize| {
        let fields: Vec<String> = (0..count).map(|at| format!("metadata[k{at}]=v")).collect();
        fields.join("&")
    };
    // The key header is the form's own text here, which has its own limit.
    assert_eq!(post(&format!("metadata[{}]=v", "k".repeat(40))), 200);
    assert_eq!(post(&format!("metadata[{}]=v", "k".repeat(41))), 400);
    assert_eq!(post("metadata[]=v"), 400);
    let mut bench = Bench::new();
    let mut post = |key: &str, metadata: &str| {
        let form = CHARGE.replace("metadata[order]=order-1", metadata);
        bench.post(PAYMENTS, key, &form).status
    };
    assert_eq!(post("a", &fields(50)), 200);
    assert_eq!(post("b", &fields(51)), 400);
    assert_eq!(post("c", &format!("metadata[a]={}", "v".repeat(500))), 200);
    assert_eq!(post("d", &format!("metadata[a]={}", "v".repeat(501))), 400);
    // Characters count, not bytes.
    assert_eq!(
        post("e", &format!("metadata[a]={}", "%C3%A9".repeat(500))),
        200
    );
}

#[test]
fn parameters_that_change_nothing_here_are_taken() {
    let mut bench = Bench::new();
    let form = format!("{CHARGE}&receipt_email=a@b.example&shipping[address][city]=X");
    assert_eq!(bench.post(PAYMENTS, "k", &form).status, 200);
}

#[test]
fn secrets_are_checked_before_everything_else() {
    let mut bench = Bench::new();
    for secret in [
        "sk_test_invalid",
        "sk_test_invalid_2",
        "sk_test_",
        "pk_test_shop",
        "shop",
        "",
    ] {
        bench.secret = secret.to_owned();
        let answer = bench.post(PAYMENTS, "k", CHARGE);
        assert_eq!(answer.refused(), (401, "invalid_request_error"), "{secret}");
        assert_eq!(answer.header("idempotency-key"), None);
        assert!(!answer.text.contains("_invalid_2"), "no secret in an error");
    }
    let bare = crate::Request::new(http::Method::POST, PAYMENTS).with_body(CHARGE);
    assert_eq!(bench.send(bare).status, 401);
    for secret in ["sk_test_a", "rk_test_a", "sk_live_a", "rk_live_a"] {
        bench.secret = secret.to_owned();
        assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 200, "{secret}");
    }
}

#[test]
fn basic_authentication_has_the_secret_as_user() {
    let mut bench = Bench::new();
    let basic = |credentials: &str| {
        let request = crate::Request::new(http::Method::POST, PAYMENTS).with_body(CHARGE);
        request.with_header("authorization", &format!("Basic {credentials}"))
    };
    // "sk_test_demo:"
    assert_eq!(bench.send(basic("c2tfdGVzdF9kZW1vOg==")).status, 200);
    assert_eq!(bench.world.effects()[0].account, "acct_demo");
    for wrong in ["", "====", "c2tf!", "Og==", "/////w=="] {
        assert_eq!(bench.send(basic(wrong)).status, 401, "{wrong}");
    }
}

#[test]
fn only_named_secrets_are_taken_if_there_are_any() {
    let mut bench = Bench::with(Config::default().secret("sk_test_one"));
    assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 401);
    bench.secret = "sk_test_one".to_owned();
    assert_eq!(bench.post(PAYMENTS, "k", CHARGE).status, 200);
}

#[test]
fn what_is_not_there_is_404_in_stripes_form() {
    let mut bench = Bench::new();
    for path in [
        "/v1/charges",
        "/v1/payment_intents/",
        "/v1",
        "/",
        "/v1/payment_intents/x/y/z",
    ] {
        let answer = bench.post(path, "k", "");
        assert_eq!(answer.refused(), (404, "invalid_request_error"), "{path}");
    }
    let delete = bench.request(http::Method::DELETE, REFUNDS, "");
    assert_eq!(bench.send(delete).status, 404);
}

#[test]
fn nothing_panics_on_arbitrary_bytes() {
    let mut bench = Bench::new();
    let mut state = 0x9E37_79B9_u32;
    for round in 0_u32..3000 {
        let mut bytes = if round % 2 == 0 {
            Vec::new()
        } else {
            CHARGE.as_bytes().to_vec()
        };
        for _ in 0..8 {
            state ^= state << 13;
            state ^= state >> 17;
            state ^= state << 5;
            let [byte, place, ..] = state.to_le_bytes();
            let at = usize::from(place).min(bytes.len());
            bytes.insert(at, byte);
        }
        let text = String::from_utf8_lossy(&bytes).replace(['?', '#'], "");
        let path = [
            PAYMENTS,
            REFUNDS,
            "/v1/payment_intents/pi_sim_000001/capture",
        ][usize::try_from(round % 3).unwrap()];
        let request = bench.post_request(path, "k", "").with_body(bytes);
        bench.send(request);
        for target in [
            format!("{PAYMENTS}/{text}"),
            format!("{PAYMENTS}/search?query={text}"),
        ] {
            assert!(bench.get(&target).status >= 200);
        }
    }
}
