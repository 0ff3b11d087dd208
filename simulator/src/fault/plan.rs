//! A fault in the queue, and the queue.

use super::{Fault, Matcher};
use crate::exchange::Request;

/// A fault with the requests that it is for.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct PlannedFault {
    /// Its number in the queue; zero until it is in one.
    pub id: u64,
    /// What goes wrong.
    pub fault: Fault,
    /// Which requests it is for.
    pub on: Matcher,
    /// How many requests it still hits.
    pub times: u32,
    /// How many matching requests it still lets go by first.
    pub skip: u32,
}

impl From<Fault> for PlannedFault {
    /// Hits the next `POST`, once.
    fn from(fault: Fault) -> Self {
        Self {
            id: 0,
            fault,
            on: Matcher::default(),
            times: 1,
            skip: 0,
        }
    }
}

impl PlannedFault {
    /// Only for requests that match.
    #[must_use]
    pub fn on(mut self, matcher: Matcher) -> Self {
        self.on = matcher;
        self
    }

    /// For so many requests instead of one.
    #[must_use]
    pub fn times(mut self, times: u32) -> Self {
        self.times = times;
        self
    }

    /// For every matching request, until the queue is cleared.
    #[must_use]
    pub fn always(self) -> Self {
        self.times(u32::MAX)
    }

    /// Only after so many matching requests went by.
    #[must_use]
    pub fn skip(mut self, skip: u32) -> Self {
        self.skip = skip;
        self
    }
}

/// The faults that wait for their requests, oldest first. A request takes the first one that is
/// for it; those behind do not even count it as gone by.
#[derive(Debug, Default)]
pub(crate) struct FaultQueue {
    planned: Vec<PlannedFault>,
    last_id: u64,
}

impl FaultQueue {
    pub(crate) fn push(&mut self, mut planned: PlannedFault) -> u64 {
        self.last_id = self.last_id.saturating_add(1);
        planned.id = self.last_id;
        self.planned.push(planned);
        self.last_id
    }

    pub(crate) fn list(&self) -> &[PlannedFault] {
        &self.planned
    }

    pub(crate) fn clear(&mut self) {
        self.planned.clear();
    }

    /// Takes the fault for a request whose body was not read yet.
    pub(crate) fn take_for_head(&mut self, gateway: &str, request: &Request) -> Option<Fault> {
        self.take(gateway, request, Fault::acts_on_head)
    }

    /// Takes the fault for a whole request.
    pub(crate) fn take_for(&mut self, gateway: &str, request: &Request) -> Option<Fault> {
        self.take(gateway, request, |fault| !fault.acts_on_head())
    }

    fn take(
        &mut self,
        gateway: &str,
        request: &Request,
        kind: impl Fn(&Fault) -> bool,
    ) -> Option<Fault> {
        let mut matching = self
            .planned
            .iter_mut()
            .filter(|planned| kind(&planned.fault) && planned.on.matches(gateway, request));
        let hit = loop {
            let planned = matching.next()?;
            if planned.skip == 0 {
                break planned;
            }
            planned.skip = planned.skip.saturating_sub(1);
        };
        if hit.times != u32::MAX {
            hit.times = hit.times.saturating_sub(1);
        }
        let fault = hit.fault.clone();
        self.planned.retain(|planned| planned.times > 0);
        Some(fault)
    }
}
