//! What an adapter is told about an operation.

use thiserror::Error;

use super::{AmountError, IdempotencyKey};
use crate::intent::{Customer, Problem, Source};
use crate::money::Money;
use crate::operation::{OperationId, OperationKind};

/// The durable facts of an operation: all that is known again after a restart.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Call<'a> {
    /// What the operation does.
    pub kind: OperationKind,
    /// The ledger's name of the operation.
    pub operation: OperationId,
    /// The merchant's reference.
    pub reference: &'a str,
    /// The key of this step.
    pub key: &'a IdempotencyKey,
    /// How much.
    pub money: Money,
    /// The gateway's id of the payment that is captured, refunded or voided.
    pub parent: Option<&'a str>,
}

impl<'a> Call<'a> {
    /// The facts of a payment: an operation without a parent.
    pub const fn new(
        kind: OperationKind,
        operation: OperationId,
        reference: &'a str,
        key: &'a IdempotencyKey,
        money: Money,
    ) -> Self {
        Self {
            kind,
            operation,
            reference,
            key,
            money,
            parent: None,
        }
    }

    /// The same facts with the gateway's id of the parent payment.
    #[must_use]
    pub const fn with_parent(mut self, parent: &'a str) -> Self {
        self.parent = Some(parent);
        self
    }
}

/// What only the caller's intent holds: the parts that go into the rendered request and nowhere
/// else. They are not stored in clear beside it, and [`classify`](super::Provider::classify) does
/// not see them.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Details<'a> {
    /// What pays.
    pub source: Option<&'a Source>,
    /// Where the customer comes back to after a page of the gateway or the bank.
    pub return_url: Option<&'a str>,
    /// Free text for the payment.
    pub description: Option<&'a str>,
    /// The merchant's own fields, in the order given.
    pub metadata: &'a [(String, String)],
    /// Who pays, where the merchant said so.
    pub customer: Option<&'a Customer>,
}

impl<'a> Details<'a> {
    /// Details from their parts.
    pub const fn new(
        source: Option<&'a Source>,
        return_url: Option<&'a str>,
        description: Option<&'a str>,
        metadata: &'a [(String, String)],
    ) -> Self {
        Self {
            source,
            return_url,
            description,
            metadata,
            customer: None,
        }
    }

    /// The same details with who pays.
    #[must_use]
    pub const fn with_customer(mut self, customer: Option<&'a Customer>) -> Self {
        self.customer = customer;
        self
    }
}

/// Why a request could not be rendered or authorized. This call had no effect.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodeError {
    /// A field that the gateway cannot take as it is.
    #[error("{field} {problem}")]
    Field {
        /// The field's name, as the intent calls it.
        field: String,
        /// What is wrong with it.
        problem: Problem,
    },
    /// An amount that the gateway cannot carry.
    #[error("amount {0}")]
    Amount(#[from] AmountError),
    /// Something that the gateway does not do.
    #[error("{what}")]
    Unsupported {
        /// What it does not do, and what to do instead.
        what: String,
    },
}

impl EncodeError {
    /// A field that the gateway cannot take as it is.
    pub fn field(field: impl Into<String>, problem: Problem) -> Self {
        Self::Field {
            field: field.into(),
            problem,
        }
    }

    /// Something that the gateway does not do.
    pub fn unsupported(what: impl Into<String>) -> Self {
        Self::Unsupported { what: what.into() }
    }
}
