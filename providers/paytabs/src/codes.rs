//! What a code says: <https://support.paytabs.com/en/support/solutions/articles/60000711358>.

/// What a code says of the request or the transaction that it stands in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    /// The server key or the profile was refused.
    Key,
    /// The request was wrong.
    Request,
    /// The payer's side refused.
    Payer,
    /// An equal request was taken less than two minutes ago; what became of it is not said.
    Duplicate,
    /// It says nothing of what happened.
    Unsaid,
}

/// The meaning of a code. One that is not in the table says nothing: among them 113 (not found, the
/// answer to a query), 400 (a system error that passes) and 600 (pending).
pub(crate) fn meaning(code: &str) -> Meaning {
    match code {
        "1" => Meaning::Key,
        // An invalid request; an invalid cart_id; an invalid description; more than there is to
        // capture; a currency that is not offered; more than there is to refund.
        "2" | "101" | "102" | "118" | "206" | "342" => Meaning::Request,
        // The card; the issuer; 3-D Secure; no money; the customer; 3-D Secure given up; fraud.
        "200" | "300" | "310" | "316" | "321" | "345" | "501" => Meaning::Payer,
        "4" => Meaning::Duplicate,
        _ => Meaning::Unsaid,
    }
}

/// There is no such transaction. It answers a query.
pub(crate) const NOT_FOUND: &str = "113";
