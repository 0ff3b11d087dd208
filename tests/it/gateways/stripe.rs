//! Stripe's row.

use std::time::Duration;

use payonce::OperationKind;
use payonce_simulator::{Fault, LoggedRequest, Matcher, Tamper, When};
use payonce_stripe::Stripe;

use super::shop::{Adapter, Card, Shop};
use crate::world::World;

#[derive(Debug)]
pub(crate) struct StripeShop;

impl Shop for StripeShop {
    fn name(&self) -> &'static str {
        "stripe"
    }

    fn with_secret(&self, url: String, secret: &str) -> Adapter {
        Adapter(Box::new(Stripe::new("main", secret).base_url(url)))
    }

    fn token(&self, card: Card) -> &'static str {
        match card {
            Card::Pays => "pm_card_visa",
            Card::PaysToo => "pm_card_mastercard",
            Card::Declines => "pm_card_chargeDeclined",
            Card::Asks => "pm_card_authenticationRequired",
        }
    }

    /// A capture writes its reference beside the payment's; a void can write none.
    fn carries_its_own(&self, kind: OperationKind) -> bool {
        kind != OperationKind::Void
    }

    fn duplicate(&self, kind: OperationKind) -> Option<Fault> {
        let code = match kind {
            OperationKind::Capture | OperationKind::Void => "payment_intent_unexpected_state",
            OperationKind::Refund => "charge_already_refunded",
            // A repeat gets the first one's reply.
            OperationKind::Charge | OperationKind::Authorize | _ => return None,
        };
        let error = format!(r#"{{"error":{{"type":"invalid_request_error","code":"{code}"}}}}"#);
        Some(Fault::Raw {
            status: 400,
            headers: vec![("content-type".to_owned(), "application/json".to_owned())],
            body: error,
            when: When::Before,
        })
    }

    fn in_progress(&self, _kind: OperationKind) -> Option<Fault> {
        Some(Fault::KeyInUse)
    }

    fn other_amount(&self, kind: OperationKind, looked_up: bool) -> Tamper {
        // A look-up reads a list, and then perhaps the payment itself.
        let both = |tamper: Tamper, field: &str| {
            let listed = format!("/data/0/{field}");
            let tamper = tamper.and_set(&format!("/{field}"), 1);
            if looked_up {
                tamper.and_set(&listed, 1)
            } else {
                tamper
            }
        };
        let fields: &[&str] = match kind {
            OperationKind::Charge => &["amount", "amount_received"],
            OperationKind::Authorize => &["amount", "amount_capturable"],
            OperationKind::Capture => &["amount_received"],
            OperationKind::Refund | OperationKind::Void | _ => &["amount"],
        };
        fields
            .iter()
            .fold(Tamper::default(), |tamper, field| both(tamper, field))
    }

    /// A list, a search and a payment that do not show the latest yet. How long is no setting of
    /// the simulator for all three, so their replies are changed on the way.
    fn look_ups_lag(&self, world: &World, kind: OperationKind, _lag: Duration) {
        let stale = match kind {
            OperationKind::Capture | OperationKind::Void => {
                Tamper::set("/status", "requires_capture")
                    .and_set("/amount_received", 0)
                    .and_set("/amount_capturable", 48_000)
                    .and_set("/canceled_at", serde_json::Value::Null)
                    .and_set("/cancellation_reason", serde_json::Value::Null)
                    .and_set("/latest_charge/captured", false)
                    .and_set("/latest_charge/amount_captured", 0)
                    .and_remove("/metadata/payonce_capture_key")
                    .and_remove("/metadata/payonce_capture_reference")
            }
            OperationKind::Charge | OperationKind::Authorize | OperationKind::Refund | _ => {
                Tamper::set("/data", serde_json::json!([]))
            }
        };
        let fault = Fault::Tamper(stale).on(Matcher::get());
        world.gateway.faults().push(fault.always());
    }

    fn look_ups_are_true(&self, world: &World) {
        world.gateway.faults().clear();
    }

    fn key_in(&self, post: &LoggedRequest) -> Option<String> {
        post.header("idempotency-key").map(str::to_owned)
    }
}
