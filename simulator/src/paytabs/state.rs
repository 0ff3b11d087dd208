//! Looking at the state and planting things in it, from a test or the control API.

use super::PayTabs;
use super::order::Order;
use super::transaction::{TranType, Transaction};
use crate::effect::Effect;
use crate::gateway::Gateway;

impl PayTabs {
    /// All transactions, oldest first.
    pub fn transactions(&self) -> impl Iterator<Item = &Transaction> {
        self.rows.values()
    }

    /// A transaction of any profile.
    pub fn transaction(&self, id: &str) -> Option<&Transaction> {
        self.rows.get(&number(id)?).filter(|one| one.tran_ref == id)
    }

    /// A transaction to change. Changing one is planting: it makes no effect.
    pub fn transaction_mut(&mut self, id: &str) -> Option<&mut Transaction> {
        let row = self.rows.get_mut(&number(id)?);
        row.filter(|one| one.tran_ref == id)
    }

    /// Plants a second transaction that is equal but for its reference and time, as if the request had
    /// been executed twice. It makes no effect. None if there is no such transaction.
    pub fn copy_transaction(&mut self, id: &str) -> Option<String> {
        let copy = self.transaction(id)?.clone();
        Some(self.add(copy))
    }

    /// The customer pays on the page or passes 3-D Secure, or does not. An effect, if the money moves,
    /// has the `cart_id` of the request that began it.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, id: &str, passed: bool) -> Result<(), String> {
        let one = self.transaction_mut(id).ok_or_else(|| none(id))?;
        if !one.open {
            return Err(format!("{id} does not wait for a customer"));
        }
        one.open = false;
        let (status, code) = if passed {
            ("A", "G00004")
        } else {
            ("D", "310")
        };
        self.end(id, status, code)
    }

    /// A transaction that is pending or held, or of which nobody knows what became of it (`E` with code
    /// 400), gets its result. If that is `A` the money moves now, unless it had moved before.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, id: &str, status: &str, code: &str) -> Result<(), String> {
        let one = self.transaction_mut(id).ok_or_else(|| none(id))?;
        let waits = ["P", "H"].contains(&one.status.as_str());
        if one.open || !(waits || one.status == "E" && one.code == "400") {
            return Err(format!("{id} is {}; it cannot change", one.status));
        }
        self.end(id, status, code)
    }

    fn end(&mut self, id: &str, status: &str, code: &str) -> Result<(), String> {
        let one = self.transaction_mut(id).ok_or_else(|| none(id))?;
        status.clone_into(&mut one.status);
        code.clone_into(&mut one.code);
        if status == "A" {
            self.move_money(id);
        }
        Ok(())
    }

    /// Keeps what an order came to. Without an outcome the customer is asked; until then the query
    /// calls it pending (P4).
    pub(super) fn keep(
        &mut self,
        order: Order,
        profile: u64,
        outcome: Option<(&str, &str)>,
    ) -> String {
        let (status, code) = outcome.unwrap_or(("P", "600"));
        let follow_up = order.tran_type.is_follow_up();
        let id = self.add(Transaction {
            tran_ref: String::new(),
            profile,
            tran_type: order.tran_type,
            previous: order.tran_ref.filter(|_| follow_up),
            cart_id: order.cart_id,
            description: order.description,
            amount: order.amount,
            currency: order.currency,
            own: order.own,
            status: status.to_owned(),
            code: code.to_owned(),
            page: None,
            open: outcome.is_none(),
            moved: false,
            created: self.now,
        });
        if let Some(one) = self.transaction_mut(&id)
            && one.open
        {
            one.page = Some(format!("https://secure.paytabs.example/payment/page/{id}"));
        }
        id
    }

    fn add(&mut self, mut one: Transaction) -> String {
        self.last = self.last.saturating_add(1);
        let profile = if self.config.live { "SFT" } else { "TST" };
        let id = format!("{profile}26335{:08}", self.last);
        one.tran_ref.clone_from(&id);
        one.created = self.now;
        self.rows.insert(self.last, one);
        id
    }

    /// The money of a transaction moves, once in its life. A void ends its authorization.
    pub(super) fn move_money(&mut self, id: &str) {
        let Some(one) = self.transaction_mut(id).filter(|one| !one.moved) else {
            return;
        };
        one.moved = true;
        let one = one.clone();
        if one.tran_type == TranType::Void
            && let Some(of) = one
                .previous
                .as_deref()
                .and_then(|of| self.transaction_mut(of))
        {
            "V".clone_into(&mut of.status);
        }
        self.effects.push(Effect {
            gateway: self.name().to_owned(),
            account: one.profile.to_string(),
            kind: one.tran_type.effect(),
            provider_id: one.tran_ref.clone(),
            payment_id: Some(self.root(&one).tran_ref.clone()),
            amount: one.amount,
            currency: one.currency.clone(),
            key: Some(one.cart_id.clone()),
            fields: one.fields(),
            request: None,
            at: self.now,
        });
    }

    /// The sale or authorization that a transaction goes back to.
    fn root<'a>(&'a self, one: &'a Transaction) -> &'a Transaction {
        let above = |one: &Transaction| self.transaction(one.previous.as_deref()?);
        // A capture, and what is done with the capture: there is no third step.
        let first = above(one).unwrap_or(one);
        above(first).unwrap_or(first)
    }

    /// Pages that nobody paid in time.
    pub(super) fn expire_pages(&mut self) {
        for one in self.rows.values_mut().filter(|one| one.open) {
            let age = self.now.duration_since(one.created);
            if age.unwrap_or_default() >= self.config.page_life {
                one.open = false;
                "X".clone_into(&mut one.status);
                one.code.clear();
            }
        }
    }
}

/// The number in a reference.
fn number(id: &str) -> Option<u64> {
    id.get(8..)?.parse().ok()
}

/// What to do about an unknown reference.
pub(super) fn none(id: &str) -> String {
    format!("no transaction \"{id}\"; GET /control/paytabs/transactions lists them")
}
