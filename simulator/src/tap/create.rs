//! `POST /v2/charges` and `POST /v2/authorize` (CHG, AUT). A charge whose source is an authorization
//! captures it.

use http::StatusCode;

use super::Tap;
use super::auth::Scope;
use super::body::{Body, Read};
use super::error::ApiError;
use super::outcome::{self, Trial};
use super::record::{Kind, Record};
use crate::effect::EffectKind;
use crate::exchange::{Reply, Request};
use crate::fault::Steer;

/// Fields that Tap takes and that change nothing in this simulation.
const WITHOUT_EFFECT: [&str; 8] = [
    "save_card",
    "order",
    "merchant",
    "post",
    "platform",
    "statement_descriptor",
    "transaction",
    "receipt",
];

impl Tap {
    pub(super) fn create(
        &mut self,
        kind: Kind,
        scope: &Scope,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Read<Reply> {
        let record = self.parse(kind, scope, request)?;
        if kind == Kind::Charge && record.source.starts_with("auth_") {
            return self.capture(scope, record, steer);
        }
        let trial = outcome::of(&record.source, steer);
        let trial = trial.ok_or_else(|| ApiError::bad("1125", "Source id is invalid"))?;
        let now = self.now;
        let record = self.records.add(record);
        let id = record.id.clone();
        record.becomes("INITIATED", "100", now);
        match trial {
            Trial::Approved => self.pay(&id),
            Trial::Declined(code) => self.end(&id, "DECLINED", code),
            Trial::Page => record.page = Some(page_of(request, &id)),
            Trial::Waits => {}
        }
        self.show(&id)
    }

    fn parse(&self, kind: Kind, scope: &Scope, request: &Request) -> Read<Record> {
        let mut body = Body::parse(request)?;
        let money = body.money()?;
        let (key, reference) = body.reference(&[("transaction", "1123"), ("order", "1122")])?;
        customer(&mut body)?;
        let mut source = body.object("source")?;
        let id = match &mut source {
            Some(source) => source.text("id")?,
            None => None,
        };
        let id = id.ok_or_else(|| ApiError::bad("1124", "Source id is missing"))?;
        source.map_or(Ok(()), Body::finish)?;
        let mut redirect = body.object("redirect")?;
        let url = match &mut redirect {
            Some(redirect) => redirect.text("url")?,
            None => None,
        };
        let url = url.ok_or_else(|| ApiError::bad("1110", "Redirect URL is missing"))?;
        redirect.map_or(Ok(()), Body::finish)?;
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err(ApiError::bad("1111", "Redirect URL is invalid"));
        }
        // Without the customer there must be a payment agreement, and there is none here. A capture
        // may say neither (AUT).
        let away = body.flag("customer_initiated")? == Some(false);
        let plain = body.flag("threeDSecure")? == Some(false);
        if away || plain {
            return Err(ApiError::bad("1216", "Agreement id is missing"));
        }
        let (metadata, description) = (body.metadata()?, body.description()?);
        body.ignore(&WITHOUT_EFFECT);
        body.finish()?;
        Ok(Record {
            key,
            reference,
            metadata,
            description,
            source: id,
            redirect: Some(url),
            ..Record::new(kind, scope, money, self.now)
        })
    }

    /// Takes reserved money, once. That there is one capture is the stricter reading.
    fn capture(&mut self, scope: &Scope, mut new: Record, steer: Option<&Steer>) -> Read<Reply> {
        let id = new.source.clone();
        let held = self.find(scope, Kind::Authorize, &id, ("1115", "Authorize not found"))?;
        let (status, amount) = (held.status.clone(), held.amount);
        let (currency, since) = (held.currency.clone(), held.created);
        let age = self.now.duration_since(since).unwrap_or_default();
        if status != "AUTHORIZED" || age >= self.config.authorization_life {
            return Err(ApiError::bad("1114", "Please check the Authorize status"));
        }
        if currency != new.currency {
            let text = "Currency code is not matching with existing currency code";
            return Err(ApiError::bad("1149", text));
        }
        if new.amount > amount {
            let text = "Capture amount exceeds with the outstanding authorized amount";
            return Err(ApiError::bad("1150", text));
        }
        new.parent = Some(id.clone());
        let now = self.now;
        let record = self.records.add(new);
        let new = record.id.clone();
        record.becomes("INITIATED", "100", now);
        match outcome::steered(steer) {
            Some(Trial::Declined(code)) => self.end(&new, "FAILED", code),
            Some(Trial::Waits) => {}
            Some(Trial::Approved | Trial::Page) | None => self.pay(&new),
        }
        self.show(&new)
    }

