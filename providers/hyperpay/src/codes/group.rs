//! The groups of result codes.

use super::Meaning;

/// A group: how its codes start, and what they say.
pub(super) struct Group {
    /// What the platform calls it.
    #[cfg_attr(not(test), expect(dead_code, reason = "for readers and tests"))]
    pub(super) name: &'static str,
    pub(super) codes: &'static [&'static str],
    pub(super) meaning: Meaning,
}

const fn group(name: &'static str, codes: &'static [&'static str], meaning: Meaning) -> Group {
    Group {
        name,
        codes,
        meaning,
    }
}

/// The order decides: see the page named above.
pub(super) const GROUPS: [Group; 35] = [
    // Single codes first.
    group("throttled", &["800.120.100"], Meaning::Unsaid),
    group("timeout, uncertain", &["900.100.300"], Meaning::Unsaid),
    group("timeout, taken back", &["900.100.301"], Meaning::Ended),
    // It was partly done, and taking it back failed: money may have moved.
    group("partly failed", &["000.400.030"], Meaning::Unsaid),
    // On a first send somebody else's payment, after a lost reply probably ours.
    group("duplicate", &["800.110.100"], Meaning::Repeated),
    // Answers to checks and queries, which look like successes of payments.
    group(
        "no payment",
        &[
            "000.100.105",
            "000.100.106",
            "000.300.10[0123]",
            "000.310.",
            "000.400.1[12]0",
            "000.000.100",
        ],
        Meaning::Unsaid,
    ),
    // [memory]: this one says itself that it is uncertain.
    group("probably canceled", &["100.396.104"], Meaning::Unsaid),
    group("bad token", &["800.900.300"], Meaning::Unauthorized),
    // Part of the next group. The description of these three names a test mode.
    group(
        "success in a test mode",
        &["000.100.11[012]"],
        Meaning::DoneInTest,
    ),
    // The groups of the page.
    group(
        "success",
        &["000.000.", "000.100.1", "000.[36]", "000.400.1[12]0"],
        Meaning::Done,
    ),
    group(
        "success, to be reviewed",
        &["000.400.0[^3]", "000.400.100"],
        Meaning::Pending,
    ),
    group("pending for minutes", &["000.200"], Meaning::Waiting),
    group(
        "pending for days",
        &["800.400.5", "100.400.500"],
        Meaning::Pending,
    ),
    group(
        "3-D Secure and intercard risk",
        &["000.400.1[0123456789][123456789]", "000.400.2"],
        Meaning::Declined,
    ),
    group("bank", &["800.[17]00", "800.800.[123]"], Meaning::Declined),
    group(
        "communication",
        &["900.[1234]00", "000.400.030"],
        Meaning::Unsaid,
    ),
    group(
        "system",
        &["800.[56]", "999.", "600.1", "800.800.[84]"],
        Meaning::Unsaid,
    ),
    // Canceled by the customer, or timed out, as far as one knows.
    group("asynchronous workflow", &["100.39[765]"], Meaning::Ended),
    // The bank wants the customer to be asked: a new attempt.
    group("soft decline", &["300.100.100"], Meaning::Declined),
    group(
        "external risk",
        &[
            "100.400.[0123]",
            "100.380.100",
            "100.380.11",
            "100.380.4",
            "100.380.5",
        ],
        Meaning::Declined,
    ),
    group("address check", &["800.400.1"], Meaning::Declined),
    group("3-D Secure", &["800.400.2", "100.390"], Meaning::Declined),
    group("blacklist", &["800.[32]"], Meaning::Declined),
    group("risk check", &["800.1[123456]0"], Meaning::Declined),
    group(
        "configuration",
        &["600.[23]", "500.[12]", "800.121"],
        Meaning::Rejected,
    ),
    group("registration", &["100.[13]50"], Meaning::Rejected),
    group("job", &["100.250", "100.360"], Meaning::Rejected),
    group("reference", &["700.[1345][05]0"], Meaning::Rejected),
    // `200.300.404` is also what an expired page is answered with, paid or not. No page is asked here,
    // and the query takes it for no answer.
    group(
        "format",
        &["200.[123]", "100.[53][07]", "800.900", "100.[69]00.500"],
        Meaning::Rejected,
    ),
    group("address", &["100.800"], Meaning::Rejected),
    group(
        "contact",
        &["100.700", "100.900.[123467890][0123456789]"],
        Meaning::Rejected,
    ),
    // What is wrong here is the card, so another card is the answer.
    group("account", &["100.100", "100.2[01]"], Meaning::Declined),
    group("amount", &["100.55"], Meaning::Rejected),
    group(
        "risk management",
        &["100.380.[23]", "100.380.101"],
        Meaning::Declined,
    ),
    // What happened to a payment later is no answer to a send.
    group("chargeback", &["000.100.2"], Meaning::Unsaid),
];
