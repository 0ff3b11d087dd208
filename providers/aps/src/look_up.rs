//! Asking the gateway what became of an operation: one query, by the reference of the operation.
//!
//! <https://paymentservices.amazon.com/docs/api/managing-payments/check-status>. The reply shows the
//! last thing that was done to the order, and totals. It names no currency, so the units are read in
//! that of the operation: under a key of ours nothing else was ever asked for.

use payonce::provider::{
    Call, Echo, Effect, Finding, LookUp, LookUpStep, Match, Query, Refusal, Response, Ruling,
    Verdict,
};
use payonce::{Currency, Doubt, Money, OperationKind};

use crate::amount::AMOUNT;
use crate::baseline::Snapshot;
use crate::classify::{pending, refusal, undocumented};
use crate::codes::{Meaning, of_order};
use crate::rule::{KEY_FORMAT, ORDER_KEY, REFUND_KEY};
use crate::wire::{Code, Fields, is_id};
use crate::{Aps, encode};

/// The query was carried out, and found something.
const FOUND: &str = "12000";
/// It was carried out and found nothing. The status before it is that of success all the same
/// (a public log of a real query).
const NOTHING: &str = "12036";

impl LookUp for Aps {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let order = call.parent.filter(|id| is_id(id));
        let key = KEY_FORMAT.check(call.key).ok().map(|()| call.key.as_str());
        let (name, value) = match call.kind {
            OperationKind::Charge | OperationKind::Authorize => (ORDER_KEY, key),
            OperationKind::Refund => (REFUND_KEY, key),
            OperationKind::Capture | OperationKind::Void | _ => ("fort_id", order),
        };
        let ask = |value: &str| encode::check_status(self, name, value);
        let Some((value, request)) = value.and_then(|value| Some((value, ask(value)?))) else {
            return LookUpStep::Done(unclear("there is nothing to ask for"));
        };
        let Some(reply) = replies.first() else {
            return LookUpStep::Ask(request);
        };
        let found = read(self, reply, name, value).and_then(|answer| match (name, answer) {
            ("fort_id", Answer::Order(fields)) => by_change(call, query, &fields),
            ("fort_id", Answer::Nothing) => Err("the gateway does not show the payment".to_owned()),
            (_, Answer::Order(fields)) => by_key(call, &fields),
            (_, Answer::Nothing) => Ok(Finding::Absent),
        });
        LookUpStep::Done(found.unwrap_or_else(|problem| unclear(&problem)))
    }
}

/// What a query found.
pub(crate) enum Answer {
    Order(Fields),
    Nothing,
}

/// The reply to a query by one reference, which it must name: every parameter comes back.
pub(crate) fn read(aps: &Aps, reply: &Response, name: &str, value: &str) -> Result<Answer, String> {
    if reply.status != 200 {
        return Err(format!("the gateway answered {}", reply.status.as_u16()));
    }
    let unreadable = || "a reply could not be read, or is not signed by the gateway".to_owned();
    let fields = Fields::of(&aps.keys, reply).map_err(|_| unreadable())?;
    let code = fields
        .code("response_code", "status")
        .ok_or_else(unreadable)?;
    if fields.named(name).as_deref() != Some(value) {
        return Err("a reply was about another payment".to_owned());
    }
    match code.text.as_str() {
        FOUND => Ok(Answer::Order(fields)),
        NOTHING => Ok(Answer::Nothing),
        other => Err(format!("the gateway answered {other}")),
    }
}

/// The order or refund that has our key.
fn by_key(call: &Call<'_>, fields: &Fields) -> Result<Finding, String> {
    let id = fields.fort_id().ok_or("a reply names no payment")?;
    if call.parent.is_some_and(|parent| parent != id) {
        return Err("a reply was about another payment".to_owned());
    }
    let code = fields.code("transaction_code", "transaction_status");
    let code = code.ok_or("a reply shows no state")?;
    let ruling = ruling(call, fields, &id, &code);
    let ruling = ruling.unwrap_or_else(|| undocumented(fields.raw("transaction_code")));
    let unknown = matches!(ruling, Ruling::Unknown(_));
    let echo = if unknown {
        Echo::NotExpected
    } else {
        Echo::Ours
    };
    let verdict = Verdict::new(ruling).with_echo(echo);
    Ok(Finding::Found(vec![Match::new(id, verdict)]))
}

/// `None`: what was done last does not say what became of the operation.
fn ruling(call: &Call<'_>, fields: &Fields, id: &str, code: &Code) -> Option<Ruling> {
    let total = |name: &str| {
        let money = AMOUNT.money(fields.units(name)?, currency(call, fields)?);
        money.ok().filter(|money| !money.is_zero())
    };
    let success = |money: Option<Money>| {
        let effect = Effect::new(id, money?, code.text.as_str());
        Some(Ruling::Succeeded(effect))
    };
    match (call.kind, code.parts()) {
        // A refund is a later fact, whatever came of it: the money was taken.
        (OperationKind::Charge, ("14" | "06", "000") | ("07", _)) => {
            success(total("captured_amount"))
        }
        // So is what was done to an authorization: the money was held.
        (OperationKind::Authorize, ("02" | "04" | "06", "000") | ("05" | "07" | "09", _)) => {
            success(total("authorized_amount"))
        }
        (OperationKind::Authorize, ("08", "000")) => {
            let refusal = Refusal::new(code.text.as_str()).with_provider_id(Some(id));
            let captured =
                fields.has("captured_amount") && fields.units("captured_amount") != Some(0);
            (!captured).then_some(Ruling::Canceled(refusal))
        }
        // The total of the order: it holds ours, maybe beside earlier ones.
        (OperationKind::Refund, ("06", "000")) => {
            let all = total("refunded_amount")?;
            let holds = all.minor() >= call.money.minor();
            success(Some(if holds { call.money } else { all }))
        }
        (kind, (state, message)) => match of_order(kind, state, message) {
            Meaning::Declined => Some(Ruling::Declined(refusal(fields, "transaction_code"))),
            Meaning::Pending | Meaning::Waiting => Some(pending(id.to_owned(), &code.text)),
            Meaning::Done
            | Meaning::Rejected
            | Meaning::Unauthorized
            | Meaning::Repeated
            | Meaning::InProgress
            | Meaning::Unsaid => None,
        },
    }
}

/// The currency of the totals: ours, unless the reply names one, which no page lists.
fn currency(call: &Call<'_>, fields: &Fields) -> Option<Currency> {
    if fields.has("currency") {
        fields.text("currency")?.parse().ok()
    } else {
        Some(call.money.currency())
    }
}

/// A capture or void leaves nothing but a change of the order, and the gateway says of no change when
/// it was made. So nobody can tell whether it was made by us or by somebody else before our send,
/// and a person must compare.
fn by_change(call: &Call<'_>, query: &Query<'_>, fields: &Fields) -> Result<Finding, String> {
    let before = query.baseline.and_then(Snapshot::stored);
    let before = before.ok_or("it is not known what the payment showed before")?;
    let now = Snapshot::of(fields).ok_or("a reply shows no state")?;
    Err(if now == before {
        "the payment shows no change".to_owned()
    } else {
        format!(
            "the payment changed after it was read, maybe by this {}: the gateway does not show \
             when",
            call.kind
        )
    })
}

fn unclear(problem: &str) -> Finding {
    let problem = problem.to_owned();
    Finding::Unclear(Doubt::LookUpUnclear { problem })
}
