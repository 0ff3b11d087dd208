//! Ending at a gateway what a customer left open.

use super::{Call, EncodeError, IdempotencyKey, Request, Response};
use crate::outcome::Doubt;

/// An adapter that can end a payment at its gateway before money moved: a page, a redirect, a
/// client secret that the customer has and may never use.
///
/// It is offered only where the gateway documents that such a request moves no money, whatever
/// became of the payment meanwhile: one that captured first must be refused, and not given back. So
/// the engine may repeat it, with the same key, until it is answered.
pub trait Close: std::fmt::Debug + Send + Sync {
    /// Renders the request: once, without secrets, and the same bytes for the same arguments.
    ///
    /// # Errors
    ///
    /// What the gateway could not carry. Nothing is stored and nothing is sent then.
    fn close_request(&self, call: &Call<'_>, closing: &Closing<'_>)
    -> Result<Request, EncodeError>;

    /// What the gateway's reply says. It is total, as [`Provider::classify`](super::Provider::classify)
    /// is. A look-up follows in any case: only what that shows settles the operation.
    fn close_reply(&self, call: &Call<'_>, closing: &Closing<'_>, reply: &Response) -> CloseReply;
}

/// What is to be ended.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Closing<'a> {
    /// The gateway's id of it.
    pub provider_id: &'a str,
    /// The key of this step. The operation's own key stands in the call.
    pub key: &'a IdempotencyKey,
}

impl<'a> Closing<'a> {
    /// What is to be ended, from its parts.
    pub const fn new(provider_id: &'a str, key: &'a IdempotencyKey) -> Self {
        Self { provider_id, key }
    }
}

/// What a reply to a close says.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_enums,
    reason = "the engine must decide about every one"
)]
pub enum CloseReply {
    /// The object ended without money moved, and can never move it.
    Ended,
    /// The gateway refused, as it documents, and this request can never take effect.
    Refused,
    /// This send had no effect, as the gateway documents (a rate limit ...).
    NoEffect,
    /// Our secret was refused, and so this send had no effect, as the gateway documents.
    Unauthorized,
    /// The reply does not say what became of it.
    Unknown(Doubt),
}
