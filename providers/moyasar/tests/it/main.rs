//! The tests of the adapter from outside: bytes in, verdicts out.
#![cfg(test)]

mod change;
mod conformance;
mod encode;
mod fixtures;
mod follow_ups;
mod kit;
mod look_up;
mod secrets;
mod table;
