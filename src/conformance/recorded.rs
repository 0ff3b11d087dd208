//! Recorded replies: files in a folder, and a table of what each says.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use thiserror::Error;

use super::fixture::{Fixture, Means};
use crate::operation::OperationKind;
use crate::provider::{Call, Response};

/// A folder of recorded replies: `<kind of operation>/<name>.http`, each the status line, the
/// headers, an empty line and the body.
///
/// ```no_run
/// use payonce::OperationKind::{self, Charge};
/// use payonce::conformance::{Fixture, Recorded, RecordedError};
/// use payonce::provider::Call;
///
/// /// Written by hand from what the gateway documents: kind, name of the file, verdict.
/// const VERDICTS: &[(OperationKind, &str, &str)] = &[
///     (Charge, "200_paid", "succeeded paid PAYMENT 480.00 SAR; ours"),
///     (Charge, "402_no_money", "declined no_money - -; ours; kept"),
/// ];
///
/// fn fixtures(charge: &Call<'_>) -> Result<Vec<Fixture>, RecordedError> {
///     Recorded::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/fixtures"))
///         .word("PAYMENT", "p_1")
///         .fixtures(std::slice::from_ref(charge), VERDICTS)
/// }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Recorded {
    folder: PathBuf,
    words: Vec<(String, String)>,
}

/// Why the recorded replies cannot be used: which file or line it is, and what to do.
///
/// ```
/// use payonce::OperationKind;
/// use payonce::conformance::Recorded;
///
/// let problem = Recorded::new("no/such/folder").reply(OperationKind::Charge, "200_paid");
/// assert!(problem.unwrap_err().to_string().contains("200_paid.http"));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{0}")]
pub struct RecordedError(String);

impl Recorded {
    /// The replies in a folder. It is read when they are asked for.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            words: Vec::new(),
        }
    }

    /// A word that stands for a longer text in the lines of the table: an id, the address of a
    /// page.
    pub fn word(mut self, word: impl Into<String>, text: impl Into<String>) -> Self {
        self.words.push((word.into(), text.into()));
        self
    }

    /// The names of all replies to a kind of operation, in order. None, if it has no folder.
    ///
    /// # Errors
    ///
    /// If the folder cannot be read, or something else than `.http` files is in it.
    pub fn names(&self, kind: OperationKind) -> Result<Vec<String>, RecordedError> {
        let folder = self.folder.join(kind.as_str());
        if !folder.exists() {
            return Ok(Vec::new());
        }
        let files = fs::read_dir(&folder).map_err(|problem| error(&folder, &problem))?;
        let mut names = Vec::new();
        for file in files {
            let path = file.map_err(|problem| error(&folder, &problem))?.path();
            let name = path.file_stem().and_then(|name| name.to_str());
            match name {
                Some(name) if path.extension().is_some_and(|end| end == "http") => {
                    names.push(name.to_owned());
                }
                _ => return Err(error(&path, &"is no .http file: move it elsewhere")),
            }
        }
        names.sort();
        Ok(names)
    }

    /// One reply.
    ///
    /// # Errors
    ///
    /// If there is no such file, or it is not written as a reply is.
    pub fn reply(&self, kind: OperationKind, name: &str) -> Result<Response, RecordedError> {
        let path = self.folder.join(kind.as_str()).join(format!("{name}.http"));
        let text = fs::read_to_string(&path).map_err(|problem| error(&path, &problem))?;
        parse(&text).map_err(|problem| error(&path, &problem))
    }

    /// Every reply as a [`Fixture`], with what the table says of it. `calls` holds the operation
    /// that the replies of a kind answer, one for each kind.
    ///
    /// # Errors
    ///
    /// If a file has no line, a line has no file, or a line is not one of
    /// [`lines::verdict`](super::lines::verdict).
    pub fn fixtures(
        &self,
        calls: &[Call<'_>],
        verdicts: &[(OperationKind, &str, &str)],
    ) -> Result<Vec<Fixture>, RecordedError> {
        self.nothing_left_out(verdicts)?;
        let mut fixtures = Vec::with_capacity(verdicts.len());
        for (kind, name, line) in verdicts {
            let problem = |text: String| RecordedError(format!("{kind} {name}: {text}"));
            let Some(call) = calls.iter().find(|call| call.kind == *kind) else {
                let text = "no call of this kind is given: give the operation that it answers";
                return Err(problem(text.to_owned()));
            };
            let mut told = (*line).to_owned();
            for (word, text) in &self.words {
                told = told.replace(word, text);
            }
            let Some(means) = told_means(call, &told) else {
                let text = "the line does not begin with the name of a ruling";
                return Err(problem(format!("{text}: {told}")));
            };
            let reply = self.reply(*kind, name)?;
            fixtures.push(Fixture::new(*name, call, reply, means).reads(told));
        }
        Ok(fixtures)
    }

    /// Every file has one line, every line a file.
    fn nothing_left_out(
        &self,
        verdicts: &[(OperationKind, &str, &str)],
    ) -> Result<(), RecordedError> {
        for kind in OperationKind::all() {
            let of_kind = verdicts.iter().filter(|(of, ..)| of == kind);
            let mut lines = BTreeSet::new();
            for (_, name, _) in of_kind {
                if !lines.insert((*name).to_owned()) {
                    return Err(RecordedError(format!("{kind} {name} has two lines")));
                }
            }
            let files: BTreeSet<String> = self.names(*kind)?.into_iter().collect();
            if let Some(name) = files.difference(&lines).next() {
                let text = "has no line in the table: write what it means";
                return Err(RecordedError(format!("{kind} {name} {text}")));
            }
            if let Some(name) = lines.difference(&files).next() {
                let text = "stands in the table, and there is no such file: record it";
                return Err(RecordedError(format!("{kind} {name} {text}")));
            }
        }
        Ok(())
    }
}

