//! The adapter behind a gateway that signs whatever it says. Without it every changed field would
//! be stopped by the signature, and nothing would show that the fields are read with care.

use std::time::SystemTime;

use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, LookUpStep, ProviderName, Query,
    Request, Response, Rule, Verdict,
};
use payonce::{Doubt, OperationKind, Provider};
use payonce_aps::Aps;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use crate::kit::RESPONSE_PHRASE;

#[derive(Debug)]
pub(crate) struct Signed(pub(crate) Aps);

/// The reply, signed as the gateway signs. A body that is no object stays as it is.
pub(crate) fn signed(reply: &Response) -> Response {
    let Some(Value::Object(mut fields)) = reply.json() else {
        return reply.clone();
    };
    fields.remove("signature");
    fields.insert("signature".to_owned(), signature(&fields).into());
    let body = Value::Object(fields).to_string().into_bytes();
    Response::new(reply.status, reply.headers.clone(), body)
}

fn signature(fields: &Map<String, Value>) -> String {
    let mut all: Vec<String> = Vec::new();
    for (name, value) in fields {
        match value {
            Value::Null => {}
            Value::String(text) if text.is_empty() => {}
            Value::String(text) => all.push(format!("{name}={text}")),
            Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
                all.push(format!("{name}={value}"));
            }
        }
    }
    all.sort_unstable();
    let text = format!("{RESPONSE_PHRASE}{}{RESPONSE_PHRASE}", all.concat());
    let hash = Sha256::digest(text.as_bytes());
    let digits = hash.iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<Vec<_>>().concat()
}

impl Provider for Signed {
    fn name(&self) -> ProviderName {
        self.0.name()
    }

    fn account(&self) -> Account {
        self.0.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        self.0.rule(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        self.0.encode(call, details)
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.0.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        self.0.classify(call, &signed(reply))
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        Some(self)
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        Some(self)
    }
}

impl LookUp for Signed {
    fn next(&self, call: &Call<'_>, query: &Query<'_>, replies: &[Response]) -> LookUpStep {
        let replies: Vec<Response> = replies.iter().map(signed).collect();
        self.0.look_up().unwrap().next(call, query, &replies)
    }
}

impl Baseline for Signed {
    fn request(&self, call: &Call<'_>) -> Request {
        self.0.baseline().unwrap().request(call)
    }

    fn read(&self, call: &Call<'_>, reply: &Response) -> Result<String, Doubt> {
        self.0.baseline().unwrap().read(call, &signed(reply))
    }
}
