//! Parameters, read strictly: what a command does not take is refused (A1, 027).

use serde_json::{Map, Value};

/// A parameter: its name, whether it must be there, its longest value, and what it may hold beside
/// ASCII letters and digits.
type Parameter = (&'static str, bool, usize, &'static str);

/// What every request has.
const COMMON: [Parameter; 4] = [
    ("access_code", true, 20, "_-"),
    ("merchant_identifier", true, 20, ""),
    ("language", true, 2, ""),
    ("signature", true, 200, ""),
];
const PAY: [Parameter; 21] = [
    ("command", true, 20, "_"),
    ("merchant_reference", true, 40, "-_."),
    ("amount", true, 10, ""),
    ("currency", true, 3, ""),
    ("customer_email", true, 254, "_-.@+"),
    ("token_name", true, 100, ".@-_"),
    ("eci", false, 16, ""),
    ("agreement_id", false, 100, ".@-_"),
    ("return_url", false, 400, "$!=?#&-_/:."),
    ("customer_ip", false, 45, ".:"),
    ("customer_name", false, 40, "_\\/-.' "),
    ("phone_number", false, 19, "+-() "),
    ("order_description", false, 150, "'/._-#:$ "),
    ("payment_option", false, 10, ""),
    ("settlement_reference", false, 34, "-_."),
    ("merchant_extra", false, 999, ".;/_-,'@"),
    ("merchant_extra1", false, 250, ".;/_-,'@"),
    ("merchant_extra2", false, 250, ".;/_-,'@"),
    ("merchant_extra3", false, 250, ".;/_-,'@"),
    ("merchant_extra4", false, 250, ".;/_-,'@"),
    ("merchant_extra5", false, 250, ".;/_-,'@"),
];
const MANAGE: [Parameter; 6] = [
    ("command", true, 20, "_"),
    ("merchant_reference", false, 40, "-_."),
    ("fort_id", false, 20, ""),
    ("amount", true, 10, ""),
    ("currency", true, 3, ""),
    ("order_description", false, 150, "'/._-#:$ "),
];
/// A2 gives 40, A1 200: the shorter one holds here.
const REFUND: [Parameter; 1] = [("maintenance_reference", false, 40, "-_.")];
const QUERY: [Parameter; 5] = [
    ("query_command", true, 50, "_"),
    ("merchant_reference", false, 40, "-_."),
    ("fort_id", false, 20, ""),
    ("maintenance_reference", false, 40, "-_."),
    ("return_third_party_response_codes", false, 3, ""),
];

/// What a request asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    Purchase,
    Authorization,
    Capture,
    Refund,
    Void,
    Query,
}

impl Wish {
    /// None: no such command.
    pub(super) fn of(fields: &Map<String, Value>) -> Option<Self> {
        let word = |name| fields.get(name).and_then(Value::as_str);
        match (word("command"), word("query_command")) {
            (Some("PURCHASE"), None) => Some(Self::Purchase),
            (Some("AUTHORIZATION"), None) => Some(Self::Authorization),
            (Some("CAPTURE"), None) => Some(Self::Capture),
            (Some("REFUND"), None) => Some(Self::Refund),
            (Some("VOID_AUTHORIZATION"), None) => Some(Self::Void),
            (None, Some("CHECK_STATUS")) => Some(Self::Query),
            _ => None,
        }
    }

    /// The statuses of success and failure (A1).
    pub(super) fn statuses(self) -> (&'static str, &'static str) {
        match self {
            Self::Purchase => ("14", "13"),
            Self::Authorization => ("02", "03"),
            Self::Capture => ("04", "05"),
            Self::Refund => ("06", "07"),
            Self::Void => ("08", "09"),
            Self::Query => ("12", "11"),
        }
    }

    fn parameters(self) -> impl Iterator<Item = &'static Parameter> {
        let (own, more): (&[Parameter], &[Parameter]) = match self {
            Self::Purchase | Self::Authorization => (&PAY, &[]),
            Self::Capture | Self::Void => (&MANAGE, &[]),
            Self::Refund => (&MANAGE, &REFUND),
            Self::Query => (&QUERY, &[]),
        };
        COMMON.iter().chain(own).chain(more)
    }

    /// The message of what is wrong with the parameters, if anything is.
    pub(super) fn problem(self, fields: &Map<String, Value>) -> Option<&'static str> {
        let known = |name: &String| self.parameters().any(|(known, ..)| known == name);
        if !fields.keys().all(known) {
            return Some("027");
        }
        for (name, required, longest, others) in self.parameters() {
            let value = match fields.get(*name) {
                None | Some(Value::Null) => "",
                Some(Value::String(text)) => text,
                // Whether a JSON number passes for a text is not documented.
                Some(_) => return Some("002"),
            };
            let fits = |c: char| c.is_ascii_alphanumeric() || others.contains(c);
            if value.is_empty() && *required {
                return Some("001");
            }
            if value.chars().count() > *longest {
                return Some("032");
            }
            if !value.chars().all(fits) {
                return Some("002");
            }
        }
        (fields.get("language") != Some(&Value::from("en"))).then_some("033")
    }
}

/// A text that is there.
pub(super) fn text<'f>(fields: &'f Map<String, Value>, name: &str) -> Option<&'f str> {
    let text = fields.get(name)?.as_str()?;
    (!text.is_empty()).then_some(text)
}

/// The amount and the currency, or the message of what is wrong with them. What a currency counts is
/// the merchant's business: the units are taken as they come.
pub(super) fn money(fields: &Map<String, Value>) -> Result<(i64, String), &'static str> {
    let amount = text(fields, "amount").unwrap_or_default();
    let digits = amount.bytes().all(|byte| byte.is_ascii_digit());
    let amount = amount.parse().ok().filter(|amount| digits && *amount > 0);
    let amount: i64 = amount.ok_or("005")?;
    let currency = text(fields, "currency").unwrap_or_default();
    let is_code = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    if is_code {
        Ok((amount, currency.to_owned()))
    } else {
        Err("013")
    }
}