fn error(path: &Path, problem: &dyn std::fmt::Display) -> RecordedError {
    RecordedError(format!("{}: {problem}", path.display()))
}

fn parse(text: &str) -> Result<Response, &'static str> {
    let (head, body) = text
        .split_once("\n\n")
        .ok_or("has no empty line after the headers")?;
    let mut lines = head.lines();
    let status = lines.next().and_then(|line| line.split(' ').nth(1));
    let status: Option<StatusCode> = status.and_then(|status| status.parse().ok());
    let status = status.ok_or("does not begin with a line like `HTTP/1.1 200 OK`")?;
    let mut headers = HeaderMap::new();
    for line in lines {
        let header = line.split_once(':').and_then(|(name, value)| {
            let name: HeaderName = name.parse().ok()?;
            Some((name, HeaderValue::from_str(value.trim()).ok()?))
        });
        let (name, value) = header.ok_or("has a line before the body that is no header")?;
        headers.append(name, value);
    }
    Ok(Response::new(status, headers, body.into()))
}

/// What a line of the table means for the operation.
fn told_means(call: &Call<'_>, line: &str) -> Option<Means> {
    let mut parts = line.split("; ");
    let (ruling, echo) = (parts.next()?, parts.next()?);
    let means = match ruling.split(' ').next()? {
        "succeeded" if !ruling.ends_with(&format!(" {}", call.money)) => Means::Held,
        "succeeded" => Means::Succeeded,
        "declined" => Means::Declined,
        "rejected" => Means::Rejected,
        "canceled" => Means::Canceled,
        "action" => Means::ActionRequired,
        "pending" => Means::Pending,
        "in" => Means::InProgress,
        "no" => Means::NoEffect,
        "unauthorized" => Means::Unauthorized,
        "repeated" => Means::Repeated,
        "key" => Means::KeyMismatch,
        "unknown:" => return Some(Means::Unknown),
        _ => return None,
    };
    let held = ["foreign", "missing"].contains(&echo);
    Some(if held { Means::Held } else { means })
}
