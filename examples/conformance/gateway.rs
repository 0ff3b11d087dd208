//! An adapter for a gateway that does not exist: a charge with a key in a header, a refund with a
//! key in the body, and a void that leaves no trace but the payment's state.

use std::time::{Duration, SystemTime};

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use payonce::provider::{
    Account, Alphabet, AmountForm, AmountRule, Baseline, Call, Close, CloseReply, Closing, Details,
    Echo, Effect, EncodeError, Fact, Finding, KeyFormat, LookUp, LookUpStep, Match, Mode, OnRepeat,
    Placement, Provider, ProviderName, Query, Refusal, Request, Response, Rule, Ruling, Verdict,
    by_status,
};
use payonce::{Currency, Doubt, OperationKind, Problem};
use serde_json::{Value, json};

const AMOUNT: AmountRule = AmountRule::iso(AmountForm::DecimalString, 10)
    .with_steps(&[(Currency::KWD, 10)])
    .with_currencies(&[Currency::SAR, Currency::USD, Currency::KWD, Currency::JPY]);

const KEY: KeyFormat = KeyFormat::new(64, Alphabet::VisibleAscii);

/// An account at the gateway.
#[derive(Clone)]
pub(crate) struct Gateway {
    label: String,
    secret: String,
}

impl Gateway {
    pub(crate) fn new(label: &str, secret: &str) -> Self {
        Self {
            label: label.to_owned(),
            secret: secret.to_owned(),
        }
    }
}

impl std::fmt::Debug for Gateway {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Gateway")
            .field("label", &self.label)
            .finish_non_exhaustive()
    }
}

const fn fact<T>(value: T) -> Fact<T> {
    Fact::new(value, "https://gateway.example/docs")
}

fn rule(
    placement: Placement,
    again: Option<&'static str>,
    reference: Option<&'static str>,
) -> Rule {
    let nowhere = placement == Placement::Nowhere;
    Rule {
        placement: fact(placement),
        key_again: fact(again),
        reference_field: fact(reference),
        key_format: fact(KEY),
        retention: fact(None),
        on_repeat: fact(if nowhere {
            OnRepeat::RunsAgain
        } else {
            OnRepeat::ReplaysSuccess
        }),
        settling: Fact::new(Duration::from_secs(60), "not documented, safe reading"),
        look_up_reliable: Fact::new(false, "not documented, safe reading"),
        reversal_final: Fact::new(false, "not documented, safe reading"),
        baseline: fact(nowhere),
        one_capture: fact(true),
        amount: fact(AMOUNT),
    }
}

/// An id that may stand in a path.
fn id(text: Option<&str>) -> Option<&str> {
    text.filter(|id| !id.is_empty() && id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_'))
}

fn parent<'a>(call: &Call<'a>) -> Result<&'a str, EncodeError> {
    let problem = || EncodeError::field("payment", Problem::other("is no payment: give its id"));
    id(call.parent).ok_or_else(problem)
}

fn token<'a>(details: &Details<'a>) -> Result<&'a str, EncodeError> {
    let token = details.source.and_then(|source| source.expose_token());
    let problem =
        || EncodeError::field("source", Problem::other("is no token: give one (tok_...)"));
    token
        .filter(|token| id(Some(token)).is_some())
        .ok_or_else(problem)
}

impl Provider for Gateway {
    fn name(&self) -> ProviderName {
        ProviderName::new("gateway")
    }

    fn account(&self) -> Account {
        let url = "https://api.gateway.example";
        Account::new(self.name(), self.label.as_str(), Mode::Test, url)
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        match kind {
            OperationKind::Charge => Some(rule(
                Placement::Header("Request-Key"),
                Some("meta.key"),
                Some("meta.reference"),
            )),
            OperationKind::Refund => Some(rule(Placement::Body("key"), None, Some("reference"))),
            OperationKind::Void => Some(rule(Placement::Nowhere, None, None)),
            _ => None,
        }
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let refused = |problem| EncodeError::field("key", problem);
        KEY.check(call.key).map_err(refused)?;
        let key = call.key.as_str();
        let amount = AMOUNT.render(call.money)?;
        let (path, body) = match call.kind {
            OperationKind::Charge => {
                let mut meta = json!({ "key": key, "reference": call.reference });
                for (name, value) in details.metadata {
                    meta[format!("own_{name}")] = json!(value);
                }
                let body = json!({
                    "amount": amount,
                    "currency": call.money.currency().code(),
                    "token": token(details)?,
                    "back": details.return_url,
                    "meta": meta,
                });
                ("/payments".to_owned(), body)
            }
            OperationKind::Refund => {
                let body = json!({ "amount": amount, "key": key, "reference": call.reference });
                (format!("/payments/{}/refund", parent(call)?), body)
            }
            OperationKind::Void => (format!("/payments/{}/void", parent(call)?), json!({})),
            kind => return Err(EncodeError::unsupported(format!("it cannot {kind}"))),
        };
        let request =
            Request::new(Method::POST, path).with_body("application/json", body.to_string());
        match HeaderValue::from_str(key) {
            Ok(value) if call.kind == OperationKind::Charge => {
                Ok(request.with_header(HeaderName::from_static("request-key"), value))
            }
            _ => Ok(request),
        }
    }

