//! The gateways' own books: whose money moved, how often, and how much.

use payonce::{OperationId, OperationKind, State};
use payonce_simulator::{Effect, EffectKind};

use super::Checks;

impl Checks {
    /// How many movements of money were compared.
    pub(crate) const fn effects_seen(&self) -> usize {
        self.effects
    }

    /// Compares one movement of money with what may move.
    pub(crate) fn effect(&mut self, effect: Effect) {
        self.effects = self.effects.saturating_add(1);
        let Some(id) = self.whose(&effect) else {
            self.aside.push(effect);
            return;
        };
        let Some(known) = self.known.get_mut(&id) else {
            return;
        };
        known.effects.push(effect.clone());
        let made = known.made.clone();
        let name = self.name(id);
        let kind = effect_of(made.kind);
        if effect.kind != kind {
            self.fail("wrong effect", format!("{name} moved {:?}", effect.kind));
        }
        if effect.amount != made.money.minor() && kind != EffectKind::Void {
            let text = format!("{name} moved {}, not {}", effect.amount, made.money);
            self.fail("wrong amount", text);
        }
        let group = (made.kind.family().as_str(), made.reference.clone());
        let moved = self.moved.entry(group).or_default();
        moved.push(id);
        let times = moved.len();
        if times > 1 && !self.erred.contains(&made.reference) {
            let text = format!("{name} moved money, and its reference has moved it {times} times");
            self.fail("double effect", text);
        }
        self.compare_with_row(id, &name);
    }

    /// What is settled as without effect must stay so, whatever arrives late.
    fn compare_with_row(&mut self, id: OperationId, name: &str) {
        let Some(row) = self.rows.get(&id) else {
            self.fail("send without a row", format!("{name} moved money"));
            return;
        };
        let no_effect = row.state.is_no_effect_final() || row.state == State::Unsent;
        let reference = self.known.get(&id).map(|known| &known.made.reference);
        let erred = reference.is_some_and(|reference| self.erred.contains(reference));
        if no_effect && !erred {
            let text = format!("{name} is {}, and money moves", row.state);
            self.fail("false final", text);
        }
    }

    /// The operation whose request moved the money. `None`: it was moved behind payonce's back.
    fn whose(&mut self, effect: &Effect) -> Option<OperationId> {
        if let Some(number) = effect.request {
            let send = self.requests.get(&number).copied().flatten()?;
            let send = self.sends.get_mut(send)?;
            send.worked = true;
            return Some(send.id);
        }
        // A customer or the gateway itself went on with what a request began.
        let key = effect.key.as_ref()?;
        let mut known = self.known.values();
        let begun = known.find(|known| {
            let made = &known.made;
            made.key == *key && made.gateway == effect.gateway && !known.sends.is_empty()
        });
        begun.map(|known| known.made.id)
    }

    /// Whether the books hold what a success says.
    pub(super) fn holds(&self, id: OperationId) -> bool {
        let Some(known) = self.known.get(&id) else {
            return false;
        };
        // The same done by somebody else is all that a gateway without keys can show.
        let same = |effect: &Effect| {
            let kind = effect.kind == effect_of(known.made.kind);
            kind && (effect.payment_id == known.made.parent && effect.payment_id.is_some())
        };
        !known.effects.is_empty() || self.aside.iter().any(same)
    }
}

pub(super) const fn effect_of(kind: OperationKind) -> EffectKind {
    match kind {
        OperationKind::Charge => EffectKind::Charge,
        OperationKind::Authorize => EffectKind::Authorize,
        OperationKind::Capture => EffectKind::Capture,
        OperationKind::Refund => EffectKind::Refund,
        OperationKind::Void | _ => EffectKind::Void,
    }
}
