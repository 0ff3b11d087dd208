//! The tests of the adapter from outside: bytes in, verdicts out.
#![cfg(test)]

mod close;
mod conformance;
mod decided;
mod edges;
mod encode;
mod encode_parent;
mod fixtures;
mod kit;
mod look_up;
mod look_up_parent;
mod script;
mod secrets;
mod verdicts;
