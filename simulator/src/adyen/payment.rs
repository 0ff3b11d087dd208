//! A payment, and how the API shows it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

/// What a payment is at.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum PaymentState {
    /// The customer has to act: by a page, or by Adyen's own client code.
    Waiting {
        /// Whether there is a page to open.
        page: bool,
    },
    /// Accepted, no result yet.
    Pending,
    /// Authorised; what was taken of it stands beside.
    Authorised,
    /// Refused, for this reason.
    Refused {
        /// `refusalReasonCode`.
        code: String,
        /// `refusalReason`.
        reason: String,
    },
}

/// A payment. Amounts are in Adyen's own minor units.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Payment {
    /// The `pspReference`.
    pub id: String,
    /// The merchant account.
    pub merchant_account: String,
    /// The merchant's reference of it.
    pub reference: String,
    /// How much.
    pub amount: i64,
    /// In which currency.
    pub currency: String,
    /// Whether it is captured by hand.
    pub manual_capture: bool,
    /// The merchant's own fields.
    pub metadata: BTreeMap<String, String>,
    /// What it is at.
    pub state: PaymentState,
    /// How much was taken.
    pub captured: i64,
    /// How much of that was given back.
    pub refunded: i64,
    /// Whether the rest of the reservation is released: by a cancel, or by the first capture (CAP).
    pub released: bool,
    /// The key of the request that made it.
    pub key: Option<String>,
}

impl Payment {
    /// The merchant's own fields of an effect: those of the payment, and the references.
    pub(super) fn fields(&self, reference: Option<&str>) -> BTreeMap<String, String> {
        let mut fields = self.metadata.clone();
        fields.insert("merchantReference".to_owned(), self.reference.clone());
        if let Some(reference) = reference {
            fields.insert("reference".to_owned(), reference.to_owned());
        }
        fields
    }

    /// The answer to a request for it (OAS).
    pub(super) fn to_json(&self) -> Value {
        let mut shown = Map::new();
        let mut set = |name: &str, value: Value| {
            shown.insert(name.to_owned(), value);
        };
        set("pspReference", json!(self.id));
        set("merchantReference", json!(self.reference));
        let amount = json!({ "currency": self.currency, "value": self.amount });
        match &self.state {
            PaymentState::Waiting { page } => {
                let (result, action) = self.action(*page);
                set("resultCode", json!(result));
                set("action", action);
            }
            PaymentState::Pending => set("resultCode", json!("Pending")),
            PaymentState::Authorised => {
                set("resultCode", json!("Authorised"));
                set("amount", amount);
            }
            PaymentState::Refused { code, reason } => {
                set("resultCode", json!("Refused"));
                set("refusalReasonCode", json!(code));
                set("refusalReason", json!(reason));
            }
        }
        Value::Object(shown)
    }

    fn action(&self, page: bool) -> (&'static str, Value) {
        if page {
            let url = format!(
                "https://checkoutshopper-test.adyen.example/threeDS?MD={}",
                self.id
            );
            let action = json!({
                "type": "redirect", "method": "GET", "url": url, "paymentMethodType": "scheme",
            });
            return ("RedirectShopper", action);
        }
        let action = json!({
            "type": "threeDS2", "subtype": "challenge", "token": format!("token-{}", self.id),
            "paymentMethodType": "scheme",
        });
        ("ChallengeShopper", action)
    }

    /// What the customer brings back to the shop.
    pub(super) fn result(&self, passed: bool) -> String {
        let word = if passed { "passed" } else { "failed" };
        format!("{}.{word}", self.id)
    }
}
