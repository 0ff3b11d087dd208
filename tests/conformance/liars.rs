//! A good adapter with one thing wrong each.

mod closes;
mod proceeds;
mod reads;

use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::SystemTime;

use http::header::{AUTHORIZATION, HeaderName, HeaderValue};
use http::{Method, StatusCode};
use payonce::provider::{
    Account, AmountForm, Baseline, Call, Close, Details, Echo, Effect, EncodeError, KeyFormat,
    LookUp, Mode, OnRepeat, PendingAt, Proceed, Provider, ProviderName, Refusal, Request, Response,
    Rule, Ruling, Verdict,
};
use payonce::{Doubt, Money, OperationKind};

use crate::gateway::Gateway;

/// The good adapter, and its lie by name.
pub(crate) struct Liar {
    good: Gateway,
    lie: &'static str,
    secret: &'static str,
    count: AtomicU64,
}

impl Liar {
    pub(crate) fn new(lie: &'static str, secret: &'static str) -> Self {
        Self {
            good: Gateway::new("main", secret),
            lie,
            secret,
            count: AtomicU64::new(0),
        }
    }

    fn is(&self, lie: &str) -> bool {
        self.lie == lie
    }

    fn count(&self) -> u64 {
        self.count.fetch_add(1, Ordering::Relaxed)
    }
}

impl fmt::Debug for Liar {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = if self.is("debug shows the secret") {
            self.secret
        } else {
            "..."
        };
        write!(f, "Liar({shown})")
    }
}

impl Provider for Liar {
    fn name(&self) -> ProviderName {
        match self.lie {
            "a name with capitals" => ProviderName::new("Gateway"),
            _ => self.good.name(),
        }
    }

