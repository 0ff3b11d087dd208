//! Asking Tap what became of an operation.
//!
//! An object whose id a reply named is read by that. Else all objects of the time are listed, and the
//! one that names our key is ours: what the server's own filters do with references is not documented.
//! A void has no object of its own, so the authorization is compared with what it showed before.

use payonce::provider::{Call, Finding, LookUp, LookUpStep, Match, Query, Request, Response};
use payonce::{Doubt, OperationKind};
use serde_json::{Value, json};

use crate::classify::{Seen, key_field, object_of, of_object};
use crate::wire::{self, Object};
use crate::{Tap, baseline};

/// The most that one page holds (code 1162 of
/// <https://developers.tap.company/reference/charge-response-codes>).
const PAGE: u8 = 50;
/// How far Tap's clock and ours may be apart: an hour.
const SLACK: i64 = 60 * 60 * 1000;

impl LookUp for Tap {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        if call.kind == OperationKind::Void {
            return baseline::next(call, query, replies);
        }
        let (_, prefix) = object_of(call.kind);
        let named = query.provider_id;
        let named = named.filter(|id| wire::is_id(id) && id.starts_with(prefix));
        match (named, replies.first()) {
            (Some(id), None) => LookUpStep::Ask(get(call.kind, id)),
            (Some(id), Some(reply)) => LookUpStep::Done(by_id(call, id, reply)),
            (None, _) => by_list(call, query, replies),
        }
    }
}

/// The request that reads an object.
pub(crate) fn get(kind: OperationKind, id: &str) -> Request {
    Request::new(http::Method::GET, format!("{}/{id}", folder(kind)))
}

/// <https://developers.tap.company/reference/list-all-charges> and its siblings.
const fn folder(kind: OperationKind) -> &'static str {
    match kind {
        OperationKind::Refund => "/v2/refunds",
        OperationKind::Authorize | OperationKind::Void => "/v2/authorize",
        OperationKind::Charge | OperationKind::Capture | _ => "/v2/charges",
    }
}

fn by_id(call: &Call<'_>, id: &str, reply: &Response) -> Finding {
    match read_ok(reply) {
        Ok(object) if object.id().as_deref() == Some(id) => {
            Finding::Found(vec![Match::new(id, of_object(call, &object, Seen::LookUp))])
        }
        Ok(_) => unclear("a reply could not be read"),
        Err(problem) => unclear(&problem),
    }
}

/// Page after page, to the last.
fn by_list(call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
    let mut found: Vec<Match> = Vec::new();
    let mut after = None;
    for reply in replies {
        let page = match Page::read(call, reply) {
            Ok(page) => page,
            Err(problem) => return LookUpStep::Done(unclear(&problem)),
        };
        for new in page.ours {
            match found
                .iter()
                .find(|known| known.provider_id == new.provider_id)
            {
                None => found.push(new),
                Some(known) if *known == new => {}
                Some(_) => {
                    let problem = "the gateway shows one payment in two states";
                    return LookUpStep::Done(unclear(problem));
                }
            }
        }
        match page.next {
            Some(next) => after = Some(next),
            None if found.is_empty() => return LookUpStep::Done(Finding::Absent),
            None => return LookUpStep::Done(Finding::Found(found)),
        }
    }
    match list(call, query, after) {
        Some(request) => LookUpStep::Ask(request),
        None => LookUpStep::Done(unclear("there is no id to ask for")),
    }
}

fn list(call: &Call<'_>, query: &Query<'_>, after: Option<String>) -> Option<Request> {
    let mut body = if call.kind == OperationKind::Refund {
        json!({ "charges": [call.parent.filter(|id| wire::is_id(id))?] })
    } else {
        let from = query.first_sent.as_millis().saturating_sub(SLACK);
        let to = query.last_sent.as_millis().saturating_add(SLACK);
        json!({ "period": { "date": { "from": from.max(0), "to": to } } })
    };
    let fields = body.as_object_mut()?;
    fields.insert("limit".to_owned(), PAGE.into());
    if let Some(after) = after {
        fields.insert("starting_after".to_owned(), Value::String(after));
    }
    let path = format!("{}/list", folder(call.kind));
    let request = Request::new(http::Method::POST, path);
    Some(request.with_body("application/json", body.to_string()))
}

/// One page of a list: what of it is ours, and the id after which the next one starts.
struct Page {
    ours: Vec<Match>,
    next: Option<String>,
}

impl Page {
    /// The list is the only array of the reply: its name is documented for charges only.
    fn read(call: &Call<'_>, reply: &Response) -> Result<Self, String> {
        let unreadable = || "a reply could not be read".to_owned();
        let body = read_ok(reply)?;
        let more = body.flag("has_more").ok_or_else(unreadable)?;
        let count = body.whole("count").ok_or_else(unreadable)?;
        let mut arrays = body.arrays();
        let (Some(name), None) = (arrays.next(), arrays.next()) else {
            return Err(unreadable());
        };
        let (mut ours, mut last) = (Vec::new(), None);
        for entry in body.array(name).ok_or_else(unreadable)? {
            let entry = Object::read(entry.get()).ok_or_else(unreadable)?;
            // Without id or reference nobody can tell whether it is ours.
            let id = entry.id().ok_or_else(unreadable)?;
            let reference = entry.object("reference").ok_or_else(unreadable)?;
            let field = key_field(call.kind);
            match (reference.raw(field), reference.text(field)) {
                (Some(_), Some(key)) if key == call.key.as_str() => {
                    let verdict = of_object(call, &entry, Seen::LookUp);
                    ours.push(Match::new(id.as_str(), verdict));
                }
                // Others need not give a reference, or an empty one.
                (None | Some("\"\""), None) | (Some(_), Some(_)) => {}
                _ => return Err(unreadable()),
            }
            last = Some(id);
        }
        match last {
            // Whether the count is of the page or of all is not documented: both are 0 then.
            None if more || count != 0 => Err(unreadable()),
            last => Ok(Self {
                ours,
                next: last.filter(|_| more),
            }),
        }
    }
}

/// The body of a 200.
fn read_ok(reply: &Response) -> Result<Object, String> {
    match reply.status.as_u16() {
        200 => Object::of(reply).ok_or_else(|| "a reply could not be read".to_owned()),
        status => Err(format!("the gateway answered {status}")),
    }
}

fn unclear(problem: &str) -> Finding {
    Finding::Unclear(Doubt::LookUpUnclear {
        problem: problem.to_owned(),
    })
}
