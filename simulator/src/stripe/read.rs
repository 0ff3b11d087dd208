//! `GET`: single objects, lists and the search.

use serde_json::{Value, json};

use super::Stripe;
use super::action::{expand, segments, unknown_url};
use super::auth::Scope;
use super::error::ApiError;
use super::form::{self, Form};
use super::objects::{PaymentIntent, Refund};
use super::page::{self, Created, Page};
use super::query::Query;
use crate::exchange::Request;

const PAGE_PREFIX: &str = "page_sim_";

impl Stripe {
    pub(super) fn read(&self, scope: &Scope, request: &Request) -> Result<Value, ApiError> {
        let query = request.query.as_deref().unwrap_or_default();
        let form = Form::parse(query.as_bytes())?;
        match segments(&request.path).as_slice() {
            ["v1", "payment_intents"] => self.list_payments(scope, form),
            ["v1", "payment_intents", "search"] => self.search(scope, form),
            ["v1", "payment_intents", id] => self.retrieve_payment(scope, id, form),
            ["v1", "refunds"] => self.list_refunds(scope, form),
            ["v1", "refunds", id] => self.retrieve_refund(scope, id, form),
            _ => Err(unknown_url(request)),
        }
    }

    fn retrieve_payment(&self, scope: &Scope, id: &str, mut form: Form) -> Result<Value, ApiError> {
        let expand = expand(&mut form, &["latest_charge"])?;
        form.ignore(&["client_secret"]);
        form.finish()?;
        Ok(self.render(self.payment(scope, id)?, &expand))
    }

    fn retrieve_refund(&self, scope: &Scope, id: &str, mut form: Form) -> Result<Value, ApiError> {
        expand(&mut form, &[])?;
        form.finish()?;
        let refund = self.refunds.get(id).filter(|refund| refund.is_of(scope));
        Ok(refund
            .ok_or_else(|| ApiError::missing("refund", id))?
            .to_json())
    }

    fn list_payments(&self, scope: &Scope, mut form: Form) -> Result<Value, ApiError> {
        let page = Page::take(&mut form)?;
        let created = Created::take(&mut form)?;
        let customer = form.text("customer")?;
        let expand = expand(&mut form, &["data.latest_charge"])?;
        form.finish()?;
        let payments = self.payments.iter().filter(|payment| payment.is_of(scope));
        let all = newest_first(payments, |payment| payment.created);
        let wanted = |payment: &PaymentIntent| {
            let of_customer = customer.is_none() || payment.customer == customer;
            of_customer && created.has(payment.created)
        };
        let (found, has_more) = page.of(&all, |payment| payment.id.as_str(), wanted)?;
        let data: Vec<Value> = found
            .into_iter()
            .map(|payment| self.render(payment, &expand))
            .collect();
        Ok(page::list("/v1/payment_intents", &data, has_more))
    }

    fn list_refunds(&self, scope: &Scope, mut form: Form) -> Result<Value, ApiError> {
        let page = Page::take(&mut form)?;
        let created = Created::take(&mut form)?;
        let payment_intent = form.text("payment_intent")?;
        let charge = form.text("charge")?;
        expand(&mut form, &[])?;
        form.finish()?;
        let refunds = self.refunds.iter().filter(|refund| refund.is_of(scope));
        let all = newest_first(refunds, |refund| refund.created);
        let wanted = |refund: &Refund| {
            let of_payment = payment_intent
                .as_ref()
                .is_none_or(|id| *id == refund.payment_intent);
            let of_charge = charge.as_ref().is_none_or(|id| *id == refund.charge);
            of_payment && of_charge && created.has(refund.created)
        };
        let (found, has_more) = page.of(&all, |refund| refund.id.as_str(), wanted)?;
        let data: Vec<Value> = found.into_iter().map(Refund::to_json).collect();
        Ok(page::list("/v1/refunds", &data, has_more))
    }

    /// Eventually consistent: it matches what was so [`Config::search_lag`] ago, and shows what is
    /// so now (SRCH).
    ///
    /// [`Config::search_lag`]: super::Config::search_lag
    fn search(&self, scope: &Scope, mut form: Form) -> Result<Value, ApiError> {
        let text = form.text("query")?.ok_or_else(|| form::missing("query"))?;
        let query = Query::parse(&text)?;
        let limit = page::limit(&mut form)?;
        let skip = match form.text("page")? {
            Some(page) => page_start(&page)?,
            None => 0,
        };
        let expand = expand(&mut form, &["data.latest_charge"])?;
        form.finish()?;
        let seen_at = page::before(self.now, self.config.search_lag);
        let payments = self.payments.iter().filter(|payment| payment.is_of(scope));
        let visible = payments.filter(|payment| {
            let known = payment.index.iter().rev().find(|known| known.at <= seen_at);
            known.is_some_and(|known| query.matches(known))
        });
        let all = newest_first(visible, |payment| payment.created);
        let found = all.iter().skip(skip).take(limit);
        let data: Vec<Value> = found.map(|payment| self.render(payment, &expand)).collect();
        let end = skip.saturating_add(data.len());
        let has_more = end < all.len();
        Ok(json!({
            "object": "search_result",
            "data": data,
            "has_more": has_more,
            "next_page": has_more.then(|| format!("{PAGE_PREFIX}{end}")),
            "url": "/v1/payment_intents/search",
        }))
    }
}

fn newest_first<'a, T, K: Ord>(
    objects: impl DoubleEndedIterator<Item = &'a T>,
    created: impl Fn(&T) -> K,
) -> Vec<&'a T> {
    let mut all: Vec<&T> = objects.rev().collect();
    all.sort_by_key(|object| std::cmp::Reverse(created(object)));
    all
}

fn page_start(page: &str) -> Result<usize, ApiError> {
    let start = page
        .strip_prefix(PAGE_PREFIX)
        .and_then(|start| start.parse().ok());
    start.ok_or_else(|| ApiError::invalid(format!("Invalid page: {page}")).param("page"))
}
