//! What the file itself holds under plain SQL, whatever program writes to it.

use super::*;

/// A file with one claimed attempt.
async fn claimed() -> (Files, Connection) {
    let files = Files::new();
    ours(&files.open(), claim(1)).await;
    let sql = files.sql();
    (files, sql)
}

#[track_caller]
fn refuses(sql: &Connection, statement: &str, why: &str) {
    let error = sql.execute(statement, []).expect_err(statement).to_string();
    assert!(error.contains(why), "{statement}: {error}");
}

/// A program that changed the key, the amount or the rule of a row would send another payment
/// under it.
#[tokio::test]
async fn the_identity_of_an_operation_cannot_be_changed() {
    let (_files, sql) = claimed().await;
    for column in [
        "id",
        "reference_rid",
        "attempt",
        "kind",
        "account",
        "idem_key",
        "minor",
        "currency",
        "parent",
        "fingerprint",
        "fingerprint_sha256",
        "rule",
        "created_at",
    ] {
        let update = format!("UPDATE operation SET {column} = {column}");
        refuses(&sql, &update, "identity of an operation never changes");
    }
}

/// Erasing a body is all that may be done to a request: other bytes under the key could be taken
/// for another payment.
#[tokio::test]
async fn a_stored_request_can_only_be_erased() {
    let (_files, sql) = claimed().await;
    let why = "a stored request never changes";
    for column in ["idem_key", "method", "path", "headers"] {
        let update = format!("UPDATE step SET {column} = 'another'");
        refuses(&sql, &update, why);
        refuses(&sql, &format!("{update}, body = NULL"), why);
    }
    refuses(&sql, "UPDATE step SET body = x'00'", why);
    assert_eq!(sql.execute("UPDATE step SET body = NULL", []), Ok(1));
    refuses(&sql, "UPDATE step SET body = x'00'", why);
}

/// Half a lease would be read as none, and somebody else would send beside its owner.
#[tokio::test]
async fn a_lease_is_there_whole_or_not_at_all() {
    let (_files, sql) = claimed().await;
    for half in [
        "owner = NULL",
        "claimed = NULL",
        "lease_until = NULL",
        "owner = NULL, claimed = NULL",
        "owner = NULL, lease_until = NULL",
        "claimed = NULL, lease_until = NULL",
    ] {
        let update = format!("UPDATE operation SET {half}");
        refuses(&sql, &update, "CHECK constraint failed");
    }
    let none = "UPDATE operation SET owner = NULL, claimed = NULL, lease_until = NULL";
    assert_eq!(sql.execute(none, []), Ok(1));
}

/// "Unsent" lets the next attempt start, and "unknown" holds the reference: neither may say so
/// against the count of sends.
#[tokio::test]
async fn a_state_agrees_with_the_sends_that_may_have_had_an_effect() {
    let (_files, sql) = claimed().await;
    for (state, maybe_sent, fits) in [
        ("unsent", 0, true),
        ("unsent", 1, false),
        ("unknown", 0, false),
        ("unknown", 1, true),
    ] {
        let update = format!("UPDATE operation SET state = '{state}', maybe_sent = {maybe_sent}");
        if fits {
            assert_eq!(sql.execute(&update, []), Ok(1), "{update}");
        } else {
            refuses(&sql, &update, "CHECK constraint failed");
        }
    }
}

/// The next attempt is a new payment: only a definite no of the one before lets it in.
#[tokio::test]
async fn only_a_definite_no_lets_the_next_attempt_in() {
    let (_files, sql) = claimed().await;
    let insert = |key: &str| {
        format!(
            "INSERT INTO operation (id, reference_rid, attempt, kind, account, idem_key, minor,
                currency, fingerprint, fingerprint_sha256, state, epoch, send_until, rule,
                created_at, updated_at)
            SELECT 'x', reference_rid, 2, kind, account, {key}, minor, currency, fingerprint,
                fingerprint_sha256, 'sending', 1, 0, rule, 0, 0 FROM operation"
        )
    };
    for state in State::all().iter().copied() {
        let maybe_sent = i64::from(state != State::Unsent);
        let update = format!("UPDATE operation SET state = '{state}', maybe_sent = {maybe_sent}");
        sql.execute(&update, []).unwrap();
        if state.is_no_effect_final() {
            assert_eq!(sql.execute(&insert("'k2'"), []), Ok(1), "{state}");
            let undo = "DELETE FROM operation WHERE attempt = 2";
            assert_eq!(sql.execute(undo, []), Ok(1));
            refuses(&sql, &insert("idem_key"), "UNIQUE constraint failed");
        } else {
            let why = "an earlier attempt may still have an effect";
            refuses(&sql, &insert("'k2'"), why);
        }
    }
}
