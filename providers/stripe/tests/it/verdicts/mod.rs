//! The tables of verdicts on the fixtures of everything but a charge.

mod authorize;
mod capture;
mod refund;
mod void;
