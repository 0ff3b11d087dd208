//! `POST /payments/details`: what the customer brought back (OAS).

use serde_json::{Map, Value};

use super::create::refused;
use super::error::ApiError;
use super::payment::{Payment, PaymentState};
use super::serve::only;
use super::{Adyen, Cause};

impl Adyen {
    /// The payment goes on, once. What comes under another key later is answered with what it is at
    /// then; it never moves money again.
    pub(super) fn finish(
        &mut self,
        fields: &Map<String, Value>,
        _: Cause<'_>,
    ) -> Result<Value, ApiError> {
        only(fields, &["details", "paymentData"])?;
        let invalid = || ApiError::invalid("101", "Invalid details");
        let details = fields.get("details").and_then(Value::as_object);
        let details = details.ok_or_else(invalid)?;
        only(
            details,
            &[
                "redirectResult",
                "threeDSResult",
                "payload",
                "returnUrlQueryString",
            ],
        )?;
        let mut result = ["redirectResult", "threeDSResult"].into_iter();
        let result = result.find_map(|name| details.get(name)?.as_str());
        let (id, word) = result
            .and_then(|text| text.split_once('.'))
            .ok_or_else(invalid)?;
        let payment = self.payments.get_mut(id).ok_or_else(invalid)?;
        let waits = matches!(payment.state, PaymentState::Waiting { .. });
        match (waits, word) {
            (true, "passed") => {
                payment.state = PaymentState::Authorised;
                self.move_money(id);
            }
            (true, "failed") => payment.state = refused("11", "3D Not Authenticated"),
            (false, "passed" | "failed") => {}
            _ => return Err(invalid()),
        }
        Ok(self
            .payments
            .get(id)
            .map(Payment::to_json)
            .unwrap_or_default())
    }
}
