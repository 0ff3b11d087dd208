//! `POST /payment/query`: one transaction by its reference, or all of a `cart_id` (P3).

use serde_json::Value;

use super::PayTabs;
use super::error::ApiError;
use super::order::{Body, wrong};
use super::transaction::Transaction;

impl PayTabs {
    /// Exactly one of the two fields, or it is refused.
    pub(super) fn query(&self, profile: u64, mut body: Body) -> Result<Value, ApiError> {
        let (tran_ref, cart_id) = (body.text("tran_ref")?, body.text("cart_id")?);
        body.finish()?;
        let own = |one: &&Transaction| one.profile == profile && self.is_listed(one);
        match (tran_ref, cart_id) {
            (Some(id), None) => {
                let found = self.transaction(&id).filter(own);
                let shown = found.map(|one| Value::Object(one.show()));
                shown.ok_or_else(ApiError::not_found)
            }
            (None, Some(cart_id)) => {
                let pages_only = self.config.finds_pages_only;
                let found: Vec<Value> = self
                    .transactions()
                    .filter(own)
                    .filter(|one| one.cart_id == cart_id && (one.page.is_some() || !pages_only))
                    .map(|one| Value::Object(one.show()))
                    .collect();
                if found.is_empty() {
                    return Err(ApiError::not_found());
                }
                Ok(Value::Array(found))
            }
            _ => Err(wrong("tran_ref or cart_id")),
        }
    }

    /// Whether the query knows it already.
    fn is_listed(&self, one: &Transaction) -> bool {
        let known = one.created.checked_add(self.config.query_lag);
        known.is_some_and(|known| known <= self.now)
    }
}
