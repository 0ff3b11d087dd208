//! The tests of the adapter from outside: bytes in, verdicts out.
#![cfg(test)]

mod conformance;
mod encode;
mod fixtures;
mod kit;
mod proceed;
mod secrets;
