//! Finds card numbers in texts, however they are written.

/// The zeros of the scripts that have decimal digits of their own; nine more follow each.
const ZEROS: [u32; 42] = [
    0x30, 0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66,
    0xde6, 0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0, 0x1810, 0x1946, 0x19d0, 0x1a80, 0x1a90,
    0x1b50, 0x1bb0, 0x1c40, 0x1c50, 0xa620, 0xa8d0, 0xa900, 0xa9d0, 0xa9f0, 0xaa50, 0xabf0, 0xff10,
    0x1d7ce, 0x1d7d8, 0x1d7e2, 0x1d7ec, 0x1d7f6,
];
/// How card numbers are printed: the lengths of their groups.
const PRINTED: [&[usize]; 4] = [&[4, 4, 4, 4], &[4, 6, 5], &[4, 6, 4], &[4, 4, 4, 4, 3]];
/// The most other characters between two groups of a printed number.
const BETWEEN: usize = 3;

/// Digits in one piece, and what stands before them.
struct Group {
    /// From the first to the last.
    digits: Vec<u32>,
    /// How many characters that are neither space nor dash stand between it and the one before.
    others: usize,
}

/// Whether a card number stands in the text: 13 to 19 digits that pass the Luhn check, of any
/// script, in one piece or grouped by spaces and dashes; or in groups as cards print them, with
/// anything short between them. A UUID is no card number.
pub(crate) fn holds_card_number(text: &str) -> bool {
    let visible: Vec<char> = text.chars().filter(|c| !is_invisible(*c)).collect();
    let mut rest = visible.as_slice();
    let mut groups: Vec<Group> = Vec::new();
    let (mut others, mut after_word, mut in_group) = (0, false, false);
    while let Some((&c, next)) = rest.split_first() {
        if !after_word && let Some(after) = skip_uuid(rest) {
            groups.clear();
            rest = after;
            (others, after_word, in_group) = (0, true, false);
            continue;
        }
        match (digit(c), groups.last_mut()) {
            (Some(value), Some(group)) if in_group => group.digits.push(value),
            (Some(value), _) => {
                let digits = vec![value];
                groups.push(Group { digits, others });
                others = 0;
            }
            (None, _) if is_space_or_dash(c) => {}
            (None, _) if !c.is_alphanumeric() && others < BETWEEN => {
                others = others.saturating_add(1);
            }
            (None, _) => {
                groups.clear();
                others = 0;
            }
        }
        in_group = digit(c).is_some();
        after_word = c.is_alphanumeric();
        let group_ended = in_group && next.first().and_then(|n| digit(*n)).is_none();
        if group_ended && (ends_in_card_number(&groups) || ends_as_printed(&groups)) {
            return true;
        }
        rest = next;
    }
    false
}

/// Whether the last groups with only spaces and dashes between them are a card number.
fn ends_in_card_number(groups: &[Group]) -> bool {
    let mut digits: Vec<u32> = Vec::new();
    for group in groups.iter().rev() {
        digits.extend(group.digits.iter().rev());
        if digits.len() > 19 {
            return false;
        }
        if digits.len() >= 13 && luhn(&digits) {
            return true;
        }
        if group.others > 0 {
            return false;
        }
    }
    false
}

/// Whether the last groups are a card number as it is printed.
fn ends_as_printed(groups: &[Group]) -> bool {
    PRINTED.iter().any(|lengths| {
        let first = groups.len().checked_sub(lengths.len());
        let last = first.and_then(|first| groups.get(first..));
        last.is_some_and(|last| {
            let fits = last.iter().map(|group| group.digits.len());
            let digits = last
                .iter()
                .rev()
                .flat_map(|group| group.digits.iter().rev());
            fits.eq(lengths.iter().copied()) && luhn(&digits.copied().collect::<Vec<_>>())
        })
    })
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
    let value = |zero: &u32| u32::from(c).checked_sub(*zero).filter(|value| *value < 10);
    ZEROS.iter().find_map(value)
}

fn is_space_or_dash(c: char) -> bool {
    c == '-' || c.is_whitespace() || matches!(c, '\u{2010}'..='\u{2015}' | '\u{2212}')
}

/// What does not show: Unicode's default-ignorable code points, but for variation selectors beyond
/// the first sixteen.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
        | '\u{ffa0}' | '\u{e0000}'..='\u{e007f}')
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
            "3782-822463-10005",
            "٤١١١١١١١١١١١١١١١",
            "۴۱۱۱ ۱۱۱۱ ۱۱۱۱ ۱۱۱۱",
            "४१११११११११११११११",
            "𝟒𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏𝟏",
            "order 12 4111 1111 1111 1111",
            "4111 1111 1111 1111 for 2 items",
            "4111 1111 1111 1111 12/27 737",
            "4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1",
            "4111.1111.1111.1111",
            "4111/1111/1111/1111",
            "4111_1111_1111_1111",
            "(4111)(1111)(1111)(1111)",
            "4111, 1111, 1111, 1111",
            "4111\u{200f}1111\u{200f}1111\u{200f}1111",
            "4111\u{2060}1111\u{61c}1111\u{fe0f}1111",
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
            "4111.1111.1111.1112",
            "41111111/11111111",
            "4111: 1111 items, 1111: 1111",
            "+966 50 123 4567",
            "480.00 SAR",
            "طلب رقم ٥",
            "",
        ] {
            assert!(!holds_card_number(text), "{text}");
        }
    }

    #[test]
    fn every_decimal_digit_of_the_listed_scripts_is_one() {
        for (zero, value) in ZEROS
            .iter()
            .flat_map(|zero| (0..10).map(move |v| (zero, v)))
        {
            let c = char::from_u32(zero + value).unwrap();
            assert!(c.is_numeric() && digit(c) == Some(value), "{c}");
        }
    }
}
