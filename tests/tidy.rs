//! The rules of the house, checked: file length, import edges, the dependency promise.
//!
//! The edges are those of `ARCHITECTURE.md`: a room may import only what stands beside it here.
#![cfg(test)]

#[path = "tidy/files.rs"]
mod files;
#[path = "tidy/packages.rs"]
mod packages;

use crate::files::{all_sources, code, depth, is_test, name, room, sources};

/// Each room of `src/` with the rooms that it may import.
const EDGES: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("money", &[]),
    ("operation", &[]),
    ("payment", &["money", "operation", "provider"]),
    ("outcome", &["money", "operation", "payment", "provider"]),
    (
        "intent",
        &[
            "clock",
            "error",
            "money",
            "operation",
            "payment",
            "provider",
        ],
    ),
    (
        "error",
        &["intent", "money", "operation", "outcome", "provider"],
    ),
    (
        "provider",
        &["clock", "intent", "money", "operation", "outcome"],
    ),
    ("machine", &["money", "operation", "outcome", "provider"]),
    (
        "ledger",
        &[
            "clock",
            "error",
            "machine",
            "money",
            "operation",
            "outcome",
            "payment",
            "provider",
        ],
    ),
    ("transport", &["clock", "error", "provider"]),
    (
        "engine",
        &[
            "clock",
            "error",
            "intent",
            "ledger",
            "machine",
            "money",
            "operation",
            "outcome",
            "payment",
            "provider",
            "transport",
        ],
    ),
    (
        "conformance",
        &[
            "clock",
            "intent",
            "money",
            "operation",
            "outcome",
            "provider",
        ],
    ),
    (
        "client",
        &[
            "clock",
            "engine",
            "error",
            "intent",
            "ledger",
            "money",
            "operation",
            "outcome",
            "payment",
            "provider",
            "transport",
        ],
    ),
];

#[test]
fn no_file_is_longer_than_400_lines() {
    let mut long = Vec::new();
    for (path, text) in all_sources() {
        let lines = text.lines().count();
        if lines > 400 {
            long.push(format!("{} has {lines} lines", path.display()));
        }
    }
    assert!(long.is_empty(), "split these: {long:#?}");
}

#[test]
fn tests_of_more_than_80_lines_have_their_own_file() {
    let mut long = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("providers")) {
        if let Some((_, tests)) = text.split_once("#[cfg(test)]\nmod tests {") {
            let lines = tests.lines().count();
            if lines > 80 {
                long.push(format!("{}: {lines} lines of tests", path.display()));
            }
        }
    }
    assert!(long.is_empty(), "move these tests out: {long:#?}");
}

#[test]
fn rooms_import_only_along_the_edges_of_the_map() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let room = room(&path);
        if room == "lib" || is_test(&path) {
            continue;
        }
        let Some((_, allowed)) = EDGES.iter().find(|(name, _)| *name == room) else {
            panic!("{room} is not on the map: add it to EDGES and to ARCHITECTURE.md");
        };
        let up = "super::".repeat(depth(&path));
        for (number, code) in code(&text) {
            let imports = code.split("crate::").skip(1);
            let beside = code.split(&up).skip(1);
            for imported in imports.chain(beside).map(name) {
                if imported != room && !allowed.contains(&imported.as_str()) {
                    wrong.push(format!("{}:{number} imports {imported}", path.display()));
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "these edges are not on the map: {wrong:#?}"
    );
}

/// The words of a pattern that may stand in some places of `src/` only.
fn only_in(word: &str, places: &[&str]) -> Vec<String> {
    let mut wrong = Vec::new();
    for (path, text) in sources("src") {
        let shown = path.display().to_string();
        if is_test(&path) || places.iter().any(|place| shown.starts_with(place)) {
            continue;
        }
        for (number, code) in code(&text) {
            if code.contains(word) {
                wrong.push(format!("{shown}:{number}: {}", code.trim()));
            }
        }
    }
    wrong
}

#[test]
fn what_belongs_to_one_room_stands_nowhere_else() {
    for (word, places) in [
        (
            "backoff::",
            &["src/engine/backoff.rs", "src/engine/drive"][..],
        ),
        ("ExponentialBackoff", &["src/engine/backoff.rs"]),
        ("rusqlite", &["src/ledger/sqlite"]),
        (
            "reqwest::",
            &["src/transport/reqwest.rs", "src/transport/mod.rs"],
        ),
        ("SystemTime::now", &["src/clock.rs"]),
        ("Instant::now", &["src/clock.rs"]),
        (
            "getrandom",
            &["src/engine/policy.rs", "src/ledger/sqlite/open.rs"],
        ),
        (
            ".await",
            &[
                "src/engine/drive",
                "src/client",
                "src/ledger/conformance",
                "src/ledger/sqlite/reader.rs",
                "src/ledger/sqlite/writer.rs",
                "src/transport/reqwest.rs",
            ],
        ),
    ] {
        let wrong = only_in(word, places);
        assert!(
            wrong.is_empty(),
            "{word} may stand in {places:?} only: {wrong:#?}"
        );
    }
}

/// Adapters and the machine are pure: what they need comes as arguments.
#[test]
fn what_is_pure_asks_the_system_for_nothing() {
    let mut wrong = Vec::new();
    let pure = ["src/machine", "src/machine.rs", "src/provider", "providers"];
    for (path, text) in sources("src").into_iter().chain(sources("providers")) {
        if is_test(&path) || !pure.iter().any(|pure| path.starts_with(pure)) {
            continue;
        }
        for (number, code) in code(&text) {
            for part in code.split("std::").skip(1) {
                let module = name(part);
                if ["fs", "net", "process", "env", "thread", "io"].contains(&module.as_str()) {
                    wrong.push(format!("{}:{number} uses std::{module}", path.display()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "these must be pure: {wrong:#?}");
}

#[test]
fn there_are_no_floats() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("providers")) {
        // The one crate that asks for some; they are factors of pauses.
        if path.ends_with("engine/backoff.rs") {
            continue;
        }
        for (number, code) in code(&text) {
            let words = code.split(|c: char| !c.is_alphanumeric() && c != '_');
            let is_type = words.into_iter().any(|word| word == "f32" || word == "f64");
            let mut digits = code.as_bytes().windows(3);
            let is_number = !is_test(&path)
                && digits.any(|three| {
                    three[0].is_ascii_digit() && three[1] == b'.' && three[2].is_ascii_digit()
                });
            if is_type || is_number {
                wrong.push(format!("{}:{number}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "money has no floats: {wrong:#?}");
}
