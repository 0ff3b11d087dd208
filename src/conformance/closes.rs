//! How what a customer left open is ended.

use super::bytes::{self, Noise};
use super::run::{Order, Run, Subject};
use super::{Promise, fields};
use crate::provider::{Call, Close, CloseReply, Closing, EncodeError, Request, Response};

pub(super) fn check(run: &Run<'_>, subject: &Subject) {
    let kind = subject.kind;
    let provider = run.kit.provider.as_ref();
    let Some(Some(close)) = run.guarded(kind, "close", || provider.close(kind)) else {
        return;
    };
    let shown = format!("{close:?}");
    run.no_secret(kind, "`Debug` of the close", shown.as_bytes());
    if provider.look_up().is_none() {
        run.broken(
            Promise::Close,
            kind,
            "something can be ended that cannot be looked up: nobody would know what became of \
             it, so give a look-up",
        );
    }
    let keys = subject.keys();
    let (Some(order), Some(key)) = (subject.order(run.kit), keys.get(1)) else {
        return;
    };
    let Some(id) = run.kit.parents(kind).first().copied() else {
        let text = "nothing can be ended: give the id of a payment, with `Kit::parent`";
        run.broken(Promise::Inputs, kind, text);
        return;
    };
    let ending = Ending {
        run,
        close,
        call: run.call(kind, &order),
    };
    ending.requests(&order, &Closing::new(id, key));
    ending.replies(&Closing::new(id, key));
}

struct Ending<'a> {
    run: &'a Run<'a>,
    close: &'a dyn Close,
    call: Call<'a>,
}

impl Ending<'_> {
    /// The request: that it is, the same each time, another for another payment, and to nowhere
    /// else.
    fn requests(&self, order: &Order, closing: &Closing<'_>) {
        let request = match self.encode(closing) {
            Some(Ok(request)) => request,
            Some(Err(problem)) => {
                self.broken(
                    Promise::Encodes,
                    &format!("`Close::close_request` refuses a payment that is valid ({problem})"),
                );
                return;
            }
            None => return,
        };
        let raw = fields::raw(&request);
        self.run
            .no_secret(self.call.kind, "a request that ends", &raw);
        if self.encode(closing) != Some(Ok(request.clone())) {
            self.broken(
                Promise::Determinism,
                "`Close::close_request` gives other bytes each time: the stored ones are sent for ever",
            );
        }
        let id = format!("{}1", closing.provider_id);
        let other = Closing::new(&id, closing.key);
        let same = |other: &Request| other.path == request.path && other.body == request.body;
        if matches!(self.encode(&other), Some(Ok(other)) if same(&other)) {
            self.broken(
                Promise::Difference,
                "the request that ends one payment is that of another: name the payment in it",
            );
        }
        let of_pay = self.run.render(self.call.kind, order);
        if matches!(of_pay, Some(Ok(pay)) if same(&pay)) {
            self.broken(
                Promise::Close,
                "the request that ends is the one that pays: make it another",
            );
        }
        for strange in ["../v1/x", "a/b", "a?b=c", "a#b", "a b", "..", "a\r\nb", ""] {
            let closing = Closing::new(strange, closing.key);
            let Some(Ok(request)) = self.encode(&closing) else {
                continue;
            };
            let leads = !strange.is_empty() && request.path.contains(strange);
            let empty = strange.is_empty() && request.path.contains("//");
            if leads || empty || request.path.bytes().any(|b| !b.is_ascii_graphic()) {
                self.broken(
                    Promise::Target,
                    "an id of slashes, dots, question marks or nothing stands in the path of a \
                     close as it is: refuse what is no id of the gateway",
                );
            }
        }
    }

    /// Replies that say nothing end nothing, and refuse nothing.
    fn replies(&self, closing: &Closing<'_>) {
        let mut noise = Noise::new();
        for status in 100..=599 {
            let nothing = bytes::nothing(&mut noise, status);
            let nothing = nothing.into_iter().map(|body| bytes::reply(status, body));
            for reply in nothing.chain(bytes::pages(status)) {
                self.says_nothing(closing, &reply);
            }
        }
    }

    fn says_nothing(&self, closing: &Closing<'_>, reply: &Response) {
        let classify = || self.close.close_reply(&self.call, closing, reply);
        let kind = self.call.kind;
        let Some(said) = self.run.guarded(kind, "Close::close_reply", classify) else {
            return;
        };
        let status = reply.status.as_u16();
        let definite = match said {
            CloseReply::Ended | CloseReply::Refused => true,
            // Some gateways answer 4xx without a body.
            CloseReply::NoEffect | CloseReply::Unauthorized => !(400..500).contains(&status),
            CloseReply::Unknown(_) => false,
        };
        if definite {
            self.broken(
                Promise::Close,
                &format!(
                    "a {status} with a body that says nothing is taken for an answer to a close: \
                     say `Unknown`, and let only a documented reply say more"
                ),
            );
        }
    }

    fn encode(&self, closing: &Closing<'_>) -> Option<Result<Request, EncodeError>> {
        let encode = || self.close.close_request(&self.call, closing);
        let encoded = self
            .run
            .guarded(self.call.kind, "Close::close_request", encode)?;
        if let Err(problem) = &encoded {
            self.run.no_secret_in_error(self.call.kind, problem);
        }
        Some(encoded)
    }

    fn broken(&self, promise: Promise, text: &str) {
        self.run.broken(promise, self.call.kind, text);
    }
}
