//! The pure part of the engine: it decides, and nothing else.
//!
//! No await, no clock, no I/O, no randomness. Two functions:
//!
//! - [`transition`]: which state an event leads to. The ledger asks it under its lock, so no row
//!   ever takes an edge that is not here.
//! - [`decide`]: what to do next with what was just seen. The driver asks it after every exchange.
//!
//! Each sentence of the design's part 4 that is about decisions is in one of the two.

mod conclusion;
mod decide;
mod facts;
mod finding;
mod transition;

pub use self::conclusion::{AlarmKind, Conclusion};
pub(crate) use self::decide::{CLASS_B_PAUSE, Pause, Step, Wait, decide};
pub(crate) use self::facts::{Facts, Gate, Reply, Seen, Shut, may_have_had_an_effect};
pub(crate) use self::transition::{Event, Move, transition};
