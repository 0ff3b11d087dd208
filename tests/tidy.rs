//! The rules of the house, checked: file length, import edges, the dependency promise.
//!
//! The edges are those of `ARCHITECTURE.md`: a room may import only what stands beside it here.
#![cfg(test)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Each room of `src/` with the rooms that it may import.
const EDGES: &[(&str, &[&str])] = &[
    ("clock", &[]),
    ("money", &[]),
    ("operation", &[]),
    ("outcome", &["money", "operation", "provider"]),
    (
        "intent",
        &["clock", "error", "money", "operation", "provider"],
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
            "provider",
            "transport",
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
            "operation",
            "outcome",
            "provider",
            "transport",
        ],
    ),
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder of the repository, with its text.
fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    found
}

fn all_sources() -> Vec<(PathBuf, String)> {
    ["src", "providers", "simulator", "examples", "tests"]
        .into_iter()
        .flat_map(sources)
        .collect()
}

fn is_test(path: &Path) -> bool {
    path.iter()
        .any(|part| part == "tests" || part == "tests.rs" || part == "testing.rs")
}

/// The part of a file before its own tests.
fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or(text)
}

/// The room that a file of `src/` belongs to.
fn room(path: &Path) -> String {
    let first = path.iter().nth(1).unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}

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
        for (number, line) in (1..).zip(without_tests(&text).lines()) {
            let code = line.split("//").next().unwrap_or_default();
            for part in code.split("crate::").skip(1) {
                let imported: String = part
                    .chars()
                    .take_while(|c| c.is_alphanumeric() || *c == '_')
                    .collect();
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
        for (number, line) in (1..).zip(without_tests(&text).lines()) {
            let code = line.split("//").next().unwrap_or_default();
            if code.contains(word) {
                wrong.push(format!("{shown}:{number}: {}", line.trim()));
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
                "src/ledger/sqlite/thread.rs",
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

#[test]
fn there_are_no_floats() {
    let mut wrong = Vec::new();
    for (path, text) in sources("src").into_iter().chain(sources("providers")) {
        for (number, line) in (1..).zip(text.lines()) {
            let words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
            if words.into_iter().any(|word| word == "f32" || word == "f64") {
                wrong.push(format!("{}:{number}", path.display()));
            }
        }
    }
    assert!(wrong.is_empty(), "money has no floats: {wrong:#?}");
}

#[test]
fn every_package_inherits_the_lints_and_is_called_after_its_folder() {
    for folder in ["providers/stripe", "simulator"] {
        let manifest = fs::read_to_string(root().join(folder).join("Cargo.toml")).unwrap();
        assert!(
            manifest.contains("[lints]\nworkspace = true"),
            "{folder} has lints of its own"
        );
        let name = folder.rsplit('/').next().unwrap();
        assert!(
            manifest.contains(&format!("name = \"payonce-{name}\"")),
            "{folder}"
        );
    }
}

/// The packages that a package needs when it is used.
fn dependencies(arguments: &[&str]) -> Vec<String> {
    let tree = Command::new(env!("CARGO"))
        .args([
            "tree",
            "-e",
            "normal",
            "--offline",
            "--locked",
            "--prefix",
            "none",
        ])
        .args(arguments)
        .current_dir(root())
        .output()
        .unwrap();
    assert!(
        tree.status.success(),
        "{}",
        String::from_utf8_lossy(&tree.stderr)
    );
    let text = String::from_utf8(tree.stdout).unwrap();
    text.lines()
        .filter_map(|line| line.split(' ').next())
        .map(str::to_owned)
        .collect()
}

/// An adapter must not be able to reach HTTP, a database or a runtime.
#[test]
fn the_seam_and_the_adapters_need_no_runtime_no_http_and_no_database() {
    for arguments in [
        &["-p", "payonce", "--no-default-features"][..],
        &["-p", "payonce-stripe"],
    ] {
        let found = dependencies(arguments);
        assert!(found.iter().any(|name| name == "payonce"));
        for never in [
            "tokio", "reqwest", "hyper", "rustls", "ring", "rusqlite", "backoff", "rustix",
        ] {
            assert!(
                !found.iter().any(|name| name == never),
                "{arguments:?} needs {never}"
            );
        }
    }
}

/// Shared code would let one mistake cancel another.
#[test]
fn the_simulator_does_not_know_payonce() {
    let found = dependencies(&["-p", "payonce-simulator"]);
    assert!(!found.iter().any(|name| name == "payonce"));
    for (path, text) in sources("simulator/src") {
        assert!(
            !text.contains("payonce_key"),
            "{} knows our names",
            path.display()
        );
    }
}
