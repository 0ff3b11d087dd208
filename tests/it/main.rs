//! One charge through everything: real HTTP to a simulated gateway, a real ledger file.
//!
//! The measure of every test is the number of money movements at the gateway and the operation's
//! record, together. Tests named `cNN_` are the field cases; each tells what would break for the
//! merchant.
#![cfg(test)]
#![expect(
    clippy::arithmetic_side_effects,
    reason = "a test's own numbers are small"
)]

mod adapters;
mod amounts;
mod answers;
mod baseline;
mod callers;
mod charge;
mod clocks;
mod close;
mod crash;
mod fail_over;
mod faulty_ledger;
mod gateways;
mod input;
mod joining;
mod keys;
mod ledgers;
mod pauses;
mod people;
mod recover;
mod references;
mod refunds;
mod retry;
mod stalls;
mod strangers;
mod wire;
mod world;
