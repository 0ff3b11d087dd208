//! The page that `transaction.url` leads to, as the customer sees it.
//!
//! It needs no key, and every browser can open it. `?passed=true` and `?passed=false` are its two
//! buttons, so a test can press them with a `GET` as well.

use http::StatusCode;

use super::Tap;
use crate::exchange::{Reply, Request};

impl Tap {
    pub(super) fn page(&mut self, id: &str, request: &Request) -> Reply {
        let record = self.records.get(id).filter(|record| record.page.is_some());
        let Some(record) = record else {
            return html(StatusCode::NOT_FOUND, "There is no such page.");
        };
        let (open, back) = (record.is_open(), record.redirect.clone());
        let passed = match request.query.as_deref() {
            Some("passed=true") => true,
            Some("passed=false") => false,
            _ if open => {
                let links = "<a href=\"?passed=true\">Pay</a> <a href=\"?passed=false\">Fail</a>";
                return html(StatusCode::OK, links);
            }
            _ => return html(StatusCode::OK, "This payment is over."),
        };
        // A page that is opened twice, by an impatient customer, does nothing the second time.
        if open {
            self.authenticate(id, passed);
        }
        let url = back.unwrap_or_default();
        let mark = if url.contains('?') { '&' } else { '?' };
        html(StatusCode::FOUND, "Back to the shop.")
            .with_header("location", &format!("{url}{mark}tap_id={id}"))
    }
}

fn html(status: StatusCode, text: &str) -> Reply {
    let page = format!("<!DOCTYPE html><html><body><p>{text}</p></body></html>");
    Reply::html(status, page)
}
