//! `POST /v2/refunds` (REF).

use super::Tap;
use super::auth::Scope;
use super::body::{Body, Read};
use super::error::ApiError;
use super::outcome::{self, Trial};
use super::record::{Kind, Record};
use crate::exchange::{Reply, Request};
use crate::fault::Steer;

impl Tap {
    /// Gives money back, all that is left or a part.
    pub(super) fn refund(
        &mut self,
        scope: &Scope,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Read<Reply> {
        let mut body = Body::parse(request)?;
        let charge_id = body.required("charge_id", ("1142", "Charge id is missing"))?;
        let money = body.money()?;
        let (key, reference) = body.reference(&[("merchant", "1123")])?;
        body.required("reason", ("1156", "Refund reason is missing"))?;
        let (metadata, description) = (body.metadata()?, body.description()?);
        body.ignore(&["post"]);
        body.finish()?;
        let charge = self.find(
            scope,
            Kind::Charge,
            &charge_id,
            ("1144", "Charge id not found"),
        )?;
        if charge.currency != money.1 {
            let text = "Currency code is not matching with existing currency code";
            return Err(ApiError::bad("1149", text));
        }
        let captured = charge.status == "CAPTURED";
        let left = charge.amount.saturating_sub(charge.refunded);
        // What is promised to others is not there any more.
        let promised: i64 = self
            .records
            .iter()
            .filter(|other| other.parent.as_ref() == Some(&charge_id) && other.is_open())
            .map(|other| other.amount)
            .sum();
        if !captured || money.0 > left.saturating_sub(promised) {
            return Err(ApiError::bad("1161", "Requested refund amount exceeds"));
        }
        let now = self.now;
        let record = self.records.add(Record {
            key,
            reference,
            metadata,
            description,
            parent: Some(charge_id),
            ..Record::new(Kind::Refund, scope, money, now)
        });
        let id = record.id.clone();
        record.becomes("PENDING", "100", now);
        match outcome::steered(steer) {
            // The codes of refunds are other ones than those of charges (CODE).
            Some(Trial::Declined("505")) => self.end(&id, "DECLINED", "502"),
            Some(Trial::Declined(_)) => self.end(&id, "DECLINED", "501"),
            Some(Trial::Waits) => {}
            Some(Trial::Approved | Trial::Page) | None => self.pay(&id),
        }
        self.show(&id)
    }
}
