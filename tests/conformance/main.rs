//! The kit itself: it lets a good adapter pass, and finds every liar.
#![cfg(test)]

#[path = "../../examples/conformance/gateway.rs"]
mod gateway;
mod liars;
#[path = "../../examples/conformance/replies.rs"]
mod replies;
mod report;
