//! `PURCHASE` and `AUTHORIZATION` (A1).

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use super::Aps;
use super::body::{Wish, money, text};
use super::order::Order;
use super::serve::Done;
use super::tokens::{self, Trial};
use crate::effect::EffectKind;
use crate::fault::Steer;

/// The fields that are the merchant's own.
const OWN: [&str; 9] = [
    "merchant_reference",
    "merchant_extra",
    "merchant_extra1",
    "merchant_extra2",
    "merchant_extra3",
    "merchant_extra4",
    "merchant_extra5",
    "order_description",
    "settlement_reference",
];

impl Aps {
    pub(super) fn pay(
        &mut self,
        wish: Wish,
        fields: &Map<String, Value>,
        steer: Option<&Steer>,
    ) -> Done {
        let (amount, currency) = money(fields)?;
        let eci = text(fields, "eci");
        if !matches!(eci, None | Some("ECOMMERCE" | "MOTO" | "RECURRING")) {
            return Err("033");
        }
        let away = eci == Some("RECURRING");
        if away && wish == Wish::Authorization {
            return Err("113");
        }
        let trial = text(fields, "token_name").and_then(tokens::trial_of);
        let trial = trial.ok_or("044")?;
        let get = |name| text(fields, name).unwrap_or_default().to_owned();
        let (merchant, reference) = (get("merchant_identifier"), get("merchant_reference"));
        // A reference is spent by its first order, a declined one too; that a failed one may not be
        // used again is inferred from its being unique (A1).
        let taken =
            |order: &Order| order.merchant == merchant && order.merchant_reference == reference;
        if self.orders.find(taken).is_some() {
            return Err(self.config.duplicate.message());
        }
        let own = OWN.iter().filter_map(|name| {
            let value = text(fields, name)?;
            Some(((*name).to_owned(), value.to_owned()))
        });
        let number = self.orders.add(Order {
            merchant,
            merchant_reference: reference,
            fort_id: String::new(),
            manual: wish == Wish::Authorization,
            amount,
            currency,
            code: String::new(),
            authorized: 0,
            captured: 0,
            refunded: 0,
            voided: false,
            refunds: Vec::new(),
            fields: own.collect::<BTreeMap<_, _>>(),
        });
        let (_, failed) = wish.statuses();
        match steered(trial, steer) {
            Trial::Approved => self.succeed(number),
            Trial::Declined(message) => self.note(number, format!("{failed}{message}")),
            // Nobody is there to go anywhere.
            Trial::ThreeDSecure if away => self.note(number, format!("{failed}030")),
            Trial::ThreeDSecure => self.note(number, "20064".to_owned()),
            Trial::Pending => self.note(number, "19065".to_owned()),
        }
        self.shown(number)
    }

    /// The money is taken or reserved.
    pub(super) fn succeed(&mut self, number: u64) {
        let Some(order) = self.orders.get_mut(number) else {
            return;
        };
        order.authorized = order.amount;
        let kind = if order.manual {
            "02000".clone_into(&mut order.code);
            EffectKind::Authorize
        } else {
            order.captured = order.amount;
            "14000".clone_into(&mut order.code);
            EffectKind::Charge
        };
        let order = order.clone();
        let key = order.merchant_reference.clone();
        self.moved(kind, &order, order.amount, Some(&key));
    }

    pub(super) fn note(&mut self, number: u64, code: String) {
        if let Some(order) = self.orders.get_mut(number) {
            order.code = code;
        }
    }

    fn shown(&self, number: u64) -> Done {
        let order = self.orders.get(number).ok_or("006")?;
        let mut more = vec![("fort_id", order.fort_id.clone())];
        if order.code == "20064" {
            let page = format!("https://3ds.aps.example/{}", order.fort_id);
            more.push(("3ds_url", page));
        }
        Ok((order.code.clone(), more))
    }
}

fn steered(trial: Trial, steer: Option<&Steer>) -> Trial {
    match steer {
        Some(Steer::Decline { code, decline_code }) => {
            let reason = decline_code.as_deref().unwrap_or(code);
            Trial::Declined(tokens::message_of(reason))
        }
        Some(Steer::RequireAction(_)) => Trial::ThreeDSecure,
        Some(Steer::Processing) => Trial::Pending,
        Some(Steer::StoredError { .. }) | None => trial,
    }
}
