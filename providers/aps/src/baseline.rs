//! What an order shows before a capture or void.

use payonce::Doubt;
use payonce::OperationKind;
use payonce::provider::{Baseline, Call, Request, Response};
use serde::{Deserialize, Serialize};

use crate::amount::AMOUNT;
use crate::look_up::{Answer, read};
use crate::wire::{Fields, is_id};
use crate::{Aps, encode};

/// What an order shows of what was done to it. Its JSON is stored with the operation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Snapshot {
    last: String,
    authorized: i64,
    captured: Option<i64>,
    refunded: Option<i64>,
}

impl Snapshot {
    /// `None`: the reply does not show the state of an order.
    pub(crate) fn of(fields: &Fields) -> Option<Self> {
        // A total that is there must be a number; one of nothing may be missing.
        let total = |name: &str| {
            let units = fields.units(name);
            (units.is_some() || !fields.has(name)).then_some(units)
        };
        let last = fields.code("transaction_code", "transaction_status")?;
        Some(Self {
            last: last.text,
            authorized: fields.units("authorized_amount")?,
            captured: total("captured_amount")?,
            refunded: total("refunded_amount")?,
        })
    }

    /// What was stored.
    pub(crate) fn stored(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }
}

impl Baseline for Aps {
    fn request(&self, call: &Call<'_>) -> Request {
        // Without a parent it asks for an order that cannot be, and nothing is sent: `encode` refused
        // such an operation before.
        let order = call.parent.filter(|id| is_id(id)).unwrap_or("0");
        let request = encode::check_status(self, "fort_id", order);
        request.unwrap_or_else(|| Request::new(http::Method::GET, "/"))
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        let unclear = |problem: &str| Doubt::LookUpUnclear {
            problem: problem.to_owned(),
        };
        let order = call.parent.unwrap_or_default();
        let fields = match read(self, reply, "fort_id", order) {
            Ok(Answer::Order(fields)) => fields,
            Ok(Answer::Nothing) => return Err(unclear("the gateway does not show the payment")),
            Err(problem) => return Err(unclear(&problem)),
        };
        let snapshot = Snapshot::of(&fields).ok_or_else(|| unclear("a reply shows no state"))?;
        // A void of another amount than the authorized one is refused; the reply names no currency to
        // compare.
        let got = AMOUNT
            .money(snapshot.authorized, call.money.currency())
            .ok();
        if call.kind == OperationKind::Void && got != Some(call.money) {
            return Err(Doubt::Mismatch {
                sent: call.money,
                got,
                provider_id: order.to_owned(),
            });
        }
        serde_json::to_string(&snapshot).map_err(|_| unclear("the payment cannot be written down"))
    }
}
