//! A whole adapter for a gateway of your own, and its check by the kit.
//!
//! `cargo run --example custom_provider --features conformance`. The gateway is invented: it takes
//! charges at `POST /charges`, reads the key in the header `Request-Key`, and answers a repeat with
//! the first one's reply for 24 hours. `GET /charges?key=...` shows what a key made.
#![expect(clippy::unwrap_used, clippy::print_stdout, reason = "an example")]

use std::time::{Duration, SystemTime};

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::{HeaderMap, Method, StatusCode};
use payonce::conformance::{Finds, Fixture, Kit, Means, Sought};
use payonce::provider::{
    Account, Alphabet, AmountForm, AmountRule, Call, Details, Echo, Effect, EncodeError, Fact,
    Finding, KeyFormat, LookUp, LookUpStep, Match, Mode, OnRepeat, Placement, Provider,
    ProviderName, Query, Refusal, Request, Response, Retention, Rule, Ruling, Verdict, by_status,
};
use payonce::{Currency, Doubt, IdempotencyKey, Money, OperationKind, Problem, Source};
use secrecy::{ExposeSecret, SecretString};

#[derive(Debug)]
struct Acme(SecretString);

// What the gateway documents: each fact with the page that states it.
const DOCS: &str = "https://acme.example/docs/idempotency";
const KEY: KeyFormat = KeyFormat::new(64, Alphabet::VisibleAscii);
const AMOUNT: AmountRule = AmountRule::iso(AmountForm::MinorInteger, 12);

impl Provider for Acme {
    fn name(&self) -> ProviderName {
        ProviderName::new("acme")
    }

    fn account(&self) -> Account {
        Account::new(self.name(), "main", Mode::Test, "https://api.acme.example")
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        let (hour, day) = (Duration::from_secs(3600), Duration::from_secs(24 * 3600));
        (kind == OperationKind::Charge).then_some(Rule {
            placement: Fact::new(Placement::Header("Request-Key"), DOCS),
            key_again: Fact::new(Some("key"), DOCS),
            reference_field: Fact::new(Some("order"), DOCS),
            key_format: Fact::new(KEY, DOCS),
            retention: Fact::new(Some(Retention::new(day, hour)), DOCS),
            on_repeat: Fact::new(OnRepeat::Replays, DOCS),
            settling: Fact::new(Duration::from_secs(60), "not documented: the safe reading"),
            look_up_reliable: Fact::new(false, "not documented: the safe reading"),
            reversal_final: Fact::new(false, "not documented: the safe reading"),
            baseline: Fact::new(false, DOCS),
            one_capture: Fact::new(true, DOCS),
            amount: Fact::new(AMOUNT, "https://acme.example/docs/amounts"),
        })
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let in_key = |problem| EncodeError::field("key", problem);
        KEY.check(call.key).map_err(in_key)?;
        let token = details.source.and_then(Source::expose_token);
        let Some(token) = token.filter(|token| token.starts_with("tok_")) else {
            let problem = Problem::other("is no token of Acme: give one (tok_...)");
            return Err(EncodeError::field("source", problem));
        };
        let body = serde_json::json!({
            "amount": AMOUNT.render(call.money)?.parse::<i64>().unwrap_or_default(),
            "currency": call.money.currency().code(),
            "token": token,
            "order": call.reference,
            "key": call.key.as_str(),
            "back": details.return_url,
            "note": details.description,
            "own": details.metadata,
        });
        let key = HeaderValue::from_str(call.key.as_str())
            .map_err(|_| in_key(Problem::other("cannot stand in a header")))?;
        Ok(Request::new(Method::POST, "/charges")
            .with_body("application/json", body.to_string())
            .with_header(HeaderName::from_static("request-key"), key))
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        let value = format!("Bearer {}", self.0.expose_secret());
        let problem = |_| EncodeError::field("secret", Problem::other("is no secret of Acme"));
        let mut value = HeaderValue::from_str(&value).map_err(problem)?;
        value.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, value);
        Ok(())
    }

    /// Only what is documented says more than the status does.
    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        let body = reply.json().unwrap_or_default();
        let text = |name: &str| body.get(name).and_then(serde_json::Value::as_str);
        let ruling = match (reply.status.as_u16(), text("error")) {
            (200, None) => paid(&body),
            (402, Some(code @ ("no_money" | "card_blocked"))) => {
                Some(Ruling::Declined(Refusal::new(code)))
            }
            (400, Some(code @ "wrong_request")) => Some(Ruling::Rejected(Refusal::new(code))),
            (409, Some("key_in_use")) => Some(Ruling::InProgress),
            (429, Some("slow_down")) => Some(Ruling::NoEffect),
            _ => None,
        };
        let Some(ruling) = ruling else {
            return by_status(reply);
        };
        // Every object of Acme names its key: one that names another is not ours.
        let names_a_key = matches!(ruling, Ruling::Succeeded(_) | Ruling::Declined(_));
        let echo = match text("key") {
            Some(key) if key == call.key.as_str() => Echo::Ours,
            Some(_) => Echo::Foreign,
            None if names_a_key => Echo::Missing,
            None => Echo::NotExpected,
        };
        Verdict::new(ruling)
            .with_echo(echo)
            .with_kept(names_a_key)
            .with_replayed(reply.header("request-replayed") == Some("true"))
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }
}

