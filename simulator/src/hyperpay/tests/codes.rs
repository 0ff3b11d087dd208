use crate::hyperpay::codes::{is_code, is_pending, is_success, is_uncertain};

#[test]
fn codes_stand_for_what_the_platforms_groups_say() {
    for (code, success, pending, uncertain) in [
        ("000.000.000", true, false, false),
        ("000.100.110", true, false, false),
        ("000.300.000", true, false, false),
        ("000.600.000", true, false, false),
        ("000.400.000", true, false, false),
        ("000.400.100", true, false, false),
        // They look like a success and are none.
        ("000.000.100", false, false, false),
        ("000.100.105", false, false, false),
        ("000.300.101", false, false, false),
        ("000.310.110", false, false, false),
        ("000.400.110", false, false, false),
        ("000.100.200", false, false, false),
        ("000.200.000", false, true, false),
        ("800.400.500", false, true, false),
        ("100.400.500", false, true, false),
        ("900.100.300", false, false, true),
        ("900.100.400", false, false, true),
        ("999.999.999", false, false, true),
        ("000.400.030", false, false, true),
        // It was taken back by itself: that is final.
        ("900.100.301", false, false, false),
        ("800.100.152", false, false, false),
        ("700.400.580", false, false, false),
    ] {
        let is = (is_success(code), is_pending(code), is_uncertain(code));
        assert_eq!(is, (success, pending, uncertain), "{code}");
        assert!(is_code(code));
    }
    for text in [
        "",
        "000.000",
        "000.000.0000",
        "000.000.000.",
        "00a.000.000",
        "000,000,000",
    ] {
        assert!(!is_code(text), "{text}");
    }
}
