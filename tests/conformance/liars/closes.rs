//! What the liars say of the end of what was left open.

use http::Method;
use payonce::Doubt;
use payonce::provider::{
    Call, Close, CloseReply, Closing, Details, EncodeError, Provider, Request, Response,
};

use super::Liar;

impl Close for Liar {
    fn close_request(
        &self,
        call: &Call<'_>,
        closing: &Closing<'_>,
    ) -> Result<Request, EncodeError> {
        let id = closing.provider_id;
        let of = |path: String| Ok(Request::new(Method::POST, path));
        match self.lie {
            "a close of any id" => of(format!("/payments/{id}/cancel")),
            "one close for all" => of("/payments/cancel".to_owned()),
            "a close that panics" => panic!("a fault"),
            "no close" => Err(EncodeError::unsupported("it cannot end a payment")),
            "a close from memory" => of(format!("/payments/{}/cancel?n={}", "p_1", self.count())),
            "a close that pays" => {
                let source = payonce::Source::token("tok_1");
                let url = Some("https://shop.example/back");
                self.good
                    .encode(call, &Details::new(Some(&source), url, None, &[]))
            }
            "the secret in a close" => {
                let request = self.good.close_request(call, closing)?;
                Ok(request.with_body("text/plain", self.secret))
            }
            _ => self.good.close_request(call, closing),
        }
    }

    fn close_reply(&self, call: &Call<'_>, closing: &Closing<'_>, reply: &Response) -> CloseReply {
        let status = reply.status.as_u16();
        match (self.lie, status) {
            ("a 200 has ended it", 200) => CloseReply::Ended,
            ("a 400 is a refusal", 400) => CloseReply::Refused,
            ("a 503 ended nothing", 503) => CloseReply::NoEffect,
            ("a close that is read in panic", _) => {
                assert!(reply.json().is_some(), "a fault");
                CloseReply::Unknown(Doubt::InProgress)
            }
            _ => self.good.close_reply(call, closing, reply),
        }
    }
}