    fn account(&self) -> Account {
        let (name, url) = (self.name(), "https://api.gateway.example");
        let account = |name, label: String, url| Account::new(name, label, Mode::Test, url);
        match self.lie {
            "the secret is the label" => account(name, self.secret.to_owned(), url),
            "a label from memory" => account(name, format!("main{}", self.count()), url),
            "no label" => account(name, String::new(), url),
            "plain http" => account(name, "main".to_owned(), "http://api.gateway.example"),
            "an account of another" => account(ProviderName::new("other"), "main".to_owned(), url),
            _ => account(name, "main".to_owned(), url),
        }
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        let mut rule = self.good.rule(kind)?;
        let void = kind == OperationKind::Void;
        match self.lie {
            "a fact without a source" => rule.settling.source = "everybody knows",
            "a rule from memory" => rule.one_capture.value = self.count().is_multiple_of(2),
            "no key, and replays" if void => rule.on_repeat.value = OnRepeat::Replays,
            "no trace, and no baseline" if void => rule.baseline.value = false,
            "keys that do not fit" => {
                let format = rule.key_format.value;
                rule.key_format.value = KeyFormat::new(20, format.alphabet);
            }
            "another spelling of amounts" => rule.amount.value.form = AmountForm::MinorInteger,
            _ => {}
        }
        Some(rule)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        encode(self, call, details)
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        match self.lie {
            "authorize adds nothing" => return Ok(()),
            "a key that authorize adds" => {
                let key = request.headers.get("request-key").cloned();
                if let Some(key) = key {
                    let name = HeaderName::from_static("x-key");
                    request.headers.insert(name, key);
                }
            }
            "authorize is random" => {
                let name = HeaderName::from_static("x-nonce");
                let nonce = HeaderValue::from(self.count());
                request.headers.insert(name, nonce);
            }
            _ => {}
        }
        self.good.authorize(request, now)?;
        if self.is("a header that is not sensitive") {
            let open = HeaderValue::from_str(&format!("Bearer {}", self.secret)).unwrap();
            request.headers.insert(AUTHORIZATION, open);
        }
        Ok(())
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        classify(self, call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        (!self.is("no look-up")).then_some(self)
    }

    fn proceed(&self, kind: OperationKind) -> Option<&dyn Proceed> {
        (kind == OperationKind::Charge).then_some(self as &dyn Proceed)
    }

    fn close(&self, kind: OperationKind) -> Option<&dyn Close> {
        (kind == OperationKind::Charge).then_some(self as &dyn Close)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        (!self.is("no baseline")).then_some(self)
    }
}

/// The body with one text in the place of another.
fn replaced(mut request: Request, from: &str, to: &str) -> Request {
    let body = String::from_utf8(request.body).unwrap();
    request.body = body.replace(from, to).into_bytes();
    request
}

#[expect(clippy::too_many_lines, reason = "one line for each lie")]
fn encode(liar: &Liar, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
    let (key, kind) = (call.key.as_str(), call.kind);
    let charge = kind == OperationKind::Charge;
    let mut call = call.clone();
    let money = call.money;
    let in_sar = payonce::Currency::SAR;
    match liar.lie {
        "encode refuses everything" => return Err(EncodeError::unsupported("no")),
        "who pays must be known" if charge && details.customer.is_none() => {
            return Err(EncodeError::unsupported("nobody pays"));
        }
        "encode panics" => assert!(!charge, "a fault"),
        "an error with the token" if charge => {
            let token = details.source.and_then(|source| source.expose_token());
            if token.is_some_and(|token| token.contains("../")) {
                let text = format!("{} is strange", token.unwrap_or_default());
                return Err(EncodeError::unsupported(text));
            }
        }
        "an error with the secret" if call.money.minor() == Money::MAX_MINOR => {
            return Err(EncodeError::unsupported(format!("{} is poor", liar.secret)));
        }
        "amounts are rounded" => {
            let step = if money.currency() == payonce::Currency::KWD {
                10
            } else {
                1
            };
            let whole = money.minor().saturating_sub(money.minor().rem_euclid(step));
            call.money = Money::from_minor(whole, money.currency()).unwrap();
        }
        "every currency is taken" => call.money = Money::from_minor(money.minor(), in_sar).unwrap(),
        "a parent of its own" if kind == OperationKind::Refund => {
            call.parent = call.parent.or(Some("p_0"));
        }
        _ => {}
    }
    let short = payonce::IdempotencyKey::new(key.chars().take(32).collect::<String>());
    let harmless = payonce::IdempotencyKey::new("k");
    let honest = liar.good.encode(&call, details);
    let request = match (liar.lie, honest) {
        ("any key is taken", Err(_)) if charge && call.money.minor() == 48_000 => {
            call.key = &harmless;
            liar.good.encode(&call, details)?
        }
        ("a parent as it is", Err(_)) if call.parent.is_some_and(|id| !id.starts_with("p_")) => {
            let path = format!("/payments/{}/refund", call.parent.unwrap());
            Request::new(Method::POST, path)
        }
        ("the key is cut", Ok(_)) => {
            call.key = &short;
            liar.good.encode(&call, details)?
        }
        (_, honest) => honest?,
    };
    let quoted = |text: &str| format!("\"{text}\"");
    let decimal = money.to_decimal();
    Ok(match liar.lie {
        "bytes from memory" => replaced(request, "{", &format!("{{\"n\":{},", liar.count())),
        "fields in no order" if charge && liar.count().is_multiple_of(2) => {
            let (from, to) = ("\"own_a\":\"a of the shop\",", "");
            replaced(
                replaced(request, from, to),
                "\"key\"",
                "\"own_a\":\"a of the shop\",\"key\"",
            )
        }
        "no key in the header" => {
            let mut request = request;
            request.headers.remove("request-key");
            request
        }
        "no key in the body" if !charge => {
            replaced(request, &format!("\"key\":\"{key}\""), "\"k\":1")
        }
        "the key in capitals" => replaced(request, key, &key.to_ascii_uppercase()),
        "the key twice in the body" if !charge => {
            replaced(request, "\"key\":", &format!("\"key\":\"{key}\",\"key\":"))
        }
        "the key in the query too" => {
            let mut request = request;
            let key: String = form_urlencoded::byte_serialize(key.as_bytes()).collect();
            request.path = format!("{}?k={key}", request.path);
            request
        }
        "the key is not written again" if charge => replaced(request, key, "-"),
        "a key where there is none" if kind == OperationKind::Void => {
            replaced(request, "{}", &format!("{{\"key\":\"{}\"}}", call.key))
        }
        "no reference" => replaced(request, &quoted(call.reference), "\"-\""),
        "a reference in ASCII" if charge => {
            let ascii: String = call.reference.chars().filter(char::is_ascii).collect();
            replaced(request, &quoted(call.reference), &quoted(&ascii))
        }
        "amounts in cents" => replaced(
            request,
            &quoted(&decimal),
            &quoted(&money.minor().to_string()),
        ),
        "no amount" if kind == OperationKind::Refund => {
            replaced(request, &quoted(&decimal), "\"1\"")
        }
        "no currency" => replaced(request, &quoted(money.currency().code()), "\"SAR\""),
        "no source" => replaced(replaced(request, "tok_1", "t"), "tok_2", "t"),
        "one parent for all" => {
            let mut request = request;
            request.path = request.path.replace("p_9", "p_0");
            request
        }
        "the secret in the body" => {
            replaced(request, "{", &format!("{{\"s\":\"{}\",", liar.secret))
        }
        "signed by encode" => {
            let sum: u32 = liar.secret.bytes().map(u32::from).sum();
            replaced(request, "{", &format!("{{\"signature\":\"{sum}\","))
        }
        _ => request,
    })
}

fn unknown(status: u16) -> Ruling {
    Ruling::Unknown(Doubt::ServerError { status })
}

#[expect(clippy::too_many_lines, reason = "one line for each lie")]
fn classify(liar: &Liar, call: &Call<'_>, reply: &Response) -> Verdict {
    let status = reply.status.as_u16();
    let text = String::from_utf8_lossy(&reply.body);
    let refusal = || Refusal::new("no");
    let paid = || Ruling::Succeeded(Effect::new("p_1", call.money, "paid"));
    let mut ours = liar.good.classify(call, reply);
    let of_200 = || {
        let reply = Response::new(StatusCode::OK, reply.headers.clone(), reply.body.clone());
        liar.good.classify(call, &reply)
    };
    match (liar.lie, status) {
        ("a body is never empty", 200) => {
            assert!(!reply.body.is_empty(), "a fault");
        }
        ("memory of replies", 200) if liar.count().is_multiple_of(2) => {
            ours.ruling = Ruling::Repeated;
        }
        ("a 500 is a no", 500) | ("a 777 is a no", 777) => {
            ours.ruling = Ruling::Declined(refusal());
        }
        ("a 502 with a body is read", 502) | ("a redirect is read", 307) => ours = of_200(),
        ("a 200 is a success", 200) => ours.ruling = paid(),
        ("a 204 is canceled", 204) => ours.ruling = Ruling::Canceled(refusal()),
        ("a 404 is a no", 404) => ours.ruling = Ruling::Rejected(refusal()),
        ("a 429 had no effect", 429) | ("a 599 had no effect", 599) => {
            ours.ruling = Ruling::NoEffect;
        }
        ("a 401 is ours", 401) => ours.ruling = Ruling::Unauthorized,
        ("a page is a no", 403) if text.starts_with('<') => {
            ours.ruling = Ruling::Rejected(refusal());
        }
        ("a redirect is pending", 302) => ours.ruling = Ruling::Pending(PendingAt::new("p", "p")),
        ("a word is enough", 200) if text.contains("paid\"") => ours.ruling = paid(),
        ("all is kept", _) => ours.kept = true,
        ("all is ours", _) => ours.echo = Echo::Ours,
        ("no id is needed", 200) if text.contains("amount") => {
            let id = reply.json().unwrap_or_default()["id"]
                .as_str()
                .map(str::to_owned);
            if let (Some(body), None) = (reply.json(), id)
                && body["state"] == "paid"
            {
                ours.ruling = Ruling::Succeeded(Effect::new("", call.money, "paid"));
            }
        }
        ("declines are mistakes", 402) if matches!(ours.ruling, Ruling::Declined(_)) => {
            ours.ruling = Ruling::Rejected(refusal());
        }
        ("a 500 in JSON is a mistake", 500) if text.contains("internal") => {
            ours.ruling = Ruling::Rejected(refusal());
        }
        ("the key is not compared", _) if ours.echo == Echo::Foreign => ours.echo = Echo::Ours,
        ("the amount is not compared", _) => {
            if let Ruling::Succeeded(effect) = &mut ours.ruling
                && effect.money.currency() == call.money.currency()
            {
                effect.money = call.money;
            }
        }
        ("the currency is not compared", _) => {
            if let Ruling::Succeeded(effect) = &mut ours.ruling {
                let minor = effect.money.minor();
                effect.money = Money::from_minor(minor, call.money.currency()).unwrap();
            }
        }
        ("no currency is a no", 200) => {
            let body = reply.json().unwrap_or_default();
            if body["state"] == "paid" && !body["currency"].is_string() {
                ours.ruling = Ruling::Declined(refusal());
            }
        }
        ("a reply that guesses", 200) => {
            if let Ruling::Succeeded(effect) = &mut ours.ruling {
                effect.inferred = true;
            }
        }
        ("a decline that is not kept", 402) => ours.kept = false,
        ("a hint to wait had no effect", 404) if reply.headers.contains_key("retry-after") => {
            ours.ruling = Ruling::NoEffect;
        }
        ("nothing is read", _) => ours.ruling = unknown(status),
        _ => {}
    }
    ours
}
