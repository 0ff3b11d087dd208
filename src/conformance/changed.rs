//! Every field of a reply changed, one by one: the answer stays what it is, or there is none.

use serde_json::{Value, json};

use super::Promise;
use super::answers::of;
use super::bytes;
use super::fixture::{Exceptions, Fixture, Means, Name};
use super::lines;
use super::run::{Run, Subject};
use crate::provider::{Echo, Response, Ruling, Verdict};

/// What the engine would take as an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Answer {
    /// Its kind: the ruling, and the state of a success.
    pub(super) kind: String,
    /// All of it.
    pub(super) full: String,
    pub(super) means: Option<Means>,
}

impl Answer {
    /// The answer of a verdict. `None`: it settles nothing.
    pub(super) fn of(verdict: &Verdict) -> Option<Self> {
        let held = matches!(verdict.echo, Echo::Foreign | Echo::Missing);
        if held || matches!(verdict.ruling, Ruling::Unknown(_)) {
            return None;
        }
        let name = Name(&verdict.ruling).to_string();
        let kind = match verdict.ruling.effect() {
            Some(effect) => format!("{name} {}", effect.status),
            None => name,
        };
        Some(Self {
            kind,
            full: lines::ruling(&verdict.ruling),
            means: Some(Means::of_ruling(&verdict.ruling)),
        })
    }

    /// A look-up found nothing of ours.
    pub(super) fn absent() -> Self {
        Self {
            kind: "Absent".to_owned(),
            full: "absent".to_owned(),
            means: None,
        }
    }
}

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let mut successes = of(run, subject.kind).filter(|one| one.means == Means::Succeeded);
    let is_success = successes.next().is_some();
    let of_kind = || of(run, subject.kind).filter(|one| one.exceptions.is_some());
    if is_success && !of_kind().any(|one| one.means == Means::Succeeded) {
        run.broken(
            Promise::Inputs,
            subject.kind,
            "no success says which of its fields decide, so nothing shows that a changed field is \
             not believed: name them with `Fixture::decided_by`",
        );
    }
    for fixture in of_kind() {
        fields(run, fixture);
    }
}

fn fields(run: &Run<'_>, fixture: &Fixture) {
    let Some(exceptions) = &fixture.exceptions else {
        return;
    };
    let Some(body) = fixture.reply.json() else {
        let text = "has fields that decide, and its body is no JSON: leave `decided_by` away";
        let text = format!("{} {text}", fixture.name);
        return run.broken(Promise::Inputs, fixture.kind, text);
    };
    let call = fixture.call();
    let answer = |body: &Value| -> Option<Vec<Answer>> {
        let reply = bytes::with_body(&fixture.reply, body.to_string());
        let verdict = run.classify(&call, &reply)?;
        Some(Answer::of(&verdict).into_iter().collect())
    };
    let Some(before) = answer(&body) else { return };
    if run
        .classify(&call, &fixture.reply)
        .is_none_or(|verdict| Means::of(&call, &verdict) != fixture.means)
    {
        // It is said already, and all that follows would be about another answer.
        return;
    }
    let mut judge = Judge::new(exceptions, before);
    for (path, changed) in changes(&body) {
        if let Some(after) = answer(&changed)
            && let Some(problem) = judge.problem(&path, &after)
        {
            let text = format!("{} {problem}", fixture.name);
            run.broken(Promise::Fields, fixture.kind, text);
        }
    }
    judge.needless(|text| {
        let text = format!("{} {text}", fixture.name);
        run.broken(Promise::Excuses, fixture.kind, text);
    });
}

/// What may follow from a changed field, and which exceptions were needed.
pub(super) struct Judge<'e> {
    exceptions: &'e Exceptions,
    before: Vec<Answer>,
    needed: Vec<String>,
}

impl<'e> Judge<'e> {
    pub(super) const fn new(exceptions: &'e Exceptions, before: Vec<Answer>) -> Self {
        Self {
            exceptions,
            before,
            needed: Vec::new(),
        }
    }

