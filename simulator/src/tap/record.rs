//! The objects: charges, authorizations and refunds.

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde_json::{Map, Value, json};

use super::amount;
use super::auth::Scope;
use crate::clock::unix_ms;

/// What an object is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "Tap has these three")]
pub enum Kind {
    /// Money taken; a capture too.
    Charge,
    /// Money held.
    Authorize,
    /// Money given back.
    Refund,
}

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Charge, Self::Authorize, Self::Refund];

    /// Tap's word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Charge => "charge",
            Self::Authorize => "authorize",
            Self::Refund => "refund",
        }
    }

    /// How its ids begin, and the name of its folder.
    pub(super) fn names(self) -> (&'static str, &'static str) {
        match self {
            Self::Charge => ("chg_", "charges"),
            Self::Authorize => ("auth_", "authorize"),
            Self::Refund => ("re_", "refunds"),
        }
    }
}

/// An object, as Tap keeps it. A test may change every field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Record {
    /// What it is.
    pub kind: Kind,
    /// The id: `chg_TS...`, `auth_TS...`, `re_TS...`.
    pub id: String,
    /// The account that it belongs to.
    pub account: String,
    /// Whether it is in live mode.
    pub live: bool,
    /// The amount, in the currency's smallest unit.
    pub amount: i64,
    /// The currency, in uppercase.
    pub currency: String,
    /// Tap's word for where it stands: `CAPTURED`.
    pub status: String,
    /// The response code.
    pub code: String,
    /// Of a capture the authorization, of a refund the charge.
    pub parent: Option<String>,
    /// What was given back of a charge.
    pub refunded: i64,
    /// The merchant's own fields.
    pub metadata: BTreeMap<String, String>,
    /// What the request wrote into `reference` and gets back.
    pub reference: BTreeMap<String, String>,
    /// The merchant's text.
    pub description: Option<String>,
    /// The key of the request that made it.
    pub key: Option<String>,
    /// The page for the customer.
    pub page: Option<String>,
    /// Where the customer comes back to.
    pub(super) redirect: Option<String>,
    pub(super) source: String,
    pub(super) created: SystemTime,
    /// When it reached which status.
    pub(super) activities: Vec<(SystemTime, String)>,
}

impl Record {
    /// An object of which nothing is known but the amount.
    pub(super) fn new(kind: Kind, scope: &Scope, money: (i64, String), now: SystemTime) -> Self {
        let (amount, currency) = money;
        Self {
            kind,
            id: String::new(),
            account: scope.account.clone(),
            live: scope.live,
            amount,
            currency,
            status: String::new(),
            code: String::new(),
            parent: None,
            refunded: 0,
            metadata: BTreeMap::new(),
            reference: BTreeMap::new(),
            description: None,
            key: None,
            page: None,
            redirect: None,
            source: String::new(),
            created: now,
            activities: Vec::new(),
        }
    }

    pub(super) fn is_of(&self, scope: &Scope) -> bool {
        self.account == scope.account && self.live == scope.live
    }

    /// Whether it still can become something else.
    pub(super) fn is_open(&self) -> bool {
        ["INITIATED", "IN_PROGRESS", "PENDING"].contains(&self.status.as_str())
    }

    /// Its new status, and that it has it since now.
    pub(super) fn becomes(&mut self, status: &str, code: &str, now: SystemTime) {
        status.clone_into(&mut self.status);
        code.clone_into(&mut self.code);
        self.activities.push((now, self.status.clone()));
    }

    /// As the API shows it (CHG, AUT, REF).
    pub(super) fn to_json(&self, lists_activities: bool) -> Value {
        let is_refund = self.kind == Kind::Refund;
        let mut reference = self.reference.clone();
        if !is_refund {
            reference.insert("track".to_owned(), format!("tck_{}", self.id));
        }
        let shown = json!({
            "id": self.id,
            "object": self.kind.as_str(),
            "live_mode": self.live,
            "api_version": "V2",
            "status": self.status,
            "amount": self.amount_json(),
            "currency": self.currency,
            "description": self.description,
            "metadata": self.metadata,
            "reference": reference,
            "response": { "code": self.code, "message": self.message() },
        });
        let more = if is_refund {
            self.of_refund()
        } else {
            self.of_payment(lists_activities || self.kind == Kind::Charge)
        };
        [shown, more]
            .into_iter()
            .filter_map(|part| part.as_object().cloned())
            .flatten()
            .collect::<Map<String, Value>>()
            .into()
    }

    fn of_refund(&self) -> Value {
        json!({
            "charge_id": self.parent,
            "created": unix_ms::of(self.created).to_string(),
            "reason": "requested_by_customer",
        })
    }

    fn of_payment(&self, lists_activities: bool) -> Value {
        json!({
            "threeDSecure": true,
            "transaction": {
                "timezone": "UTC+03:00",
                "created": unix_ms::of(self.created).to_string(),
                "expiry": { "period": 30, "type": "MINUTE" },
                "amount": self.amount_json(),
                "currency": self.currency,
                "url": self.page,
            },
            "source": { "id": self.source },
            "customer": { "id": format!("cus_{}", self.id) },
            "redirect": { "status": "PENDING", "url": self.redirect },
            "activities": if lists_activities { self.activities() } else { Value::Null },
        })
    }

    fn amount_json(&self) -> Value {
        amount::write(self.amount, &self.currency)
    }

    fn activities(&self) -> Value {
        let all = self.activities.iter().enumerate();
        let shown = all.map(|(number, (at, status))| {
            json!({
                "id": format!("activity_{}_{number}", self.id),
                "object": "activity",
                "created": unix_ms::of(*at),
                "status": status,
                "amount": self.amount_json(),
                "currency": self.currency,
            })
        });
        shown.collect()
    }

    /// The text beside the code. The words of CODE are longer.
    fn message(&self) -> String {
        format!("{} ({})", self.status, self.code)
    }
}
