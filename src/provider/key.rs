//! Idempotency keys: what a gateway takes, and how one is written.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::intent::Problem;

/// The idempotency key of one step: made once, stored before the first send, the same ever after.
#[derive(Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct IdempotencyKey(String);

impl IdempotencyKey {
    /// A key as it stands on the wire.
    pub fn new(text: impl Into<String>) -> Self {
        Self(text.into())
    }

    /// The key as it stands on the wire.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for IdempotencyKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The characters that a gateway takes in a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Alphabet {
    /// A UUID of any version, in 36 characters.
    Uuid,
    /// A UUID of version 4, in 36 characters.
    UuidV4,
    /// 32 hexadecimal digits.
    Hex32,
    /// ASCII letters and digits.
    Alphanumeric,
    /// ASCII from `!` to `~`.
    VisibleAscii,
}

/// What a gateway takes as a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyFormat {
    /// The longest key, in ASCII characters.
    pub max_len: usize,
    /// The characters that it may have.
    pub alphabet: Alphabet,
}

impl KeyFormat {
    /// A format.
    pub const fn new(max_len: usize, alphabet: Alphabet) -> Self {
        Self { max_len, alphabet }
    }

    /// Whether the gateway takes this key. It is used as it is or refused, never cut or replaced.
    ///
    /// # Errors
    ///
    /// What is wrong with it, with the limit.
    pub fn check(&self, key: &IdempotencyKey) -> Result<(), Problem> {
        let text = key.as_str();
        if text.is_empty() {
            return Err(Problem::Empty);
        }
        if text.len() > self.max_len {
            return Err(Problem::TooLong {
                limit: self.max_len,
            });
        }
        let uuid = || {
            (text.len() == 36)
                .then(|| Uuid::try_parse(text).ok())
                .flatten()
        };
        let (fits, wanted) = match self.alphabet {
            Alphabet::Uuid => (uuid().is_some(), "a UUID of 36 characters"),
            Alphabet::UuidV4 => (
                uuid().is_some_and(|id| id.get_version_num() == 4),
                "a UUID of version 4, of 36 characters",
            ),
            Alphabet::Hex32 => (
                text.len() == 32 && text.bytes().all(|b| b.is_ascii_hexdigit()),
                "32 hexadecimal digits",
            ),
            Alphabet::Alphanumeric => (
                text.bytes().all(|b| b.is_ascii_alphanumeric()),
                "ASCII letters and digits only",
            ),
            Alphabet::VisibleAscii => (
                text.bytes().all(|b| b.is_ascii_graphic()),
                "visible ASCII without spaces",
            ),
        };
        if fits {
            Ok(())
        } else {
            Err(Problem::other(format!("must be {wanted}")))
        }
    }

    /// Writes 128 bits as this gateway wants them. The bits must be those of a version 4 UUID
    /// where the gateway asks for one.
    pub fn render(&self, bits: u128) -> IdempotencyKey {
        let bits = Uuid::from_u128(bits);
        IdempotencyKey(match self.alphabet {
            Alphabet::Uuid | Alphabet::UuidV4 => bits.hyphenated().to_string(),
            Alphabet::VisibleAscii if self.max_len >= 36 => bits.hyphenated().to_string(),
            Alphabet::VisibleAscii | Alphabet::Hex32 | Alphabet::Alphanumeric => {
                bits.simple().to_string()
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_checked_and_never_changed() {
        let format = KeyFormat::new(40, Alphabet::VisibleAscii);
        format.check(&IdempotencyKey::new("ord-7f21-a1")).unwrap();
        let long = format
            .check(&IdempotencyKey::new("k".repeat(41)))
            .unwrap_err();
        assert_eq!(long, Problem::TooLong { limit: 40 });
        for bad in ["", "a b", "a\nb", "ط"] {
            format.check(&IdempotencyKey::new(bad)).unwrap_err();
        }
    }

    #[test]
    fn every_alphabet_takes_what_is_rendered_for_it() {
        let bits = 0x0c1e_8b34_7a53_4f0e_9f0e_0a5c_2b7d_1d11;
        for alphabet in [
            Alphabet::Uuid,
            Alphabet::UuidV4,
            Alphabet::Hex32,
            Alphabet::Alphanumeric,
            Alphabet::VisibleAscii,
        ] {
            for max_len in [36, 64, 255] {
                let format = KeyFormat::new(max_len, alphabet);
                format.check(&format.render(bits)).unwrap();
            }
        }
        assert_eq!(
            KeyFormat::new(32, Alphabet::VisibleAscii)
                .render(bits)
                .as_str()
                .len(),
            32
        );
    }

    #[test]
    fn versions_of_uuids_are_told_apart() {
        let v7 = IdempotencyKey::new("0190b5a0-0000-7000-8000-000000000000");
        KeyFormat::new(36, Alphabet::Uuid).check(&v7).unwrap();
        KeyFormat::new(36, Alphabet::UuidV4).check(&v7).unwrap_err();
    }
}
