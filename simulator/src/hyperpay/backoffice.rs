//! `POST /v1/payments/{id}`: captures (`CP`), refunds (`RF`) and reversals (`RV`) (H1).

use super::error::ApiError;
use super::fields::MerchantFields;
use super::form::Form;
use super::objects::{Payment, PaymentType};
use super::outcome::Outcome;
use super::{Cause, HyperPay, codes};

/// What is to be done with a payment.
#[derive(Debug)]
pub(super) struct Backoffice {
    payment_type: PaymentType,
    amount: Option<i64>,
    currency: Option<String>,
    fields: MerchantFields,
    test_mode: bool,
}

impl Backoffice {
    /// A reversal needs no amount; the others need one, and its currency (H1).
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let kind = form.word("paymentType", &["CP", "RF", "RV"]);
        let kind = form.required("paymentType", kind);
        let (mut amount, mut currency) = (form.amount(), form.currency());
        if kind.as_deref() != Some("RV") || amount.is_some() {
            amount = form.required("amount", amount);
            currency = form.required("currency", currency);
        }
        let fields = MerchantFields::take(&mut form);
        let test_mode = form.word("testMode", &["EXTERNAL", "INTERNAL"]).is_some();
        form.finish()?;
        Ok(Self {
            payment_type: match kind.as_deref() {
                Some("CP") => PaymentType::Capture,
                Some("RF") => PaymentType::Refund,
                _ => PaymentType::Reversal,
            },
            amount,
            currency,
            fields,
            test_mode,
        })
    }
}

impl HyperPay {
    /// What the payment does not allow is rejected: as far as the payment is known, the rejection
    /// is kept and listed like a decline. Whether the platform lists it too is not documented.
    pub(super) fn manage(
        &mut self,
        id: &str,
        backoffice: Backoffice,
        cause: Cause<'_>,
    ) -> Result<Payment, ApiError> {
        backoffice
            .fields
            .check(&self.config, backoffice.test_mode)?;
        if backoffice.amount.is_some_and(|amount| amount <= 0) {
            return Err(ApiError::bad(codes::AMOUNT_TOO_LOW));
        }
        let kind = backoffice.payment_type;
        let own = self.payments.get(id);
        let Some(referenced) = own.filter(|payment| payment.entity == cause.entity) else {
            // As live tests of public clients see it (EX): not "cannot find transaction" as the
            // query says, and no word about whether another entity has it.
            return Err(ApiError::bad(needs(kind)));
        };
        let rejected = self.refusal(referenced, &backoffice);
        let amount = backoffice.amount.unwrap_or(referenced.amount);
        let currency = backoffice.currency;
        let payment = Payment {
            fields: backoffice.fields,
            referenced_id: Some(id.to_owned()),
            ..Payment::new(
                cause.entity,
                kind,
                amount,
                currency.unwrap_or_else(|| referenced.currency.clone()),
                self.now,
            )
        };
        if let Some(code) = rejected {
            return Ok(self.keep(payment, code));
        }
        let natural = Outcome::of_code(self.config.success());
        Ok(self.execute(payment, natural, cause))
    }

    /// Why this cannot be done with this payment, if so.
    fn refusal(&self, referenced: &Payment, wanted: &Backoffice) -> Option<&'static str> {
        let kind = wanted.payment_type;
        if !allows(referenced.payment_type, kind) {
            return Some(needs(kind));
        }
        if codes::is_pending(&referenced.code) {
            return Some(codes::REFERENCE_PENDING);
        }
        // What may have moved after a timeout is no success to the platform.
        if !codes::is_success(&referenced.code) {
            return Some(needs(kind));
        }
        let other = |currency: &String| *currency != referenced.currency;
        if wanted.currency.as_ref().is_some_and(other) {
            return Some(codes::OTHER_CURRENCY);
        }
        let amount = wanted.amount.unwrap_or(referenced.amount);
        let reversed = self.done(&referenced.id, PaymentType::Reversal) > 0;
        let too_much = |done: i64| reversed || done.saturating_add(amount) > referenced.amount;
        let captured = self.done(&referenced.id, PaymentType::Capture);
        let refunded = self.done(&referenced.id, PaymentType::Refund);
        match kind {
            PaymentType::Capture => too_much(captured).then_some(codes::CANNOT_CAPTURE),
            PaymentType::Refund => too_much(refunded).then_some(codes::CANNOT_REFUND),
            PaymentType::Reversal => {
                // Whether the rest of a captured authorization, or a part of a payment, can be
                // reversed is not documented: all or nothing here.
                let untouched = captured == 0 && refunded == 0 && !reversed;
                if !untouched || amount != referenced.amount {
                    return Some(codes::CANNOT_REVERSE);
                }
                self.has_settled(referenced)
                    .then_some(codes::TOO_LATE_TO_REVERSE)
            }
            PaymentType::Debit | PaymentType::Preauthorization => Some(needs(kind)),
        }
    }

    /// The sum of what was done with a payment, or still may come of it. A rejection counts
    /// nothing; nor does a timeout, of which the platform does not know that it worked.
    fn done(&self, id: &str, kind: PaymentType) -> i64 {
        let parts = self
            .payments
            .iter()
            .filter(|part| part.is_part_of(id, kind));
        let counting =
            parts.filter(|part| codes::is_success(&part.code) || codes::is_pending(&part.code));
        counting.fold(0, |sum: i64, part| sum.saturating_add(part.amount))
    }

    /// An authorization never settles; a charge does, and can only be refunded then (H5).
    fn has_settled(&self, payment: &Payment) -> bool {
        let age = self.now.duration_since(payment.created);
        payment.payment_type == PaymentType::Debit
            && age.unwrap_or_default() >= self.config.settled_after
    }
}

/// What can be done with which payment. The text of the error lets captures be reversed too; what
/// that does to the authorization is not documented, so it is refused here.
fn allows(of: PaymentType, kind: PaymentType) -> bool {
    match kind {
        PaymentType::Capture => of == PaymentType::Preauthorization,
        PaymentType::Refund => matches!(of, PaymentType::Debit | PaymentType::Capture),
        PaymentType::Reversal => matches!(of, PaymentType::Debit | PaymentType::Preauthorization),
        PaymentType::Debit | PaymentType::Preauthorization => false,
    }
}

/// The error that names the payment that would be needed.
fn needs(kind: PaymentType) -> &'static str {
    match kind {
        PaymentType::Capture => codes::CAPTURE_NEEDS,
        PaymentType::Refund => codes::REFUND_NEEDS,
        PaymentType::Reversal | PaymentType::Debit | PaymentType::Preauthorization => {
            codes::REVERSAL_NEEDS
        }
    }
}
