//! Asking Stripe what became of a charge.
//!
//! Where the payment's id is known it is read. Else the search for our key is asked first: one
//! request, but it lags behind (<https://docs.stripe.com/search>) and is not there for every
//! account. What it shows is read by id, since only that is the truth. If it shows nothing, the
//! list of payments is read, which has no filter for metadata: around the sends first, then of the
//! day after, in which a request may still have arrived.

use std::slice::Iter;
use std::time::Duration;

use form_urlencoded::Serializer;
use payonce::provider::{
    Call, Finding, LookUp, LookUpStep, Match, Query, Response, Ruling, Verdict,
};
use payonce::{Doubt, Timestamp};

use crate::classify::{echo, payment_ruling};
use crate::wire::{self, Envelope, List, PaymentIntent};
use crate::{Stripe, encode};

const PAYMENTS: &str = "/v1/payment_intents";
/// The most that one page of a list or a search holds: <https://docs.stripe.com/api/pagination>.
const PAGE_SIZE: &str = "100";
/// How many pages of the list are read.
const PAGES: usize = 10;
/// How many payments that the search shows are read.
const SHOWN: usize = 10;
/// How far Stripe's clock may be from ours. `created` is by Stripe's clock.
const CLOCK_MARGIN: Duration = Duration::from_secs(15 * 60);
/// How long after it left a request may still arrive, with Stripe's clock before ours. A later one
/// is not found by the list; nothing is ever sent on the strength of that alone.
const ARRIVAL_MARGIN: Duration = Duration::from_secs(24 * 3600);

impl LookUp for Stripe {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let mut walk = Walk {
            stripe: self,
            call,
            replies: replies.iter(),
        };
        walk.run(query).map_or_else(|step| *step, LookUpStep::Done)
    }
}

/// `Err` ends a walk: with the request whose reply is not there yet, or with a finding that no
/// further reply can change.
type Walked<T> = Result<T, Box<LookUpStep>>;

/// The payments of a page with their ids, and whether there is more.
type Page = (Vec<(String, PaymentIntent)>, bool);

/// A look-up from its start, over the replies that are there.
struct Walk<'a> {
    stripe: &'a Stripe,
    call: &'a Call<'a>,
    replies: Iter<'a, Response>,
}

impl<'a> Walk<'a> {
    fn run(&mut self, query: &Query<'_>) -> Walked<Finding> {
        if let Some(id) = query.provider_id.filter(|id| wire::is_id(id))
            && let Some(payment) = self.read(id)?
            // Another's object is no answer about ours, which may be there all the same.
            && payment.carries(self.call.key) == Some(true)
        {
            return Ok(Finding::Found(vec![self.matched(id, &payment)]));
        }
        let around = query.last_sent.plus(CLOCK_MARGIN);
        let mut found = self.search()?;
        if found.is_empty() {
            found = self.list(query.first_sent.minus(CLOCK_MARGIN), around)?;
        }
        if found.is_empty() {
            found = self.list(around, query.last_sent.plus(ARRIVAL_MARGIN))?;
        }
        Ok(if found.is_empty() {
            Finding::Absent
        } else {
            Finding::Found(found)
        })
    }

