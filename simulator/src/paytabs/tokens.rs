/// A payment with it works.
pub const APPROVED: &str = "2C4652BE67A3EA30C6B390F266817A01";
/// So does one with this.
pub const APPROVED_TOO: &str = "2C4652BE67A3EA30C6B390F266817A02";
/// Declined, code 300.
pub const DECLINED: &str = "2C4652BE67A3EA30C6B390F266817A03";
/// Declined because there is not enough money, code 316.
pub const INSUFFICIENT_FUNDS: &str = "2C4652BE67A3EA30C6B390F266817A04";
/// The customer has to pass 3-D Secure: the reply has a page.
pub const REDIRECT: &str = "2C4652BE67A3EA30C6B390F266817A05";
/// No result yet, `P`.
pub const PENDING: &str = "2C4652BE67A3EA30C6B390F266817A06";
/// It is held for a review, `H`.
pub const HELD: &str = "2C4652BE67A3EA30C6B390F266817A07";
/// A system error, `E` with code 400; the money did not move.
pub const SYSTEM_ERROR: &str = "2C4652BE67A3EA30C6B390F266817A08";

/// What a payment with a token comes to where no customer is asked: the letter and the code. None:
/// there is no such token.
pub(super) fn result(token: &str) -> Option<(&'static str, &'static str)> {
    Some(match token {
        APPROVED | APPROVED_TOO => ("A", "G00001"),
        DECLINED => ("D", "300"),
        INSUFFICIENT_FUNDS => ("D", "316"),
        PENDING => ("P", "600"),
        HELD => ("H", "G00002"),
        SYSTEM_ERROR => ("E", "400"),
        _ => return None,
    })
}
