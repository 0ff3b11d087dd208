//! Whole requests, and what is refused before anything is sent.

use payonce::OperationKind::{self, Authorize, Capture, Charge, Refund, Void};
use payonce::provider::{Details, EncodeError, IdempotencyKey, Provider, Request};
use payonce::{Currency, Customer, Money, Source};
use payonce_aps::Aps;
use serde_json::{Value, json};

use crate::kit::{KEY, MERCHANT, PARENT, aps, call, customer, key, keys, money};

/// An intent's parts, to be spoiled one by one.
#[derive(Clone)]
struct Wanted {
    kind: OperationKind,
    key: &'static str,
    reference: String,
    money: Money,
    parent: Option<&'static str>,
    source: Option<Source>,
    return_url: Option<String>,
    description: Option<String>,
    metadata: Vec<(String, String)>,
    customer: Option<Customer>,
}

impl Wanted {
    fn of(kind: OperationKind) -> Self {
        let key = key();
        let call = call(kind, &key);
        Self {
            kind,
            key: KEY,
            reference: call.reference.to_owned(),
            money: call.money,
            parent: call.parent.is_some().then_some(PARENT),
            source: Some(Source::token("Op9Vmp")),
            return_url: None,
            description: None,
            metadata: Vec::new(),
            customer: Some(customer()),
        }
    }

    fn encode(&self, aps: &Aps) -> Result<Request, EncodeError> {
        let key = IdempotencyKey::new(self.key);
        let mut call = call(self.kind, &key);
        call.reference = &self.reference;
        call.money = self.money;
        call.parent = self.parent;
        let (url, text) = (self.return_url.as_deref(), self.description.as_deref());
        let details = Details::new(self.source.as_ref(), url, text, &self.metadata);
        aps.encode(&call, &details.with_customer(self.customer.as_ref()))
    }

    fn body(&self) -> Value {
        let request = self.encode(&aps()).unwrap();
        assert_eq!(request.method.as_str(), "POST");
        assert_eq!(request.path, "/FortAPI/paymentApi");
        assert_eq!(request.headers["content-type"], "application/json");
        serde_json::from_slice(&request.body).unwrap()
    }
}

type Spoil = fn(&mut Wanted);

fn refused(kind: OperationKind, spoil: impl FnOnce(&mut Wanted)) -> String {
    let mut wanted = Wanted::of(kind);
    spoil(&mut wanted);
    wanted.encode(&aps()).unwrap_err().to_string()
}

#[test]
fn a_whole_charge_and_authorization() {
    let mut expected = json!({
        "command": "PURCHASE", "merchant_identifier": MERCHANT, "language": "en",
        "merchant_reference": KEY, "merchant_extra": "order-1042", "amount": "48000",
        "currency": "SAR", "customer_email": "laila@shop.example", "token_name": "Op9Vmp",
        "eci": "ECOMMERCE",
    });
    assert_eq!(Wanted::of(Charge).body(), expected);
    expected["command"] = "AUTHORIZATION".into();
    assert_eq!(Wanted::of(Authorize).body(), expected);
}

#[test]
fn a_saved_card_with_everything() {
    let mut wanted = Wanted::of(Charge);
    wanted.source = Some(Source::saved("Op9.Vmp@7", Some("A-17")));
    wanted.return_url = Some("https://shop.example/back?order=1042".to_owned());
    wanted.description = Some("Two bags # 7".to_owned());
    let ip = "2001:db8::7".parse().unwrap();
    wanted.metadata = [("basket", "7"), ("till", "a-1")]
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .into();
    wanted.customer = Some(customer().name("ليلى").phone("+966500000001").ip(ip));
    let expected = json!({
        "command": "PURCHASE", "merchant_identifier": MERCHANT, "language": "en",
        "merchant_reference": KEY, "merchant_extra": "order-1042", "amount": "48000",
        "currency": "SAR", "customer_email": "laila@shop.example", "customer_ip": "2001:db8::7",
        "token_name": "Op9.Vmp@7", "eci": "RECURRING", "agreement_id": "A-17",
        "return_url": "https://shop.example/back?order=1042", "order_description": "Two bags # 7",
        "merchant_extra1": "basket;7", "merchant_extra2": "till;a-1",
    });
    assert_eq!(wanted.body(), expected);
}

/// The order is named by its id alone; only a refund has a reference of its own.
#[test]
fn what_is_done_to_an_order() {
    for (kind, command, amount) in [
        (Capture, "CAPTURE", "30000"),
        (Refund, "REFUND", "12000"),
        (Void, "VOID_AUTHORIZATION", "48000"),
    ] {
        let mut expected = json!({
            "command": command, "merchant_identifier": MERCHANT, "language": "en",
            "fort_id": PARENT, "amount": amount, "currency": "SAR",
        });
        if kind == Refund {
            expected["maintenance_reference"] = KEY.into();
        }
        assert_eq!(Wanted::of(kind).body(), expected, "{kind}");
    }
}