    /// The reply to a request, if it is there.
    fn ask(&mut self, path: &str) -> Walked<&'a Response> {
        self.replies
            .next()
            .ok_or_else(|| match encode::get(self.stripe, path) {
                Some(request) => Box::new(LookUpStep::Ask(request)),
                // The connected account cannot be named, and asking another account shows nothing.
                None => unclear("the connected account is no header value"),
            })
    }

    /// One payment by its id: consistent at once, the truth. `None`: Stripe has none.
    fn read(&mut self, id: &str) -> Walked<Option<PaymentIntent>> {
        let reply = self.ask(&format!("{PAYMENTS}/{id}"))?;
        if is_missing(reply) {
            return Ok(None);
        }
        match read_ok(reply) {
            Some(payment) if PaymentIntent::id(&payment) == Some(id) => Ok(Some(payment)),
            Some(_) | None => Err(unreadable(reply)),
        }
    }

    /// The payments that the search shows with our key. No answer is no reason to stop: there is
    /// the list.
    fn search(&mut self) -> Walked<Vec<Match>> {
        let query = format!(
            "metadata['{}']:'{}'",
            crate::rule::KEY_NAME,
            self.quoted_key()
        );
        let path = path("/search", &[("query", &query), ("limit", PAGE_SIZE)]);
        let page: List = read_ok(self.ask(&path)?).unwrap_or_default();
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
                found.push(self.matched(id, &payment));
            }
        }
        complete(found, more)
    }

    /// The payments of a time that carry our key. The list is read newest first.
    fn list(&mut self, since: Timestamp, until: Timestamp) -> Walked<Vec<Match>> {
        let (since, until) = (unix_seconds(since), unix_seconds(until));
        let mut found = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..PAGES {
            let (payments, more) = self.page([&since, &until], after.as_deref())?;
            for (id, payment) in payments {
                if payment.carries(self.call.key) == Some(true) {
                    found.push(self.matched(&id, &payment));
                }
                after = Some(id);
            }
            if !more {
                return Ok(found);
            }
            if found.iter().any(succeeded) {
                break;
            }
        }
        let found = complete(found, true)?;
        if found.is_empty() {
            return Err(too_many());
        }
        Ok(found)
    }

    /// A page of the list. It counts only if every payment on it can be told to be ours or not.
    fn page(&mut self, created: [&str; 2], after: Option<&str>) -> Walked<Page> {
        let [since, until] = created;
        let mut pairs = vec![
            ("created[gte]", since),
            ("created[lte]", until),
            ("limit", PAGE_SIZE),
        ];
        pairs.extend(after.map(|id| ("starting_after", id)));
        let reply = self.ask(&path("", &pairs))?;
        let key = self.call.key;
        let payment = |value| {
            let payment: PaymentIntent = wire::read(value)?;
            payment.carries(key)?;
            Some((payment.id()?.to_owned(), payment))
        };
        let page = || {
            let List { data, has_more } = read_ok(reply)?;
            let payments: Option<Vec<_>> = data?.into_iter().map(payment).collect();
            let last = payments.as_ref()?.last().map(|(id, _)| id.as_str());
            // A page that does not lead on would be asked for again and again.
            let stuck = has_more? && (last.is_none() || last == after);
            if stuck {
                None
            } else {
                Some((payments?, has_more?))
            }
        };
        page().ok_or_else(|| unreadable(reply))
    }

    fn matched(&self, id: &str, payment: &PaymentIntent) -> Match {
        let ruling = payment_ruling(self.call, payment, 200);
        let echo = echo(self.call.key, &[], Some(payment), &ruling);
        Match::new(id, Verdict::new(ruling).with_echo(echo))
    }

    /// The search does not tell capital from small letters [memory], keys do.
    fn differs_by_case(&self, payment: &PaymentIntent) -> bool {
        let ours = self.call.key.as_str();
        payment
            .key()
            .is_some_and(|key| key != ours && key.eq_ignore_ascii_case(ours))
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

/// What was found, if it may stand for everything: where there is more to read, a refusal may
/// not be the last word.
fn complete(found: Vec<Match>, more: bool) -> Walked<Vec<Match>> {
    if more && !found.is_empty() && !found.iter().any(succeeded) {
        return Err(too_many());
    }
    Ok(found)
}

fn succeeded(found: &Match) -> bool {
    matches!(found.verdict.ruling, Ruling::Succeeded(_))
}

fn path(below: &str, pairs: &[(&str, &str)]) -> String {
    let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
    format!("{PAYMENTS}{below}?{query}")
}

/// The body of a 200, if it is an object of this kind.
fn read_ok<T: serde::de::DeserializeOwned>(reply: &Response) -> Option<T> {
    if reply.status.as_u16() != 200 {
        return None;
    }
    reply.json().and_then(wire::read)
}

fn is_missing(reply: &Response) -> bool {
    let envelope: Option<Envelope> = reply.json().and_then(wire::read);
    let code = envelope
        .and_then(|envelope| envelope.error)
        .and_then(|error| error.code);
    reply.status.as_u16() == 404 && code.as_deref() == Some("resource_missing")
}

fn unclear(problem: &str) -> Box<LookUpStep> {
    let doubt = Doubt::LookUpUnclear {
        problem: problem.to_owned(),
    };
    Box::new(LookUpStep::Done(Finding::Unclear(doubt)))
}

/// A reply that gives no answer.
fn unreadable(reply: &Response) -> Box<LookUpStep> {
    match reply.status.as_u16() {
        200 => unclear("a reply could not be read"),
        status => unclear(&format!("the gateway answered {status}")),
    }
}

/// There is more than is read.
fn too_many() -> Box<LookUpStep> {
    unclear("there are more payments in that time than are read")
}

fn unix_seconds(time: Timestamp) -> String {
    time.as_millis()
        .max(0)
        .checked_div(1000)
        .unwrap_or_default()
        .to_string()
}
