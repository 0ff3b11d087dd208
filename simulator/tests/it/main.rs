//! The simulator over real sockets, with requests that are written by hand.
#![cfg(test)]

mod binary;
mod client;
mod control;
mod hyperpay;
mod moyasar;
mod paytabs;
mod running;
mod tap;
mod timing;
mod usage;
mod wire;
