//! What an authorization shows before a void, and what changed since.

use payonce::provider::{
    Baseline, Call, Effect, Finding, LookUpStep, Match, Query, Request, Response, Ruling, Verdict,
};
use payonce::{Doubt, Money, OperationKind, Timestamp};

use crate::wire::{self, Object};
use crate::{Tap, amount, look_up};

impl Baseline for Tap {
    fn request(&self, call: &Call<'_>) -> Request {
        // Without a parent it asks for an authorization that cannot be, and nothing is sent: `encode`
        // refused such an operation before.
        let id = call.parent.filter(|id| wire::is_id(id)).unwrap_or("none");
        look_up::get(OperationKind::Void, id)
    }

    /// The stored text is the status. The rest is compared here: a void is of the whole payment.
    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        let object = Object::of(reply).filter(|_| reply.status == 200);
        let id = object.as_ref().and_then(Object::id);
        let mismatch = |got, id: &str| Doubt::Mismatch {
            sent: call.money,
            got,
            provider_id: id.to_owned(),
        };
        // Asked for one authorization, it shows another: whatever that is, it is not ours.
        if let Some(id) = id.filter(|id| call.parent != Some(id)) {
            return Err(mismatch(None, &id));
        }
        let shown = Shown::of(call, reply).map_err(unclear)?;
        if shown.money != call.money {
            let id = call.parent.unwrap_or_default();
            return Err(mismatch(Some(shown.money), id));
        }
        Ok(shown.status)
    }
}

/// A look-up of a void.
pub(crate) fn next(call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
    let Some(id) = call.parent.filter(|id| wire::is_id(id)) else {
        let problem = unclear("there is no id to ask for".to_owned());
        return LookUpStep::Done(Finding::Unclear(problem));
    };
    let Some(reply) = replies.first() else {
        return LookUpStep::Ask(look_up::get(call.kind, id));
    };
    let effect = Shown::of(call, reply).and_then(|now| now.effect(call, query));
    LookUpStep::Done(match effect {
        Ok(effect) => {
            let verdict = Verdict::new(Ruling::Succeeded(effect));
            Finding::Found(vec![Match::new(id, verdict)])
        }
        Err(problem) => Finding::Unclear(unclear(problem)),
    })
}

/// What an authorization shows.
struct Shown {
    status: String,
    money: Money,
    /// When it was voided, each time that it says so.
    voided: Vec<Option<i64>>,
}

impl Shown {
    fn of(call: &Call<'_>, reply: &Response) -> Result<Self, String> {
        let status = reply.status.as_u16();
        if status != 200 {
            return Err(format!("the gateway answered {status}"));
        }
        let unreadable = || "a reply could not be read".to_owned();
        let object = Object::of(reply).ok_or_else(unreadable)?;
        let is_parent = object.id().as_deref() == call.parent;
        if !is_parent || object.text("object").as_deref() != Some("authorize") {
            return Err("a reply was not about the payment".to_owned());
        }
        let read = || {
            let currency = object.text("currency")?;
            let money = amount::read(object.raw("amount")?, &currency)?;
            Some((object.text("status")?, money))
        };
        let (status, money) = read().ok_or_else(unreadable)?;
        Ok(Self {
            status,
            money,
            voided: voided(&object),
        })
    }

    /// The effect of the void, if nothing else changed and Tap's own time of it is not before our
    /// send. Somebody else who voided it in that time would look the same.
    fn effect(self, call: &Call<'_>, query: &Query<'_>) -> Result<Effect, String> {
        let problem = match (query.baseline, self.status.as_str()) {
            (None, _) => "it is not known what the payment showed before",
            (Some(before), now) if before == now => "the payment shows no change",
            (Some("AUTHORIZED"), "VOID") if self.money == call.money => {
                let at_or_after = |at: &i64| Timestamp::from_millis(*at) >= query.first_sent;
                if matches!(self.voided.as_slice(), [Some(at)] if at_or_after(at)) {
                    let id = call.parent.unwrap_or_default();
                    return Ok(Effect::new(id, self.money, self.status).inferred());
                }
                // Whether an authorization lists its activities, as a charge does, is not documented.
                // Without them nobody knows when it was voided.
                "the payment does not show that it was voided after the request"
            }
            (Some(_), _) => "the payment shows another change than ours",
        };
        Err(problem.to_owned())
    }
}

/// `activities`, as <https://developers.tap.company/reference/charges> shows them.
fn voided(object: &Object) -> Vec<Option<i64>> {
    let activities = object.array("activities").unwrap_or_default().into_iter();
    let activities = activities.filter_map(|activity| Object::read(activity.get()));
    activities
        .filter(|activity| activity.text("status").as_deref() == Some("VOID"))
        .map(|activity| activity.whole("created"))
        .collect()
}

fn unclear(problem: String) -> Doubt {
    Doubt::LookUpUnclear { problem }
}
