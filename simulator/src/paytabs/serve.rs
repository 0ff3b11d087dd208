//! The layers that a request goes through: profile and key, validation, guard, execution.

use http::{Method, StatusCode};
use serde_json::Value;

use super::error::ApiError;
use super::order::{Body, Order};
use super::transaction::Transaction;
use super::{PayTabs, auth, refusal, tokens};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

/// Whether a request may move money.
pub(super) fn moves(request: &Request) -> bool {
    request.method == Method::POST && request.path == "/payment/request"
}

impl PayTabs {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        let trace = self.trace();
        let answered = self.answer(request, steer, &trace);
        match answered {
            Ok(reply) => reply,
            Err(error) => error.reply(&trace),
        }
    }

    fn answer(
        &mut self,
        request: &Request,
        steer: Option<&Steer>,
        trace: &str,
    ) -> Result<Reply, ApiError> {
        let reads = request.method == Method::POST && request.path == "/payment/query";
        if !reads && !moves(request) {
            let text = format!(
                "there is no {} {}; the simulator plays POST /payment/request and /payment/query",
                request.method, request.path
            );
            return Err(ApiError::new(StatusCode::NOT_FOUND, 2, text));
        }
        let mut body = Body::parse(request)?;
        let profile = body.profile()?;
        auth::check(&self.config, request, profile)?;
        if reads {
            let found = self.query(profile, body)?;
            return Ok(Reply::json(StatusCode::OK, &found));
        }
        let order = Order::parse(body)?;
        // There is no key that an answer could be stored under: the error is answered once.
        if let Some(Steer::StoredError { when, error }) = steer {
            if *when == When::After {
                // What it did stays done; what it answered is lost behind the error.
                drop(self.run(order, profile, None));
            }
            return Ok(refusal::server_error(error, trace));
        }
        let transaction = self.run(order, profile, steer)?;
        let mut body = transaction.reply();
        body.insert("trace".to_owned(), trace.into());
        Ok(Reply::json(StatusCode::OK, &Value::Object(body)))
    }

    fn run(
        &mut self,
        order: Order,
        profile: u64,
        steer: Option<&Steer>,
    ) -> Result<Transaction, ApiError> {
        let follow_up = order.tran_type.is_follow_up();
        let (natural, refused) = if follow_up {
            (Some(("A", "G00003")), self.refusal(&order, profile)?)
        } else {
            (natural(&order)?, None)
        };
        if self.is_duplicate(&order, profile) {
            return Err(ApiError::duplicate());
        }
        let declined: String;
        let outcome = match (refused, steer) {
            (Some(code), _) => Some(("E", code)),
            (None, Some(Steer::Decline { code, decline_code })) => {
                declined = code_of(decline_code.as_deref().unwrap_or(code));
                Some(("D", declined.as_str()))
            }
            // Nobody is asked for a capture, a refund or a void.
            (None, Some(Steer::RequireAction(_))) if !follow_up => None,
            (None, Some(Steer::Processing)) => Some(("P", "600")),
            (None, _) => natural,
        };
        let id = self.keep(order, profile, outcome);
        if outcome.is_some_and(|(status, _)| status == "A") {
            self.move_money(&id);
        }
        self.transaction(&id)
            .cloned()
            .ok_or_else(ApiError::not_found)
    }

    /// Whether an equal request was taken less than two minutes ago (P4). Whether the rule looks at
    /// the type of the transaction is not documented.
    fn is_duplicate(&self, order: &Order, profile: u64) -> bool {
        if order.tran_type.is_follow_up() && !self.config.guards_all {
            return false;
        }
        self.transactions().any(|earlier| {
            let age = self.now.duration_since(earlier.created);
            earlier.profile == profile
                && earlier.cart_id == order.cart_id
                && earlier.currency == order.currency
                && earlier.amount == order.amount
                && earlier.tran_type.is_follow_up() == order.tran_type.is_follow_up()
                && age.unwrap_or_default() < self.config.duplicate_window
        })
    }

    /// What the guard compares, if it guards this request.
    pub(super) fn guarded(&self, request: &Request) -> Option<String> {
        if !moves(request) || self.config.duplicate_window.is_zero() {
            return None;
        }
        let mut body = Body::parse(request).ok()?;
        let profile = body.profile().ok()?;
        let order = Order::parse(body).ok()?;
        let guarded = !order.tran_type.is_follow_up() || self.config.guards_all;
        let (cart, currency, amount) = (order.cart_id, order.currency, order.amount);
        guarded.then(|| format!("{profile} {cart} {currency} {amount}"))
    }
}

/// What a payment comes to by itself. None: the customer is asked.
fn natural(order: &Order) -> Result<Option<(&'static str, &'static str)>, ApiError> {
    match order.token.as_deref() {
        None | Some(tokens::REDIRECT) => Ok(None),
        Some(token) => tokens::result(token)
            .map(Some)
            .ok_or_else(|| ApiError::bad(200, "Invalid card")),
    }
}

/// The code of a decline: the one that is asked for, or the one that fits the reason.
fn code_of(reason: &str) -> String {
    let code = match reason {
        "insufficient_funds" => "316",
        _ if !reason.is_empty() && reason.bytes().all(|byte| byte.is_ascii_digit()) => reason,
        _ => "300",
    };
    code.to_owned()
}
