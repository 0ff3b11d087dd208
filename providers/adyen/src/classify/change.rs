//! What the reply to a capture, a refund or a void says: that Adyen has it, and no more.
//! <https://docs.adyen.com/online-payments/capture>

use payonce::OperationKind;
use payonce::provider::{Call, PendingAt, Ruling};

use super::{undocumented, unreadable};
use crate::wire::Body;

/// What becomes of it is told by a notification only. `received` says that it may take effect, and
/// refuses nothing.
pub(super) fn ruling(call: &Call<'_>, body: &Body) -> Ruling {
    let names_all = body.payment_psp_reference.is_some()
        && (call.kind == OperationKind::Void || body.amount.is_some());
    match (body.id(), body.status.as_deref()) {
        (Some(id), Some("received")) if names_all => {
            Ruling::Pending(PendingAt::new(id, "received"))
        }
        (_, Some(status)) if status != "received" => undocumented(201, Some(status)),
        _ => unreadable(201),
    }
}
