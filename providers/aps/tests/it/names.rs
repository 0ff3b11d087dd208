//! Keys as the gateway names them.

use payonce::OperationKind::{Charge, Refund};
use payonce::conformance::lines;
use payonce::provider::{IdempotencyKey, Provider, Response};

use crate::kit::{KEY, aps, call, fixture};
use crate::signed::Signed;

/// Some keys hold a row of digits that would pass for a card number. Such a key that was hidden, and
/// not compared, would leave the customer's money in doubt for ever.
#[test]
fn a_key_with_a_row_of_digits_is_ours_all_the_same() {
    for (kind, name) in [(Charge, "14000_paid"), (Refund, "06000_refunded")] {
        for key in [
            "01a22dcbdec1702c9119784807579af5",
            "01a22dcbf2fd713b9398345089113f08",
        ] {
            let reply = fixture(kind, name);
            let body = String::from_utf8(reply.body).unwrap().replace(KEY, key);
            let reply = Response::new(reply.status, reply.headers, body.into_bytes());
            let key = IdempotencyKey::new(key);
            let verdict = Signed(aps()).classify(&call(kind, &key), &reply);
            let line = lines::verdict(&verdict);
            assert!(
                line.starts_with("succeeded") && line.ends_with("; ours"),
                "{line}"
            );
        }
    }
}