    /// Money is taken or held.
    pub(super) fn pay(&mut self, id: &str) {
        let now = self.now;
        let Some(record) = self.records.get_mut(id) else {
            return;
        };
        let kind = match (record.kind, &record.parent) {
            (Kind::Authorize, _) => {
                record.becomes("AUTHORIZED", "001", now);
                EffectKind::Authorize
            }
            (Kind::Charge, Some(_)) => {
                record.becomes("CAPTURED", "000", now);
                EffectKind::Capture
            }
            (Kind::Charge, None) => {
                record.becomes("CAPTURED", "000", now);
                EffectKind::Charge
            }
            (Kind::Refund, _) => {
                record.becomes("REFUNDED", "000", now);
                EffectKind::Refund
            }
        };
        let record = record.clone();
        if let Some(parent) = &record.parent
            && let Some(parent) = self.records.get_mut(parent)
        {
            if kind == EffectKind::Capture {
                parent.becomes("CAPTURED", "000", now);
            } else {
                parent.refunded = parent.refunded.saturating_add(record.amount);
            }
        }
        self.moved(kind, &record);
    }

    /// It ended without money.
    pub(super) fn end(&mut self, id: &str, status: &str, code: &str) {
        let now = self.now;
        if let Some(record) = self.records.get_mut(id) {
            record.becomes(status, code, now);
        }
    }

    /// Releases what is held, whole (AUT). The request has no body and no key.
    pub(super) fn void(&mut self, scope: &Scope, id: &str, request: &Request) -> Read<Reply> {
        Body::parse(request)?.finish()?;
        let held = self.find(scope, Kind::Authorize, id, ("1115", "Authorize not found"))?;
        // What a second void gets is not documented.
        if held.status != "AUTHORIZED" {
            return Err(ApiError::bad("1114", "Please check the Authorize status"));
        }
        let held = held.clone();
        self.end(id, "VOID", "601");
        self.moved(EffectKind::Void, &held);
        self.show(id)
    }

    /// An object as its account sees it.
    pub(super) fn find(
        &self,
        scope: &Scope,
        kind: Kind,
        id: &str,
        (code, text): (&'static str, &str),
    ) -> Read<&Record> {
        let record = self.records.get(id);
        let record = record.filter(|record| record.kind == kind && record.is_of(scope));
        record.ok_or_else(|| ApiError::missing(code, text))
    }

    /// An object as a reply shows it.
    pub(super) fn show(&self, id: &str) -> Read<Reply> {
        let record = self.records.get(id);
        let record = record.ok_or_else(|| ApiError::missing("2102", "Request not found"))?;
        let shown = record.to_json(self.config.authorizations_list_activities);
        Ok(Reply::json(StatusCode::OK, &shown))
    }
}

/// An id, or a name and a way to reach the customer.
fn customer(body: &mut Body) -> Read<()> {
    let text = "Customer id or Customer information is required";
    let customer = body.object("customer")?;
    let mut customer = customer.ok_or_else(|| ApiError::bad("1129", text))?;
    if customer.text("id")?.is_none() {
        customer.required("first_name", ("1130", "Customer's first name is required"))?;
        let email = customer.text("email")?;
        let phone = customer.object("phone")?;
        if email.is_none() && phone.is_none() {
            let text = "Customer phone number or email address is required";
            return Err(ApiError::bad("1139", text));
        }
        if let Some(mut phone) = phone {
            let text = "Phone number country code is invalid";
            phone.required("country_code", ("1136", text))?;
            phone.required("number", ("1135", "Phone number is required"))?;
            phone.finish()?;
        }
    }
    customer.ignore(&["middle_name", "last_name"]);
    customer.finish()
}

/// The page for the customer, at the address that the client used for the simulator.
fn page_of(request: &Request, id: &str) -> String {
    let host = request.header("host");
    let host = host.as_deref().unwrap_or("simulator.example");
    format!("http://{host}/tap/pages/{id}")
}
