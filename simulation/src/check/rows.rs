//! The rows of the ledger: what may change in them, and how.

use std::collections::BTreeMap;
use std::time::Duration;

use payonce::ledger::Record;
use payonce::{Family, NoEffectReason, OperationId, OperationKind, State};

use super::Checks;

/// What changed in the rows.
#[derive(Default)]
pub(crate) struct Changes {
    pub(crate) lines: Vec<String>,
    /// The states of those that a later attempt replaced.
    pub(crate) superseded: Vec<State>,
}

impl Checks {
    /// Compares the rows with what they were. `by`: what was written.
    pub(crate) fn rows(&mut self, rows: Vec<Record>, by: &str, now: Duration) -> Changes {
        self.tick(now);
        let mut changes = Changes::default();
        let new: BTreeMap<OperationId, Record> = rows.into_iter().map(|r| (r.id, r)).collect();
        let lost = self.rows.keys().find(|id| !new.contains_key(id)).copied();
        if let Some(id) = lost {
            let name = self.name(id);
            self.fail("durability", format!("the row of {name} is gone"));
        }
        let old = std::mem::take(&mut self.rows);
        let differing: Vec<Record> = new
            .values()
            .filter(|row| old.get(&row.id) != Some(row))
            .cloned()
            .collect();
        self.rows = new;
        for row in &differing {
            let before = old.get(&row.id);
            self.changed(before, row);
            let was = before.map(|row| row.state);
            if was == Some(row.state) {
                continue;
            }
            if let Some(known) = self.known.get_mut(&row.id) {
                known.states.push(row.state);
                if was.is_none() {
                    known.first_row = now;
                }
            }
            if row.standing.no_effect == Some(NoEffectReason::Superseded)
                && let Some(was) = was
            {
                changes.superseded.push(was);
            }
            let name = self.name(row.id);
            let was = was.map_or("new", State::as_str);
            let line = format!("row {name}: {was} -> {} ({by})", row.state);
            changes.lines.push(line);
        }
        if !differing.is_empty() {
            self.within_bounds();
        }
        changes
    }

    fn changed(&mut self, before: Option<&Record>, row: &Record) {
        let name = self.name(row.id);
        if let Some(before) = before {
            if !is_same(before, row) {
                self.fail("identity", format!("the row of {name} became another one"));
            }
            if row.epoch < before.epoch || row.maybe_sent < before.maybe_sent {
                self.fail(
                    "history",
                    format!("the row of {name} forgot a claim or a send"),
                );
            }
            self.regresses(before, row, &name);
        }
        let state = row.state;
        let person = self.resolved.contains(&row.id);
        let known = self.known.get(&row.id);
        let erred = known.is_some_and(|known| self.erred.contains(&known.made.reference));
        if person || erred {
            return;
        }
        let moved = known.is_some_and(|known| !known.effects.is_empty());
        if (state.is_no_effect_final() || state == State::Unsent) && moved {
            self.fail("false final", format!("{name} is {state}, and money moved"));
        }
        if state == State::Succeeded && !self.holds(row.id) {
            self.fail(
                "false final",
                format!("{name} is {state}, and no money moved"),
            );
        }
    }

    /// A final state stays, but for what is documented.
    fn regresses(&mut self, before: &Record, row: &Record, name: &str) {
        if before.state.is_open() || before.state == row.state {
            return;
        }
        let documented = matches!(
            (before.state, row.state),
            (State::Succeeded, State::Reversed) | (State::Reversed, State::Succeeded)
        );
        if !documented && !self.resolved.contains(&row.id) {
            let text = format!("{name} was {} and is {}", before.state, row.state);
            self.fail("final state", text);
        }
    }

    /// Never more is captured or refunded than there is, counting what may still take effect.
    fn within_bounds(&mut self) {
        let mut wrong = Vec::new();
        let mut asked: BTreeMap<(String, String), [i64; 2]> = BTreeMap::new();
        for row in self.rows.values() {
            let Some(known) = self.known.get(&row.id) else {
                continue;
            };
            let Some(parent) = &known.made.parent else {
                continue;
            };
            if row.state.is_no_effect_final() || self.erred.contains(&known.made.reference) {
                continue;
            }
            let account = row.account.as_str().to_owned();
            let sums = asked.entry((account, parent.clone())).or_default();
            let sum = match row.kind {
                OperationKind::Capture => sums.first_mut(),
                OperationKind::Refund => sums.last_mut(),
                OperationKind::Charge | OperationKind::Authorize | OperationKind::Void | _ => None,
            };
            if let Some(sum) = sum {
                *sum = sum.saturating_add(row.money.minor());
            }
        }
        for ((account, parent), [captured, refunded]) in asked {
            let mut rows: Vec<_> = self.rows.values().collect();
            rows.sort_by_key(|row| row.kind.family() != Family::Payment);
            let paid = rows.into_iter().find(|row| {
                let effect = row.standing.effect.as_ref();
                // Some gateways give a refund no id but that of its payment.
                let is_paid = row.kind.family() == Family::Payment;
                row.account.as_str() == account
                    && (is_paid || row.kind == OperationKind::Capture)
                    && effect.is_some_and(|effect| effect.provider_id == parent)
            });
            let Some(paid) = paid else { continue };
            let whole = paid.money.minor();
            if captured > whole || refunded > whole {
                wrong.push(format!(
                    "of {whole} at {parent}, {captured} is captured and {refunded} refunded"
                ));
            }
        }
        for text in wrong {
            self.fail("bounds", text);
        }
    }
}

/// What is the same for an operation's whole life.
fn is_same(before: &Record, row: &Record) -> bool {
    before.identity == row.identity
        && before.kind == row.kind
        && before.account == row.account
        && before.key == row.key
        && before.money == row.money
        && before.parent == row.parent
        && before.fingerprint == row.fingerprint
        && before.created_at == row.created_at
}
