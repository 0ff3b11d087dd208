//! `POST /v2/refunds` (OAS).

use http::StatusCode;
use serde_json::json;

use super::Square;
use super::body::Body;
use super::error::ApiError;
use super::object::{Refund, Status};
use crate::effect::EffectKind;
use crate::exchange::{Reply, Request};
use crate::fault::Steer;

impl Square {
    pub(super) fn refund(
        &mut self,
        account: &str,
        request: &Request,
        steer: Option<&Steer>,
    ) -> Result<Reply, ApiError> {
        let currency = self.config.currency.clone();
        let mut body = Body::parse(request)?;
        let key = body.required("idempotency_key", 45)?;
        let payment_id = body.required("payment_id", 192)?;
        let amount = body.money(&currency)?;
        let reason = body.text("reason", 192)?;
        body.finish()?;
        let id = self.fresh_id(&format!("{payment_id}_REF"));
        let now = self.now;
        let missing = || ApiError::missing("payment");
        let payment = self.payment_of(account, &payment_id).ok_or_else(missing)?;
        if payment.status == Status::Approved {
            let code = "REFUND_ERROR_PAYMENT_NEEDS_COMPLETION";
            return Err(ApiError::refund(code, "The payment is only approved."));
        }
        if payment.status != Status::Completed {
            let code = "PAYMENT_NOT_REFUNDABLE";
            return Err(ApiError::refund(code, "The payment took no money."));
        }
        if amount > payment.amount.saturating_sub(payment.refunded) {
            let detail = "The requested refund amount exceeds the amount available to refund.";
            return Err(ApiError::refund("REFUND_AMOUNT_INVALID", detail));
        }
        if let Some(Steer::Decline { .. }) = steer {
            return Err(ApiError::refund(
                "REFUND_DECLINED",
                "The issuer declined it.",
            ));
        }
        let pending = matches!(steer, Some(Steer::Processing));
        let status = if pending {
            Status::Pending
        } else {
            // At Square most are pending first; a test says so with `processing`.
            payment.refunded = payment.refunded.saturating_add(amount);
            payment.updated_at = now;
            Status::Completed
        };
        let payment = payment.clone();
        let refund = Refund {
            id,
            account: account.to_owned(),
            payment_id,
            amount,
            currency,
            status,
            reason,
            key,
            created_at: now,
        };
        self.refunds.add(refund.clone());
        if !pending {
            self.moved(EffectKind::Refund, &payment, Some(&refund));
        }
        let body = json!({ "refund": refund.to_json() });
        Ok(Reply::json(StatusCode::OK, &body))
    }
}
