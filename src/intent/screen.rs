//! What no text of an intent may carry: control characters, card numbers, security codes.
//!
//! References, descriptions and metadata go to the gateway, to the ledger and into logs. A card
//! number typed into one of them would be stored in all three, so it is refused here, and the
//! error does not repeat it.

use thiserror::Error;

/// The longest reference, in characters of any script.
pub(crate) const MAX_REFERENCE: usize = 255;
/// The longest token, description or metadata value, in characters.
pub(crate) const MAX_TEXT: usize = 2_000;

/// What is wrong with a text. The text itself is never repeated.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Problem {
    /// Nothing was given.
    #[error("is empty: give a value")]
    Empty,
    /// More characters than the limit.
    #[error("has more than {limit} characters: shorten it, it is never cut here")]
    TooLong {
        /// The limit, in characters of any script.
        limit: usize,
    },
    /// A control character (tab, line end, NUL ...).
    #[error("holds a control character: remove it")]
    ControlCharacter,
    /// White space at the start or the end, where two spellings would look the same.
    #[error("starts or ends with white space: trim it, or two references would look the same")]
    EdgeSpace,
    /// 13 to 19 digits that form a card number.
    #[error("holds what looks like a card number: never put card data here")]
    CardNumber,
    /// A field named like a card's security code.
    #[error("is named like a card's security code: such data may not be sent or stored")]
    SecurityCode,
    /// Not usable, for the reason given.
    #[error("{0}")]
    Other(String),
}

impl Problem {
    /// A problem in words: what is wrong and what to do about it.
    pub fn other(text: impl Into<String>) -> Self {
        Self::Other(text.into())
    }
}

/// A merchant's reference.
pub(crate) fn reference(text: &str) -> Result<(), Problem> {
    bounded(text, MAX_REFERENCE)?;
    if text.starts_with(char::is_whitespace) || text.ends_with(char::is_whitespace) {
        return Err(Problem::EdgeSpace);
    }
    Ok(())
}

/// A field of free text: a description, a metadata value, a token.
pub(crate) fn text(text: &str) -> Result<(), Problem> {
    bounded(text, MAX_TEXT)
}

/// The name of a metadata field.
pub(crate) fn name(name: &str) -> Result<(), Problem> {
    bounded(name, MAX_REFERENCE)?;
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let plain = plain.to_ascii_lowercase();
    let plain = plain.strip_prefix("card").unwrap_or(&plain);
    match plain {
        "cvv" | "cvc" | "cvv2" | "cvc2" | "csc" | "securitycode" | "verificationvalue" => {
            Err(Problem::SecurityCode)
        }
        _ => Ok(()),
    }
}

fn bounded(text: &str, limit: usize) -> Result<(), Problem> {
    if text.is_empty() {
        return Err(Problem::Empty);
    }
    if text.chars().nth(limit).is_some() {
        return Err(Problem::TooLong { limit });
    }
    if text.chars().any(is_control) {
        return Err(Problem::ControlCharacter);
    }
    if holds_card_number(text) {
        return Err(Problem::CardNumber);
    }
    Ok(())
}

fn is_control(c: char) -> bool {
    // Line and paragraph separators end a line in a log as a control character would.
    c.is_control() || matches!(c, '\u{2028}' | '\u{2029}')
}

/// Whether 13 to 19 digits that pass the Luhn check stand in the text: in one piece or grouped by
/// spaces or dashes, in ASCII, Arabic-Indic or full-width digits. A UUID is no card number.
pub(crate) fn holds_card_number(text: &str) -> bool {
    let chars: Vec<char> = text.chars().collect();
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut rest = chars.as_slice();
    let mut after_word = false;
    let mut in_group = false;
    while let Some((&c, next)) = rest.split_first() {
        if !after_word && let Some(after) = skip_uuid(rest) {
            groups.clear();
            rest = after;
            (after_word, in_group) = (true, false);
            continue;
        }
        match digit(c) {
            Some(value) if in_group => {
                if let Some(group) = groups.last_mut() {
                    group.push(value);
                }
            }
            Some(value) => groups.push(vec![value]),
            None if is_separator(c) => {}
            None => groups.clear(),
        }
        in_group = digit(c).is_some();
        after_word = c.is_alphanumeric();
        let group_ended = in_group && next.first().and_then(|n| digit(*n)).is_none();
        if group_ended && ends_in_card_number(&groups) {
            return true;
        }
        rest = next;
    }
    false
}

