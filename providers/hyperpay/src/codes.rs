//! What a result code says: the platform's documented groups, in their order.
//!
//! The groups are those of <https://hyperpay.docs.oppwa.com/reference/resultCodes>, written as that
//! page writes them. They overlap, so the first one that fits decides. The first rows are single
//! codes that a group would get wrong: they are our reading of what the same page says of them.

mod group;

use self::group::GROUPS;

/// What a code says of the payment that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// It was done.
    Done,
    /// It was done in a test mode: no money moved.
    DoneInTest,
    /// It waits, perhaps for the customer.
    Waiting,
    /// It is under review, or waits for days.
    Pending,
    /// The payer's side refused.
    Declined,
    /// The request was refused.
    Rejected,
    /// Our token was refused.
    Unauthorized,
    /// It is a duplicate of something; what became of that is not said.
    Repeated,
    /// It ended without success, if a look-up says the same.
    Ended,
    /// It says nothing of what happened.
    Unsaid,
}

/// The meaning of a code. A code of no group, or what is no code at all, says nothing.
pub(crate) fn meaning(code: &str) -> Meaning {
    if !is_code(code) {
        return Meaning::Unsaid;
    }
    GROUPS
        .iter()
        .find(|group| group.codes.iter().any(|pattern| starts(code, pattern)))
        .map_or(Meaning::Unsaid, |group| group.meaning)
}

/// `ddd.ddd.ddd`
fn is_code(text: &str) -> bool {
    text.len() == 11
        && text.bytes().enumerate().all(|(place, byte)| match place {
            3 | 7 => byte == b'.',
            _ => byte.is_ascii_digit(),
        })
}

/// Whether a code starts as a pattern says: digits and dots as they are, and in brackets the digits
/// that may stand at a place, or after `^` those that may not.
fn starts(code: &str, pattern: &str) -> bool {
    let mut rest = pattern.chars();
    let mut digits = code.chars();
    while let Some(wanted) = rest.next() {
        let Some(digit) = digits.next() else {
            return false;
        };
        let fits = if wanted == '[' {
            let set: String = rest.by_ref().take_while(|c| *c != ']').collect();
            match set.strip_prefix('^') {
                Some(others) => !others.contains(digit),
                None => set.contains(digit),
            }
        } else {
            wanted == digit
        };
        if !fits {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests;
