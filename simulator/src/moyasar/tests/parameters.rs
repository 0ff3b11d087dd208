use serde_json::json;

use super::*;

/// Puts a value at a pointer; null takes the member out.
fn changed(pointer: &str, value: Value) -> Value {
    let mut body = charge(ID);
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    let parent = body.pointer_mut(parent).unwrap().as_object_mut().unwrap();
    if value.is_null() {
        parent.remove(name);
    } else {
        parent.insert(name.to_owned(), value);
    }
    body
}

#[test]
fn what_is_wrong_is_refused_field_by_field() {
    let long = "x".repeat(501);
    let wrong = [
        ("/amount", json!(null), "amount"),
        ("/amount", json!(99), "amount"),
        ("/amount", json!(0), "amount"),
        ("/amount", json!(-10_000), "amount"),
        ("/amount", json!(10_000.5), "amount"),
        ("/amount", json!(10_000.0), "amount"),
        ("/amount", json!("10000"), "amount"),
        ("/currency", json!("sar"), "currency"),
        ("/currency", json!("RIYAL"), "currency"),
        ("/currency", json!(""), "currency"),
        ("/given_id", json!("order-1"), "given_id"),
        ("/given_id", json!(ID.to_uppercase()), "given_id"),
        ("/given_id", json!(ID.replace('-', "")), "given_id"),
        ("/callback_url", json!(null), "callback_url"),
        ("/callback_url", json!("shop.example"), "callback_url"),
        ("/source", json!(null), "source"),
        ("/source", json!("token_visa"), "source"),
        ("/source/type", json!(null), "source.type"),
        ("/source/type", json!("creditcard"), "source.type"),
        ("/source/token", json!(null), "source.token"),
        ("/source/token", json!("visa"), "source.token"),
        ("/source/token", json!("token_unheard_of"), "source.token"),
        ("/source/token", json!("token_visage"), "source.token"),
        ("/source/manual", json!("true"), "source.manual"),
        ("/source/capture", json!(false), "source.capture"),
        ("/metadata", json!("order-1"), "metadata"),
        ("/metadata/number", json!(7), "metadata.number"),
        ("/metadata/long", json!(long), "metadata.long"),
        ("/apply_coupon", json!(true), "apply_coupon"),
        ("/idempotency_key", json!("k"), "idempotency_key"),
    ];
    let mut bench = Bench::new();
    for (pointer, value, field) in wrong {
        let answer = bench.create(&changed(pointer, value.clone()));
        assert_eq!(refused(&answer), INVALID, "{pointer} = {value}");
        assert_eq!(answer.json["message"], "Validation Failed");
        let errors = answer.json["errors"].as_object().unwrap();
        assert_eq!(
            errors.keys().collect::<Vec<_>>(),
            [field],
            "{pointer} = {value}"
        );
        assert!(errors[field][0].is_string());
    }
    assert!(bench.moved().is_empty());
    assert_eq!(bench.charged(ID).status, 201);
}

#[test]
fn everything_that_is_wrong_is_named_at_once() {
    let mut bench = Bench::new();
    let answer = bench.create(&json!({ "source": { "type": "token" } }));
    let errors = answer.json["errors"].as_object().unwrap();
    let fields: Vec<&String> = errors.keys().collect();
    assert_eq!(fields, ["amount", "callback_url", "source.token"]);
}

#[test]
fn metadata_has_limits() {
    let mut bench = Bench::new();
    let many = |count: usize| -> Value {
        (0..count)
            .map(|number| (format!("k{number}"), json!("v")))
            .collect()
    };
    let key = |length: usize| json!({ "k".repeat(length): "v".repeat(500) });
    assert_eq!(bench.create(&changed("/metadata", many(31))).status, 400);
    assert_eq!(bench.create(&changed("/metadata", key(41))).status, 400);
    assert_eq!(bench.create(&changed("/metadata", many(30))).status, 201);
    let mut body = changed("/metadata", key(40));
    body["given_id"] = json!(OTHER_ID);
    assert_eq!(bench.create(&body).status, 201);
}

#[test]
fn the_least_amount_is_one_hundred() {
    let mut bench = Bench::new();
    assert_eq!(bench.create(&changed("/amount", json!(100))).status, 201);
}

#[test]
fn the_amount_of_a_change_is_a_whole_number() {
    let mut bench = Bench::new();
    bench.charged(ID);
    bench.authorized(OTHER_ID);
    for (id, verb) in [(ID, "refund"), (OTHER_ID, "capture")] {
        for body in [
            json!({ "amount": 0 }),
            json!({ "amount": -1 }),
            json!({ "amount": 1.5 }),
            json!({ "amount": "100" }),
            json!({ "amout": 100 }),
            json!({ "amount": 100, "given_id": ID }),
        ] {
            assert_eq!(
                refused(&bench.change(id, verb, &body)),
                INVALID,
                "{verb} {body}"
            );
        }
    }
    let void = bench.change(OTHER_ID, "void", &json!({ "amount": 100 }));
    assert_eq!(refused(&void), INVALID, "there is no partial void");
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn a_body_is_json_and_says_so() {
    let mut bench = Bench::new();
    for (kind, body) in [
        ("application/x-www-form-urlencoded", charge(ID).to_string()),
        ("", charge(ID).to_string()),
        ("application/json", "{".to_owned()),
        ("application/json", "[]".to_owned()),
        ("application/json", "\u{1f}".to_owned()),
    ] {
        let request = bench.request(Method::POST, PAYMENTS);
        let request = request
            .with_header("content-type", kind)
            .with_body(body.clone());
        assert_eq!(refused(&bench.send(request)), INVALID, "{kind} {body}");
    }
    let request = bench.request(Method::POST, PAYMENTS);
    assert_eq!(bench.send(request).status, 400, "no body");
    let request = bench.post_request(PAYMENTS, &charge(ID));
    let mut request = request;
    request.headers.clear();
    let request = request
        .with_header("authorization", &format!("Basic {SHOP}"))
        .with_header("content-type", "Application/JSON; charset=utf-8");
    assert_eq!(bench.send(request).status, 201);
}

#[test]
fn what_is_not_simulated_is_not_found() {
    let mut bench = Bench::new();
    bench.charged(ID);
    for (method, path) in [
        (Method::GET, "/v1/invoices".to_owned()),
        (Method::POST, "/payments".to_owned()),
        (Method::POST, format!("{PAYMENTS}/")),
        (Method::PUT, format!("{PAYMENTS}/{ID}")),
        (Method::DELETE, format!("{PAYMENTS}/{ID}")),
        (Method::POST, format!("{PAYMENTS}/{ID}/refunds")),
        (Method::GET, format!("{PAYMENTS}/{ID}/refund")),
    ] {
        let request = bench.request(method.clone(), &path);
        assert_eq!(bench.send(request).status, 404, "{method} {path}");
    }
    assert_eq!(bench.moved().len(), 1);
}
