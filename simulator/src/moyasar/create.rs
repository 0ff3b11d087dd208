//! `POST /v1/payments` (PAY, IDEM).

use std::collections::BTreeMap;

use http::StatusCode;

use super::auth::Scope;
use super::body::Body;
use super::config::Repeat;
use super::error::ApiError;
use super::payment::{Payment, PaymentStatus};
use super::tokens::{self, Decline, Trial};
use super::{Moyasar, id};
use crate::effect::EffectKind;
use crate::exchange::{Reply, Request};
use crate::fault::Steer;

/// 1.00 SAR (PAY). It is documented without a currency, so it holds for all of them.
const LEAST_AMOUNT: i64 = 100;

/// Members that Moyasar takes and that change nothing in this simulation.
const WITHOUT_EFFECT: [&str; 3] = ["splits", "recipient", "sender"];

/// A payment that somebody wants to make.
#[derive(Debug)]
pub(super) struct Create {
    given_id: Option<String>,
    amount: i64,
    currency: String,
    description: Option<String>,
    callback_url: String,
    metadata: BTreeMap<String, String>,
    token: String,
    manual: bool,
}

impl Create {
    pub(super) fn parse(request: &Request) -> Result<Self, ApiError> {
        let mut body = Body::parse(request)?;
        let given_id = body.text("given_id");
        if given_id.as_deref().is_some_and(|given| !id::is_uuid(given)) {
            body.wrong("given_id", "must be a UUID in lowercase with dashes");
        }
        if body.is_missing("amount") {
            body.wrong("amount", "can't be blank");
        }
        let amount = body.integer("amount", LEAST_AMOUNT);
        // The default is documented.
        let currency = body.text("currency").unwrap_or_else(|| "SAR".to_owned());
        let is_code = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
        if !is_code {
            body.wrong("currency", "must be an ISO 4217 code in uppercase");
        }
        let callback_url = body.required("callback_url");
        let is_address = |url: &String| url.starts_with("https://") || url.starts_with("http://");
        if callback_url.as_ref().is_some_and(|url| !is_address(url)) {
            body.wrong("callback_url", "must be an http or https address");
        }
        // A coupon would change the amount; there are none here.
        if body.boolean("apply_coupon") == Some(true) {
            body.wrong("apply_coupon", "there are no coupons in the simulator");
        }
        let description = body.text("description");
        let metadata = body.metadata();
        let source = source(&mut body);
        body.ignore(&WITHOUT_EFFECT);
        body.finish()?;
        // What is missing was found wrong above.
        let (Some(amount), Some(callback_url), Some((token, manual))) =
            (amount, callback_url, source)
        else {
            return Err(ApiError::invalid("Validation Failed"));
        };
        Ok(Self {
            given_id,
            amount,
            currency,
            description,
            callback_url,
            metadata,
            token,
            manual,
        })
    }
}

/// The token, and whether it is only to be authorized.
fn source(body: &mut Body) -> Option<(String, bool)> {
    if body.is_missing("source") {
        body.wrong("source", "can't be blank");
    }
    let mut source = body.object("source")?;
    let kind = source.required("type");
    if kind.is_some_and(|kind| kind != "token") {
        let why = "the simulator knows tokens only; numbers of cards have no place in a backend";
        source.wrong("type", why);
    }
    let token = source.required("token");
    if token
        .as_deref()
        .is_some_and(|token| tokens::trial_of(token).is_none())
    {
        let why = "is not a token; the simulator knows token_visa, token_mada, token_mastercard, \
                   token_declined, token_insufficient_funds, token_3ds and a few more";
        source.wrong("token", why);
    }
    let manual = source.boolean("manual").unwrap_or(false);
    // The token decides, not this: without a special permission `false` is not obeyed, and the
    // payment comes back `initiated` all the same (PAY).
    source.boolean("3ds");
    source.text("cvc");
    source.text("statement_descriptor");
    body.absorb(source);
    Some((token?, manual))
}

