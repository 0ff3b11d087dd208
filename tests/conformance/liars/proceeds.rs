//! What the liars say of the further step after the customer acted.

use http::Method;
use http::header::{HeaderName, HeaderValue};
use payonce::provider::{
    Call, Effect, EncodeError, Fact, Proceed, Proceeding, Provider, Request, Response, Ruling,
    StepRule, Verdict,
};
use payonce::{Doubt, OperationKind, ProceedInput};

use super::Liar;

impl Proceed for Liar {
    fn proceed_rule(&self) -> StepRule {
        let rule = self.good.rule(OperationKind::Charge).unwrap();
        StepRule {
            key_format: rule.key_format,
            retention: rule.retention,
            on_repeat: if self.is("a step without a source") {
                Fact::new(rule.on_repeat.value, "everybody knows")
            } else {
                rule.on_repeat
            },
        }
    }

    fn proceed_request(
        &self,
        _: &Call<'_>,
        step: &Proceeding<'_>,
        input: &ProceedInput,
    ) -> Result<Request, EncodeError> {
        let code = input.get("code").unwrap_or("-").to_owned();
        let key = HeaderValue::from_str(step.key.as_str()).unwrap();
        let id = step.provider_id.unwrap_or("p_1");
        let (path, body) = match self.lie {
            "a step from memory" => (format!("/go?n={}", self.count()), code),
            "one step for every input" => ("/go".to_owned(), "code".to_owned()),
            "the secret in a step" => ("/go".to_owned(), format!("{code}{}", self.secret)),
            "a step of any id" => (format!("/go/{id}"), code),
            "a step that panics" => panic!("a fault"),
            "no step" => return Err(EncodeError::unsupported("it cannot go on")),
            _ => ("/go".to_owned(), code),
        };
        let request = Request::new(Method::POST, path).with_body("text/plain", body);
        if self.is("a step without its key") {
            return Ok(request);
        }
        Ok(request.with_header(HeaderName::from_static("idempotency-key"), key))
    }

    fn proceed_reply(&self, call: &Call<'_>, _: &Proceeding<'_>, reply: &Response) -> Verdict {
        let status = reply.status.as_u16();
        let unknown = Ruling::Unknown(Doubt::Unreadable {
            status: Some(status),
        });
        Verdict::new(match (self.lie, status) {
            ("a 200 went on", 200) => Ruling::Succeeded(Effect::new("p_1", call.money, "paid")),
            ("a step that is read in panic", _) => {
                assert!(reply.json().is_some(), "a fault");
                unknown
            }
            _ => unknown,
        })
    }
}
