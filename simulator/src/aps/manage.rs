//! `CAPTURE`, `REFUND` and `VOID_AUTHORIZATION`: what is done to an order (A1, A2).

use serde_json::{Map, Value};

use super::Aps;
use super::body::{Wish, money, text};
use super::order::Order;
use super::serve::Done;
use super::tokens;
use crate::effect::EffectKind;
use crate::fault::Steer;

impl Aps {
    pub(super) fn manage(
        &mut self,
        wish: Wish,
        fields: &Map<String, Value>,
        steer: Option<&Steer>,
    ) -> Done {
        let (amount, currency) = money(fields)?;
        let number = self.named(fields)?;
        let order = self.orders.get(number).ok_or("036")?;
        if order.currency != currency {
            return Err("013");
        }
        allowed(wish, order, amount)?;
        let own = text(fields, "maintenance_reference").map(str::to_owned);
        let (done, failed) = wish.statuses();
        let code = match steer {
            Some(Steer::Decline { code, decline_code }) => {
                let reason = decline_code.as_deref().unwrap_or(code);
                format!("{failed}{}", tokens::message_of(reason))
            }
            Some(Steer::Processing) => "19000".to_owned(),
            Some(Steer::RequireAction(_) | Steer::StoredError { .. }) | None => {
                format!("{done}000")
            }
        };
        let moves = code.starts_with(done);
        let order = self.orders.get_mut(number).ok_or("036")?;
        order.code.clone_from(&code);
        if wish == Wish::Refund {
            order.refunds.push((own.clone(), code.clone(), amount));
        }
        let mut shown = vec![("fort_id", order.fort_id.clone())];
        shown.push(("merchant_reference", order.merchant_reference.clone()));
        if moves {
            let kind = apply(wish, order, amount);
            let order = order.clone();
            self.moved(kind, &order, amount, own.as_deref());
        }
        Ok((code, shown))
    }

    /// The order that a request names, by one of its ids or by both.
    fn named(&self, fields: &Map<String, Value>) -> Result<u64, &'static str> {
        let get = |name| text(fields, name);
        let (id, reference) = (get("fort_id"), get("merchant_reference"));
        if id.is_none() && reference.is_none() {
            return Err("001");
        }
        let merchant = get("merchant_identifier");
        let fits = |order: &Order| {
            merchant == Some(order.merchant.as_str())
                && id.is_none_or(|id| id == order.fort_id)
                && reference.is_none_or(|reference| reference == order.merchant_reference)
        };
        self.orders.find(fits).ok_or("036")
    }
}

/// The message of what stands against it.
fn allowed(wish: Wish, order: &Order, amount: i64) -> Result<(), &'static str> {
    let held = order.manual && order.authorized > 0 && !order.voided;
    match wish {
        // That several captures are possible is not documented; a client must not rely on the second
        // one being refused.
        Wish::Capture if held => {
            let all = order.captured.saturating_add(amount);
            if all > order.authorized {
                Err("042")
            } else {
                Ok(())
            }
        }
        Wish::Refund if order.captured > 0 => {
            let all = order.refunded.saturating_add(amount);
            if all > order.captured {
                Err("048")
            } else {
                Ok(())
            }
        }
        // Of neither more nor less than was authorized, and only before a capture (A2).
        Wish::Void if held && order.captured == 0 => {
            if amount == order.authorized {
                Ok(())
            } else {
                Err("005")
            }
        }
        Wish::Capture
        | Wish::Refund
        | Wish::Void
        | Wish::Purchase
        | Wish::Authorization
        | Wish::Query => Err("034"),
    }
}

fn apply(wish: Wish, order: &mut Order, amount: i64) -> EffectKind {
    match wish {
        Wish::Capture => {
            order.captured = order.captured.saturating_add(amount);
            EffectKind::Capture
        }
        Wish::Refund => {
            order.refunded = order.refunded.saturating_add(amount);
            EffectKind::Refund
        }
        Wish::Void | Wish::Purchase | Wish::Authorization | Wish::Query => {
            order.voided = true;
            EffectKind::Void
        }
    }
}
