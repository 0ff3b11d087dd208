use http::Method;

use super::{Bench, PAID, charge, payments_of, registrations};
use crate::Request;
use crate::hyperpay::Config;

#[test]
fn a_header_that_is_none_is_401_and_a_token_that_is_not_accepted_403() {
    let mut bench = Bench::new();
    let path = payments_of(registrations::APPROVED);
    let body = format!("entityId=e&{}", charge("order-0001"));
    for header in [None, Some("token"), Some("Basic dG9rZW4="), Some("Bearer ")] {
        let request = Request::new(Method::POST, &path).with_body(body.clone());
        let request = match header {
            Some(header) => request.with_header("authorization", header),
            None => request,
        };
        let answer = bench.send(request);
        assert_eq!(answer.result(), (401, "800.900.300"), "{header:?}");
    }
    bench.token = "invalid-token".to_owned();
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0001").result(),
        (403, "800.900.300")
    );
    assert_eq!(bench.query("order-0001").result(), (403, "800.900.300"));
    assert!(bench.moved().is_empty());
}

#[test]
fn tokens_and_their_entities_can_be_fixed() {
    let config = Config::default().token("a").token("b").entity("shop", "a");
    let mut bench = Bench::with(config);
    bench.entity = "shop".to_owned();
    for (token, status) in [("a", 200), ("b", 403), ("c", 403)] {
        token.clone_into(&mut bench.token);
        let answer = bench.charge(registrations::APPROVED, "order-0001");
        assert_eq!(answer.status, status, "{token}");
        assert_eq!(bench.query("order-0001").status, status, "{token}");
    }
    bench.entity = "free".to_owned();
    bench.token = "b".to_owned();
    assert_eq!(
        bench.charge(registrations::APPROVED, "order-0001").code(),
        PAID
    );
    assert_eq!(bench.moved().len(), 2);
}

#[test]
fn an_entity_is_needed_and_has_its_place() {
    let mut bench = Bench::new();
    let path = payments_of(registrations::APPROVED);
    let form = charge("order-0001");
    // In the address of a POST and in the body of a GET it is not read.
    let requests = [
        bench.request(Method::POST, &path, &form),
        bench.request(Method::POST, &format!("{path}?entityId=e"), &form),
        bench.request(Method::POST, &path, &format!("entityId=&{form}")),
        bench.request(
            Method::GET,
            "/v1/query?merchantTransactionId=order-0001",
            "entityId=e",
        ),
    ];
    for request in requests {
        let answer = bench.send(request);
        assert_eq!(answer.result(), (400, "200.300.404"));
        assert_eq!(answer.wrong(), ["entityId"]);
    }
    assert!(bench.moved().is_empty());
}
