//! `POST /v2/payments`, and what ends an authorization (OAS, CAP).

use http::StatusCode;
use serde_json::json;

use super::Square;
use super::body::Body;
use super::error::ApiError;
use super::object::{Payment, Status};
use crate::effect::EffectKind;
use crate::exchange::{Reply, Request};
use crate::fault::Steer;

/// How a source ends. What begins with one of these does what its name says; every other token
/// pays (TST).
const DECLINES: [(&str, &str); 5] = [
    ("cnon:card-nonce-declined", "GENERIC_DECLINE"),
    ("cnon:card-nonce-rejected-cvv", "CVV_FAILURE"),
    (
        "cnon:card-nonce-rejected-postalcode",
        "ADDRESS_VERIFICATION_FAILURE",
    ),
    ("cnon:card-nonce-rejected-expiration", "INVALID_EXPIRATION"),
    ("ccof:customer-card-id-declined", "CARD_DECLINED"),
];

/// What a request for a payment asks for.
struct Order {
    key: String,
    source: String,
    amount: i64,
    autocomplete: bool,
    location: String,
    reference_id: String,
    note: String,
}

impl Square {
    pub(super) fn create(
        &mut self,
        account: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let order = self.order(request)?;
        if order.source == "cnon:card-nonce-already-used" {
            return Err(ApiError::invalid(
                "CARD_TOKEN_USED",
                "Card nonce already used.",
            ));
        }
        let declined = decline(&order.source, steer);
        let pending = matches!(steer, Some(Steer::Processing));
        let id = self.fresh_id("PAY");
        let status = match (&declined, pending, order.autocomplete) {
            (Some(_), ..) => Status::Failed,
            (None, true, _) => Status::Pending,
            (None, false, true) => Status::Completed,
            (None, false, false) => Status::Approved,
        };
        let payment = Payment {
            id,
            account: account.to_owned(),
            location: order.location,
            amount: order.amount,
            currency: self.config.currency.clone(),
            status,
            refunded: 0,
            reference_id: order.reference_id,
            note: order.note,
            source: order.source,
            key: order.key,
            created_at: self.now,
            updated_at: self.now,
        };
        self.payments.add(payment.clone());
        let shown = payment.to_json();
        if let Some(code) = declined {
            return Err(ApiError::declined(&code).beside("payment", shown));
        }
        match status {
            Status::Completed => self.moved(EffectKind::Charge, &payment, None),
            Status::Approved => self.moved(EffectKind::Authorize, &payment, None),
            Status::Pending | Status::Canceled | Status::Failed | Status::Rejected => {}
        }
        Ok(Reply::json(StatusCode::OK, &json!({ "payment": shown })))
    }

    fn order(&self, request: &Request) -> Result<Order, ApiError> {
        let mut body = Body::parse(request)?;
        let key = body.required("idempotency_key", 45)?;
        let source = body.required("source_id", 255)?;
        let customer = body.text("customer_id", 191)?;
        let amount = body.money(&self.config.currency)?;
        let autocomplete = body.flag("autocomplete", true)?;
        let location = body.text("location_id", 50)?;
        let reference_id = body.text("reference_id", 40)?;
        let note = body.text("note", 500)?;
        body.finish()?;
        let on_file = source.starts_with("ccof:");
        if on_file && customer.is_empty() {
            let detail = "Cards on file are used with their customer.";
            return Err(ApiError::field(
                "customer_id",
                "MISSING_REQUIRED_PARAMETER",
                detail,
            ));
        }
        // Cash and the like are not simulated.
        if !on_file && !source.starts_with("cnon:") {
            return Err(ApiError::field("source_id", "INVALID_VALUE", "Not a card."));
        }
        let location = if location.is_empty() {
            self.config.main_location.clone()
        } else {
            location
        };
        Ok(Order {
            key,
            source,
            amount,
            autocomplete,
            location,
            reference_id,
            note,
        })
    }

    /// Takes what is reserved, all of it. A payment in another state is refused; with which code is
    /// not documented.
    pub(super) fn complete(
        &mut self,
        account: &str,
        id: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        Body::parse(request)?.finish()?;
        let captured = "DELAYED_TRANSACTION_CAPTURED";
        self.end(
            account,
            id,
            steer,
            (Status::Completed, EffectKind::Capture, captured),
        )
    }

    /// Releases what is reserved.
    pub(super) fn cancel(
        &mut self,
        account: &str,
        id: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        if !request.body.is_empty() {
            Body::parse(request)?.finish()?;
        }
        let canceled = "DELAYED_TRANSACTION_CANCELED";
        self.end(
            account,
            id,
            steer,
            (Status::Canceled, EffectKind::Void, canceled),
        )
    }

    fn end(
        &mut self,
        account: &str,
        id: &str,
        steer: Option<&Steer>,
        (status, effect, already): (Status, EffectKind, &str),
    ) -> Result<Reply, ApiError> {
        let now = self.now;
        let missing = || ApiError::missing("payment");
        let payment = self.payment_of(account, id).ok_or_else(missing)?;
        if payment.status == status {
            return Err(ApiError::invalid(already, "It was done before."));
        }
        if payment.status != Status::Approved {
            let detail = format!("Payment is {}.", payment.status.as_str());
            return Err(ApiError::invalid("BAD_REQUEST", detail));
        }
        if let Some(Steer::Decline { .. }) = steer {
            return Err(ApiError::declined("GENERIC_DECLINE"));
        }
        payment.status = status;
        payment.updated_at = now;
        let payment = payment.clone();
        self.moved(effect, &payment, None);
        let body = json!({ "payment": payment.to_json() });
        Ok(Reply::json(StatusCode::OK, &body))
    }

    /// What nobody completed in time is released by itself (CAP). That is no request's doing, and so
    /// no movement that a client asked for.
    pub(super) fn cancel_the_old(&mut self) {
        let (now, life) = (self.now, self.config.authorization_life);
        for payment in self.payments.iter_mut() {
            let age = now.duration_since(payment.created_at);
            if payment.status == Status::Approved && age.is_ok_and(|age| age >= life) {
                payment.status = Status::Canceled;
                payment.updated_at = now;
            }
        }
    }
}

/// Why a payment is declined, if it is.
fn decline(source: &str, steer: Option<&Steer>) -> Option<String> {
    if let Some(Steer::Decline { decline_code, .. }) = steer {
        let reason = decline_code.as_deref().unwrap_or("generic_decline");
        return Some(reason.to_ascii_uppercase());
    }
    let known = DECLINES.iter().find(|(token, _)| *token == source);
    known.map(|(_, code)| (*code).to_owned())
}