/// The price is written in the smallest unit of its own currency.
#[test]
fn amounts_are_exact_or_refused() {
    for (text, currency, written) in [
        ("18.605", Currency::KWD, "18605"),
        ("5.124", Currency::BHD, "5124"),
        ("500", Currency::JPY, "500"),
        ("99999999.99", Currency::AED, "9999999999"),
    ] {
        let mut wanted = Wanted::of(Charge);
        wanted.money = money(text, currency);
        assert_eq!(wanted.body()["amount"], written);
    }
    for kind in [Charge, Authorize, Capture, Refund, Void] {
        let error = refused(kind, |wanted| {
            wanted.money = money("100000000.00", Currency::SAR);
        });
        assert!(
            error.starts_with("amount") && error.contains("10 digits"),
            "{error}"
        );
        let error = refused(kind, |wanted| wanted.money = money("0.00", Currency::SAR));
        assert!(error.starts_with("amount is zero"), "{error}");
    }
}

#[test]
fn bad_input_is_refused_by_name_and_limit() {
    let long = |length| "a".repeat(length);
    let spoiled: [(&str, &str, Spoil); 11] = [
        ("customer email", "is missing", |w| w.customer = None),
        ("customer email", "is missing", |w| {
            w.customer = Some(Customer::new().name("Laila"));
        }),
        ("customer email", "_-.@+", |w| {
            w.customer = Some(Customer::new().email("laila shop"));
        }),
        ("source", "is missing", |w| w.source = None),
        ("source", "empty", |w| w.source = Some(Source::token(""))),
        ("source", ".@-_", |w| w.source = Some(Source::token("a/b"))),
        ("reference", ".;/_-,'@", |w| {
            w.reference = "طلب 7".to_owned();
        }),
        ("key", "letters and digits", |w| w.key = "a-b"),
        ("metadata", "_-,'@", |w| {
            w.metadata = vec![("basket".to_owned(), "7 8".to_owned())];
        }),
        ("metadata name", "semicolon", |w| {
            w.metadata = vec![("a;b".to_owned(), "7".to_owned())];
        }),
        ("metadata", "takes 5", |w| {
            w.metadata = vec![("a".to_owned(), "7".to_owned()); 6];
        }),
    ];
    for (field, limit, spoil) in spoiled {
        let error = refused(Charge, spoil);
        assert!(error.starts_with(field) && error.contains(limit), "{error}");
    }
    for (field, limit, error) in [
        (
            "reference",
            "999",
            refused(Charge, |w| w.reference = long(1000)),
        ),
        (
            "description",
            "150",
            refused(Charge, |w| w.description = Some(long(151))),
        ),
        (
            "return_url",
            "400",
            refused(Charge, |w| w.return_url = Some(long(401))),
        ),
        (
            "source",
            "100",
            refused(Charge, |w| w.source = Some(Source::token(long(101)))),
        ),
        (
            "customer email",
            "254",
            refused(Charge, |w| {
                w.customer = Some(Customer::new().email(long(255)));
            }),
        ),
        (
            "key",
            "40",
            refused(Refund, |w| {
                w.key = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
            }),
        ),
    ] {
        assert!(error.starts_with(field) && error.contains(limit), "{error}");
    }
}

/// A key in a field that is too short would be cut, and another payment found by it.
#[test]
fn an_account_that_cannot_be_named_is_refused() {
    for bad in ["", "a b", "Cyc/1", "a23456789012345678901"] {
        let aps = Aps::test(bad, keys());
        let error = Wanted::of(Charge).encode(&aps).unwrap_err().to_string();
        assert!(error.starts_with("merchant_identifier"), "{error}");
    }
}

#[test]
fn what_the_gateway_does_not_do_is_refused() {
    let error = refused(Charge, |w| w.source = Some(Source::hosted()));
    assert!(error.contains("no hosted pages"), "{error}");
    let error = refused(Authorize, |w| {
        w.source = Some(Source::saved("Op9Vmp", None));
    });
    assert!(error.contains("cannot authorize a saved card"), "{error}");
}

/// They would be lost without a word.
#[test]
fn what_is_done_to_an_order_takes_no_metadata() {
    for kind in [Capture, Refund, Void] {
        let fields = vec![("basket".to_owned(), "7".to_owned())];
        let error = refused(kind, |wanted| wanted.metadata = fields);
        assert!(error.starts_with("metadata"), "{error}");
    }
}

/// The id decides whose money moves.
#[test]
fn a_parent_that_is_no_id_of_the_gateway_is_refused() {
    for kind in [Capture, Refund, Void] {
        for bad in [
            None,
            Some(""),
            Some("../1"),
            Some("1a"),
            Some("٣"),
            Some("123456789012345678901"),
        ] {
            let error = refused(kind, |wanted| wanted.parent = bad);
            assert!(error.starts_with("payment"), "{bad:?}: {error}");
        }
    }
}
