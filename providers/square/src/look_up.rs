//! Asking Square what became of an operation.
//!
//! A payment or refund is read by its id where that is known, else it is looked for in the list of
//! what was made since: no list can be asked for our key. A capture or void is known by the state of
//! its payment.

use std::slice::Iter;
use std::time::Duration;

use form_urlencoded::Serializer;
use payonce::provider::{
    Call, Finding, LookUp, LookUpStep, Match, Query, Refusal, Response, Ruling, Verdict,
};
use payonce::{OperationKind, Timestamp};
use serde_json::Value;
use time::OffsetDateTime;

use crate::baseline::{OPEN, of_parent, unclear};
use crate::classify::{done, of_payment, of_refund, payment_ruling};
use crate::wire::{self, ApiError, Body, Keyed, List, Payment, Refund};
use crate::{Square, encode};

/// The most that a page holds, and how many pages are read.
const PAGE_SIZE: &str = "100";
const PAGES: usize = 10;
/// How far Square's clock may be from ours. A list is by Square's clock.
const CLOCK_MARGIN: Duration = Duration::from_secs(15 * 60);

impl LookUp for Square {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let mut walk = Walk {
            square: self,
            call,
            query,
            replies: replies.iter(),
        };
        let end = match call.kind {
            OperationKind::Charge | OperationKind::Authorize => walk.made::<Payment>(),
            OperationKind::Refund => walk.made::<Refund>(),
            OperationKind::Capture | OperationKind::Void => walk.changed(),
            _ => Err(doubtful("the adapter does not know such operations")),
        };
        end.map_or_else(|step| *step, LookUpStep::Done)
    }
}

/// `Err` ends a walk: with the request whose reply is not there yet, or with a finding that no
/// further reply can change.
type Walked<T> = Result<T, Box<LookUpStep>>;

/// A look-up from its start, over the replies that are there.
struct Walk<'a> {
    square: &'a Square,
    call: &'a Call<'a>,
    query: &'a Query<'a>,
    replies: Iter<'a, Response>,
}

/// What a look-up looks for.
trait Sought: Keyed {
    /// Its path, and which locations its list shows without being asked.
    const PATH: &'static str;
    const ALL_LOCATIONS: bool;
    fn of(body: Body) -> Option<Self>;
    fn list(list: List) -> Option<Vec<Value>>;
    fn verdict(&self, call: &Call<'_>) -> Verdict;
}

impl Sought for Payment {
    const PATH: &'static str = "/v2/payments";
    const ALL_LOCATIONS: bool = false;

    fn of(body: Body) -> Option<Self> {
        body.payment
    }

    fn list(list: List) -> Option<Vec<Value>> {
        list.payments
    }

    fn verdict(&self, call: &Call<'_>) -> Verdict {
        of_payment(call, self)
    }
}

impl Sought for Refund {
    const PATH: &'static str = "/v2/refunds";
    const ALL_LOCATIONS: bool = true;

    fn of(body: Body) -> Option<Self> {
        body.refund
    }

    fn list(list: List) -> Option<Vec<Value>> {
        list.refunds
    }

    fn verdict(&self, call: &Call<'_>) -> Verdict {
        of_refund(call, self)
    }
}

impl<'a> Walk<'a> {
    /// The reply to a request, if it is there.
    fn ask(&mut self, path: &str) -> Walked<&'a Response> {
        self.replies
            .next()
            .ok_or_else(|| Box::new(LookUpStep::Ask(encode::get(path))))
    }

    /// One object by its id. `None`: Square has none.
    fn read<T: Sought>(&mut self, id: &str) -> Walked<Option<T>> {
        let reply = self.ask(&format!("{}/{id}", T::PATH))?;
        if is_missing(reply) {
            return Ok(None);
        }
        let body: Body = read_ok(reply)?;
        let object = T::of(body).filter(|object| object.id() == Some(id));
        object.map(Some).ok_or_else(unreadable)
    }

    /// What the operation made.
    fn made<T: Sought>(&mut self) -> Walked<Finding> {
        let ours = self.call.key.as_str();
        if let Some(id) = self.query.provider_id.filter(|id| wire::is_id(id))
            && let Some(object) = self.read::<T>(id)?
            // Another's object is no answer about ours, which may be there all the same.
            && object.key() == Some(ours)
        {
            let found = Match::new(id, object.verdict(self.call));
            return Ok(Finding::Found(vec![found]));
        }
        let mut found: Vec<Match> = Vec::new();
        let mut cursor = None;
        for _ in 0..PAGES {
            let (objects, next) = self.page::<T>(cursor.as_deref())?;
            for object in objects.iter().filter(|object| object.key() == Some(ours)) {
                let id = object.id().unwrap_or_default();
                found.push(Match::new(id, object.verdict(self.call)));
            }
            let Some(next) = next else {
                return Ok(if found.is_empty() {
                    Finding::Absent
                } else {
                    Finding::Found(found)
                });
            };
            // A page that leads to itself would be asked for again and again.
            if cursor.as_ref() == Some(&next) {
                return Err(unreadable());
            }
            cursor = Some(next);
        }
        let succeeded = |found: &Match| matches!(found.verdict.ruling, Ruling::Succeeded(_));
        if found.iter().any(succeeded) {
            return Ok(Finding::Found(found));
        }
        // Where there is more to read, a refusal may not be the last word.
        Err(doubtful("there is more since then than is read"))
    }

