//! The kit itself: it lets a good adapter pass, and finds every liar.
#![cfg(test)]
#![expect(
    clippy::wildcard_enum_match_arm,
    reason = "the adapter of the example, short rather than careful"
)]

#[path = "../../examples/conformance/gateway.rs"]
mod gateway;
mod liars;
mod recorded;
#[path = "../../examples/conformance/replies.rs"]
mod replies;
mod report;
mod whole;
