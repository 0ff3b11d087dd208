//! `GET` by id and `POST .../list` (CHG). Both show what was so [`Config::read_lag`] ago.
//!
//! [`Config::read_lag`]: super::Config::read_lag

use std::time::SystemTime;

use http::StatusCode;
use serde_json::{Value, json};

use super::Tap;
use super::auth::Scope;
use super::body::{Body, Read};
use super::error::ApiError;
use super::record::{Kind, Record};
use crate::clock::unix_ms;
use crate::exchange::{Reply, Request};

/// What a list holds by default, and at most.
const USUAL: i64 = 25;
const MOST: i64 = 50;

impl Tap {
    pub(super) fn retrieve(&self, kind: Kind, scope: &Scope, id: &str) -> Read<Reply> {
        let mut all = self.records.iter_as_of(self.seen_at());
        let found =
            all.find(|record| record.id == id && record.kind == kind && record.is_of(scope));
        let (code, text) = match kind {
            Kind::Charge => ("1144", "Charge id not found"),
            Kind::Authorize => ("1115", "Authorize not found"),
            Kind::Refund => ("1160", "Refund not found"),
        };
        let found = found.ok_or_else(|| ApiError::missing(code, text))?;
        let shown = found.to_json(self.config.authorizations_list_activities);
        Ok(Reply::json(StatusCode::OK, &shown))
    }

    /// Newest first.
    pub(super) fn list(&self, kind: Kind, scope: &Scope, request: &Request) -> Read<Reply> {
        let mut body = Body::parse(request)?;
        let limit = body.whole("limit")?.unwrap_or(USUAL);
        if !(1..=MOST).contains(&limit) {
            let text = "Invalid row count should be less than or equal to 50";
            return Err(ApiError::bad("1162", text));
        }
        let after = body.text("starting_after")?;
        let charges: Option<Vec<String>> = match body.take("charges") {
            None => None,
            Some(ids) => Some(
                serde_json::from_value(ids)
                    .map_err(|_| ApiError::bad("1103", "Required inputs are invalid: charges"))?,
            ),
        };
        let period = period(&mut body)?;
        body.finish()?;
        let wanted = |record: &&Record| {
            let of = match kind {
                Kind::Refund => record.parent.as_ref(),
                Kind::Charge | Kind::Authorize => Some(&record.id),
            };
            let created = unix_ms::of(record.created);
            record.kind == kind
                && record.is_of(scope)
                && charges
                    .as_ref()
                    .is_none_or(|ids| of.is_some_and(|of| ids.contains(of)))
                && period.is_none_or(|(from, to)| (from..=to).contains(&created))
        };
        let all = self.records.iter_as_of(self.seen_at()).rev();
        let all: Vec<&Record> = all.filter(wanted).collect();
        let start = match &after {
            None => 0,
            Some(after) => all
                .iter()
                .position(|record| record.id == *after)
                .map(|place| place.saturating_add(1))
                .ok_or_else(|| ApiError::bad("1143", "Charge id is invalid"))?,
        };
        let limit = usize::try_from(limit).unwrap_or_default();
        let lists = self.config.authorizations_list_activities;
        let rest = all.iter().skip(start);
        let shown: Vec<Value> = rest
            .take(limit)
            .map(|record| record.to_json(lists))
            .collect();
        let (_, name) = kind.names();
        let mut list = json!({
            "object_type": "list",
            "live_mode": scope.live,
            "api_version": "V2",
            "count": shown.len(),
            "has_more": all.len() > start.saturating_add(shown.len()),
        });
        // The name is documented for charges only.
        if let Some(fields) = list.as_object_mut() {
            fields.insert(name.to_owned(), Value::Array(shown));
        }
        Ok(Reply::json(StatusCode::OK, &list))
    }

    fn seen_at(&self) -> SystemTime {
        let at = self.now.checked_sub(self.config.read_lag);
        at.unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

/// `period.date`: from and to, in milliseconds since 1970.
fn period(body: &mut Body) -> Read<Option<(i64, i64)>> {
    let Some(mut period) = body.object("period")? else {
        return Ok(None);
    };
    let date = period.object("date")?;
    let invalid = || ApiError::bad("1103", "Required inputs are invalid: period");
    let mut date = date.ok_or_else(invalid)?;
    let (from, to) = (date.whole("from")?, date.whole("to")?);
    date.finish()?;
    period.finish()?;
    from.zip(to).map(Some).ok_or_else(invalid)
}
