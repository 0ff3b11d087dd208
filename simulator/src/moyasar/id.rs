//! Ids: UUIDs, given by the client or made from a counter.

/// Whether this is a UUID in canonical form. Any version: 4 is only recommended (IDEM). Capitals
/// are refused: whether they name the same payment is not documented.
pub(super) fn is_uuid(text: &str) -> bool {
    let is_hex = |part: &str| {
        part.bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
    };
    let parts: Vec<&str> = text.split('-').collect();
    let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
    lengths == [8, 4, 4, 4, 12] && parts.into_iter().all(is_hex)
}

/// The UUID with this number, so that the same run gives the same ids.
pub(super) fn numbered(number: u64) -> String {
    format!("00000000-0000-4000-8000-{number:012x}")
}
