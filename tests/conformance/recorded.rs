//! Replies in files: what is read from them, and that no file and no line is left out.

use std::fs;
use std::path::Path;

use payonce::conformance::{Kit, Means, Recorded};
use payonce::provider::{Call, IdempotencyKey, Provider};
use payonce::{Currency, Money, OperationKind};

use crate::gateway::Gateway;
use crate::replies::SECRET;

const PAID: &str = "HTTP/1.1 200 OK\nRequest-Id: r1\n\n\
    {\"id\":\"p_1\",\"state\":\"paid\",\"amount\":\"480.00\",\"currency\":\"SAR\",\"key\":\"k-1\"}\n";
const LINE: &str = "succeeded paid ID 480.00 SAR; ours";

fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("charge")).unwrap();
    for (name, text) in files {
        fs::write(folder.path().join("charge").join(name), text).unwrap();
    }
    folder
}

fn call(key: &IdempotencyKey) -> Call<'_> {
    let operation = "01KB9M7V8E2N3P4Q5R6S7T8V9W".parse().unwrap();
    let money = Money::parse("480.00", Currency::SAR).unwrap();
    Call::new(OperationKind::Charge, operation, "order-1042", key, money)
}

/// What the table makes of a folder: how many fixtures, or the problem.
fn read(folder: &Path, table: &[(&str, &str)]) -> Result<usize, String> {
    let key = IdempotencyKey::new("k-1");
    let table: Vec<_> = table
        .iter()
        .map(|(name, line)| (OperationKind::Charge, *name, *line))
        .collect();
    let recorded = Recorded::new(folder).word("ID", "p_1");
    let fixtures = recorded.fixtures(&[call(&key)], &table);
    fixtures
        .map(|fixtures| fixtures.len())
        .map_err(|problem| problem.to_string())
}

#[test]
fn a_reply_is_read_as_it_was_recorded() {
    let folder = folder(&[("200_paid.http", PAID)]);
    let recorded = Recorded::new(folder.path());
    let reply = recorded.reply(OperationKind::Charge, "200_paid").unwrap();
    assert_eq!(reply.headers["request-id"], "r1");
    let key = IdempotencyKey::new("k-1");
    let verdict = Gateway::new("main", SECRET).classify(&call(&key), &reply);
    assert_eq!(Means::of(&call(&key), &verdict), Means::Succeeded);
    assert_eq!(read(folder.path(), &[("200_paid", LINE)]), Ok(1));
}

/// A reply that nobody judged would be one that nobody tests.
#[test]
fn no_file_and_no_line_is_left_out() {
    let folder = folder(&[("200_paid.http", PAID), ("500.http", "HTTP/1.1 500 -\n\n")]);
    let paid = ("200_paid", LINE);
    let failed = ("500", "unknown: server error 500; -");
    assert_eq!(read(folder.path(), &[paid, failed]), Ok(2));
    for (table, problem) in [
        (vec![paid], "charge 500 has no line"),
        (
            vec![paid, failed, ("502", failed.1)],
            "charge 502 stands in the table",
        ),
        (vec![paid, failed, paid], "charge 200_paid has two lines"),
        (
            vec![paid, ("500", "failed; -")],
            "does not begin with the name of a ruling",
        ),
    ] {
        let found = read(folder.path(), &table).unwrap_err();
        assert!(found.contains(problem), "{problem}: {found}");
    }
}

#[test]
fn what_is_no_reply_is_named() {
    for (name, text) in [
        ("a.http", "HTTP/1.1 200 OK\nno empty line"),
        ("a.http", "no status\n\n{}"),
        ("a.http", "HTTP/1.1 200 OK\nno header\n\n{}"),
        ("a.json", "{}"),
    ] {
        let folder = folder(&[(name, text)]);
        let found = read(folder.path(), &[("a", LINE)]).unwrap_err();
        assert!(found.contains(name), "{found}");
    }
}

/// The table is what a person read in the documentation: another verdict is a broken promise, and
/// every line of it is named.
#[test]
fn a_line_that_the_adapter_does_not_keep_is_named() {
    let folder = folder(&[("200_a.http", PAID), ("200_b.http", PAID)]);
    let key = IdempotencyKey::new("k-1");
    let line = "succeeded paid p_2 480.00 SAR; ours";
    let table = [
        (OperationKind::Charge, "200_a", line),
        (OperationKind::Charge, "200_b", line),
    ];
    let fixtures = Recorded::new(folder.path())
        .fixtures(&[call(&key)], &table)
        .unwrap();
    let kit = Kit::new(Gateway::new("main", SECRET), SECRET).fixtures(fixtures);
    let text = kit.rounds(1).check().to_string();
    for name in ["200_a", "200_b"] {
        let told = format!("{name} is said to read `{line}`");
        assert!(text.contains(&told), "{text}");
    }
}
