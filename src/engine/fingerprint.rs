//! The fingerprint: what would change the financial effect of an intent.
//!
//! | in it | not in it |
//! |---|---|
//! | kind and family, amount, currency, source or payment, capture mode | description, metadata, return URL |
//!
//! The account and a caller's own key are compared beside it.

use hmac::{Hmac, KeyInit, Mac};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::intent::Source;
use crate::ledger::Fingerprint;
use crate::money::Money;
use crate::operation::OperationKind;
use crate::payment::Payment;

/// The fields, as texts, in a versioned object.
#[derive(Serialize)]
struct Fields<'a> {
    version: &'static str,
    family: &'static str,
    kind: &'static str,
    amount: String,
    currency: &'static str,
    capture: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    source_kind: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    payment: Option<&'a str>,
}

/// Makes the fingerprint. A source shows only as a hash that is keyed with the ledger's own salt:
/// the fingerprint itself shows no token, and the same token looks different in every ledger.
pub(super) fn fingerprint(
    kind: OperationKind,
    money: Money,
    source: Option<&Source>,
    payment: Option<&Payment>,
    salt: [u8; 32],
) -> Result<Fingerprint, serde_json::Error> {
    let capture = match kind {
        OperationKind::Authorize => "manual",
        OperationKind::Charge
        | OperationKind::Capture
        | OperationKind::Refund
        | OperationKind::Void => "automatic",
    };
    let canonical = serde_jcs::to_string(&Fields {
        version: "1",
        family: kind.family().as_str(),
        kind: kind.as_str(),
        amount: money.to_decimal(),
        currency: money.currency().code(),
        capture,
        source: source.and_then(|source| hashed(source, salt)),
        source_kind: source.map(|source| source.kind().as_str()),
        payment: payment.map(|payment| payment.provider_id.as_str()),
    })?;
    let sha256 = Sha256::digest(canonical.as_bytes()).into();
    Ok(Fingerprint::new(canonical, sha256))
}

fn hashed(source: &Source, salt: [u8; 32]) -> Option<String> {
    let mut mac = Hmac::<Sha256>::new_from_slice(&salt).ok()?;
    let customer = source.customer().unwrap_or_default();
    for part in [source.expose_token()?, customer] {
        mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        mac.update(part.as_bytes());
    }
    Some(hex(&mac.finalize().into_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    let digit = |nibble: u8| char::from_digit(u32::from(nibble), 16);
    let digits = bytes
        .iter()
        .flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]);
    digits.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::money::Currency;

    fn of(kind: OperationKind, amount: &str, source: &Source, salt: u8) -> Fingerprint {
        let money = Money::parse(amount, Currency::SAR).unwrap();
        fingerprint(kind, money, Some(source), None, [salt; 32]).unwrap()
    }

    #[test]
    fn the_canonical_form_is_fixed() {
        // Stored in ledgers: a change here makes every open operation a mismatch.
        let source = Source::token("pm_card_visa");
        let print = of(OperationKind::Charge, "480.00", &source, 7);
        assert_eq!(
            print.canonical,
            r#"{"amount":"480.00","capture":"automatic","currency":"SAR","family":"payment","kind":"charge","source":"20b63c9610c2927d028386a9764d696b9cc600154f898f86479ddf7572648a7a","source_kind":"token","version":"1"}"#
        );
    }

    #[test]
    fn differences_are_named() {
        let visa = Source::token("pm_card_visa");
        let base = of(OperationKind::Charge, "480.00", &visa, 7);
        let differ = |other: &Fingerprint| other.differences(&base);
        assert!(differ(&of(OperationKind::Charge, "480", &visa, 7)).is_empty());
        assert_eq!(
            differ(&of(OperationKind::Charge, "481", &visa, 7)),
            ["amount"]
        );
        let kind = differ(&of(OperationKind::Authorize, "480.00", &visa, 7));
        assert_eq!(kind, ["capture", "kind"]);
        let other = Source::token("pm_card_amex");
        assert_eq!(
            differ(&of(OperationKind::Charge, "480.00", &other, 7)),
            ["source"]
        );
        let hosted = of(OperationKind::Charge, "480.00", &Source::hosted(), 7);
        assert_eq!(differ(&hosted), ["source_kind", "source"]);
    }

    #[test]
    fn the_same_token_looks_different_in_every_ledger() {
        let source = Source::token("pm_card_visa");
        let print = |salt| of(OperationKind::Charge, "1", &source, salt);
        assert_ne!(print(1).canonical, print(2).canonical);
        assert!(!print(1).canonical.contains("pm_card"));
    }

    #[test]
    fn token_and_customer_are_not_run_together() {
        let saved = |token: &str, customer| Source::saved(token, Some(customer));
        let one = of(OperationKind::Charge, "1", &saved("ab", "c"), 1);
        let two = of(OperationKind::Charge, "1", &saved("a", "bc"), 1);
        assert_eq!(one.differences(&two), ["source"]);
    }
}