/// Whether the last groups, taken together, are a card number.
fn ends_in_card_number(groups: &[Vec<u32>]) -> bool {
    let mut digits: Vec<u32> = Vec::new();
    for group in groups.iter().rev() {
        digits.extend(group.iter().rev());
        if digits.len() > 19 {
            return false;
        }
        if digits.len() >= 13 && luhn(&digits) {
            return true;
        }
    }
    false
}

/// The Luhn check over digits given from the last to the first.
fn luhn(reversed: &[u32]) -> bool {
    let sum: u32 = reversed
        .iter()
        .enumerate()
        .map(|(place, &digit)| match (place % 2, digit) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit.saturating_mul(2).saturating_sub(9),
            (_, digit) => digit.saturating_mul(2),
        })
        .sum();
    sum.is_multiple_of(10)
}

fn digit(c: char) -> Option<u32> {
    let value = match c {
        '0'..='9' => u32::from(c).checked_sub(u32::from('0')),
        '\u{660}'..='\u{669}' => u32::from(c).checked_sub(0x660),
        '\u{6f0}'..='\u{6f9}' => u32::from(c).checked_sub(0x6f0),
        '\u{ff10}'..='\u{ff19}' => u32::from(c).checked_sub(0xff10),
        _ => None,
    };
    value.filter(|v| *v < 10)
}

/// Spaces, dashes, and invisible marks that do not show between two digits.
fn is_separator(c: char) -> bool {
    c == '-'
        || c.is_whitespace()
        || matches!(
            c,
            '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ad}' | '\u{feff}'
        )
        || matches!(c, '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// What follows a UUID (8-4-4-4-12 hexadecimal digits, and no letter or digit after them).
fn skip_uuid(chars: &[char]) -> Option<&[char]> {
    let (uuid, after) = chars.split_at_checked(36)?;
    let fits = uuid.iter().enumerate().all(|(place, c)| match place {
        8 | 13 | 18 | 23 => *c == '-',
        _ => c.is_ascii_hexdigit(),
    });
    let ends = after
        .first()
        .is_none_or(|c| !c.is_alphanumeric() && *c != '-');
    (fits && ends).then_some(after)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn card_numbers_are_found_in_every_spelling() {
        for text in [
            "4111111111111111",
            "card 4111 1111 1111 1111",
            "5500-0000-0000-0004",
            "amex 378282246310005.",
            "٤١١١١١١١١١١١١١١١",
            "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱",
            "order 12 4111 1111 1111 1111",
            "4111 1111 1111 1111 for 2 items",
            "4111\u{200f}1111\u{200f}1111\u{200f}1111",
            "x4111111111111111y",
            "6759649826438453",
        ] {
            assert!(holds_card_number(text), "{text}");
        }
    }

    #[test]
    fn what_only_looks_like_one_passes() {
        for text in [
            "4111111111111112",
            "41111111111111111111",
            "order-1042",
            "c0a80101-4111-4111-8111-111111111111",
            "41111111-1111-4111-8111-111111111111",
            "+966 50 123 4567",
            "480.00 SAR",
            "طلب رقم ٥",
            "",
        ] {
            assert!(!holds_card_number(text), "{text}");
        }
    }

    #[test]
    fn a_reference_has_1_to_255_characters_of_any_script() {
        assert_eq!(reference(""), Err(Problem::Empty));
        assert_eq!(reference(&"ط".repeat(255)), Ok(()));
        assert_eq!(
            reference(&"ط".repeat(256)),
            Err(Problem::TooLong { limit: 255 })
        );
        assert_eq!(reference("a\nb"), Err(Problem::ControlCharacter));
        assert_eq!(reference("a\u{2028}b"), Err(Problem::ControlCharacter));
        assert_eq!(reference("order-1 "), Err(Problem::EdgeSpace));
        assert_eq!(reference("طلب رقم ٥ – \"قهوة\" & 100% +1 🙂"), Ok(()));
    }

    #[test]
    fn fields_named_like_security_codes_are_refused() {
        for name_ in ["cvv", "CVC", "card_cvc", "card-security-code", "Cvv2"] {
            assert_eq!(name(name_), Err(Problem::SecurityCode), "{name_}");
        }
        assert_eq!(name("order"), Ok(()));
    }
}
