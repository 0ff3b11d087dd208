//! The envelope: a result, and what surrounds it (EX).

use std::time::SystemTime;

use http::StatusCode;
use serde_json::{Map, Value, json};

use super::{codes, time};
use crate::exchange::Reply;

const BUILD: &str = "0000000000000000000000000000000000000000@2026-01-01 00:00:00 +0000";

/// What surrounds the result of one request.
#[derive(Debug, Clone)]
pub(super) struct Envelope {
    pub(super) ndc: String,
    pub(super) now: SystemTime,
}

/// What is wrong with one parameter.
#[derive(Debug, Clone)]
pub(super) struct ParameterError {
    pub(super) name: String,
    pub(super) value: Option<String>,
    pub(super) message: String,
}

/// A request that came to nothing: there is no payment that shows this result.
#[derive(Debug, Clone)]
pub(super) struct ApiError {
    status: StatusCode,
    code: &'static str,
    note: Option<String>,
    parameters: Vec<ParameterError>,
}

impl ApiError {
    pub(super) fn new(status: StatusCode, code: &'static str) -> Self {
        Self {
            status,
            code,
            note: None,
            parameters: Vec::new(),
        }
    }

    /// 400, as for everything that is wrong or fails (ST).
    pub(super) fn bad(code: &'static str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code)
    }

    /// 400 with the parameters that are wrong.
    pub(super) fn parameters(parameters: Vec<ParameterError>) -> Self {
        Self {
            parameters,
            ..Self::bad(codes::PARAMETER)
        }
    }

    /// 404, as the query answers when it finds nothing (H5). Examples of public clients show 400
    /// (EX), so that only the code is a reason to believe it.
    pub(super) fn not_found() -> Self {
        Self::new(StatusCode::NOT_FOUND, codes::NOT_FOUND)
    }

    /// Adds a text to the description.
    pub(super) fn note(mut self, note: &str) -> Self {
        self.note = Some(note.to_owned());
        self
    }

    pub(super) fn reply(&self, envelope: &Envelope) -> Reply {
        let mut result = result(self.code);
        if let Some(note) = &self.note {
            let text = format!("{} - {note}", codes::description(self.code));
            result.insert("description".to_owned(), json!(text));
        }
        if !self.parameters.is_empty() {
            let errors: Vec<Value> = self.parameters.iter().map(ParameterError::show).collect();
            result.insert("parameterErrors".to_owned(), json!(errors));
        }
        let mut body = Map::new();
        body.insert("result".to_owned(), Value::Object(result));
        Reply::json(self.status, &envelope.around(body))
    }
}

impl ParameterError {
    fn show(&self) -> Value {
        json!({ "name": self.name, "value": self.value, "message": self.message })
    }
}

impl Envelope {
    /// The body with what surrounds it.
    pub(super) fn around(&self, mut body: Map<String, Value>) -> Value {
        body.insert("buildNumber".to_owned(), json!(BUILD));
        body.insert("timestamp".to_owned(), json!(time::of_reply(self.now)));
        body.insert("ndc".to_owned(), json!(self.ndc));
        Value::Object(body)
    }
}

/// A code with its text.
pub(super) fn result(code: &str) -> Map<String, Value> {
    let mut result = Map::new();
    result.insert("code".to_owned(), json!(code));
    result.insert("description".to_owned(), json!(codes::description(code)));
    result
}
