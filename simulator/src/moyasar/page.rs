//! The page that `source.transaction_url` leads to: 3-D Secure as the customer sees it.
//!
//! It needs no key, and every browser can open it. `?passed=true` and `?passed=false` are its two
//! buttons, so a test can press them with a `GET` as well.

use http::StatusCode;

use super::Moyasar;
use super::payment::{Payment, PaymentStatus};
use crate::exchange::{Reply, Request};

impl Moyasar {
    pub(super) fn page(&mut self, number: &str, request: &Request) -> Reply {
        let number = number.parse().ok();
        let found = number.and_then(|number| {
            let payment = self.payments.get(number)?;
            payment.transaction_url.as_ref()?;
            Some((number, payment.status))
        });
        let Some((number, status)) = found else {
            return html(StatusCode::NOT_FOUND, "There is no such page.");
        };
        let passed = match request.query.as_deref() {
            Some("passed=true") => true,
            Some("passed=false") => false,
            _ => return self.form(number),
        };
        // A page that is opened twice, by an impatient customer, does nothing the second time.
        if status == PaymentStatus::Initiated {
            self.authenticate(number, passed);
        }
        match self.payments.get(number) {
            Some(payment) => back(payment),
            None => html(StatusCode::NOT_FOUND, "There is no such page."),
        }
    }

    fn form(&self, number: u64) -> Reply {
        let payment = self.payments.get(number);
        let open = payment.is_some_and(|payment| payment.status == PaymentStatus::Initiated);
        if !open {
            return html(StatusCode::OK, "This payment is over.");
        }
        let form =
            "3-D Secure. <a href=\"?passed=true\">Pass</a> <a href=\"?passed=false\">Fail</a>";
        html(StatusCode::OK, form)
    }
}

/// The customer goes back to the merchant, with fields that nothing protects (PAY).
fn back(payment: &Payment) -> Reply {
    let Some(url) = &payment.callback_url else {
        return html(StatusCode::OK, "This payment is over.");
    };
    let message = payment.message.as_deref().unwrap_or_default();
    let fields = form_urlencoded::Serializer::new(String::new())
        .append_pair("id", &payment.id)
        .append_pair("status", payment.status.as_str())
        .append_pair("message", message)
        .finish();
    let mark = if url.contains('?') { '&' } else { '?' };
    html(StatusCode::FOUND, "Back to the shop.")
        .with_header("location", &format!("{url}{mark}{fields}"))
}

fn html(status: StatusCode, text: &str) -> Reply {
    let page = format!("<!DOCTYPE html><html><body><p>{text}</p></body></html>");
    Reply::html(status, page)
}
