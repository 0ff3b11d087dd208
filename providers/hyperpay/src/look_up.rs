//! Asking HyperPay what became of an operation.
//!
//! The key is a reference that several payments may share, so the query by it comes first: it lists
//! all of them, declined ones too. A payment that a reply named and that is not on the list is then
//! read by its id. <https://hyperpay.docs.oppwa.com/reporting-transaction>

use payonce::Doubt;
use payonce::provider::{Call, Finding, LookUp, LookUpStep, Match, Query, Response, Ruling};

use crate::classify::{Seen, payment_ruling, verdict};
use crate::encode::payment_type;
use crate::rule::KEY_FIELD;
use crate::wire::{self, Payment, Report};
use crate::{HyperPay, encode};

const QUERY: &str = "/v1/query";
/// The query was carried out. It says nothing of the payments.
const CARRIED_OUT: &str = "000.000.100";
/// There is no such payment.
const NOT_FOUND: &str = "700.400.580";

impl LookUp for HyperPay {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let (first, second) = (replies.first(), replies.get(1));
        let Some(list) = first else {
            return self.ask(QUERY, &[(KEY_FIELD, call.key.as_str())]);
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
            return self.ask(&format!("{QUERY}/{id}"), &[]);
        };
        match self.read(call, id, reply) {
            Ok(Some(found)) => done(listed.into_iter().chain([found]).collect()),
            // What a reply named is gone, so what is left may not be all.
            Ok(None) if !listed.is_empty() && !listed.iter().any(succeeded) => {
                unclear("the gateway does not show the payment that it named")
            }
            Ok(None) => done(listed),
            Err(problem) => unclear(&problem),
        }
    }
}

impl HyperPay {
    fn ask(&self, path: &str, pairs: &[(&str, &str)]) -> LookUpStep {
        match encode::get(self, path, pairs) {
            Some(request) => LookUpStep::Ask(request),
            None => unclear("the entity id is none of HyperPay"),
        }
    }

    /// Every payment of a list that carries our key.
    fn listed(&self, call: &Call<'_>, reply: &Response) -> Result<Vec<Match>, String> {
        if is_not_found(reply) {
            return Ok(Vec::new());
        }
        let report: Report = read_ok(reply)?;
        let entries = match report.payments {
            // That it finds nothing is said otherwise, so an empty list says nothing.
            Some(entries) if report.code() == Some(CARRIED_OUT) && !entries.is_empty() => entries,
            Some(_) | None => return Err(unreadable()),
        };
        let mut found = Vec::new();
        for entry in entries {
            let payment: Payment = wire::read(entry).ok_or_else(unreadable)?;
            let reference = payment.merchant_transaction_id.as_deref();
            // Without id, reference or kind nobody can tell whether it is ours.
            let (Some(id), Some(reference), Some(kind)) =
                (payment.id(), reference, payment.kind.as_deref())
            else {
                return Err(unreadable());
            };
            if reference != call.key.as_str() {
                continue;
            }
            if undoes(call, kind) {
                return Err("the gateway shows a refund or a void of it too".to_owned());
            }
            let new = self.matched(call, id, &payment);
            match found.iter().find(|known: &&Match| known.provider_id == id) {
                None => found.push(new),
                Some(known) if *known == new => {}
                Some(_) => return Err("the gateway shows one payment in two states".to_owned()),
            }
        }
        Ok(found)
    }

    /// The payment of an id, if it carries our key. `None`: there is none, or it is another's.
    fn read(&self, call: &Call<'_>, id: &str, reply: &Response) -> Result<Option<Match>, String> {
        if is_not_found(reply) {
            return Ok(None);
        }
        let payment: Payment = read_ok(reply)?;
        if payment.id() != Some(id) {
            return Err(unreadable());
        }
        match payment.merchant_transaction_id.as_deref() {
            None => Err(unreadable()),
            Some(reference) if reference != call.key.as_str() => Ok(None),
            Some(_) => Ok(Some(self.matched(call, id, &payment))),
        }
    }

    fn matched(&self, call: &Call<'_>, id: &str, payment: &Payment) -> Match {
        let ruling = payment_ruling(self.mode, call, payment, Seen::LookUp);
        Match::new(id, verdict(call, payment, ruling))
    }
}

/// What a person does to a payment in the console may carry its reference. The payment is then no
/// longer what it was.
fn undoes(call: &Call<'_>, kind: &str) -> bool {
    ["RF", "RV"].contains(&kind) && Some(kind) != payment_type(call.kind)
}

fn succeeded(found: &Match) -> bool {
    matches!(found.verdict.ruling, Ruling::Succeeded(_))
}

fn done(found: Vec<Match>) -> LookUpStep {
    LookUpStep::Done(if found.is_empty() {
        Finding::Absent
    } else {
        Finding::Found(found)
    })
}

fn unclear(problem: &str) -> LookUpStep {
    let problem = problem.to_owned();
    LookUpStep::Done(Finding::Unclear(Doubt::LookUpUnclear { problem }))
}

fn unreadable() -> String {
    "a reply could not be read".to_owned()
}

/// The body of a 200, if it is an object of this kind.
fn read_ok<T: serde::de::DeserializeOwned>(reply: &Response) -> Result<T, String> {
    match reply.status.as_u16() {
        200 => reply.json().and_then(wire::read).ok_or_else(unreadable),
        status => Err(format!("the gateway answered {status}")),
    }
}

/// A 404 of another machine, or of an expired page (`200.300.404`), says nothing.
fn is_not_found(reply: &Response) -> bool {
    let report: Option<Report> = reply.json().and_then(wire::read);
    let code = report.as_ref().and_then(Report::code);
    reply.status.as_u16() == 404 && code == Some(NOT_FOUND)
}
