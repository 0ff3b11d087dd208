//! The table, what is held, and the last line.
#![expect(clippy::print_stdout, reason = "an example talks to its reader")]

use std::process::ExitCode;

use payonce::{Doubt, OperationKind, Outcome};

use crate::gateways::Moved;
use crate::stage::{Order, Played};

/// What all orders came to.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
    held: Vec<String>,
    /// Every movement of money at the gateways, those included that belong to no row.
    moved: usize,
}

struct Row {
    reference: String,
    gateway: String,
    key: String,
    wrong: &'static str,
    sends: String,
    outcome: String,
    kind: OperationKind,
    /// The payment that is captured or refunded.
    payment: Option<String>,
    succeeded: bool,
    expected: usize,
    effects: usize,
}

impl Report {
    /// Writes down a charge. `expected`: how often the money should move.
    pub(crate) fn add(&mut self, order: &Order, expected: usize, played: &Played) {
        self.add_for(order, None, expected, played);
    }

    /// Writes down what was done with a payment.
    pub(crate) fn add_for(
        &mut self,
        order: &Order,
        payment: Option<&str>,
        expected: usize,
        played: &Played,
    ) {
        let mut row = Row {
            reference: order.reference.clone(),
            gateway: order.gateway.as_str().to_owned(),
            key: String::new(),
            wrong: order.wrong,
            sends: String::new(),
            outcome: describe(played),
            kind: OperationKind::Charge,
            payment: payment.map(str::to_owned),
            succeeded: matches!(played, Ok(Outcome::Succeeded(_))),
            expected,
            effects: 0,
        };
        if let Ok(outcome) = played {
            let operation = outcome.operation();
            // The account begins with the gateway's name.
            let gateway = operation.account.as_str().split(':').next();
            gateway.unwrap_or_default().clone_into(&mut row.gateway);
            row.reference.clone_from(&operation.reference);
            row.key = operation.key.to_string();
            row.sends = operation.sends.to_string();
            row.kind = operation.kind;
        }
        if let Ok(Outcome::Unknown(unknown)) = played {
            self.hold(order, &unknown.doubt, "held");
        }
        println!("    {}", row.outcome);
        self.rows.push(row);
    }

    /// Notes an order that nobody but a person can settle, and what became of it.
    pub(crate) fn hold(&mut self, order: &Order, doubt: &Doubt, what: &str) {
        let (reference, gateway) = (&order.reference, order.gateway.as_str());
        let wrong = order.wrong;
        self.held.push(format!(
            "{reference} at {gateway} ({wrong}): {what}\n    {doubt}"
        ));
    }

    /// Counts how often the money moved, as the gateways say.
    pub(crate) fn count(&mut self, moved: &[Moved]) {
        self.moved = moved.len();
        for row in &mut self.rows {
            row.effects = moved.iter().filter(|moved| row.is_about(moved)).count();
        }
    }

    /// Prints the table and the last line. A failure if the money moved otherwise than it should.
    pub(crate) fn print(&self) -> ExitCode {
        println!("\n{}", HEADER.join("  "));
        for row in &self.rows {
            println!("{}  {}", row.columns(), row.effects);
        }
        if !self.held.is_empty() {
            println!("\nheld, because nobody can know without a person who looks:");
            for held in &self.held {
                println!("  {held}");
            }
        }
        for row in self.rows.iter().filter(|row| !row.is_right()) {
            let Row {
                reference,
                outcome,
                expected,
                effects,
                ..
            } = row;
            println!("\nWRONG: {reference}: {outcome}, effects {effects} instead of {expected}");
        }
        let expected: usize = self.rows.iter().map(|row| row.expected).sum();
        let doubles: usize = self
            .rows
            .iter()
            .map(|row| row.effects.saturating_sub(1))
            .sum();
        println!(
            "\nintents: {}  effects expected: {expected}  effects at the gateways: {}  \
             double charges: {doubles}",
            self.rows.len(),
            self.moved
        );
        if expected == self.moved && self.rows.iter().all(Row::is_right) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

/// The columns' names, as wide as the columns.
const HEADER: [&str; 7] = [
    "reference        ",
    "gateway ",
    "key                                 ",
    "what went wrong                                 ",
    "sends",
    "outcome                     ",
    "effects",
];

impl Row {
    fn columns(&self) -> String {
        let Self {
            reference,
            gateway,
            key,
            wrong,
            sends,
            outcome,
            ..
        } = self;
        format!("{reference:<17}  {gateway:<8}  {key:<36}  {wrong:<48}  {sends:>5}  {outcome:<28}")
    }

    /// Whether a movement of money is this row's: by what the merchant wrote there, or, where a
    /// gateway takes no text with a capture or refund, by its payment.
    fn is_about(&self, moved: &Moved) -> bool {
        let ours = moved.fields.contains(&self.reference);
        let of_payment = self.payment.is_some() && self.payment == moved.payment;
        moved.kind == self.kind.as_str() && (ours || of_payment)
    }

    fn is_right(&self) -> bool {
        self.effects == self.expected && self.succeeded == (self.expected > 0)
    }
}

fn describe(played: &Played) -> String {
    match played {
        Ok(Outcome::Succeeded(receipt)) => format!("succeeded: {}", receipt.money),
        Ok(Outcome::Declined(decline)) => {
            let refusal = &decline.refusal;
            format!(
                "declined: {}",
                refusal.reason.as_ref().unwrap_or(&refusal.code)
            )
        }
        Ok(Outcome::Rejected(rejection)) => format!("rejected: {}", rejection.refusal.code),
        Ok(Outcome::ActionRequired(_)) => "the customer must act".to_owned(),
        Ok(Outcome::Pending(_)) => "pending".to_owned(),
        Ok(Outcome::NoEffect(no_effect)) => format!("no effect: {}", no_effect.why),
        Ok(Outcome::Reversed(reversal)) => format!("reversed: {}", reversal.code),
        Ok(Outcome::Unknown(_)) => "unknown: held".to_owned(),
        Err(error) => format!("error: {error}"),
    }
}
