//! What is shown to people: lists and alarms.

use crate::clock::Timestamp;
use crate::machine::AlarmKind;
use crate::operation::{Family, OperationId, State};

/// The most rows of one list.
const PAGE: u32 = 1000;

/// Which operations to list.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Filter {
    /// Only these states. Empty: all.
    pub states: Vec<State>,
    /// Only this family.
    pub family: Option<Family>,
    /// Only those after this one, in the order of their making.
    pub after: Option<OperationId>,
    /// At most so many, and never more than a thousand. 0: a thousand.
    pub limit: u32,
}

impl Filter {
    /// Everything that is open: what may still change.
    pub fn open() -> Self {
        let all = State::all().iter().copied();
        Self {
            states: all.filter(|state| state.is_open()).collect(),
            ..Self::default()
        }
    }

    /// Operations in these states.
    pub fn states(states: impl IntoIterator<Item = State>) -> Self {
        Self {
            states: states.into_iter().collect(),
            ..Self::default()
        }
    }

    /// Only this family.
    #[must_use]
    pub const fn family(mut self, family: Family) -> Self {
        self.family = Some(family);
        self
    }

    /// The page after this operation.
    #[must_use]
    pub const fn after(mut self, id: OperationId) -> Self {
        self.after = Some(id);
        self
    }

    /// How many rows a ledger shows at the most.
    pub fn page(&self) -> u32 {
        match self.limit {
            0 => PAGE,
            limit => limit.min(PAGE),
        }
    }

    /// At most so many.
    #[must_use]
    pub const fn limit(mut self, limit: u32) -> Self {
        self.limit = limit;
        self
    }
}

/// Something that a person must see.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Alarm {
    /// Its number, to acknowledge it by.
    pub number: i64,
    /// What it is.
    pub kind: AlarmKind,
    /// The operation.
    pub operation: OperationId,
    /// What was seen. It holds no secret.
    pub detail: String,
    /// When.
    pub raised_at: Timestamp,
}

impl Alarm {
    /// An alarm from its parts.
    pub const fn new(
        number: i64,
        kind: AlarmKind,
        operation: OperationId,
        detail: String,
        raised_at: Timestamp,
    ) -> Self {
        Self {
            number,
            kind,
            operation,
            detail,
            raised_at,
        }
    }
}
