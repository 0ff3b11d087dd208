//! The tests of the adapter from outside: bytes in, verdicts out.
#![cfg(test)]

mod close;
mod conformance;
mod edges;
mod encode;
mod encode_parent;
mod fixtures;
mod kit;
mod look_up;
mod look_up_parent;
mod mutation;
mod mutation_look_up;
mod script;
mod secrets;
mod totality;
mod verdicts;
