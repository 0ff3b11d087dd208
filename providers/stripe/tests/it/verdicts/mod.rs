//! The tables of verdicts on the fixtures of everything but a charge.

mod authorize;
mod capture;
mod refund;
mod void;

pub(crate) use self::authorize::VERDICTS as AUTHORIZE;
pub(crate) use self::capture::VERDICTS as CAPTURE;
pub(crate) use self::refund::VERDICTS as REFUND;
pub(crate) use self::void::VERDICTS as VOID;
