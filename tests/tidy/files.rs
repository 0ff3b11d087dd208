//! The files of the repository, and the code in them.

use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Every Rust file below a folder of the repository, with its text.
pub(crate) fn sources(folder: &str) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut folders = vec![root().join(folder)];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|end| end == "rs" || end == "sql")
            {
                let text = fs::read_to_string(&path).unwrap();
                found.push((path.strip_prefix(root()).unwrap().to_owned(), text));
            }
        }
    }
    found
}

pub(crate) fn all_sources() -> Vec<(PathBuf, String)> {
    [
        "src",
        "providers",
        "simulation",
        "simulator",
        "examples",
        "tests",
    ]
    .into_iter()
    .flat_map(sources)
    .collect()
}

/// The folders of the adapters.
pub(crate) fn adapters() -> Vec<String> {
    let folders = fs::read_dir(root().join("providers")).unwrap();
    let names = folders.map(|entry| entry.unwrap().path());
    let adapters = names.filter(|path| path.is_dir());
    let name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    adapters.map(name).collect()
}

/// The lines of a file that are code: without its own tests, comments, and what stands in quotes.
pub(crate) fn code(text: &str) -> impl Iterator<Item = (usize, String)> {
    (1..)
        .zip(without_tests(text).lines())
        .map(|(number, line)| {
            let mut unquoted = String::new();
            for (place, part) in line.replace("\\\"", "").split('"').enumerate() {
                if place % 2 == 0 {
                    unquoted.push_str(part);
                }
            }
            let code = unquoted.split("//").next().unwrap_or_default();
            (number, code.to_owned())
        })
}

/// How many modules deep a file of `src/` is: 1 for the room itself.
pub(crate) fn depth(path: &Path) -> usize {
    let is_room = path.ends_with("mod.rs");
    path.iter()
        .count()
        .saturating_sub(if is_room { 2 } else { 1 })
}

/// The name that stands first in a text.
pub(crate) fn name(text: &str) -> String {
    let is_of_name = |c: &char| c.is_alphanumeric() || *c == '_';
    text.chars().take_while(is_of_name).collect()
}

pub(crate) fn is_test(path: &Path) -> bool {
    path.iter()
        .any(|part| part == "tests" || part == "tests.rs" || part == "testing.rs")
}

/// The part of a file before its own tests.
pub(crate) fn without_tests(text: &str) -> &str {
    text.split("\n#[cfg(test)]\nmod tests")
        .next()
        .unwrap_or(text)
}

/// The room that a file of `src/` belongs to.
pub(crate) fn room(path: &Path) -> String {
    let first = path.iter().nth(1).unwrap().to_str().unwrap();
    first.trim_end_matches(".rs").to_owned()
}
