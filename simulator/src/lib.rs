//! Stateful fakes of payment gateways that **count money movements** and inject faults.
//!
//! A client under test talks to a simulated gateway over real HTTP on loopback, or in process
//! without any. The simulator plays the gateway's own idempotency rules, loses replies, holds
//! requests, answers nonsense on demand, and keeps two records: every request as it came in, and
//! every movement of money. It knows nothing about its clients: a gateway's documented API is the
//! only interface.
//!
//! ```
//! use payonce_simulator::{Close, Fault, Matcher, Options, Simulator, When};
//!
//! let simulator = Simulator::start_blocking(Options::default())?;
//! let base_url = simulator.gateway_url("stripe"); // http://127.0.0.1:PORT/stripe
//!
//! // The next charge happens, and nobody hears of it.
//! simulator.faults().push(Fault::ReplyLost { when: When::After, how: Close::Rst });
//! // The second refund is refused twice.
//! simulator
//!     .faults()
//!     .push(Fault::KeyInUse.on(Matcher::post().path("/v1/refunds")).skip(1).times(2));
//!
//! // ... run the client against `base_url` ...
//!
//! assert_eq!(simulator.effects_for("order-1042").len(), 0);
//! # assert!(base_url.starts_with("http://127.0.0.1:"));
//! # Ok::<(), std::io::Error>(())
//! ```
//!
//! - [`Simulator`] starts the server; the [`Handle`] that it gives plants faults and reads the
//!   records.
//! - [`World`] is the same without a server and without a clock, for a deterministic simulation.
//! - [`stripe`], [`moyasar`], [`hyperpay`], [`tap`], [`aps`], [`paytabs`], [`square`] and [`adyen`] are
//!   the gateways that there are; others stand beside them behind [`Gateway`].

pub mod adyen;
pub mod aps;
mod clock;
mod effect;
mod exchange;
mod fault;
mod gateway;
pub mod hyperpay;
mod log;
pub mod moyasar;
pub mod paytabs;
mod server;
pub mod square;
pub mod stripe;
pub mod tap;
#[cfg(test)]
mod testing;
mod time;
mod world;

pub use clock::SimClock;
pub use effect::{Effect, EffectKind};
pub use exchange::{Close, CutBody, Delivery, Reply, Request};
pub use fault::{
    ActionKind, Fault, Matcher, PlannedFault, RateLimit, Refusal, ServerError, Steer, Tamper, When,
};
pub use gateway::{ControlCall, ControlReply, Gateway, Step};
pub use log::LoggedRequest;
pub use server::{Faults, Handle, Options, Running, Simulator};
pub use world::{Next, Ticket, World};

/// The examples of the README, so that they compile.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
