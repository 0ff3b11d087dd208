//! Asking PayTabs what became of an operation.
//!
//! The key is a `cart_id` that several transactions may share, so the query by it comes first: it
//! lists all of them. A transaction that a reply named and that is not on the list is then read by
//! its reference. <https://support.paytabs.com/en/support/solutions/articles/60000806381>
//!
//! The query by `cart_id` is documented for pages and forms only. That it finds nothing is therefore
//! never taken for an absence: a token's payment, a capture, a refund or a void may be there.

use payonce::provider::{Call, Finding, LookUp, LookUpStep, Match, Query, Response, Ruling};
use payonce::{Doubt, OperationKind};
use serde_json::{Value, json};

use crate::classify::{transaction_ruling, verdict};
use crate::codes::NOT_FOUND;
use crate::encode::tran_type;
use crate::rule::KEY_FIELD;
use crate::wire::{self, Transaction};
use crate::{PayTabs, encode};

impl LookUp for PayTabs {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let (first, second) = (replies.first(), replies.get(1));
        let Some(list) = first else {
            return self.ask(KEY_FIELD, call.key.as_str());
        };
        let listed = match self.listed(call, list) {
            Ok(listed) => listed,
            Err(problem) => return unclear(&problem),
        };
        let named = query.provider_id.filter(|id| wire::is_id(id));
        let Some(id) = named.filter(|id| !listed.iter().any(|found| found.provider_id == *id))
        else {
            return done(listed);
        };
        let Some(reply) = second else {
            return self.ask("tran_ref", id);
        };
        match self.read(call, id, reply) {
            Ok(Some(found)) => done(listed.into_iter().chain([found]).collect()),
            // What a reply named is gone, so what is left may not be all.
            Ok(None) if !listed.iter().any(succeeded) => {
                unclear("the gateway does not show the payment that it named")
            }
            Ok(None) => done(listed),
            Err(problem) => unclear(&problem),
        }
    }
}

impl PayTabs {
    /// Exactly one of the two fields, or the query is refused.
    fn ask(&self, field: &str, value: &str) -> LookUpStep {
        let body = json!({ "profile_id": self.profile_id, field: value });
        LookUpStep::Ask(encode::post("/payment/query", body.to_string()))
    }

    /// Every transaction of a list that carries our key.
    fn listed(&self, call: &Call<'_>, reply: &Response) -> Result<Vec<Match>, String> {
        if is_not_found(reply) {
            return Ok(Vec::new());
        }
        let list = ok(reply)?;
        // That it finds nothing is said otherwise, so an empty list says nothing.
        let entries = list.as_array().filter(|entries| !entries.is_empty());
        let mut found = Vec::new();
        for entry in entries.ok_or_else(unreadable)? {
            let shown: Transaction = wire::read(entry.clone()).ok_or_else(unreadable)?;
            // Without reference, key or kind nobody can tell whether it is ours.
            let (Some(id), Some(key), Some(kind)) = (
                shown.id(),
                shown.cart_id.as_deref(),
                shown.tran_type.as_deref(),
            ) else {
                return Err(unreadable());
            };
            if key != call.key.as_str() {
                continue;
            }
            if undoes(call, kind) {
                return Err("the gateway shows a refund or a void of it too".to_owned());
            }
            let new = self.matched(call, id, &shown);
            match found.iter().find(|known: &&Match| known.provider_id == id) {
                None => found.push(new),
                Some(known) if *known == new => {}
                Some(_) => return Err("the gateway shows one payment in two states".to_owned()),
            }
        }
        Ok(found)
    }

    /// The transaction of a reference, if it carries our key. `None`: there is none, or it is
    /// another's.
    fn read(&self, call: &Call<'_>, id: &str, reply: &Response) -> Result<Option<Match>, String> {
        if is_not_found(reply) {
            return Ok(None);
        }
        let shown: Transaction = wire::read(ok(reply)?).ok_or_else(unreadable)?;
        if shown.id() != Some(id) {
            return Err(unreadable());
        }
        match shown.cart_id.as_deref() {
            None => Err(unreadable()),
            Some(key) if key != call.key.as_str() => Ok(None),
            Some(_) => Ok(Some(self.matched(call, id, &shown))),
        }
    }

    fn matched(&self, call: &Call<'_>, id: &str, shown: &Transaction) -> Match {
        let ruling = transaction_ruling(self.mode, call, shown, 200);
        let pays = matches!(call.kind, OperationKind::Charge | OperationKind::Authorize);
        let waits = matches!(&ruling, Ruling::Pending(at) if at.status == "P");
        let ruling = if pays && waits {
            // A page that nobody paid yet shows the same, and its address is not shown. Taken for
            // pending, a customer who has not paid could not be sent there again.
            let problem = "the gateway waits, perhaps for the customer on its page".to_owned();
            Ruling::Unknown(Doubt::LookUpUnclear { problem })
        } else {
            ruling
        };
        Match::new(id, verdict(call, shown, ruling))
    }
}

/// What a person does to a payment in the dashboard, or another program, may carry its `cart_id`.
/// The payment is then no longer what it was.
fn undoes(call: &Call<'_>, kind: &str) -> bool {
    let is = |word: &str| kind.eq_ignore_ascii_case(word);
    let ours = tran_type(call.kind).is_some_and(is);
    !ours && ["refund", "void", "release"].into_iter().any(is)
}

fn succeeded(found: &Match) -> bool {
    matches!(found.verdict.ruling, Ruling::Succeeded(_))
}

fn done(found: Vec<Match>) -> LookUpStep {
    if found.is_empty() {
        return unclear("the gateway shows no such payment, which proves nothing there");
    }
    LookUpStep::Done(Finding::Found(found))
}

fn unclear(problem: &str) -> LookUpStep {
    let problem = problem.to_owned();
    LookUpStep::Done(Finding::Unclear(Doubt::LookUpUnclear { problem }))
}

fn unreadable() -> String {
    "a reply could not be read".to_owned()
}

/// The body of a 200 that is no error.
fn ok(reply: &Response) -> Result<Value, String> {
    let status = reply.status.as_u16();
    if status != 200 {
        return Err(format!("the gateway answered {status}"));
    }
    let body = reply.json().ok_or_else(unreadable)?;
    match body.get("code") {
        None => Ok(body),
        Some(_) => Err(unreadable()),
    }
}

/// Which status it comes with is not documented.
fn is_not_found(reply: &Response) -> bool {
    let shown: Option<Transaction> = reply.json().and_then(wire::read);
    let code = shown.as_ref().and_then(|shown| shown.code.as_deref());
    matches!(reply.status.as_u16(), 200 | 400 | 404) && code == Some(NOT_FOUND)
}