impl Moyasar {
    pub(super) fn create(
        &mut self,
        scope: &Scope,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let create = Create::parse(request)?;
        let taken = create.given_id.as_deref();
        if let Some(number) = taken.and_then(|id| self.payments.find(scope, id)) {
            return self.repeat(number, request);
        }
        let trial = trial(&create.token, steer);
        let number = self.add(scope, create, request);
        match trial {
            Trial::Approved => self.pay(number),
            Trial::Declined(decline) => self.fail(number, &decline),
            Trial::ThreeDSecure => {
                let url = page_of(request, number);
                self.change(number, |payment| payment.transaction_url = Some(url));
            }
            // Moyasar has no word for "no result yet": a payment that is initiated and has no
            // page comes nearest.
            Trial::Pending => {}
        }
        self.show(number, StatusCode::CREATED)
    }

    /// The id is taken. What makes it another payment is not documented: here every other body.
    fn repeat(&self, number: u64, request: &Request) -> Result<Reply, ApiError> {
        let same = self.payments.get(number);
        let same = same.is_some_and(|payment| payment.body == request.body);
        match self.config.repeat {
            Repeat::Stored if same => self.show(number, StatusCode::OK),
            Repeat::StoredAsCreated if same => self.show(number, StatusCode::CREATED),
            Repeat::AlreadyCreated | Repeat::Stored | Repeat::StoredAsCreated => {
                Err(ApiError::already_created())
            }
        }
    }

    fn add(&mut self, scope: &Scope, create: Create, request: &Request) -> u64 {
        let now = self.now;
        let id = create
            .given_id
            .clone()
            .unwrap_or_else(|| self.fresh_id(scope));
        self.payments.add(Payment {
            description: create.description,
            callback_url: Some(create.callback_url),
            metadata: create.metadata,
            token: create.token,
            manual: create.manual,
            given_id: create.given_id,
            body: request.body.clone(),
            ..Payment::new(id, scope, create.amount, create.currency, now)
        })
    }

    /// The card was approved: money is taken or reserved.
    pub(super) fn pay(&mut self, number: u64) {
        let now = self.now;
        self.change(number, |payment| {
            payment.status = if payment.manual {
                PaymentStatus::Authorized
            } else {
                PaymentStatus::Paid
            };
            payment.paid_at = Some(now);
            payment.message = Some("APPROVED".to_owned());
            payment.response_code = Some("00".to_owned());
        });
        let Some(payment) = self.payments.get(number).cloned() else {
            return;
        };
        let kind = if payment.manual {
            EffectKind::Authorize
        } else {
            EffectKind::Charge
        };
        self.moved(kind, &payment, payment.amount, payment.given_id.clone());
    }

    /// The card was declined. The payment stays failed: its id is spent (IDEM).
    pub(super) fn fail(&mut self, number: u64, decline: &Decline) {
        self.change(number, |payment| {
            payment.status = PaymentStatus::Failed;
            payment.message = Some(decline.message.clone());
            payment.response_code.clone_from(&decline.response_code);
        });
    }
}

fn trial(token: &str, steer: Option<&Steer>) -> Trial {
    match steer {
        Some(Steer::Decline { code, decline_code }) => {
            Trial::Declined(Decline::of(decline_code.as_deref().unwrap_or(code)))
        }
        Some(Steer::RequireAction(_)) => Trial::ThreeDSecure,
        Some(Steer::Processing) => Trial::Pending,
        Some(Steer::StoredError { .. }) | None => {
            tokens::trial_of(token).unwrap_or_else(|| Trial::Declined(Decline::of("declined")))
        }
    }
}

/// The page for the customer, at the address that the client used for the simulator.
fn page_of(request: &Request, number: u64) -> String {
    let host = request.header("host");
    let host = host.as_deref().unwrap_or("simulator.example");
    format!("http://{host}/moyasar/transactions/{number}")
}