    /// A page of the list, oldest first, and where the next one is. It counts only if every object on
    /// it can be told to be ours or not.
    fn page<T: Sought>(&mut self, cursor: Option<&str>) -> Walked<(Vec<T>, Option<String>)> {
        let since = rfc3339(self.query.first_sent.minus(CLOCK_MARGIN));
        let since = since.ok_or_else(|| doubtful("the time of the send cannot be written"))?;
        let mut query = Serializer::new(String::new());
        query.append_pair("begin_time", &since);
        query.append_pair("sort_order", "ASC");
        if !T::ALL_LOCATIONS {
            query.append_pair("location_id", &self.square.location);
        }
        query.append_pair("limit", PAGE_SIZE);
        if let Some(cursor) = cursor {
            query.append_pair("cursor", cursor);
        }
        let reply = self.ask(&format!("{}?{}", T::PATH, query.finish()))?;
        let mut list: List = read_ok(reply)?;
        let next = match std::mem::take(&mut list.cursor) {
            Value::Null => None,
            Value::String(cursor) if cursor.is_empty() => None,
            Value::String(cursor) => Some(cursor),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                return Err(unreadable());
            }
        };
        if !list.errors.is_null() {
            return Err(unreadable());
        }
        let told = |object: &T| {
            object.id().is_some() && (object.mark().is_null() || object.mark().is_string())
        };
        let object = |value| wire::read::<T>(value).filter(told);
        // No page says how an empty list looks. One without the field says nothing.
        let objects = T::list(list).and_then(|all| all.into_iter().map(object).collect());
        Ok((objects.ok_or_else(unreadable)?, next))
    }

    /// What the payment of a capture or void shows. Its states are terminal, so one that was open
    /// before our first send and is closed now was closed once, whoever did it: a second request of
    /// ours changes nothing, and the time of the change need not be ours.
    fn changed(&mut self) -> Walked<Finding> {
        let Some(id) = self.call.parent.filter(|id| wire::is_id(id)) else {
            return Err(doubtful("there is no id to ask for"));
        };
        let payment: Option<Payment> = self.read(id)?;
        let payment = payment.ok_or_else(|| doubtful("the gateway does not have the payment"))?;
        let state = payment.status.as_deref().ok_or_else(unreadable)?;
        if of_parent(self.call, &payment).is_none() {
            return Err(unreadable());
        }
        let ruling = match state {
            OPEN => return Ok(Finding::Absent),
            _ if Some(state) == done(self.call.kind) => {
                match (payment_ruling(self.call, &payment), self.query.baseline) {
                    (Ruling::Succeeded(effect), Some(OPEN)) => Ruling::Succeeded(effect.inferred()),
                    // It was so before: ours did nothing.
                    (Ruling::Succeeded(_), Some(before)) if before == state => rejected(state, id),
                    _ => return Err(unreadable()),
                }
            }
            // The other end: what was asked for can never be any more.
            "COMPLETED" | "CANCELED" | "FAILED" => rejected(state, id),
            _ => {
                return Err(doubtful(
                    "the payment is in a state that says nothing of this",
                ));
            }
        };
        Ok(Finding::Found(vec![Match::new(id, Verdict::new(ruling))]))
    }
}

fn rejected(state: &str, id: &str) -> Ruling {
    Ruling::Rejected(Refusal::new(state).with_provider_id(Some(id)))
}

/// `2026-11-30T10:53:20Z`
fn rfc3339(time: Timestamp) -> Option<String> {
    let seconds = time.as_millis().max(0).checked_div(1000)?;
    let at = OffsetDateTime::from_unix_timestamp(seconds).ok()?;
    let (year, month, day) = at.to_calendar_date();
    let (hour, minute, second) = at.to_hms();
    let month = u8::from(month);
    Some(format!(
        "{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z"
    ))
}

/// The body of a 200, if it is an object of this kind.
fn read_ok<T: serde::de::DeserializeOwned>(reply: &Response) -> Walked<T> {
    match reply.status.as_u16() {
        200 => wire::body(reply).ok_or_else(unreadable),
        status => Err(doubtful(&format!("the gateway answered {status}"))),
    }
}

/// Square's own word that there is no such object, and not a page of something before it.
fn is_missing(reply: &Response) -> bool {
    let body: Option<Body> = wire::body(reply);
    let errors = body.and_then(|body| body.errors).unwrap_or_default();
    let missing = |value: &Value| {
        let error: Option<ApiError> = wire::read(value.clone());
        error.is_some_and(|error| error.code.as_deref() == Some("NOT_FOUND"))
    };
    reply.status.as_u16() == 404 && !errors.is_empty() && errors.iter().all(missing)
}

fn doubtful(problem: &str) -> Box<LookUpStep> {
    Box::new(LookUpStep::Done(Finding::Unclear(unclear(problem))))
}

fn unreadable() -> Box<LookUpStep> {
    doubtful("a reply could not be read")
}
