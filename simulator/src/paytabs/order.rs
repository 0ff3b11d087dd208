//! The body of `POST /payment/request`, read strictly: what nobody took is unknown (P1, P3).

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use super::amount;
use super::error::ApiError;
use super::transaction::TranType;
use crate::exchange::Request;

/// Parameters that change nothing in this simulation.
const WITHOUT_EFFECT: [&str; 11] = [
    "callback",
    "customer_details",
    "customer_ref",
    "framed",
    "hide_shipping",
    "payment_methods",
    "paypage_lang",
    "return",
    "return_using_get",
    "shipping_details",
    "tokenise",
];

/// What is wanted.
#[derive(Debug, Clone)]
pub(super) struct Order {
    pub(super) tran_type: TranType,
    pub(super) class: String,
    pub(super) tran_ref: Option<String>,
    pub(super) token: Option<String>,
    pub(super) cart_id: String,
    pub(super) description: String,
    pub(super) currency: String,
    pub(super) amount: i64,
    pub(super) own: BTreeMap<String, String>,
}

/// The members of a JSON object, numbers as they are written.
#[derive(Debug)]
pub(super) struct Body(BTreeMap<String, Box<RawValue>>);

impl Body {
    pub(super) fn parse(request: &Request) -> Result<Self, ApiError> {
        let members = serde_json::from_slice(&request.body);
        members
            .map(Self)
            .map_err(|_| ApiError::bad(2, "Invalid request: the body is no JSON object"))
    }

    /// Takes a text.
    pub(super) fn text(&mut self, name: &str) -> Result<Option<String>, ApiError> {
        let Some(value) = self.0.remove(name) else {
            return Ok(None);
        };
        let text = serde_json::from_str(value.get());
        text.map(Some).map_err(|_| wrong(name))
    }

    /// Takes the profile: a whole number (P1).
    pub(super) fn profile(&mut self) -> Result<u64, ApiError> {
        let value = self.0.remove("profile_id");
        let number = value.and_then(|value| value.get().parse().ok());
        number.ok_or_else(|| wrong("profile_id"))
    }

    /// Takes a text of so many characters, or refuses with a code.
    fn sized(&mut self, name: &str, most: usize, code: u16) -> Result<String, ApiError> {
        let refused = || ApiError::bad(code, format!("{name} not valid"));
        let text = self.text(name).map_err(|_| refused())?;
        text.filter(|text| (1..=most).contains(&text.chars().count()))
            .ok_or_else(refused)
    }

    fn amount(&mut self) -> Result<i64, ApiError> {
        let value = self.0.remove("cart_amount");
        let amount = value.and_then(|value| amount::parse(value.get()));
        amount.ok_or_else(|| wrong("cart_amount"))
    }

    /// Takes the nine fields of the merchant's own.
    fn own(&mut self) -> Result<BTreeMap<String, String>, ApiError> {
        let Some(value) = self.0.remove("user_defined") else {
            return Ok(BTreeMap::new());
        };
        let own: BTreeMap<String, String> =
            serde_json::from_str(value.get()).map_err(|_| wrong("user_defined"))?;
        let known = |name: &String| (1..=9).any(|number| *name == format!("udf{number}"));
        if own.keys().all(known) {
            return Ok(own);
        }
        Err(wrong("user_defined"))
    }

    /// Everything must have been taken by now. That `PayTabs` refuses unknown parameters is not
    /// documented; a misspelt one must not pass here.
    pub(super) fn finish(self) -> Result<(), ApiError> {
        let unknown = self.0.keys().find(|name| {
            let name = name.as_str();
            !WITHOUT_EFFECT.contains(&name)
        });
        match unknown {
            Some(name) => Err(wrong(name)),
            None => Ok(()),
        }
    }
}

impl Order {
    pub(super) fn parse(mut body: Body) -> Result<Self, ApiError> {
        let tran_type = body.text("tran_type")?;
        let tran_type = tran_type.and_then(|word| TranType::parse(&word));
        let class = body
            .text("tran_class")?
            .filter(|class| ["ecom", "recurring", "moto", "ecomtoken"].contains(&class.as_str()));
        let currency = body.text("cart_currency")?;
        let is_code =
            |text: &String| text.len() == 3 && text.bytes().all(|byte| byte.is_ascii_uppercase());
        let order = Self {
            tran_type: tran_type.ok_or_else(|| wrong("tran_type"))?,
            class: class.ok_or_else(|| wrong("tran_class"))?,
            tran_ref: body.text("tran_ref")?,
            token: body.text("token")?,
            cart_id: body.sized("cart_id", 64, 101)?,
            description: body.sized("cart_description", 128, 102)?,
            currency: currency
                .filter(is_code)
                .ok_or_else(|| ApiError::bad(206, "Currency not available"))?,
            amount: body.amount()?,
            own: body.own()?,
        };
        body.finish()?;
        order.agrees().map(|()| order)
    }

    /// A token goes with `recurring` and a page with `ecom`; what follows names a transaction. The
    /// other classes, and a token with `ecom`, are not simulated.
    fn agrees(&self) -> Result<(), ApiError> {
        if self.tran_type.is_follow_up() {
            return match (&self.tran_ref, &self.token) {
                (Some(_), None) => Ok(()),
                (_, Some(_)) => Err(wrong("token")),
                (None, None) => Err(wrong("tran_ref")),
            };
        }
        match (self.class.as_str(), &self.token, &self.tran_ref) {
            ("recurring", Some(_), _) | ("ecom", None, None) => Ok(()),
            _ => Err(wrong("tran_class")),
        }
    }
}

pub(super) fn wrong(name: &str) -> ApiError {
    ApiError::bad(2, format!("Invalid request: {name}"))
}

/// A text of the body, whatever else is in it.
pub(super) fn text_of(request: &Request, name: &str) -> Option<String> {
    let body: Value = serde_json::from_slice(&request.body).ok()?;
    body.get(name)?.as_str().map(str::to_owned)
}
