//! `GET`: one object, and the lists (OAS). The lists show what was so [`Config::list_lag`] ago.
//!
//! [`Config::list_lag`]: super::Config::list_lag

use http::StatusCode;
use serde_json::{Value, json};

use super::Square;
use super::error::{ApiError, put};
use super::object::{Payment, Refund};
use crate::clock::unix_ms;
use crate::exchange::{Reply, Request};
use crate::time;

/// What a list request asks for.
struct Filter {
    begin: i64,
    end: i64,
    location: Option<String>,
    limit: usize,
    skip: usize,
    oldest_first: bool,
}

impl Square {
    pub(super) fn retrieve_payment(&self, account: &str, id: &str) -> Result<Reply, ApiError> {
        let mut all = self.payments.iter();
        let found = all.find(|payment| payment.account == account && payment.id == id);
        let payment = found.ok_or_else(|| ApiError::missing("payment"))?;
        let body = json!({ "payment": payment.to_json() });
        Ok(Reply::json(StatusCode::OK, &body))
    }

    pub(super) fn retrieve_refund(&self, account: &str, id: &str) -> Result<Reply, ApiError> {
        let mut all = self.refunds.iter();
        let found = all.find(|refund| refund.account == account && refund.id == id);
        let refund = found.ok_or_else(|| ApiError::missing("refund"))?;
        let body = json!({ "refund": refund.to_json() });
        Ok(Reply::json(StatusCode::OK, &body))
    }

    /// Without a location only the main one's (OAS).
    pub(super) fn list_payments(
        &self,
        account: &str,
        request: &Request,
    ) -> Result<Reply, ApiError> {
        let filter = self.filter(request)?;
        let main = &self.config.main_location;
        let location = filter.location.as_ref().unwrap_or(main);
        let all = self.payments.as_of(self.seen_at());
        let found = all.filter(|payment| {
            payment.account == account
                && payment.location == *location
                && filter.is_in(unix_ms::of(payment.created_at))
        });
        Ok(filter.page("payments", found.map(Payment::to_json).collect()))
    }

    /// Without a location those of all (OAS). None other than all is simulated.
    pub(super) fn list_refunds(&self, account: &str, request: &Request) -> Result<Reply, ApiError> {
        let filter = self.filter(request)?;
        if filter.location.is_some() {
            return Err(ApiError::invalid(
                "BAD_REQUEST",
                "location_id is not simulated here.",
            ));
        }
        let all = self.refunds.as_of(self.seen_at());
        let found = all.filter(|refund| {
            refund.account == account && filter.is_in(unix_ms::of(refund.created_at))
        });
        Ok(filter.page("refunds", found.map(Refund::to_json).collect()))
    }

    /// An unknown parameter is refused: a filter that is misspelt and does nothing would show what
    /// nobody asked for.
    fn filter(&self, request: &Request) -> Result<Filter, ApiError> {
        let day = 24 * 3_600_000_i64;
        let now = unix_ms::of(self.now);
        let mut filter = Filter {
            begin: now.saturating_sub(day.saturating_mul(365)),
            end: now,
            location: None,
            limit: self.config.page_size,
            skip: 0,
            oldest_first: false,
        };
        let query = request.query.as_deref().unwrap_or_default();
        for (name, value) in form_urlencoded::parse(query.as_bytes()) {
            let bad = |code| ApiError::invalid(code, format!("{name} is not valid."));
            match name.as_ref() {
                "begin_time" => {
                    filter.begin = time::read(&value).ok_or_else(|| bad("INVALID_TIME"))?;
                }
                "end_time" => {
                    filter.end = time::read(&value).ok_or_else(|| bad("INVALID_TIME"))?;
                }
                "sort_order" => {
                    filter.oldest_first = match value.as_ref() {
                        "ASC" => true,
                        "DESC" => false,
                        _ => return Err(bad("INVALID_SORT_ORDER")),
                    };
                }
                "location_id" => filter.location = Some(value.into_owned()),
                "limit" => {
                    let limit: usize = value.parse().map_err(|_| bad("EXPECTED_INTEGER"))?;
                    filter.limit = limit.clamp(1, self.config.page_size.max(1));
                }
                "cursor" => {
                    let skip = value.strip_prefix("after-").and_then(|n| n.parse().ok());
                    filter.skip = skip.ok_or_else(|| bad("INVALID_CURSOR"))?;
                }
                _ => return Err(bad("UNKNOWN_QUERY_PARAMETER")),
            }
        }
        if filter.begin > filter.end {
            return Err(ApiError::invalid(
                "INVALID_TIME_RANGE",
                "The end is before the start.",
            ));
        }
        Ok(filter)
    }
}

impl Filter {
    fn is_in(&self, at: i64) -> bool {
        (self.begin..=self.end).contains(&at)
    }

    fn page(&self, name: &str, mut found: Vec<Value>) -> Reply {
        if !self.oldest_first {
            found.reverse();
        }
        let end = self.skip.saturating_add(self.limit);
        let more = found.len() > end;
        let shown: Vec<Value> = found.into_iter().skip(self.skip).take(self.limit).collect();
        let mut body = json!({ name: shown });
        if more {
            put(&mut body, "cursor", json!(format!("after-{end}")));
        }
        Reply::json(StatusCode::OK, &body)
    }
}
