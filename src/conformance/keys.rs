//! The key and the reference: where they stand, and that nothing changes them.

use super::Promise;
use super::fields::{self, Field, Part};
use super::hygiene;
use super::requests::with;
use super::run::{Order, Run, Subject};
use crate::provider::{Alphabet, IdempotencyKey, Placement, Request};

/// The longest key that is tried.
const LONGEST: usize = 4096;

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let Some(order) = subject.order(run.kit) else {
        return;
    };
    for key in subject.keys() {
        let order = with(&order, |other| other.key = key);
        match run.render(subject.kind, &order) {
            Some(Ok(request)) => {
                place(run, subject, &order.key, &request);
                // What is sent is what is authorized.
                if let Some(sent) = hygiene::authorized(run, &request) {
                    place(run, subject, &order.key, &sent);
                }
            }
            Some(Err(problem)) => run.broken(
                Promise::KeyFormat,
                subject.kind,
                format!(
                    "`encode` refuses a key as it is made for this gateway ({problem}): make \
                     `key_format` narrower, or take it"
                ),
            ),
            None => {}
        }
    }
    if subject.has_key() {
        callers_keys(run, subject, &order);
    }
    references(run, subject, &order);
}

/// Keys of a caller's own: used as they are or refused.
fn callers_keys(run: &Run<'_>, subject: &Subject, order: &Order) {
    let kind = subject.kind;
    let format = subject.rule.key_format.value;
    let longest = format.max_len.min(LONGEST);
    let cycle = |from: u8, to: u8| -> String {
        let keys = (from..=to).map(char::from).cycle();
        keys.take(longest).collect()
    };
    let uuid = subject.keys().into_iter().next();
    let capitals = uuid.map(|key| key.as_str().to_ascii_uppercase());
    let mut given: Vec<String> = match format.alphabet {
        Alphabet::Uuid | Alphabet::UuidV4 | Alphabet::Hex32 => Vec::new(),
        Alphabet::Alphanumeric => vec![cycle(b'a', b'z'), cycle(b'A', b'Z')],
        Alphabet::VisibleAscii => vec![cycle(b'!', b'~'), cycle(b'"', b'&'), cycle(b'%', b'%')],
    };
    given.extend(capitals);
    let too_long = "a".repeat(format.max_len.saturating_add(1).min(LONGEST));
    given.push(too_long);
    given.extend(["", "a b", "a\r\nx: y", "ключ", "k\0", "own-key-7"].map(str::to_owned));
    for key in given.into_iter().map(IdempotencyKey::new) {
        let fits = format.check(&key).is_ok();
        let order = with(order, |other| other.key = key);
        let Some(Ok(request)) = run.render(kind, &order) else {
            continue;
        };
        if fits {
            place(run, subject, &order.key, &request);
        } else {
            run.broken(
                Promise::KeyFormat,
                kind,
                "`encode` takes a key that does not fit `key_format` (too long, empty, or with \
                 other characters): check it with `KeyFormat::check` and refuse it",
            );
        }
    }
}

/// The key stands where the rule says, once, and nowhere else.
fn place(run: &Run<'_>, subject: &Subject, key: &IdempotencyKey, request: &Request) {
    let (kind, key) = (subject.kind, key.as_str());
    let all = fields::of(request);
    let mut allowed: Vec<&Field> = Vec::new();
    let wanted = match subject.rule.placement.value {
        Placement::Header(name) => Some((Part::Header, name.to_ascii_lowercase())),
        Placement::Body(name) => Some((Part::Body, fields::normal(name))),
        Placement::Nowhere => None,
    };
    if let Some((part, name)) = wanted {
        let named = |field: &&Field| field.part == part && field.name == name;
        allowed.extend(once(run, subject, key, all.iter().filter(named), &name));
    }
    if let Some(name) = subject.rule.key_again.value {
        let named = |field: &&Field| is_named(field, name);
        allowed.extend(once(run, subject, key, all.iter().filter(named), name));
    }
    for field in &all {
        let here = field.value.contains(key) || field.name.contains(key);
        if here && !allowed.contains(&field) {
            run.broken(
                Promise::KeyPlace,
                kind,
                format!(
                    "the key stands in {} too, which the rule does not say: leave it out, or name \
                     the field in `key_again`",
                    field.place()
                ),
            );
        }
    }
}

/// The one field of a name, if there is one, with the key in it.
fn once<'f>(
    run: &Run<'_>,
    subject: &Subject,
    key: &str,
    named: impl Iterator<Item = &'f Field>,
    name: &str,
) -> Vec<&'f Field> {
    let named: Vec<&Field> = named.collect();
    let problem = match named.as_slice() {
        [] => {
            "is not there: write the key into it, or correct the rule (bodies must be JSON or a \
               form)"
        }
        [one] if one.value == key => return named,
        [_] => "holds another text than the key: write it as it is, neither cut nor changed",
        _ => "stands there more than once: write it once",
    };
    let text = format!("{name}, where the rule says that the key stands, {problem}");
    run.broken(Promise::KeyPlace, subject.kind, text);
    named
}

fn is_named(field: &Field, name: &str) -> bool {
    match field.part {
        Part::Path => false,
        Part::Header => field.name.eq_ignore_ascii_case(name),
        Part::Query | Part::Body => field.name == fields::normal(name),
    }
}

fn references(run: &Run<'_>, subject: &Subject, order: &Order) {
    let Some(name) = subject.rule.reference_field.value else {
        return;
    };
    let plain = order.reference.as_str();
    let long = "ط".repeat(255);
    for reference in [
        plain,
        "order-1043",
        "طلب رقم ٥ – \"قهوة\" & 100% +1 =[a]\\ 🙂",
        long.as_str(),
    ] {
        let other = with(order, |other| reference.clone_into(&mut other.reference));
        // A gateway may take less than every script; then it is refused.
        let Some(Ok(request)) = run.render(subject.kind, &other) else {
            continue;
        };
        let all = fields::of(&request);
        let named: Vec<&Field> = all.iter().filter(|field| is_named(field, name)).collect();
        if !matches!(named.as_slice(), [one] if one.value == reference) {
            run.broken(
                Promise::Reference,
                subject.kind,
                format!(
                    "the reference does not stand in {name} once and unchanged, as the rule says: \
                     write it there, escaped as the body's form wants it, or refuse it"
                ),
            );
        }
    }
}
