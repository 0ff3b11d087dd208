//! `CHECK_STATUS` (A1, A2): the last thing that was done to an order, and its totals.

use std::time::SystemTime;

use serde_json::{Map, Value};

use super::Aps;
use super::body::text;
use super::order::Order;
use super::reply::text_of;
use super::serve::Done;

/// Nothing was found: with the status of success (A6).
const NOTHING: &str = "12036";

impl Aps {
    pub(super) fn query(&self, fields: &Map<String, Value>) -> Done {
        let get = |name| text(fields, name);
        let (id, reference) = (get("fort_id"), get("merchant_reference"));
        let refund = get("maintenance_reference");
        if id.is_none() && reference.is_none() && refund.is_none() {
            return Err("001");
        }
        let merchant = get("merchant_identifier");
        let at = self.now.checked_sub(self.config.query_lag);
        let mut known = self.orders.as_of(at.unwrap_or(SystemTime::UNIX_EPOCH));
        let found = known.find_map(|order| {
            let fits = merchant == Some(order.merchant.as_str())
                && id.is_none_or(|id| id == order.fort_id)
                && reference.is_none_or(|reference| reference == order.merchant_reference);
            let code = match refund {
                None => Some(order.code.as_str()),
                Some(_) => refund_of(order, refund),
            };
            Some((order, code?)).filter(|_| fits)
        });
        let found =
            found.filter(|(_, code)| !self.config.hides_unfinished || code.ends_with("000"));
        let Some((order, code)) = found else {
            return Ok((NOTHING.to_owned(), Vec::new()));
        };
        let status = code.get(..2).unwrap_or_default();
        let shown = vec![
            ("fort_id", order.fort_id.clone()),
            ("merchant_reference", order.merchant_reference.clone()),
            ("transaction_status", status.to_owned()),
            ("transaction_code", code.to_owned()),
            ("transaction_message", text_of(code).to_owned()),
            ("authorized_amount", order.authorized.to_string()),
            ("captured_amount", order.captured.to_string()),
            ("refunded_amount", order.refunded.to_string()),
        ];
        Ok(("12000".to_owned(), shown))
    }
}

/// The code of the last refund with this reference.
fn refund_of<'o>(order: &'o Order, wanted: Option<&str>) -> Option<&'o str> {
    let mut refunds = order.refunds.iter().rev();
    let (_, code, _) = refunds.find(|(reference, ..)| reference.as_deref() == wanted)?;
    Some(code)
}