    fn authorize(&self, request: &mut Request, _now: SystemTime) -> Result<(), EncodeError> {
        let mut value = HeaderValue::from_str(&format!("Bearer {}", self.secret))
            .map_err(|_| EncodeError::field("secret", Problem::other("is no secret of it")))?;
        value.set_sensitive(true);
        request.headers.insert(AUTHORIZATION, value);
        Ok(())
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        let body = reply.json().unwrap_or_default();
        match (reply.status.as_u16(), body["error"].as_str()) {
            (200, None) => object(call, &body).unwrap_or_else(|| by_status(reply)),
            (402, Some(code @ "no_money")) => Verdict::new(Ruling::Declined(Refusal::new(code)))
                .with_echo(echo(call, &body))
                .with_kept(true),
            (400, Some(code @ "wrong_request")) => {
                Verdict::new(Ruling::Rejected(Refusal::new(code)))
            }
            (409, Some("key_in_use")) => Verdict::new(Ruling::InProgress),
            (429, Some("slow_down")) => Verdict::new(Ruling::NoEffect),
            _ => by_status(reply),
        }
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        Some(self)
    }

    fn close(&self, kind: OperationKind) -> Option<&dyn Close> {
        (kind == OperationKind::Charge).then_some(self as &dyn Close)
    }
}

impl Close for Gateway {
    fn close_request(&self, _: &Call<'_>, closing: &Closing<'_>) -> Result<Request, EncodeError> {
        let problem = || EncodeError::field("payment", Problem::other("is no payment"));
        let id = id(Some(closing.provider_id)).ok_or_else(problem)?;
        Ok(Request::new(Method::POST, format!("/payments/{id}/cancel")))
    }

    fn close_reply(&self, _: &Call<'_>, closing: &Closing<'_>, reply: &Response) -> CloseReply {
        let body = reply.json().unwrap_or_default();
        let ours = body["id"].as_str() == Some(closing.provider_id);
        let status = reply.status.as_u16();
        match (status, body["state"].as_str(), body["error"].as_str()) {
            (200, Some("canceled"), None) if ours => CloseReply::Ended,
            (409, _, Some("not_open")) => CloseReply::Refused,
            (429, _, Some("slow_down")) => CloseReply::NoEffect,
            _ => CloseReply::Unknown(Doubt::Undocumented { status, code: None }),
        }
    }
}

fn echo(call: &Call<'_>, body: &Value) -> Echo {
    if call.kind == OperationKind::Void {
        return Echo::NotExpected;
    }
    match body["key"].as_str() {
        Some(key) if key == call.key.as_str() => Echo::Ours,
        Some(_) => Echo::Foreign,
        None => Echo::Missing,
    }
}

/// What an object of the gateway says.
fn object(call: &Call<'_>, body: &Value) -> Option<Verdict> {
    let wanted = match call.kind {
        OperationKind::Charge => "paid",
        OperationKind::Refund => "refunded",
        _ => "voided",
    };
    let state = body["state"].as_str()?;
    let id = id(body["id"].as_str())?;
    if call.kind == OperationKind::Void && Some(id) != call.parent {
        return None;
    }
    let ruling = match state {
        state if state == wanted => {
            let currency: Currency = body["currency"].as_str()?.parse().ok()?;
            let money = payonce::Money::parse(body["amount"].as_str()?, currency).ok()?;
            Ruling::Succeeded(Effect::new(id, money, state))
        }
        "failed" => Ruling::Declined(Refusal::new(state).with_provider_id(Some(id))),
        _ => return None,
    };
    Some(Verdict::new(ruling).with_echo(echo(call, body)))
}

fn unclear() -> LookUpStep {
    let problem = "the reply could not be read".to_owned();
    LookUpStep::Done(Finding::Unclear(Doubt::LookUpUnclear { problem }))
}

impl LookUp for Gateway {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let is_void = call.kind == OperationKind::Void;
        let key: String = form_urlencoded::byte_serialize(call.key.as_str().as_bytes()).collect();
        let Some(reply) = replies.first() else {
            return match id(call.parent) {
                Some(id) if is_void => {
                    LookUpStep::Ask(Request::new(Method::GET, format!("/payments/{id}")))
                }
                _ if is_void => unclear(),
                _ => LookUpStep::Ask(Request::new(Method::GET, format!("/payments?key={key}"))),
            };
        };
        let body = reply.json().unwrap_or_default();
        if reply.status == StatusCode::NOT_FOUND && body["error"] == "no_such_payment" {
            return LookUpStep::Done(Finding::Absent);
        }
        // A void that shows was ours only if the payment was not void before.
        if reply.status != StatusCode::OK || is_void && query.baseline != Some("paid") {
            return unclear();
        }
        match (body["id"].as_str(), object(call, &body)) {
            (Some(id), Some(mut verdict)) => {
                // Nothing names the void: it is inferred from what the payment was before.
                if let (true, Ruling::Succeeded(effect)) = (is_void, &mut verdict.ruling) {
                    effect.inferred = true;
                }
                LookUpStep::Done(Finding::Found(vec![Match::new(id, verdict)]))
            }
            _ => unclear(),
        }
    }
}

impl Baseline for Gateway {
    fn request(&self, call: &Call<'_>) -> Request {
        let id = id(call.parent).unwrap_or("none");
        Request::new(Method::GET, format!("/payments/{id}"))
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        let body = reply.json().unwrap_or_default();
        match body["state"].as_str() {
            Some(state) if body["id"].as_str() == call.parent => Ok(state.to_owned()),
            _ => Err(Doubt::LookUpUnclear {
                problem: "the payment could not be read".to_owned(),
            }),
        }
    }
}
