//! `GET`: single payments and the query (H1, H5).

use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::error::{self, ApiError};
use super::form::Form;
use super::objects::Payment;
use super::serve::{segments, unknown_url};
use super::{HyperPay, codes, time};
use crate::exchange::Request;

impl HyperPay {
    pub(super) fn read(
        &self,
        entity: &str,
        request: &Request,
    ) -> Result<Map<String, Value>, ApiError> {
        let form = Form::parse(request.query.as_deref().unwrap_or_default().as_bytes());
        match segments(&request.path).as_slice() {
            ["v1", "query"] => self.query(entity, form),
            ["v1", "query", id] => {
                form.finish()?;
                let found = self
                    .own(entity, id)
                    .filter(|payment| self.is_listed(payment));
                found.map(Payment::show).ok_or_else(ApiError::not_found)
            }
            // The state of a payment itself: no report, so it does not lag.
            ["v1", "payments", id] => {
                form.finish()?;
                let found = self.own(entity, id);
                found.map(Payment::show).ok_or_else(ApiError::not_found)
            }
            _ => Err(unknown_url(request)),
        }
    }

    /// All payments of the entity under a reference: charges, and captures, refunds and reversals
    /// that were sent with it, the rejected ones too. Never those of another entity.
    fn query(&self, entity: &str, mut form: Form) -> Result<Map<String, Value>, ApiError> {
        let reference = form.text("merchantTransactionId");
        let reference = form.required("merchantTransactionId", reference);
        let from = moment(&mut form, "date.from");
        let to = moment(&mut form, "date.to");
        form.finish()?;
        let found: Vec<Value> = self
            .payments
            .iter()
            .filter(|payment| payment.entity == entity && self.is_listed(payment))
            .filter(|payment| payment.fields.transaction_id == reference)
            .filter(|payment| from.is_none_or(|from| payment.created >= from))
            .filter(|payment| to.is_none_or(|to| payment.created <= to))
            .map(|payment| Value::Object(payment.show()))
            .collect();
        if found.is_empty() {
            return Err(ApiError::not_found());
        }
        let mut body = Map::new();
        let result = error::result(codes::QUERIED);
        body.insert("result".to_owned(), Value::Object(result));
        body.insert("payments".to_owned(), json!(found));
        Ok(body)
    }

    /// A payment as its entity sees it.
    fn own(&self, entity: &str, id: &str) -> Option<&Payment> {
        self.payments
            .get(id)
            .filter(|payment| payment.entity == entity)
    }

    /// Whether the reports know it already.
    fn is_listed(&self, payment: &Payment) -> bool {
        let known = payment.created.checked_add(self.config.query_lag);
        known.is_some_and(|known| known <= self.now)
    }
}

/// Takes a time.
fn moment(form: &mut Form, name: &str) -> Option<SystemTime> {
    let text = form.text(name)?;
    let at = time::parse(&text);
    if at.is_none() {
        form.is_wrong(name, Some(&text), "must be yyyy-MM-dd HH:mm:ss");
    }
    at
}
