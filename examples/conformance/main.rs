//! An adapter, and its check by the conformance kit.
//!
//! `cargo run --example conformance --features conformance` prints one line for each promise that
//! the adapter does not keep; this one keeps them all. In a crate of its own the check is a test
//! that ends with `assert_ok`.
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::wildcard_enum_match_arm,
    reason = "an example, short rather than careful"
)]

mod gateway;
mod replies;

use std::process::ExitCode;

fn main() -> ExitCode {
    let gateway = gateway::Gateway::new("main", replies::SECRET);
    let twin = gateway::Gateway::new("main", "sk_test_another");
    let report = replies::kit(gateway).twin(twin).check();
    if report.is_ok() {
        println!("the adapter keeps every promise that the kit checks");
        return ExitCode::SUCCESS;
    }
    print!("{report}");
    ExitCode::FAILURE
}
