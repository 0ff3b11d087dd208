//! The layers that a request goes through: address, access code, signature, parameters, execution.

use http::{Method, StatusCode};
use serde_json::{Map, Value};

use super::body::{Wish, text};
use super::{Aps, reply, sign};
use crate::exchange::{Reply, Request};
use crate::fault::{Steer, When};

/// The message of a refusal, or a code with what else there is to say.
pub(super) type Done = Result<(String, Vec<(&'static str, String)>), &'static str>;

impl Aps {
    pub(super) fn serve(&mut self, request: &Request, steer: Option<&Steer>) -> Reply {
        if (&request.method, request.path.as_str()) != (&Method::POST, "/FortAPI/paymentApi") {
            let page = "<html><body><h1>404 Not Found</h1>The simulator plays POST \
                        /FortAPI/paymentApi</body></html>";
            return Reply::html(StatusCode::NOT_FOUND, page);
        }
        let Ok(Value::Object(fields)) = serde_json::from_slice(&request.body) else {
            return self.answer(Map::new(), "00073", []);
        };
        let code = text(&fields, "access_code").unwrap_or_default();
        if !self.config.accepts(code) {
            return self.answer(fields, "00010", []);
        }
        if !sign::is_right(&self.config.request_phrase, &fields) {
            return self.answer(fields, "00008", []);
        }
        let Some(wish) = Wish::of(&fields) else {
            return self.answer(fields, "00004", []);
        };
        if let Some(message) = wish.problem(&fields) {
            return self.answer(fields, &format!("00{message}"), []);
        }
        // There is no key that an answer could be stored under: the error is said once.
        if let Some(Steer::StoredError { when, error }) = steer {
            if *when == When::After {
                drop(self.run(wish, &fields, None));
            }
            return reply::server_error(error);
        }
        match self.run(wish, &fields, steer) {
            Ok((code, more)) => self.answer(fields, &code, more),
            Err(message) => self.answer(fields, &format!("00{message}"), []),
        }
    }

    fn run(&mut self, wish: Wish, fields: &Map<String, Value>, steer: Option<&Steer>) -> Done {
        match wish {
            Wish::Purchase | Wish::Authorization => self.pay(wish, fields, steer),
            Wish::Capture | Wish::Refund | Wish::Void => self.manage(wish, fields, steer),
            Wish::Query => self.query(fields),
        }
    }
}
