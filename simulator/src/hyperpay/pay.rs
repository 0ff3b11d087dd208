//! `POST /v1/registrations/{id}/payments` (H1).

use super::error::ApiError;
use super::fields::MerchantFields;
use super::form::Form;
use super::objects::{Payment, PaymentType, RegistrationResult};
use super::outcome::Outcome;
use super::{Cause, HyperPay, codes};

/// The parameters of a payment with a stored card.
#[derive(Debug)]
pub(super) struct Pay {
    payment_type: PaymentType,
    amount: i64,
    currency: String,
    fields: MerchantFields,
    /// The customer is not there: the merchant began it.
    nobody_there: bool,
    test_mode: bool,
}

impl Pay {
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let kind = form.word("paymentType", &["DB", "PA"]);
        let kind = form.required("paymentType", kind);
        let amount = form.amount();
        let amount = form.required("amount", amount);
        let currency = form.currency();
        let currency = form.required("currency", currency);
        let fields = MerchantFields::take(&mut form);
        form.word("standingInstruction.mode", &["INITIAL", "REPEATED"]);
        let types = ["UNSCHEDULED", "RECURRING", "INSTALLMENT"];
        form.word("standingInstruction.type", &types);
        let source = form.word("standingInstruction.source", &["CIT", "MIT"]);
        let test_mode = form.word("testMode", &["EXTERNAL", "INTERNAL"]).is_some();
        form.finish()?;
        let (Some(kind), Some(amount), Some(currency)) = (kind, amount, currency) else {
            return Err(ApiError::bad(codes::PARAMETER));
        };
        Ok(Self {
            payment_type: if kind == "PA" {
                PaymentType::Preauthorization
            } else {
                PaymentType::Debit
            },
            amount,
            currency,
            fields,
            nobody_there: source.as_deref() == Some("MIT"),
            test_mode,
        })
    }
}

impl HyperPay {
    pub(super) fn pay(
        &mut self,
        registration: &str,
        pay: Pay,
        cause: Cause<'_>,
    ) -> Result<Payment, ApiError> {
        pay.fields.check(&self.config, pay.test_mode)?;
        let found = self.registrations.get(registration);
        let usable = found.filter(|found| {
            let entity = found.entity.as_deref();
            entity.is_none_or(|entity| entity == cause.entity)
        });
        let Some(usable) = usable else {
            return Err(ApiError::bad(codes::NO_REGISTRATION));
        };
        if pay.amount <= 0 {
            return Err(ApiError::bad(codes::AMOUNT_TOO_LOW));
        }
        let natural = match &usable.result {
            RegistrationResult::Approved => Outcome::of_code(self.config.success()),
            RegistrationResult::Redirect if pay.nobody_there => {
                Outcome::of_code(codes::SOFT_DECLINED)
            }
            RegistrationResult::Redirect => Outcome::Redirect,
            RegistrationResult::Code(code) => Outcome::of_code(code),
        };
        let now = self.now;
        let payment = Payment {
            fields: pay.fields,
            registration_id: Some(registration.to_owned()),
            ..Payment::new(
                cause.entity,
                pay.payment_type,
                pay.amount,
                pay.currency,
                now,
            )
        };
        Ok(self.execute(payment, natural, cause))
    }
}
