use crate::testing::{Bench, CHARGE, PAYMENTS};

/// The error code of a charge, or nothing if it works.
fn charge(bench: &mut Bench, amount: &str, currency: &str) -> String {
    let form = CHARGE.replace("1099", amount).replace("usd", currency);
    let answer = bench.post(PAYMENTS, &format!("{amount} {currency}"), &form);
    if answer.status == 200 {
        String::new()
    } else {
        answer.error().to_owned()
    }
}

#[test]
fn amounts_are_whole_and_positive() {
    let mut bench = Bench::new();
    for amount in [
        "0",
        "-5",
        "10.5",
        "1e3",
        "+5",
        "ten",
        "%D9%A1",
        "99999999999999999999",
    ] {
        assert_eq!(
            charge(&mut bench, amount, "usd"),
            "parameter_invalid_integer",
            "{amount}"
        );
    }
    assert_eq!(charge(&mut bench, "", "usd"), "parameter_invalid_empty");
    assert!(bench.moved().is_empty());
}

#[test]
fn amounts_have_a_least_and_a_most() {
    let mut bench = Bench::new();
    let least = [
        ("usd", 50),
        ("eur", 50),
        ("gbp", 30),
        ("jpy", 50),
        ("mxn", 1000),
        ("huf", 17_500),
    ];
    for (currency, least) in least {
        assert_eq!(
            charge(&mut bench, &(least - 1).to_string(), currency),
            "amount_too_small"
        );
        assert_eq!(charge(&mut bench, &least.to_string(), currency), "");
    }
    let digits = [
        ("usd", 8),
        ("inr", 9),
        ("jpy", 10),
        ("cop", 10),
        ("lbp", 11),
        ("idr", 12),
    ];
    for (currency, digits) in digits {
        assert_eq!(
            charge(&mut bench, &"9".repeat(digits), currency),
            "",
            "{currency}"
        );
        let more = "1".to_owned() + &"0".repeat(digits);
        assert_eq!(
            charge(&mut bench, &more, currency),
            "amount_too_large",
            "{currency}"
        );
    }
}

#[test]
fn some_currencies_fix_the_last_digits() {
    let mut bench = Bench::new();
    for currency in ["isk", "ugx"] {
        assert_eq!(charge(&mut bench, "500", currency), "");
        assert_eq!(
            charge(&mut bench, "550", currency),
            "invalid_request_error",
            "{currency}"
        );
    }
    for currency in ["bhd", "jod", "kwd", "omr", "tnd"] {
        assert_eq!(charge(&mut bench, "5120", currency), "");
        assert_eq!(
            charge(&mut bench, "5124", currency),
            "invalid_request_error",
            "{currency}"
        );
    }
    assert_eq!(charge(&mut bench, "38000000", "ugx"), "");
    assert_eq!(charge(&mut bench, "279000", "isk"), "");
}

#[test]
fn currencies_are_known_and_in_lowercase() {
    let mut bench = Bench::new();
    for currency in ["USD", "usx", "us", "xau"] {
        assert_eq!(
            charge(&mut bench, "1099", currency),
            "invalid_request_error",
            "{currency}"
        );
    }
    for currency in ["sar", "aed", "mga", "krw", "twd", "try"] {
        assert_eq!(charge(&mut bench, "1099", currency), "", "{currency}");
    }
    let effect = bench.world.effects()[0].clone();
    assert_eq!((effect.amount, effect.currency.as_str()), (1099, "sar"));
}
