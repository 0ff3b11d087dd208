//! The payment: a charge or an authorization, and what is done with it afterwards. The platform
//! calls all of them payments, and each has an id and a result of its own.

use std::time::SystemTime;

use serde_json::{Map, Value, json};

use crate::effect::EffectKind;
use crate::hyperpay::fields::MerchantFields;
use crate::hyperpay::{amount, codes, error, time};

/// A payment, as `HyperPay` keeps it. A test may change every field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Payment {
    /// The id, 32 characters.
    pub id: String,
    /// The entity that made it, and that alone sees it.
    pub entity: String,
    /// What it does.
    pub payment_type: PaymentType,
    /// The amount in hundredths.
    pub amount: i64,
    /// The currency, in capitals.
    pub currency: String,
    /// The result code.
    pub code: String,
    /// Whether the money moved, whatever the code says.
    pub moved: bool,
    /// The merchant's own fields.
    pub fields: MerchantFields,
    /// The token that it was paid with.
    pub registration_id: Option<String>,
    /// The payment that it captures, refunds or reverses.
    pub referenced_id: Option<String>,
    /// Where the customer has to go, while he has to.
    pub redirect: Option<String>,
    /// When it was made.
    pub created: SystemTime,
}

/// What a payment does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "the others are not simulated")]
pub enum PaymentType {
    /// `DB`: takes money.
    Debit,
    /// `PA`: reserves money.
    Preauthorization,
    /// `CP`: takes reserved money.
    Capture,
    /// `RF`: gives money back.
    Refund,
    /// `RV`: releases reserved money, or takes a charge back before it settles.
    Reversal,
}

impl PaymentType {
    /// The platform's two letters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Debit => "DB",
            Self::Preauthorization => "PA",
            Self::Capture => "CP",
            Self::Refund => "RF",
            Self::Reversal => "RV",
        }
    }

    /// The effect that it has. A reversed charge counts as a void: that is what was asked for,
    /// and it never shows on the customer's statement.
    pub(in crate::hyperpay) fn effect(self) -> EffectKind {
        match self {
            Self::Debit => EffectKind::Charge,
            Self::Preauthorization => EffectKind::Authorize,
            Self::Capture => EffectKind::Capture,
            Self::Refund => EffectKind::Refund,
            Self::Reversal => EffectKind::Void,
        }
    }
}

impl Payment {
    /// A payment without any fields. It gets its id from the table.
    pub(in crate::hyperpay) fn new(
        entity: &str,
        payment_type: PaymentType,
        amount: i64,
        currency: String,
        created: SystemTime,
    ) -> Self {
        Self {
            id: String::new(),
            entity: entity.to_owned(),
            payment_type,
            amount,
            currency,
            code: codes::PENDING.to_owned(),
            moved: false,
            fields: MerchantFields::default(),
            registration_id: None,
            referenced_id: None,
            redirect: None,
            created,
        }
    }

    /// Whether it belongs to another payment and has this type.
    pub(in crate::hyperpay) fn is_part_of(&self, id: &str, payment_type: PaymentType) -> bool {
        self.payment_type == payment_type && self.referenced_id.as_deref() == Some(id)
    }

    /// As an entry of a list (EX).
    pub(in crate::hyperpay) fn show(&self) -> Map<String, Value> {
        let mut body = Map::new();
        let mut put = |name: &str, value: Value| body.insert(name.to_owned(), value);
        put("id", json!(self.id));
        put("paymentType", json!(self.payment_type.as_str()));
        put("paymentBrand", json!("VISA"));
        put("amount", json!(amount::show(self.amount)));
        put("currency", json!(self.currency));
        put("result", Value::Object(error::result(&self.code)));
        put(
            "resultDetails",
            json!({ "ConnectorTxID1": self.id, "clearingInstituteName": "simulator" }),
        );
        put("risk", json!({ "score": "0" }));
        put("timestamp", json!(time::of_payment(self.created)));
        if let Some(id) = &self.referenced_id {
            put("referencedId", json!(id));
        }
        if let Some(id) = &self.registration_id {
            put("registrationId", json!(id));
            put(
                "card",
                json!({
                    "bin": "420000",
                    "last4Digits": "0000",
                    "holder": "Jane Jones",
                    "expiryMonth": "05",
                    "expiryYear": "2034",
                }),
            );
        }
        if let Some(url) = &self.redirect {
            let parameters = json!([{ "name": "PaReq", "value": self.id }]);
            let (method, preconditions) = (json!("POST"), json!([]));
            put(
                "redirect",
                json!({
                    "url": url,
                    "method": method,
                    "parameters": parameters,
                    "preconditions": preconditions,
                }),
            );
        }
        self.fields.show_in(&mut body);
        body
    }
}
