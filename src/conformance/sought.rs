//! Look-ups as they go: what is asked, what comes back, what is found.

use super::Promise;
use super::changed::{self, Answer, Judge};
use super::fixture::{Asked, Exceptions, Means};
use super::look_ups::Check;
use crate::clock::Timestamp;
use crate::money::Money;
use crate::operation::OperationKind;
use crate::provider::{Call, Finding, LookUp, LookUpStep, Query, Response};

const SENT: Timestamp = Timestamp::from_millis(1_796_036_000_000);

/// A look-up from its first request to its end: the gateway's replies in their order, and what it
/// finds.
///
/// The kit plays it, and then once more with every field of every reply changed, one by one: gone,
/// null, of another type. The finding must stay what it is, or settle nothing.
///
/// ```
/// use payonce::conformance::{Finds, Means, Sought};
/// use payonce::provider::{Call, Response};
///
/// /// A list with our payment in it. With another key it is somebody else's.
/// fn found(call: &Call<'_>, list: Response) -> Sought {
///     Sought::new("a paid charge", call, [list], Finds::One(Means::Succeeded))
///         .decided_by(&["/data/0/amount", "/data/0/id"])
///         .absent_without(&["/data/0/key"])
/// }
/// ```
#[derive(Debug, Clone)]
#[must_use]
pub struct Sought {
    name: String,
    pub(super) asked: Asked,
    id: Option<String>,
    sent: Timestamp,
    before: Option<Response>,
    pub(super) replies: Vec<Response>,
    more: Vec<Response>,
    pub(super) finds: Finds,
    exceptions: Exceptions,
}

/// What a look-up finds.
///
/// ```
/// use payonce::conformance::{Finds, Means};
///
/// assert_ne!(Finds::Absent, Finds::One(Means::Succeeded));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Finds {
    /// One object of ours, which means this.
    One(Means),
    /// The gateway says that there is nothing with our key.
    Absent,
    /// Nothing that settles anything.
    Nothing,
}

impl Sought {
    /// A look-up of `call`. Give one reply for each request that it makes.
    pub fn new(
        name: impl Into<String>,
        call: &Call<'_>,
        replies: impl IntoIterator<Item = Response>,
        finds: Finds,
    ) -> Self {
        Self {
            name: name.into(),
            asked: Asked::of(call),
            id: None,
            sent: SENT,
            before: None,
            replies: replies.into_iter().collect(),
            more: Vec::new(),
            finds,
            exceptions: Exceptions::default(),
        }
    }

    /// The gateway's id of the object, which a reply had named.
    pub fn id(mut self, id: impl Into<String>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// When the one send left. Without this, some moment in 2026.
    pub const fn sent(mut self, sent: Timestamp) -> Self {
        self.sent = sent;
        self
    }

    /// The replies that it would get if it went on asking, because a field is not what it was.
    pub fn more(mut self, replies: impl IntoIterator<Item = Response>) -> Self {
        self.more.extend(replies);
        self
    }

    /// The payment as it was before the send: the baseline is read from it, and its fields are
    /// changed too.
    pub fn before(mut self, reply: Response) -> Self {
        self.before = Some(reply);
        self
    }

    /// Fields, as JSON pointers, whose change may show another amount or id, with all below them.
    pub fn decided_by(mut self, fields: &[&str]) -> Self {
        self.exceptions.decide(fields);
        self
    }

    /// Fields by which the gateway's reply shows that something is ours: with another value there,
    /// there is nothing of ours.
    pub fn absent_without(mut self, fields: &[&str]) -> Self {
        let fields = fields.iter().map(|field| (*field).to_owned());
        self.exceptions.absent.extend(fields);
        self
    }
}

/// How a look-up ended.
struct End {
    finding: Option<Finding>,
    /// How many replies it read.
    read: usize,
}

impl End {
    fn answers(&self) -> Vec<Answer> {
        match &self.finding {
            Some(Finding::Found(found)) => found
                .iter()
                .filter_map(|one| Answer::of(&one.verdict))
                .collect(),
            Some(Finding::Absent) => vec![Answer::absent()],
            Some(Finding::Unclear(_)) | None => Vec::new(),
        }
    }

    fn is(&self, call: &Call<'_>, finds: Finds) -> bool {
        match (finds, &self.finding) {
            (Finds::One(means), Some(Finding::Found(found))) => {
                matches!(found.as_slice(), [one] if Means::of(call, &one.verdict) == means)
            }
            (Finds::Absent, Some(Finding::Absent)) => true,
            (Finds::Nothing, Some(_)) => self.answers().is_empty(),
            (Finds::One(_) | Finds::Absent | Finds::Nothing, _) => false,
        }
    }
}

pub(super) fn check(check: &Check<'_>, look_up: &dyn LookUp, asks: bool) {
    let kind = check.subject.kind;
    let of_kind = || {
        let all = check.run.kit.sought.iter();
        all.filter(move |one| one.asked.kind == kind)
    };
    let finds = of_kind().any(|one| one.finds == Finds::One(Means::Succeeded));
    let held = check.run.kit.held.contains(&kind);
    if asks && !finds && !held {
        check.run.broken(
            Promise::Inputs,
            kind,
            "no look-up is given that finds a success, so nothing shows that it can: give one with \
             `Kit::sought`",
        );
    }
    if held && finds {
        check.run.broken(
            Promise::Excuses,
            kind,
            "its look-ups are said to find nothing ever (`Kit::never_found`), and one finds a \
             success: leave that out",
        );
    }
    for sought in of_kind() {
        Play {
            check,
            look_up,
            sought,
        }
        .check();
    }
}

struct Play<'p> {
    check: &'p Check<'p>,
    look_up: &'p dyn LookUp,
    sought: &'p Sought,
}

