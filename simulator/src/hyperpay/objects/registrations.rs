//! Ready-made registrations, which every entity may use.

use std::collections::BTreeMap;

use super::{Registration, RegistrationResult};

/// A payment with it works.
pub const APPROVED: &str = "8ac7a4a1000000000000000000000001";
/// Declined by the authorization system, `800.100.152`.
pub const DECLINED: &str = "8ac7a4a1000000000000000000000002";
/// Declined because there is not enough money, `800.100.203`.
pub const INSUFFICIENT_FUNDS: &str = "8ac7a4a1000000000000000000000003";
/// The customer has to pass 3-D Secure. If he is not there (`standingInstruction.source=MIT`),
/// it is declined with `300.100.100`.
pub const REDIRECT: &str = "8ac7a4a1000000000000000000000004";
/// No result yet, `000.200.000`.
pub const PENDING: &str = "8ac7a4a1000000000000000000000005";
/// It works and somebody has to review it, `000.400.000`.
pub const REVIEW: &str = "8ac7a4a1000000000000000000000006";
/// A timeout, `900.100.300`; the money did not move.
pub const TIMEOUT: &str = "8ac7a4a1000000000000000000000007";

/// All of them by id.
pub(in crate::hyperpay) fn ready_made() -> BTreeMap<String, Registration> {
    let code = |code: &str| RegistrationResult::Code(code.to_owned());
    let all = [
        (APPROVED, RegistrationResult::Approved),
        (DECLINED, code("800.100.152")),
        (INSUFFICIENT_FUNDS, code("800.100.203")),
        (REDIRECT, RegistrationResult::Redirect),
        (PENDING, code("000.200.000")),
        (REVIEW, code("000.400.000")),
        (TIMEOUT, code("900.100.300")),
    ];
    all.into_iter()
        .map(|(id, result)| (id.to_owned(), Registration::new(id, result)))
        .collect()
}
