//! The fields of a request that are the merchant's own: kept, echoed and on every effect.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::codes;
use super::config::Config;
use super::error::ApiError;
use super::form::Form;

const STEERING: &str = "forceResultCode";

/// The fields of a request that are the merchant's own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MerchantFields {
    /// `merchantTransactionId`, by which the query finds a payment.
    pub transaction_id: Option<String>,
    /// `merchantInvoiceId`.
    pub invoice_id: Option<String>,
    /// `merchantMemo`.
    pub memo: Option<String>,
    /// `customParameters[..]`.
    pub custom_parameters: BTreeMap<String, String>,
    /// `descriptor`, on the statement.
    pub descriptor: Option<String>,
}

impl MerchantFields {
    /// Takes them out of a form. The lengths of the two ids are known (H1), the others are not
    /// checked.
    pub(super) fn take(form: &mut Form) -> Self {
        Self {
            transaction_id: form.sized("merchantTransactionId", 8, 255),
            invoice_id: form.sized("merchantInvoiceId", 1, 255),
            memo: form.text("merchantMemo"),
            custom_parameters: form.custom_parameters(),
            descriptor: form.text("descriptor"),
        }
    }

    /// All of them by their names in the request: whichever a client uses for its own reference,
    /// it is found.
    pub(super) fn by_name(&self) -> BTreeMap<String, String> {
        let plain = [
            ("merchantTransactionId", &self.transaction_id),
            ("merchantInvoiceId", &self.invoice_id),
            ("merchantMemo", &self.memo),
        ];
        let plain = plain
            .into_iter()
            .filter_map(|(name, value)| Some((name.to_owned(), value.clone()?)));
        let custom = self.custom_parameters.iter();
        plain
            .chain(custom.map(|(name, value)| (format!("customParameters[{name}]"), value.clone())))
            .collect()
    }

    /// As a payment shows them.
    pub(super) fn show_in(&self, body: &mut Map<String, Value>) {
        let plain = [
            ("merchantTransactionId", &self.transaction_id),
            ("merchantInvoiceId", &self.invoice_id),
            ("merchantMemo", &self.memo),
            ("descriptor", &self.descriptor),
        ];
        for (name, value) in plain {
            if let Some(value) = value {
                body.insert(name.to_owned(), json!(value));
            }
        }
        if !self.custom_parameters.is_empty() {
            body.insert("customParameters".to_owned(), json!(self.custom_parameters));
        }
    }

    /// The code that `customParameters[forceResultCode]` asks for: the platform's own way to test
    /// results (EX).
    pub(super) fn forced_code(&self) -> Option<&str> {
        let code = self.custom_parameters.get(STEERING)?;
        codes::is_code(code).then_some(code)
    }

    /// What is only for tests must not reach the live platform (H2, 600.200.701).
    pub(super) fn check(&self, config: &Config, test_mode: bool) -> Result<(), ApiError> {
        if config.live && (test_mode || self.custom_parameters.contains_key(STEERING)) {
            return Err(ApiError::bad(codes::TEST_MODE_LIVE));
        }
        Ok(())
    }
}