fn paid(body: &serde_json::Value) -> Option<Ruling> {
    let text = |name: &str| body.get(name)?.as_str();
    let money = Money::from_minor(
        body.get("amount")?.as_i64()?,
        text("currency")?.parse().ok()?,
    );
    let id = text("id").filter(|id| !id.is_empty())?;
    match text("state")? {
        state @ "paid" => Some(Ruling::Succeeded(Effect::new(id, money.ok()?, state))),
        _ => None,
    }
}

impl LookUp for Acme {
    fn next(&self, call: &Call<'_>, _: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let Some(reply) = replies.first() else {
            let bytes = call.key.as_str().as_bytes();
            let key: String = form_urlencoded::byte_serialize(bytes).collect();
            let request = Request::new(Method::GET, format!("/charges?key={key}"));
            return LookUpStep::Ask(request);
        };
        let body = reply.json().unwrap_or_default();
        let missing = body
            .get("error")
            .is_some_and(|error| error == "no_such_charge");
        let verdict = self.classify(call, reply);
        let found = verdict.provider_id().map(str::to_owned);
        LookUpStep::Done(match (reply.status, found) {
            (StatusCode::NOT_FOUND, None) if missing => Finding::Absent,
            (StatusCode::OK, Some(id)) => Finding::Found(vec![Match::new(id, verdict)]),
            _ => Finding::Unclear(Doubt::LookUpUnclear {
                problem: "the reply could not be read".to_owned(),
            }),
        })
    }
}

/// In a crate of your own this is a test, with one fixture for every documented reply.
#[test]
fn it_keeps_its_promises() {
    main();
}

fn main() {
    let key = IdempotencyKey::new("0190b5a0-1c2d-7e3f-8a4b-5c6d7e8f9a0b");
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    let id = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let call = Call::new(OperationKind::Charge, id, "order-1042", &key, money);
    let reply = |status: StatusCode, body: &str| {
        let body = body.replace("KEY", key.as_str()).into_bytes();
        Response::new(status, HeaderMap::new(), body)
    };
    let paid = r#"{"id":"ch_1","state":"paid","amount":48000,"currency":"SAR","key":"KEY"}"#;
    let paid = || reply(StatusCode::OK, paid);
    let refused = reply(
        StatusCode::PAYMENT_REQUIRED,
        r#"{"error":"no_money","key":"KEY"}"#,
    );
    let missing = reply(StatusCode::NOT_FOUND, r#"{"error":"no_such_charge"}"#);
    let find = |name, reply, finds| Sought::new(name, &call, [reply], finds);
    Kit::new(
        Acme(SecretString::from("sk_test_SENTINEL")),
        "sk_test_SENTINEL",
    )
    .source(Source::token("tok_1"))
    .source(Source::token("tok_2"))
    .fixture(Fixture::new("paid", &call, paid(), Means::Succeeded).decided_by(&["/amount", "/id"]))
    .fixture(Fixture::new("no money", &call, refused, Means::Declined).decided_by(&[]))
    .sought(find("found", paid(), Finds::One(Means::Succeeded)).decided_by(&["/amount", "/id"]))
    .sought(find("nothing", missing, Finds::Absent))
    .check()
    .assert_ok();
    println!("the adapter keeps every promise that the kit checks");
}
