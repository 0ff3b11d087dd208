use super::*;

/// Codes in every group and at its edges, with the name of the group. `-`: no group.
const CODES: &[(&str, &str)] = &[
    ("800.120.100", "throttled"),
    ("800.120.101", "risk check"),
    ("900.100.300", "timeout, uncertain"),
    ("900.100.301", "timeout, taken back"),
    ("900.100.302", "communication"),
    ("000.400.030", "partly failed"),
    ("000.400.031", "-"),
    ("800.110.100", "duplicate"),
    ("800.110.101", "risk check"),
    ("000.100.105", "no payment"),
    ("000.100.106", "no payment"),
    ("000.100.107", "success"),
    ("000.300.100", "no payment"),
    ("000.300.103", "no payment"),
    ("000.300.104", "success"),
    ("000.310.100", "no payment"),
    ("000.400.110", "no payment"),
    ("000.400.120", "no payment"),
    ("000.000.100", "no payment"),
    ("000.000.101", "success"),
    ("000.000.000", "success"),
    ("000.100.109", "success"),
    ("000.100.110", "success in a test mode"),
    ("000.100.111", "success in a test mode"),
    ("000.100.112", "success in a test mode"),
    ("000.100.113", "success"),
    ("000.300.000", "success"),
    ("000.600.000", "success"),
    ("000.400.000", "success, to be reviewed"),
    ("000.400.020", "success, to be reviewed"),
    ("000.400.040", "success, to be reviewed"),
    ("000.400.100", "success, to be reviewed"),
    ("000.200.000", "pending for minutes"),
    ("000.200.100", "pending for minutes"),
    ("800.400.500", "pending for days"),
    ("100.400.500", "pending for days"),
    ("100.400.501", "-"),
    ("000.400.101", "3-D Secure and intercard risk"),
    ("000.400.109", "3-D Secure and intercard risk"),
    ("000.400.111", "3-D Secure and intercard risk"),
    ("000.400.200", "3-D Secure and intercard risk"),
    ("000.400.130", "-"),
    ("800.100.151", "bank"),
    ("800.700.100", "bank"),
    ("800.800.102", "bank"),
    ("800.800.302", "bank"),
    ("900.100.400", "communication"),
    ("900.400.100", "communication"),
    ("900.500.100", "-"),
    ("800.500.100", "system"),
    ("800.600.100", "system"),
    ("999.999.999", "system"),
    ("600.100.100", "system"),
    ("800.800.400", "system"),
    ("800.800.800", "system"),
    ("100.395.501", "asynchronous workflow"),
    ("100.396.101", "asynchronous workflow"),
    ("100.396.104", "probably canceled"),
    ("100.397.101", "asynchronous workflow"),
    ("100.398.101", "-"),
    ("300.100.100", "soft decline"),
    ("300.100.101", "-"),
    ("100.400.000", "external risk"),
    ("100.400.305", "external risk"),
    ("100.380.100", "external risk"),
    ("100.380.110", "external risk"),
    ("100.380.401", "external risk"),
    ("100.380.501", "external risk"),
    ("800.400.100", "address check"),
    ("800.400.200", "3-D Secure"),
    ("100.390.112", "3-D Secure"),
    ("800.400.300", "-"),
    ("800.200.159", "blacklist"),
    ("800.300.101", "blacklist"),
    ("800.110.200", "risk check"),
    ("800.120.200", "risk check"),
    ("800.160.110", "risk check"),
    ("800.170.100", "-"),
    ("600.200.500", "configuration"),
    ("600.300.101", "configuration"),
    ("500.100.201", "configuration"),
    ("500.200.101", "configuration"),
    ("800.121.100", "configuration"),
    ("500.300.100", "-"),
    ("100.150.100", "registration"),
    ("100.350.301", "registration"),
    ("100.250.100", "job"),
    ("100.360.201", "job"),
    ("700.100.100", "reference"),
    ("700.300.100", "reference"),
    ("700.400.200", "reference"),
    ("700.400.570", "reference"),
    ("700.400.580", "reference"),
    ("700.450.001", "reference"),
    ("700.500.001", "reference"),
    ("700.200.100", "-"),
    ("200.100.101", "format"),
    ("200.300.404", "format"),
    ("200.400.404", "-"),
    ("100.300.101", "format"),
    ("100.370.100", "format"),
    ("100.500.101", "format"),
    ("100.600.500", "format"),
    ("100.900.500", "format"),
    ("800.900.100", "format"),
    ("800.900.300", "bad token"),
    ("800.900.301", "format"),
    ("100.600.501", "-"),
    ("100.800.100", "address"),
    ("100.700.100", "contact"),
    ("100.900.100", "contact"),
    ("100.900.450", "contact"),
    ("100.900.501", "-"),
    ("100.100.303", "account"),
    ("100.100.700", "account"),
    ("100.200.100", "account"),
    ("100.210.101", "account"),
    ("100.220.100", "-"),
    ("100.550.310", "amount"),
    ("100.551.000", "amount"),
    ("100.560.000", "-"),
    ("100.380.101", "risk management"),
    ("100.380.201", "risk management"),
    ("100.380.305", "risk management"),
    ("100.380.600", "-"),
    ("000.100.200", "chargeback"),
    ("000.100.299", "chargeback"),
    ("000.100.300", "-"),
    ("000.500.000", "-"),
    ("001.000.000", "-"),
];

fn group_of(code: &str) -> &'static str {
    GROUPS
        .iter()
        .find(|group| group.codes.iter().any(|pattern| starts(code, pattern)))
        .map_or("-", |group| group.name)
}

#[test]
fn every_code_falls_into_its_group_and_no_other() {
    for (code, name) in CODES {
        assert_eq!(group_of(code), *name, "{code}");
        let meaning = GROUPS
            .iter()
            .find(|group| group.name == *name)
            .map_or(Meaning::Unsaid, |group| group.meaning);
        assert_eq!(super::meaning(code), meaning, "{code}");
    }
}

#[test]
fn every_group_has_a_code_in_the_table() {
    for group in &GROUPS {
        let is_there = CODES.iter().any(|(_, name)| *name == group.name);
        assert!(is_there, "{}", group.name);
    }
}

#[test]
fn every_pattern_is_one() {
    for pattern in GROUPS.iter().flat_map(|group| group.codes) {
        let open = pattern.matches('[').count();
        assert_eq!(open, pattern.matches(']').count(), "{pattern}");
        let known = |c: char| c.is_ascii_digit() || ".[]^".contains(c);
        assert!(pattern.chars().all(known), "{pattern}");
    }
}

/// What the merchant ships goods for must be a success and nothing else.
#[test]
fn money_that_may_not_have_moved_is_never_a_success() {
    for code in [
        "000.400.030",
        "000.400.000",
        "000.400.100",
        "000.400.110",
        "000.000.100",
        "000.100.105",
        "000.100.200",
        "000.200.000",
        "000.300.101",
        "000.310.101",
    ] {
        assert_ne!(meaning(code), Meaning::Done, "{code}");
    }
}

#[test]
fn what_is_no_code_says_nothing() {
    for text in [
        "",
        "000.000",
        "000.000.00",
        "000.000.0000",
        "000.000.00x",
        "000-000-000",
        " 000.000.000",
        "800.100.15١",
        "000.000.[00",
    ] {
        assert_eq!(meaning(text), Meaning::Unsaid, "{text}");
    }
}