    /// What is wrong with the answer after a change at `path`.
    pub(super) fn problem(&mut self, path: &str, after: &[Answer]) -> Option<String> {
        if after.is_empty() || after == self.before {
            return None;
        }
        let exceptions = self.exceptions;
        let is_absent = after == [Answer::absent()];
        let gone = exceptions.absent.iter().find(|field| *field == path);
        if let Some(field) = gone.filter(|_| is_absent) {
            self.needed.push(field.clone());
            return None;
        }
        let becomes = |(field, means): &&(String, Means)| {
            field == path && matches!(after, [one] if one.means == Some(*means))
        };
        if let Some((field, means)) = exceptions.becomes.iter().find(becomes) {
            self.needed.push(format!("{field} {means}"));
            return None;
        }
        let below = |field: &&String| {
            let rest = path.strip_prefix(field.as_str());
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/') && !field.is_empty())
        };
        let kinds = |answers: &[Answer]| -> Vec<String> {
            answers.iter().map(|answer| answer.kind.clone()).collect()
        };
        let decides = exceptions.fields.iter().find(below);
        if let Some(field) = decides.filter(|_| kinds(after) == kinds(&self.before)) {
            self.needed.push(field.clone());
            return None;
        }
        let full = |answers: &[Answer]| {
            let texts = answers.iter().map(|answer| answer.full.as_str());
            let texts: Vec<&str> = texts.collect();
            match texts.as_slice() {
                [] => "no answer".to_owned(),
                texts => format!("`{}`", texts.join("`, `")),
            }
        };
        Some(format!(
            "with another `{path}` is {} and not {}: where a field is missing or of another type, \
             say that nothing is known",
            full(after),
            full(&self.before)
        ))
    }

    /// An exception that was not needed would hide a later mistake.
    pub(super) fn needless(&self, mut say: impl FnMut(String)) {
        let needed = |text: &str| self.needed.iter().any(|needed| needed == text);
        let exceptions = self.exceptions;
        let fields = exceptions.fields.iter().chain(&exceptions.absent);
        for field in fields.filter(|field| !needed(field)) {
            say(format!(
                "names `{field}`, and no change there shows another answer: leave it out"
            ));
        }
        for (field, means) in &exceptions.becomes {
            if !needed(&format!("{field} {means}")) {
                say(format!(
                    "says that `{field}` may make it {means}, and no change there does: leave it \
                     out"
                ));
            }
        }
    }
}

/// Every copy of `value` with one field gone, null or of another type, and the field's place.
pub(super) fn changes(value: &Value) -> impl Iterator<Item = (String, Value)> {
    let mut places = Vec::new();
    bytes::paths(value, "", &mut places);
    places.into_iter().flat_map(move |place| {
        let mut copies = Vec::new();
        let near = value.pointer(&place).and_then(near);
        for other in others(value).into_iter().chain(near) {
            let mut copy = value.clone();
            if let Some(field) = copy.pointer_mut(&place) {
                *field = other;
                copies.push((place.clone(), copy));
            }
        }
        copies.extend(without(value, &place).map(|copy| (place.clone(), copy)));
        copies
    })
}

fn others(whole: &Value) -> [Value; 13] {
    [
        Value::Null,
        json!(true),
        json!(7),
        json!(-1),
        json!(u64::MAX),
        json!("x"),
        json!(""),
        json!("../\u{0}\r\n"),
        json!([]),
        json!([[]]),
        json!([whole]),
        json!({}),
        json!({ "a": 1 }),
    ]
}

/// Another amount: a number one greater, another last digit of a decimal text.
fn near(value: &Value) -> Option<Value> {
    if let Some(number) = value.as_i64() {
        return number.checked_add(1).map(Value::from);
    }
    let text = value.as_str()?;
    let is_decimal =
        text.matches('.').count() == 1 && text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    let (rest, last) = text.split_at_checked(text.len().checked_sub(1)?)?;
    let last = if last == "1" { "2" } else { "1" };
    is_decimal.then(|| json!(format!("{rest}{last}")))
}

fn without(value: &Value, place: &str) -> Option<Value> {
    let (parent, name) = place.rsplit_once('/')?;
    let mut copy = value.clone();
    match copy.pointer_mut(parent)? {
        Value::Object(fields) => {
            let name = name.replace("~1", "/").replace("~0", "~");
            drop(fields.remove(&name)?);
        }
        Value::Array(items) => {
            let place = name.parse().ok().filter(|place| *place < items.len())?;
            drop(items.remove(place));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    }
    Some(copy)
}

/// The replies of a row with one field of one of them changed.
pub(super) fn rows(replies: &[Response]) -> impl Iterator<Item = (String, Vec<Response>)> {
    replies.iter().enumerate().flat_map(move |(place, reply)| {
        let body = reply.json().unwrap_or_default();
        let copies: Vec<_> = changes(&body)
            .map(|(path, copy)| {
                let mut row = replies.to_vec();
                if let Some(changed) = row.get_mut(place) {
                    *changed = bytes::with_body(reply, copy.to_string());
                }
                (path, row)
            })
            .collect();
        copies
    })
}
