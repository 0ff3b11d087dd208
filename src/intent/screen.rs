//! What no text of an intent may carry: control characters, card numbers, security codes.
//!
//! References, descriptions and metadata go to the gateway, to the ledger and into logs. A card
//! number typed into one of them would be stored in all three, so it is refused here, and the
//! error does not repeat it.

use thiserror::Error;

use super::card::{holds_card_number, is_invisible};

/// The longest reference, in characters of any script.
pub(crate) const MAX_REFERENCE: usize = 255;
/// The longest token, description or metadata value, in characters.
pub(crate) const MAX_TEXT: usize = 2_000;
/// The longest value that a customer brings back, in characters.
#[cfg(feature = "client")]
const MAX_INPUT: usize = 100_000;

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
    /// A character that does not show, so that two spellings would look the same.
    #[error("holds an invisible character: remove it, or two references would look the same")]
    InvisibleCharacter,
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
    // Joiners belong to words of some scripts and to emoji.
    let joins = |c| matches!(c, '\u{200c}' | '\u{200d}' | '\u{fe0f}');
    if text.chars().any(|c| is_invisible(c) && !joins(c)) {
        return Err(Problem::InvisibleCharacter);
    }
    Ok(())
}

/// A field of free text: a description, a metadata value, a token.
pub(crate) fn text(text: &str) -> Result<(), Problem> {
    bounded(text, MAX_TEXT)
}

/// An id that a gateway gave. In some, letters go before a row of digits (`TST2014900000688`), others
/// are digits that begin with the time (`149295435400084008`), and one in ten such rows is a card number
/// by chance. Refused, that payment could never be given back. No payment card's number begins with 0
/// or 1.
pub(crate) fn id(id: &str) -> Result<(), Problem> {
    let is_word = id.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let begins_as_none = |c: char| c.is_ascii_alphabetic() || matches!(c, '0' | '1');
    match text(id) {
        Err(Problem::CardNumber) if is_word && id.starts_with(begins_as_none) => Ok(()),
        checked => checked,
    }
}

/// What a customer brought back from a page: it can be long.
#[cfg(feature = "client")]
pub(crate) fn input(text: &str) -> Result<(), Problem> {
    bounded(text, MAX_INPUT)
}

/// The name of a metadata field.
pub(crate) fn name(name: &str) -> Result<(), Problem> {
    bounded(name, MAX_REFERENCE)?;
    if is_security_code(&name.to_ascii_lowercase()) {
        return Err(Problem::SecurityCode);
    }
    Ok(())
}

/// Whether a name, in small letters, is one by which card security codes go.
fn is_security_code(name: &str) -> bool {
    let mut words = name.split(|c: char| !c.is_ascii_alphanumeric());
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    let short = |word: &str| {
        let word = word.strip_prefix("card").unwrap_or(word);
        let codes = ["cvv", "cvc", "cvn"];
        codes
            .iter()
            .any(|code| word.starts_with(code) || word.ends_with(code))
            || word == "csc"
    };
    let long = [
        "securitycode",
        "verificationvalue",
        "verificationcode",
        "cardcode",
    ];
    words.any(short) || long.iter().any(|code| plain.contains(code))
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

#[cfg(test)]
mod tests {
    use super::*;

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
        for twin in ["order-1\u{200b}", "order\u{ad}-1", "\u{200f}order-1"] {
            assert_eq!(reference(twin), Err(Problem::InvisibleCharacter), "{twin}");
        }
        assert_eq!(reference("نامه\u{200c}ها ❤\u{fe0f}"), Ok(()));
        assert_eq!(reference("طلب رقم ٥ – \"قهوة\" & 100% +1 🙂"), Ok(()));
    }

    #[test]
    fn an_id_with_letters_is_no_card_number_whatever_its_digits_are() {
        for own in [
            "TST2633500000001",
            "TST4111111111111111",
            // Both pass the check of card numbers.
            "149295435400000003",
            "0000000000000000",
            "pi_1",
            "8ac7a4a1",
        ] {
            assert_eq!(id(own), Ok(()), "{own}");
        }
        for card in [
            "4111111111111111",
            "card 4111 1111 1111 1111",
            "4111-1111-1111-1111",
        ] {
            assert_eq!(id(card), Err(Problem::CardNumber), "{card}");
        }
        assert_eq!(text("TST2633500000001"), Err(Problem::CardNumber));
        assert_eq!(id(""), Err(Problem::Empty));
        assert_eq!(id("TST4111111111111111\n"), Err(Problem::ControlCharacter));
    }

    #[test]
    fn fields_named_like_security_codes_are_refused() {
        for name_ in [
            "cvv",
            "CVC",
            "card_cvc",
            "cardCvc",
            "card-security-code",
            "Cvv2",
            "cvv_code",
            "cvcNumber",
            "payer.cvn",
            "csc",
            "card code",
        ] {
            assert_eq!(name(name_), Err(Problem::SecurityCode), "{name_}");
        }
        for name_ in ["order", "recv_count", "basket", "طلب"] {
            assert_eq!(name(name_), Ok(()), "{name_}");
        }
    }
}
