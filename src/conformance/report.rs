//! What a check found.

use std::fmt;

use crate::operation::{OperationKind, stored_as_text};

/// What an adapter promises, by area.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Promise {
    /// The kit was given what it needs to check anything.
    Inputs,
    /// The account and its name are stable and public.
    Account,
    /// No secret shows anywhere but in what `authorize` adds.
    Secrets,
    /// Every fact of a rule has a source, and the facts agree.
    Facts,
    /// What the rule takes can be rendered.
    Encodes,
    /// The same call gives the same bytes.
    Determinism,
    /// Two calls that differ give different bytes.
    Difference,
    /// No id leads a request elsewhere.
    Target,
    /// The key stands where the rule says.
    KeyPlace,
    /// The key is one that the gateway takes, and is carried unchanged.
    KeyFormat,
    /// The reference stands where the rule says.
    Reference,
    /// Amounts are exact, or refused.
    Amounts,
    /// Nothing panics, and the same reply gives the same verdict.
    Totality,
    /// A machine that failed says nothing definite.
    ServerErrors,
    /// What cannot be read is unknown.
    Garbage,
    /// A page is no answer.
    Html,
    /// A redirect is no answer.
    Redirects,
    /// A documented reply means what it is said to mean.
    Fixtures,
    /// A reply about another key, amount or currency is no success of ours.
    Comparison,
    /// A changed field gives the same answer, or none.
    Fields,
    /// What the kit was told to excuse in a changed field needs to be excused.
    Excuses,
    /// There is a look-up where a repeat does not show the first result.
    LookUp,
    /// A look-up finds what it is said to find.
    Finds,
    /// A look-up or a baseline only reads.
    ReadsOnly,
    /// A look-up finds nothing, and proves nothing, in what cannot be read.
    LookUpGarbage,
    /// There is a baseline where a rule asks for one, it reads nothing into what cannot be read,
    /// and what is inferred from it is marked.
    Baseline,
    /// What a customer left open is ended by a request of its own, and only a documented reply says
    /// that it was.
    Close,
    /// A further step is a request of its own, and a reply that says nothing settles nothing.
    Proceed,
}

stored_as_text!(Promise {
    Inputs = "inputs",
    Account = "account",
    Secrets = "secrets",
    Facts = "facts",
    Encodes = "encodes",
    Determinism = "determinism",
    Difference = "difference",
    Target = "target",
    KeyPlace = "key place",
    KeyFormat = "key format",
    Reference = "reference",
    Amounts = "amounts",
    Totality = "totality",
    ServerErrors = "server errors",
    Garbage = "garbage",
    Html = "html",
    Redirects = "redirects",
    Fixtures = "fixtures",
    Comparison = "comparison",
    Fields = "fields",
    Excuses = "excuses",
    LookUp = "look-up",
    Finds = "finds",
    ReadsOnly = "reads only",
    LookUpGarbage = "look-up garbage",
    Baseline = "baseline",
    Close = "close",
    Proceed = "proceed",
});

/// A promise that the adapter does not keep.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Broken {
    /// The promise.
    pub promise: Promise,
    /// The kind of operation, where it is about one.
    pub kind: Option<OperationKind>,
    /// The first case that showed it, and what to do.
    pub text: String,
    /// How many more cases showed the same promise broken for this kind.
    pub more: usize,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.kind {
            Some(kind) => write!(f, "{kind}, {}: {}", self.promise, self.text)?,
            None => write!(f, "{}: {}", self.promise, self.text)?,
        }
        match self.more {
            0 => Ok(()),
            more => write!(f, " (and {more} more like it)"),
        }
    }
}

/// What a check found: one broken promise a line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[must_use]
pub struct Report {
    broken: Vec<Broken>,
}

impl Report {
    /// The promises that the adapter does not keep.
    pub fn broken(&self) -> &[Broken] {
        &self.broken
    }

    /// Whether it keeps all of them.
    pub const fn is_ok(&self) -> bool {
        self.broken.is_empty()
    }

    /// Fails a test if a promise is broken.
    ///
    /// # Panics
    ///
    /// With the report, if it is not empty.
    #[track_caller]
    pub fn assert_ok(&self) {
        assert!(
            self.is_ok(),
            "the adapter does not keep these promises:\n{self}"
        );
    }

    pub(super) fn add(&mut self, promise: Promise, kind: Option<OperationKind>, text: String) {
        // What the author told the kit is answered one by one.
        let named = matches!(
            promise,
            Promise::Inputs | Promise::Fixtures | Promise::Excuses
        );
        let same = |known: &&mut Broken| {
            known.promise == promise && known.kind == kind && (!named || known.text == text)
        };
        if let Some(known) = self.broken.iter_mut().find(same) {
            known.more = known.more.saturating_add(1);
            return;
        }
        self.broken.push(Broken {
            promise,
            kind,
            text,
            more: 0,
        });
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for broken in &self.broken {
            writeln!(f, "- {broken}")?;
        }
        Ok(())
    }
}
