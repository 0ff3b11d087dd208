//! The table and the last line.

use std::error::Error;
use std::process::ExitCode;

use payonce::Outcome;

use crate::gateway::Gateway;
use crate::scenes::{Played, Scene};

/// What all orders came to.
#[derive(Default)]
pub(crate) struct Report {
    rows: Vec<Row>,
}

struct Row {
    reference: String,
    gateway: String,
    key: String,
    wrong: &'static str,
    sends: String,
    outcome: String,
    expected: usize,
    effects: usize,
}

impl Report {
    pub(crate) fn add(&mut self, scene: &Scene, reference: &str, played: &Played) {
        let (gateway, key, sends) = match played {
            Ok(outcome) => {
                let operation = outcome.operation();
                let gateway = operation
                    .account
                    .as_str()
                    .split(':')
                    .next()
                    .unwrap_or_default();
                (
                    gateway.to_owned(),
                    operation.key.to_string(),
                    operation.sends.to_string(),
                )
            }
            Err(_) => (String::new(), String::new(), String::new()),
        };
        let outcome = describe(played);
        println!("    {outcome}");
        self.rows.push(Row {
            reference: reference.to_owned(),
            gateway,
            key,
            wrong: scene.wrong,
            sends,
            outcome,
            expected: scene.effects,
            effects: 0,
        });
    }

    /// Asks the gateway how often the money moved.
    pub(crate) async fn count_effects(&mut self, gateway: &Gateway) -> Result<(), Box<dyn Error>> {
        for row in &mut self.rows {
            row.effects = gateway.effects(&row.reference).await?;
        }
        Ok(())
    }

    /// Prints the table and the last line. A failure if the money moved otherwise than it should.
    pub(crate) fn print(&self) -> ExitCode {
        let header = Row {
            reference: "reference".to_owned(),
            gateway: "gateway".to_owned(),
            key: "key".to_owned(),
            wrong: "what went wrong",
            sends: "sends".to_owned(),
            outcome: "outcome".to_owned(),
            expected: 0,
            effects: 0,
        };
        println!("\n{}  effects", header.columns());
        for row in &self.rows {
            println!("{}  {}", row.columns(), row.effects);
        }
        let expected: usize = self.rows.iter().map(|row| row.expected).sum();
        let effects: usize = self.rows.iter().map(|row| row.effects).sum();
        let doubles: usize = self
            .rows
            .iter()
            .map(|row| row.effects.saturating_sub(1))
            .sum();
        println!(
            "\nintents: {}  effects expected: {expected}  effects at the gateways: {effects}  \
             double charges: {doubles}",
            self.rows.len()
        );
        if self.rows.iter().all(|row| row.expected == row.effects) {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        }
    }
}

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
        format!("{reference:<15} {gateway:<7} {key:<36} {wrong:<46} {sends:>5}  {outcome:<28}")
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
        Ok(Outcome::NoEffect(no_effect)) => no_effect.why.to_string(),
        Ok(Outcome::Reversed(reversal)) => format!("reversed: {}", reversal.code),
        Ok(Outcome::Unknown(unknown)) => format!("unknown: {}", unknown.doubt),
        Err(error) => format!("error: {error}"),
    }
}