impl Play<'_> {
    fn check(&self) {
        let baseline = self.sought.before.as_ref().map(|before| self.read(before));
        if baseline == Some(None) {
            return self.say(
                Promise::Finds,
                "has a payment before it that cannot be read",
            );
        }
        if let Some(before) = &self.sought.before {
            self.refuses_another_amount(before);
        }
        let baseline = baseline.flatten();
        let end = self.play(baseline.as_deref(), &self.sought.replies);
        let replies = self.sought.replies.len();
        if end.finding.is_none() || end.read != replies {
            return self.say(
                Promise::Finds,
                &format!(
                    "asks {} times and has {replies} replies: give one for each request",
                    end.read
                ),
            );
        }
        if !end.is(&self.sought.asked.call(), self.sought.finds) {
            let shown = end.finding.as_ref().map(super::lines::finding);
            return self.say(
                Promise::Finds,
                &format!("finds {}", shown.unwrap_or_default()),
            );
        }
        self.marked(&end);
        let mut judge = Judge::new(&self.sought.exceptions, end.answers());
        for (path, row) in changed::rows(&self.sought.replies) {
            let after = self.play(baseline.as_deref(), &row).answers();
            if let Some(problem) = judge.problem(&path, &after) {
                self.say(Promise::Fields, &problem);
            }
        }
        let before = self.sought.before.as_slice();
        for (path, row) in changed::rows(before) {
            let Some(baseline) = row.first().and_then(|before| self.read(before)) else {
                continue;
            };
            let after = self.play(Some(&baseline), &self.sought.replies).answers();
            if let Some(problem) = judge.problem(&path, &after) {
                self.say(Promise::Fields, &format!("(the payment before) {problem}"));
            }
        }
        judge.needless(|text| self.say(Promise::Excuses, &text));
    }

    /// What was read from a comparison is marked as such, and nothing else.
    fn marked(&self, end: &End) {
        let Some(Finding::Found(found)) = &end.finding else {
            return;
        };
        let compared = self.sought.before.is_some();
        let effects = found.iter().filter_map(|one| one.verdict.ruling.effect());
        if effects
            .into_iter()
            .any(|effect| effect.inferred != compared)
        {
            self.say(
                Promise::Baseline,
                "finds a success by comparison that is not marked with `Effect::inferred`, or \
                 marks one that names our operation",
            );
        }
    }

    /// A capture whose request names no amount must not be sent for a part.
    fn refuses_another_amount(&self, before: &Response) {
        let call = self.sought.asked.call();
        if !self.check.run.kit.captures_whole || call.kind != OperationKind::Capture {
            return;
        }
        let minor = call.money.minor().saturating_add(1);
        let other = Money::from_minor(minor, call.money.currency());
        let other = other.map(|money| Call { money, ..call });
        if other.is_ok_and(|other| self.read_for(&other, before).is_some()) {
            self.say(
                Promise::Baseline,
                "has a baseline that takes a payment of another amount, and a capture is of the \
                 whole: refuse it with `Doubt::Mismatch`",
            );
        }
    }

    fn read(&self, before: &Response) -> Option<String> {
        self.read_for(&self.sought.asked.call(), before)
    }

    fn read_for(&self, call: &Call<'_>, before: &Response) -> Option<String> {
        let run = self.check.run;
        let baseline = run.kit.provider.baseline()?;
        let read = || baseline.read(call, before);
        run.guarded(call.kind, "Baseline::read", read)?.ok()
    }

    fn play(&self, baseline: Option<&str>, replies: &[Response]) -> End {
        let (sought, call) = (self.sought, self.sought.asked.call());
        let query =
            Query::new(sought.id.as_deref(), sought.sent, sought.sent).with_baseline(baseline);
        let replies = [replies, &sought.more].concat();
        for count in 0..=replies.len() {
            let replies = replies.get(..count).unwrap_or_default();
            let next = || self.look_up.next(&call, &query, replies);
            match self.check.run.guarded(call.kind, "LookUp::next", next) {
                Some(LookUpStep::Ask(request)) => self.check.only_reads(&request),
                Some(LookUpStep::Done(finding)) => {
                    let (finding, read) = (Some(finding), count);
                    return End { finding, read };
                }
                None => break,
            }
        }
        End {
            finding: None,
            read: replies.len().saturating_add(1),
        }
    }

    fn say(&self, promise: Promise, text: &str) {
        let text = format!("the look-up `{}` {text}", self.sought.name);
        self.check
            .run
            .broken(promise, self.check.subject.kind, text);
    }
}
