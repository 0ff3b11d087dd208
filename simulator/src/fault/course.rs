//! What a fault means for the course of one request.

use std::time::Duration;

use http::StatusCode;

use super::{Fault, Refusal, ServerError, Steer, Tamper, When};
use crate::exchange::{self, Close, CutBody, Reply};

/// The course of one request. Without a fault: at once, executed, answered.
#[derive(Debug, Default)]
pub(crate) struct Course {
    /// The connection closes before the request reaches the gateway.
    pub(crate) hang_up: Option<Close>,
    /// How long the request travels.
    pub(crate) travel: Duration,
    /// How long it is in progress.
    pub(crate) hold: Hold,
    /// What the gateway does with it.
    pub(crate) treatment: Treatment,
    /// Changes to the reply, in this order.
    pub(crate) rewrites: Vec<Rewrite>,
    /// How long the reply travels.
    pub(crate) reply_travel: Duration,
    /// What the client gets of the reply.
    pub(crate) ending: Ending,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hold {
    #[default]
    None,
    For(Duration),
    UntilReleased,
}

#[derive(Debug)]
pub(crate) enum Treatment {
    Execute(Option<Steer>),
    Refuse(Refusal),
    Answer(Reply),
    Nothing,
}

impl Default for Treatment {
    fn default() -> Self {
        Self::Execute(None)
    }
}

#[derive(Debug)]
pub(crate) enum Rewrite {
    Refusal(Refusal),
    Reply(Reply),
    Tamper(Tamper),
}

#[derive(Debug, Default, Clone, Copy)]
pub(crate) enum Ending {
    #[default]
    Whole,
    Close(Close),
    Cut {
        how: CutBody,
        keep: Option<usize>,
    },
}

impl Course {
    pub(crate) fn of(fault: Option<&Fault>) -> Self {
        let mut course = Self::default();
        if let Some(fault) = fault {
            course.bend(fault);
        }
        course
    }

    /// Whether the request is executed, so that it can be in progress under its key.
    pub(crate) fn executes(&self) -> bool {
        matches!(self.treatment, Treatment::Execute(_))
    }

    fn bend(&mut self, fault: &Fault) {
        match fault {
            Fault::ReplyLost { when, how } => self.end_without_answer(*when, *how),
            Fault::ResetBeforeReading => self.end_without_answer(When::Before, Close::Rst),
            Fault::Delay { when, ms } => self.delay(*when, *ms),
            Fault::Hold { ms } => self.hold = Hold::For(Duration::from_millis(*ms)),
            Fault::HoldForEver { execute } => self.hold_for_ever(*execute),
            Fault::LateArrival { ms, how } => {
                self.hang_up = Some(*how);
                self.travel = Duration::from_millis(*ms);
            }
            Fault::ServerError { .. } => self.server_error(fault),
            Fault::KeyInUse => self.refuse(Refusal::KeyInUse, When::Before),
            Fault::KeyReused => self.refuse(Refusal::KeyReused, When::Before),
            Fault::Unauthorized => self.refuse(Refusal::Unauthorized, When::Before),
            Fault::RateLimited { kind, retry_after } => {
                let (kind, retry_after) = (*kind, retry_after.clone());
                self.refuse(Refusal::RateLimited { kind, retry_after }, When::Before);
            }
            Fault::Forbidden => self.answer(page(403, 0), When::Before),
            Fault::Html { status, size, when } => self.answer(page(*status, *size), *when),
            Fault::Redirect { when, .. } | Fault::Raw { when, .. } => {
                self.answer(reply(fault), *when);
            }
            Fault::CutBody { how, keep } => {
                let (how, keep) = (*how, *keep);
                self.ending = Ending::Cut { how, keep };
            }
            Fault::Decline { code, decline_code } => {
                let (code, decline_code) = (code.clone(), decline_code.clone());
                self.steer(Steer::Decline { code, decline_code });
            }
            Fault::RequireAction { kind } => self.steer(Steer::RequireAction(*kind)),
            Fault::Processing => self.steer(Steer::Processing),
            Fault::Tamper(tamper) => self.rewrites.push(Rewrite::Tamper(tamper.clone())),
            Fault::Together { faults } => faults.iter().for_each(|fault| self.bend(fault)),
        }
    }

    fn end_without_answer(&mut self, when: When, how: Close) {
        self.ending = Ending::Close(how);
        if when == When::Before {
            self.treatment = Treatment::Nothing;
        }
    }

    fn delay(&mut self, when: When, ms: u64) {
        let time = Duration::from_millis(ms);
        match when {
            When::Before => self.travel = time,
            When::After => self.reply_travel = time,
        }
    }

    fn hold_for_ever(&mut self, execute: bool) {
        self.hold = Hold::UntilReleased;
        if !execute {
            self.treatment = Treatment::Nothing;
        }
    }

    fn server_error(&mut self, fault: &Fault) {
        let Fault::ServerError {
            status,
            when,
            stored,
            should_retry,
            retry_after,
        } = fault
        else {
            return;
        };
        let error = ServerError {
            status: *status,
            should_retry: *should_retry,
            retry_after: retry_after.clone(),
        };
        if *stored {
            self.steer(Steer::StoredError { when: *when, error });
        } else {
            self.refuse(Refusal::ServerError(error), *when);
        }
    }

    fn steer(&mut self, steer: Steer) {
        self.treatment = Treatment::Execute(Some(steer));
    }

    fn refuse(&mut self, refusal: Refusal, when: When) {
        match when {
            When::Before => self.treatment = Treatment::Refuse(refusal),
            When::After => self.rewrites.push(Rewrite::Refusal(refusal)),
        }
    }

    fn answer(&mut self, reply: Reply, when: When) {
        match when {
            When::Before => self.treatment = Treatment::Answer(reply),
            When::After => self.rewrites.push(Rewrite::Reply(reply)),
        }
    }
}

/// The reply that a fault spells out.
fn reply(fault: &Fault) -> Reply {
    if let Fault::Raw {
        status,
        headers,
        body,
        ..
    } = fault
    {
        return raw(*status, headers, body);
    }
    let Fault::Redirect {
        status, location, ..
    } = fault
    else {
        return page(500, 0);
    };
    let reply = Reply::html(status_of(*status), "<html><body>Moved</body></html>");
    reply.with_header("location", location)
}

/// A status that HTTP can answer with; anything else becomes 500.
pub(crate) fn status_of(status: u16) -> StatusCode {
    StatusCode::from_u16(status)
        .ok()
        .filter(|status| !status.is_informational())
        .unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// A page of at least this size.
fn page(status: u16, size: usize) -> Reply {
    let status = status_of(status);
    let (open, close) = (
        format!("<!DOCTYPE html><html><body><h1>{status}</h1><p>"),
        "</p></body></html>",
    );
    let filling = size.saturating_sub(open.len()).saturating_sub(close.len());
    Reply::html(status, open + &"x".repeat(filling) + close)
}

fn raw(status: u16, headers: &[(String, String)], body: &str) -> Reply {
    let mut reply = Reply::new(status_of(status)).with_body(body.to_owned());
    for (name, value) in headers {
        let framing = ["content-length", "transfer-encoding"];
        if !framing
            .iter()
            .any(|framing| name.eq_ignore_ascii_case(framing))
        {
            exchange::append(&mut reply.headers, name, value);
        }
    }
    reply
}
