//! Every status with every message: what is an answer, and that nothing else is.

use OperationKind::{Authorize, Capture, Charge, Refund, Void};

use super::*;

const KINDS: [OperationKind; 5] = [Charge, Authorize, Capture, Refund, Void];

fn all() -> impl Iterator<Item = (String, String)> {
    (0..100).flat_map(|state| {
        (0..1000).map(move |message| (format!("{state:02}"), format!("{message:03}")))
    })
}

/// The money would be believed to have moved.
#[test]
fn c40_only_the_own_status_with_message_000_is_a_success() {
    for kind in KINDS {
        let done: Vec<_> = all()
            .filter(|(state, message)| meaning(kind, state, message) == Meaning::Done)
            .collect();
        let (_, state, _) = names(kind).unwrap();
        assert_eq!(done, [(state.to_owned(), "000".to_owned())], "{kind}");
    }
}

/// The way would be free for a second payment.
#[test]
fn only_these_codes_are_a_refusal() {
    let refusals = |kind| -> Vec<String> {
        let refused = |(state, message): &(String, String)| {
            let meaning = meaning(kind, state, message);
            matches!(meaning, Meaning::Declined | Meaning::Rejected)
        };
        let all = all().filter(refused);
        all.map(|(state, message)| state + &message).collect()
    };
    let wrong = [
        "00001", "00002", "00004", "00005", "00013", "00027", "00032", "00033",
    ];
    let pays = |failed: &str| -> Vec<String> {
        let declined =
            ["012", "016", "029", "030", "666"].map(|message| failed.to_owned() + message);
        let wrong = wrong.into_iter().chain(["00044", "00073"]);
        wrong.map(str::to_owned).chain(declined).collect()
    };
    assert_eq!(refusals(Charge), pays("13"));
    assert_eq!(refusals(Authorize), pays("03"));
    let follows = |failed: &str| -> Vec<String> {
        let own = ["012", "016", "029", "030", "042", "048", "666"];
        let own = own.map(|message| failed.to_owned() + message);
        let wrong = wrong
            .into_iter()
            .chain(["00036", "00042", "00048", "00073"]);
        wrong.map(str::to_owned).chain(own).collect()
    };
    assert_eq!(refusals(Capture), follows("05"));
    assert_eq!(refusals(Refund), follows("07"));
    assert_eq!(refusals(Void), follows("09"));
}

/// After any of these the money may have moved.
#[test]
fn uncertain_codes_say_nothing() {
    for kind in KINDS {
        for message in [
            "006", "051", "054", "071", "119", "777", "778", "779", "780", "781",
        ] {
            for state in 0..100 {
                let state = format!("{state:02}");
                assert_eq!(meaning(kind, &state, message), Meaning::Unsaid, "{message}");
            }
        }
        for (_, message) in all().take(1000) {
            let said = meaning(kind, "15", &message);
            let looked_up = matches!(
                said,
                Meaning::Unsaid | Meaning::Repeated | Meaning::InProgress
            );
            assert!(looked_up, "15{message}");
        }
    }
}

#[test]
fn c26_a_duplicate_is_one_whatever_stands_before_it() {
    for kind in KINDS {
        for (message, expected) in [
            ("007", Meaning::Repeated),
            ("066", Meaning::Repeated),
            ("047", Meaning::Repeated),
            ("784", Meaning::InProgress),
        ] {
            for state in ["00", "13", "03", "05", "07", "09", "15"] {
                assert_eq!(meaning(kind, state, message), expected, "{state}{message}");
            }
        }
    }
}
