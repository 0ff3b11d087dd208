//! Asking Moyasar what became of an operation: one request, the payment by its id.
//!
//! A charge or authorization is under our key: <https://docs.moyasar.com/api/idempotency>. A
//! capture, refund or void has no trace of its own, so the payment is compared with what it showed
//! before.

use payonce::provider::{
    Call, Finding, LookUp, LookUpStep, Match, Query, Response, Ruling, Verdict,
};

use crate::baseline::{Before, Snapshot, unclear};
use crate::classify::{has_key, of_payment};
use crate::wire::{self, ApiError, Payment};
use crate::{Moyasar, encode};

impl LookUp for Moyasar {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let keyed = has_key(call.kind);
        let id = if keyed {
            Some(call.key.as_str())
        } else {
            call.parent
        };
        let Some(id) = id.filter(|id| wire::is_id(id)) else {
            return LookUpStep::Done(doubtful("there is no id to ask for"));
        };
        let Some(reply) = replies.first() else {
            return LookUpStep::Ask(encode::get(id));
        };
        LookUpStep::Done(if keyed {
            by_key(call, id, reply)
        } else {
            by_change(call, query, id, reply)
        })
    }
}

/// What the payment under our key says.
fn by_key(call: &Call<'_>, id: &str, reply: &Response) -> Finding {
    let status = reply.status.as_u16();
    if status == 404 && is_of_moyasar(reply) {
        return Finding::Absent;
    }
    if status != 200 {
        return doubtful(&format!("the gateway answered {status}"));
    }
    match wire::body::<Payment>(reply) {
        Some(payment) if payment.id() == Some(id) => {
            Finding::Found(vec![Match::new(id, of_payment(call, &payment, status))])
        }
        Some(_) | None => doubtful("a reply could not be read"),
    }
}

/// Whether the payment changed by exactly what was asked. A change that somebody else made in the
/// same way after our send cannot be told from ours; one of any other kind is never taken for it.
fn by_change(call: &Call<'_>, query: &Query<'_>, id: &str, reply: &Response) -> Finding {
    let Some(before) = query.baseline.and_then(Before::stored) else {
        return doubtful("it is not known what the payment showed before");
    };
    match Snapshot::of(call, reply) {
        Ok(now) => match now.effect(&before, call, query.first_sent) {
            Ok(effect) => {
                let verdict = Verdict::new(Ruling::Succeeded(effect));
                Finding::Found(vec![Match::new(id, verdict)])
            }
            Err(problem) => doubtful(problem),
        },
        Err(doubt) => Finding::Unclear(doubt),
    }
}

/// Whether it is Moyasar's own word and not a page of something before it:
/// <https://docs.moyasar.com/api/errors>. Which type a 404 has is not documented. Where it is
/// wrong, the same payment is sent again under the same id.
fn is_of_moyasar(reply: &Response) -> bool {
    let error: Option<ApiError> = wire::body(reply);
    error.is_some_and(|error| error.kind.is_some() && error.message.is_some())
}

fn doubtful(problem: &str) -> Finding {
    Finding::Unclear(unclear(problem))
}
