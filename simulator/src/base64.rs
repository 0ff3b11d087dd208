//! Base64, as Basic authentication carries it.

/// Standard base64, padded or not.
pub(crate) fn decode(text: &str) -> Option<Vec<u8>> {
    let digits = text.trim_end_matches('=').bytes().map(|byte| match byte {
        b'A'..=b'Z' => byte.checked_sub(b'A'),
        b'a'..=b'z' => byte.checked_sub(b'a')?.checked_add(26),
        b'0'..=b'9' => byte.checked_sub(b'0')?.checked_add(52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    });
    let mut decoded = Vec::new();
    let (mut bits, mut held) = (0_u32, 0_u32);
    for digit in digits {
        // Older bits leave at the top; only the last byte is ever taken.
        bits = (bits << 6) | u32::from(digit?);
        held = held.saturating_add(6);
        if held >= 8 {
            held = held.saturating_sub(8);
            let [.., byte] = (bits >> held).to_be_bytes();
            decoded.push(byte);
        }
    }
    Some(decoded)
}
