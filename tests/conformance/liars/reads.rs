//! What the liars say of look-ups and baselines.

use http::Method;
use payonce::provider::{
    Baseline, Call, Details, Echo, Effect, Finding, LookUp, LookUpStep, Match, Provider, Query,
    Request, Response, Ruling, Verdict,
};
use payonce::{Doubt, OperationKind};

use super::Liar;

impl LookUp for Liar {
    #[expect(clippy::too_many_lines, reason = "one line for each lie")]
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let refund = call.kind == OperationKind::Refund;
        let step = self.good.next(call, query, replies);
        let found = |ruling| {
            let verdict = Verdict::new(ruling);
            LookUpStep::Done(Finding::Found(vec![Match::new("p_1", verdict)]))
        };
        let paid = || found(Ruling::Succeeded(Effect::new("p_1", call.money, "paid")));
        let ask = |path: String| LookUpStep::Ask(Request::new(Method::GET, path));
        let Some(reply) = replies.first() else {
            return match (self.lie, step.clone()) {
                ("refunds are not looked up", _) if refund => {
                    LookUpStep::Done(Finding::Unclear(Doubt::InProgress))
                }
                ("absent without asking", _) => LookUpStep::Done(Finding::Absent),
                ("a look-up that pays", _) if refund => {
                    let details = Details::new(None, None, None, &[]);
                    self.good
                        .encode(call, &details)
                        .map_or(step, LookUpStep::Ask)
                }
                ("a look-up that posts", _) => {
                    LookUpStep::Ask(Request::new(Method::POST, "/payments/search"))
                }
                ("a strange time panics", step) => {
                    assert!(query.first_sent.as_millis() > 0, "a fault");
                    step
                }
                ("a look-up from memory", _) => ask(format!("/payments?n={}", self.count())),
                ("ids as they are", _) => {
                    ask(format!("/payments/{}", query.provider_id.unwrap_or("x")))
                }
                ("the secret in a look-up", _) => ask(format!("/payments?secret={}", self.secret)),
                (_, step) => step,
            };
        };
        let status = reply.status.as_u16();
        match self.lie {
            "a look-up that panics" => assert!(reply.json().is_some(), "a fault"),
            "nothing is absent" if reply.body.is_empty() => {
                return LookUpStep::Done(Finding::Absent);
            }
            "a 404 is absent" if status == 404 => return LookUpStep::Done(Finding::Absent),
            "a 200 is found" if status == 200 => return paid(),
            "a look-up without end" if status == 500 => return ask("/payments".to_owned()),
            "nothing is found" if status == 200 => {
                return LookUpStep::Done(Finding::Unclear(Doubt::InProgress));
            }
            "no currency is absent" => {
                let body = reply.json().unwrap_or_default();
                if body["state"] == "paid" && !body["currency"].is_string() {
                    return LookUpStep::Done(Finding::Absent);
                }
            }
            "a guess without a mark" => {
                if let LookUpStep::Done(Finding::Found(mut matches)) = step {
                    for found in &mut matches {
                        if let Ruling::Succeeded(effect) = &mut found.verdict.ruling {
                            effect.inferred = false;
                        }
                    }
                    return LookUpStep::Done(Finding::Found(matches));
                }
            }
            "any object is ours" => {
                if let LookUpStep::Done(Finding::Found(mut matches)) = step {
                    for found in &mut matches {
                        found.verdict.echo = Echo::NotExpected;
                    }
                    return LookUpStep::Done(Finding::Found(matches));
                }
            }
            _ => {}
        }
        step
    }
}

impl Baseline for Liar {
    fn request(&self, call: &Call<'_>) -> Request {
        let mut request = self.good.request(call);
        if self.is("a baseline that voids") {
            let details = Details::new(None, None, None, &[]);
            request = self.good.encode(call, &details).unwrap_or(request);
        }
        request
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        match self.lie {
            "a baseline of nothing" => Ok(String::from_utf8_lossy(&reply.body).into_owned()),
            "a baseline that panics" => {
                assert!(!reply.body.is_empty(), "a fault");
                self.good.read(call, reply)
            }
            _ => self.good.read(call, reply),
        }
    }
}
