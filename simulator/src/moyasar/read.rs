//! `GET`: one payment, and the list (PAY). Both show what was so [`Config::read_lag`] ago.
//!
//! [`Config::read_lag`]: super::Config::read_lag

use std::collections::{BTreeMap, BTreeSet};
use std::time::SystemTime;

use http::StatusCode;
use serde_json::{Value, json};

use super::Moyasar;
use super::auth::Scope;
use super::error::{ApiError, Errors};
use super::payment::{LAST_DIGITS, Payment, PaymentStatus};
use crate::clock::unix_ms;
use crate::exchange::{Reply, Request};
use crate::time;

/// What a list request asks for: all that is set has to agree.
#[derive(Debug, Default)]
struct Filter {
    id: Option<String>,
    status: Option<PaymentStatus>,
    /// Milliseconds since 1970; created later than this.
    after: Option<i64>,
    /// Created earlier than this.
    before: Option<i64>,
    card_last_digits: Option<String>,
    receipt_no: Option<String>,
    metadata: BTreeMap<String, String>,
}

impl Moyasar {
    pub(super) fn retrieve(
        &self,
        scope: &Scope,
        id: &str,
        request: &Request,
    ) -> Result<Reply, ApiError> {
        if request
            .query
            .as_ref()
            .is_some_and(|query| !query.is_empty())
        {
            return Err(ApiError::invalid("This request takes no parameters."));
        }
        let number = self.payments.find(scope, id);
        let payment = number.and_then(|number| self.payments.get_as_of(number, self.seen_at()));
        let payment = payment.ok_or_else(|| ApiError::missing("Payment"))?;
        Ok(Reply::json(StatusCode::OK, &payment.to_json()))
    }

    /// Newest first; the order is not documented.
    pub(super) fn list(&self, scope: &Scope, request: &Request) -> Result<Reply, ApiError> {
        let (filter, page) = parse(request.query.as_deref().unwrap_or_default())?;
        let payments = self.payments.iter_as_of(self.seen_at());
        let mut found: Vec<&Payment> = payments
            .rev()
            .filter(|payment| payment.is_of(scope) && filter.has(payment))
            .collect();
        found.sort_by_key(|payment| std::cmp::Reverse(payment.created_at));
        let size = self.config.page_size.max(1);
        let pages = found.len().div_ceil(size).max(1);
        let skip = page.saturating_sub(1).saturating_mul(size);
        let shown: Vec<Value> = found
            .iter()
            .skip(skip)
            .take(size)
            .map(|payment| payment.to_json())
            .collect();
        let body = json!({
            "payments": shown,
            "meta": {
                "current_page": page,
                "next_page": page.checked_add(1).filter(|next| *next <= pages),
                "prev_page": page.checked_sub(1).filter(|previous| *previous >= 1),
                "total_pages": pages,
                "total_count": found.len(),
            },
        });
        Ok(Reply::json(StatusCode::OK, &body))
    }

    fn seen_at(&self) -> SystemTime {
        let at = self.now.checked_sub(self.config.read_lag);
        at.unwrap_or(SystemTime::UNIX_EPOCH)
    }
}

impl Filter {
    fn has(&self, payment: &Payment) -> bool {
        let created = unix_ms::of(payment.created_at);
        self.id.as_ref().is_none_or(|id| *id == payment.id)
            && self.status.is_none_or(|status| status == payment.status)
            && self.after.is_none_or(|after| created > after)
            && self.before.is_none_or(|before| created < before)
            && self
                .card_last_digits
                .as_ref()
                .is_none_or(|digits| digits == LAST_DIGITS)
            && self
                .receipt_no
                .as_ref()
                .is_none_or(|receipt| payment.paid_at.is_some() && *receipt == payment.receipt_no())
            && self
                .metadata
                .iter()
                .all(|(key, value)| payment.metadata.get(key) == Some(value))
    }

    /// Takes one parameter, or says what is wrong with it. An unknown one is refused: a filter
    /// that is misspelt and does nothing would show payments that nobody asked for.
    fn take(&mut self, name: &str, value: &str) -> Result<(), &'static str> {
        let at = || time::read(value).ok_or("must be a time like 2027-01-15T08:00:00Z");
        match name {
            "id" => self.id = Some(value.to_owned()),
            "status" => {
                self.status = Some(PaymentStatus::parse(value).ok_or("is not a status")?);
            }
            "created[gt]" => self.after = Some(at()?),
            "created[lt]" => self.before = Some(at()?),
            "card_last_digits" => self.card_last_digits = Some(value.to_owned()),
            "receipt_no" => self.receipt_no = Some(value.to_owned()),
            _ => {
                let key = name
                    .strip_prefix("metadata[")
                    .and_then(|rest| rest.strip_suffix(']'));
                let key = key.ok_or("is not a known parameter")?;
                self.metadata.insert(key.to_owned(), value.to_owned());
            }
        }
        Ok(())
    }
}

/// The filter and the page of a query, from 1.
fn parse(query: &str) -> Result<(Filter, usize), ApiError> {
    let (mut filter, mut page) = (Filter::default(), 1);
    let mut seen = BTreeSet::new();
    let mut errors = Errors::new();
    for (name, value) in form_urlencoded::parse(query.as_bytes()) {
        let taken = if !seen.insert(name.clone()) {
            Err("was sent more than once")
        } else if name == "page" {
            let number = value.parse().ok().filter(|number| *number >= 1);
            number
                .map(|number: usize| page = number)
                .ok_or("must be a whole number from 1")
        } else {
            filter.take(&name, &value)
        };
        if let Err(why) = taken {
            let name = name.into_owned();
            errors.entry(name).or_default().push(why.to_owned());
        }
    }
    if errors.is_empty() {
        Ok((filter, page))
    } else {
        Err(ApiError::validation(errors))
    }
}
