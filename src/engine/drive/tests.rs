//! The drive against a scripted gateway: what is sent, asked and written, and in which order.

mod claims;
mod exchanges;

use std::time::Duration;

use crate::engine::Policy;
use crate::engine::testing::{Next, World, row, run, wanted};
use crate::error::Error;
use crate::operation::State;
use crate::outcome::{Doubt, NoEffectReason, Outcome, PendingReason};
use crate::provider::testing::Fake;
use crate::provider::{IdempotencyKey, OnRepeat};

const HOUR: Duration = Duration::from_secs(3600);
const LOST: Next = None;
