//! The payment that a charge or an authorization made.
//!
//! Where its id is known it is read. Else the search for our key is asked first: one request, but
//! it lags behind (<https://docs.stripe.com/search>) and is not there for every account. What it
//! shows is read by id, since only that is the truth. If it shows nothing, the list of payments is
//! read, which has no filter for metadata: around the sends first, then of the day after, in which
//! a request may still have arrived.

use std::time::Duration;

use form_urlencoded::Serializer;
use payonce::Timestamp;
use payonce::provider::{Finding, Match, Query};

use super::list::{List, complete, key_of};
use super::{PAGE_SIZE, PAYMENTS, Walk, Walked, read_ok};
use crate::classify::payment_ruling;
use crate::rule::KEY_NAME;
use crate::wire::{self, Keyed, PaymentIntent};

/// How many payments that the search shows are read.
const SHOWN: usize = 10;
/// How far Stripe's clock may be from ours. `created` is by Stripe's clock.
const CLOCK_MARGIN: Duration = Duration::from_secs(15 * 60);
/// How long after it left a request may still arrive, with Stripe's clock before ours. A later one
/// is not found by the list; nothing is ever sent on the strength of that alone.
const ARRIVAL_MARGIN: Duration = Duration::from_secs(24 * 3600);
/// What is said where there is more than is read.
const TOO_MANY: &str = "there are more payments in that time than are read";

impl Walk<'_> {
    pub(super) fn payment(&mut self, query: &Query<'_>) -> Walked<Finding> {
        if let Some(id) = query.provider_id.filter(|id| wire::is_id(id))
            && let Some(payment) = self.read(id)?
            // Another's object is no answer about ours, which may be there all the same.
            && payment.carries(self.call.key) == Some(true)
        {
            return Ok(Finding::Found(vec![self.paid(id, &payment)]));
        }
        let around = query.last_sent.plus(CLOCK_MARGIN);
        let mut found = self.search()?;
        if found.is_empty() {
            found = self.created(query.first_sent.minus(CLOCK_MARGIN), around)?;
        }
        if found.is_empty() {
            found = self.created(around, query.last_sent.plus(ARRIVAL_MARGIN))?;
        }
        Ok(if found.is_empty() {
            Finding::Absent
        } else {
            Finding::Found(found)
        })
    }

    /// The payments that the search shows with our key. No answer is no reason to stop: there is
    /// the list.
    fn search(&mut self) -> Walked<Vec<Match>> {
        let query = format!("metadata['{}']:'{}'", KEY_NAME, self.quoted_key());
        let query = Serializer::new(String::new())
            .extend_pairs([("query", query.as_str()), ("limit", PAGE_SIZE)])
            .finish();
        let path = format!("{PAYMENTS}/search?{query}");
        let page: wire::List = read_ok(self.ask(&path)?).unwrap_or_default();
        let mut ids: Vec<String> = Vec::new();
        for value in page.data.unwrap_or_default() {
            let payment: Option<PaymentIntent> = wire::read(value);
            if let Some(id) = payment.as_ref().and_then(PaymentIntent::id)
                && !ids.iter().any(|known| known == id)
            {
                ids.push(id.to_owned());
            }
        }
        let more = ids.len() > SHOWN || page.has_more == Some(true);
        let mut found = Vec::new();
        for id in ids.iter().take(SHOWN) {
            if let Some(payment) = self.read(id)?
                && !self.differs_by_case(&payment)
            {
                found.push(self.paid(id, &payment));
            }
        }
        complete(found, more, TOO_MANY)
    }

    /// The payments of a time that carry our key.
    fn created(&mut self, since: Timestamp, until: Timestamp) -> Walked<Vec<Match>> {
        let (since, until) = (unix_seconds(since), unix_seconds(until));
        let list = List {
            path: PAYMENTS,
            filter: &[("created[gte]", &since), ("created[lte]", &until)],
            too_many: TOO_MANY,
        };
        self.list(&list, Self::paid)
    }

    fn paid(&self, id: &str, payment: &PaymentIntent) -> Match {
        self.matched(id, payment_ruling(self.call, payment, 200), key_of(payment))
    }

    /// The search does not tell capital from small letters [memory], keys do.
    fn differs_by_case(&self, payment: &PaymentIntent) -> bool {
        let ours = self.call.key.as_str();
        key_of(payment).is_some_and(|key| key != ours && key.eq_ignore_ascii_case(ours))
    }

    /// The key within single quotes: <https://docs.stripe.com/search#search-query-language>.
    fn quoted_key(&self) -> String {
        self.call
            .key
            .as_str()
            .replace('\\', r"\\")
            .replace('\'', r"\'")
    }
}

fn unix_seconds(time: Timestamp) -> String {
    time.as_millis()
        .max(0)
        .checked_div(1000)
        .unwrap_or_default()
        .to_string()
}
