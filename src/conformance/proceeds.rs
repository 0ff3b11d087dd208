//! The further request after the customer acted.

use super::bytes::{self, Noise};
use super::run::{Order, Run, STRANGE, Subject};
use super::{Promise, fields};
use crate::provider::{
    Call, EncodeError, Proceed, ProceedInput, Proceeding, Request, Response, Ruling,
};

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let kind = subject.kind;
    let provider = run.kit.provider.as_ref();
    let Some(Some(proceed)) = run.guarded(kind, "proceed", || provider.proceed(kind)) else {
        return;
    };
    let shown = format!("{proceed:?}");
    run.no_secret(kind, "`Debug` of the further step", shown.as_bytes());
    let keys = subject.keys();
    let (Some(order), [_, key, other, ..]) = (subject.order(run.kit), keys.as_slice()) else {
        return;
    };
    let Some(input) = run.kit.inputs.first() else {
        let text = "a customer comes back with nothing: give what one brings, with `Kit::input`";
        run.broken(Promise::Inputs, kind, text);
        return;
    };
    let going = Going {
        run,
        proceed,
        call: run.call(kind, &order),
    };
    going.rule();
    let id = run.kit.parents(kind).first().map(|id| id.as_str());
    let (step, other) = (Proceeding::new(id, key), Proceeding::new(id, other));
    going.requests(&order, &step, &other, input);
    going.replies(&step);
}

struct Going<'a> {
    run: &'a Run<'a>,
    proceed: &'a dyn Proceed,
    call: Call<'a>,
}

impl Going<'_> {
    /// It may move money, so its facts have sources as those of a rule.
    fn rule(&self) {
        let ask = || self.proceed.proceed_rule();
        let Some(rule) = self.guarded("Proceed::proceed_rule", ask) else {
            return;
        };
        for (fact, source) in [
            ("key_format", rule.key_format.source),
            ("retention", rule.retention.source),
            ("on_repeat", rule.on_repeat.source),
        ] {
            if !(source.contains("://") || source.contains("safe reading")) {
                let text = format!(
                    "`{fact}` of the further step has no source: give the page that states it, or \
                     write that it is a safe reading"
                );
                self.broken(Promise::Facts, &text);
            }
        }
    }

    /// The request: that it is, the same each time, another for another input or key, and to nowhere
    /// else.
    fn requests(
        &self,
        order: &Order,
        step: &Proceeding<'_>,
        other: &Proceeding<'_>,
        input: &ProceedInput,
    ) {
        let request = match self.encode(step, input) {
            Some(Ok(request)) => request,
            Some(Err(problem)) => {
                let text = format!("`Proceed::proceed_request` refuses a valid input ({problem})");
                return self.broken(Promise::Encodes, &text);
            }
            None => return,
        };
        let raw = fields::raw(&request);
        self.run
            .no_secret(self.call.kind, "a request of a further step", &raw);
        let again = self.encode(step, input);
        if again != Some(Ok(request.clone())) {
            self.broken(
                Promise::Determinism,
                "`Proceed::proceed_request` gives other bytes each time: the stored ones are sent for \
                 ever",
            );
        }
        let same = |result: Option<Result<Request, EncodeError>>| matches!(result, Some(Ok(other)) if other == request);
        let more = self.run.kit.inputs.iter().skip(1);
        if again.is_some() && more.into_iter().any(|more| same(self.encode(step, more))) {
            self.broken(
                Promise::Difference,
                "the further step is the same for another input: write into it what the customer \
                 brought back",
            );
        }
        if same(self.encode(other, input)) {
            self.broken(
                Promise::Difference,
                "the further step is the same for another key: write the step's own key into it",
            );
        }
        let pay = self.run.render(self.call.kind, order);
        if matches!(pay, Some(Ok(pay)) if pay.path == request.path && pay.body == request.body) {
            let text = "the further step is the request that pays: make it another";
            self.broken(Promise::Proceed, text);
        }
        for strange in ["../v1/x", "a/b", "a?b=c", "a#b", "a b", "..", "a\r\nb"] {
            let step = Proceeding::new(Some(strange), step.key);
            let leads = |request: &Request| {
                request.path.contains(strange)
                    || request.path.bytes().any(|b| !b.is_ascii_graphic())
            };
            if matches!(self.encode(&step, input), Some(Ok(request)) if leads(&request)) {
                self.broken(
                    Promise::Target,
                    "an id of slashes, dots or question marks stands in the path of a further step \
                     as it is: refuse what is no id of the gateway",
                );
            }
        }
        let strange = ProceedInput::new().field(STRANGE, STRANGE);
        for input in [ProceedInput::new(), strange] {
            drop(self.encode(step, &input));
        }
    }

    /// Replies that say nothing settle nothing.
    fn replies(&self, step: &Proceeding<'_>) {
        let mut noise = Noise::new();
        for status in 100..=599 {
            let nothing = bytes::nothing(&mut noise, status);
            let nothing = nothing.into_iter().map(|body| bytes::reply(status, body));
            for reply in nothing.chain(bytes::pages(status)) {
                self.says_nothing(step, &reply);
            }
        }
    }

    fn says_nothing(&self, step: &Proceeding<'_>, reply: &Response) {
        let classify = || self.proceed.proceed_reply(&self.call, step, reply);
        let Some(said) = self.guarded("Proceed::proceed_reply", classify) else {
            return;
        };
        if !matches!(said.ruling, Ruling::Unknown(_)) {
            let status = reply.status.as_u16();
            let text = format!(
                "a {status} with a body that says nothing is taken for an answer to a further step: \
                 say `Unknown`"
            );
            self.broken(Promise::Proceed, &text);
        }
    }

    fn encode(
        &self,
        step: &Proceeding<'_>,
        input: &ProceedInput,
    ) -> Option<Result<Request, EncodeError>> {
        let encode = || self.proceed.proceed_request(&self.call, step, input);
        let encoded = self.guarded("Proceed::proceed_request", encode)?;
        if let Err(problem) = &encoded {
            self.run.no_secret_in_error(self.call.kind, problem);
        }
        Some(encoded)
    }

    fn guarded<T>(&self, name: &str, function: impl FnOnce() -> T) -> Option<T> {
        self.run.guarded(self.call.kind, name, function)
    }

    fn broken(&self, promise: Promise, text: &str) {
        self.run.broken(promise, self.call.kind, text);
    }
}
