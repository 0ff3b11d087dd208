//! The engine's table: everything that can be seen, for every class.

use std::fmt::Write;

use super::*;

/// The rows of the table, in the order of the design's own.
#[expect(clippy::too_many_lines, reason = "it is a table")]
pub(super) fn cases() -> Vec<(&'static str, Case)> {
    let reply = |ruling| Case::Reply(verdict(ruling));
    let kept = |ruling| Case::Reply(verdict(ruling).with_kept(true));
    let replayed = |ruling| Case::Reply(verdict(ruling).with_kept(true).with_replayed(true));
    let echo = |ruling, echo| Case::Reply(Verdict::new(ruling).with_echo(echo));
    vec![
        ("claimed", Case::Claimed),
        ("not sent", Case::NotSent(true)),
        ("not sent, for good", Case::NotSent(false)),
        ("another payment", Case::PaymentMismatch),
        ("no effect", reply(Ruling::NoEffect)),
        ("unauthorized", reply(Ruling::Unauthorized)),
        ("in progress", reply(Ruling::InProgress)),
        ("no reply", Case::Lost),
        ("server error", kept(server_error())),
        ("server error, replayed", replayed(server_error())),
        (
            "server error, the same",
            Case::SameReply(verdict(server_error()).with_kept(true)),
        ),
        ("503, the same", Case::SameReply(verdict(server_error()))),
        (
            "unknown, advised stop",
            Case::Reply(verdict(server_error()).with_advice(Advice::Stop)),
        ),
        ("declined", reply(declined())),
        ("declined, kept", kept(declined())),
        (
            "rejected",
            reply(Ruling::Rejected(Refusal::new("parameter_missing"))),
        ),
        (
            "canceled",
            reply(Ruling::Canceled(Refusal::new("canceled"))),
        ),
        (
            "unknown, other amount",
            reply(Ruling::Unknown(other_amount())),
        ),
        ("key mismatch", reply(Ruling::KeyMismatch)),
        ("repeated", reply(Ruling::Repeated)),
        ("succeeded", reply(succeeded("480.00"))),
        ("succeeded, other amount", reply(succeeded("4.80"))),
        (
            "succeeded, foreign key",
            echo(succeeded("480.00"), Echo::Foreign),
        ),
        (
            "succeeded, no key",
            echo(succeeded("480.00"), Echo::Missing),
        ),
        ("declined, no key", echo(declined(), Echo::Missing)),
        (
            "action required",
            reply(Ruling::ActionRequired(NextAction::new("pi_1", "redirect"))),
        ),
        (
            "pending",
            reply(Ruling::Pending(PendingAt::new("pi_1", "processing"))),
        ),
        ("found", Case::LookedUp(found([succeeded("480.00")]))),
        (
            "found twice",
            Case::LookedUp(found([succeeded("480.00"), succeeded("480.00")])),
        ),
        (
            "found, other amount",
            Case::LookedUp(found([succeeded("4.80")])),
        ),
        (
            "found open, other amount",
            Case::LookedUp(found([Ruling::Unknown(other_amount())])),
        ),
        ("found declined", Case::LookedUp(found([declined()]))),
        (
            "found pending",
            Case::LookedUp(found([Ruling::Pending(PendingAt::new("p", "s"))])),
        ),
        ("found unclear", Case::LookedUp(found([server_error()]))),
        ("absent", Case::LookedUp(Finding::Absent)),
        (
            "unclear",
            Case::LookedUp(Finding::Unclear(Doubt::LookUpOnly)),
        ),
        ("window over", Case::Barred(Shut::WindowOver)),
        ("past send_until", Case::Barred(Shut::PastSendUntil)),
        ("clock doubtful", Case::Barred(Shut::ClockDoubtful)),
        ("budget used up", Case::Exhausted),
    ]
}

fn table() -> String {
    let mut text = format!("{:<24}", "seen");
    for class in ["A", "B", "C", "D"] {
        for earlier in ["first", "after"] {
            write!(text, " {:>8}", format!("{class} {earlier}")).unwrap();
        }
    }
    for (name, case) in cases() {
        write!(text, "\n{name:<24}").unwrap();
        for class in OnRepeat::all().iter().copied() {
            for maybe_sent in [0, 1] {
                write!(text, " {:>8}", next(facts(class, maybe_sent), &case)).unwrap();
            }
        }
    }
    text + "\n"
}

/// One row for everything that can be seen; "first" without and "after" with an earlier send that
/// may have had an effect. `!` raises an alarm.
#[test]
fn every_step_of_every_class() {
    let table = table();
    assert!(
        table == include_str!("../steps.txt"),
        "the steps are now:\n{table}"
    );
}
