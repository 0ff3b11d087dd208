//! What each fault looks like to a client.

use std::io::ErrorKind;

use payonce_simulator::{Close, CutBody, Fault, Matcher, Running, Tamper, When};

use crate::client::{Client, charge, exchange, header, send, start};

fn lost(when: When, how: Close) -> Running {
    let simulator = start();
    simulator.faults().push(Fault::ReplyLost { when, how });
    simulator
}

#[test]
fn a_reply_has_one_date_and_the_connection_stays_open() {
    let simulator = start();
    let mut client = Client::connect(simulator.address());
    for key in ["a", "b"] {
        client.write(&charge(key));
        let answer = client.read_reply();
        assert_eq!(answer.status, 200);
        assert_eq!(answer.head.to_lowercase().matches("\r\ndate:").count(), 1);
        assert!(answer.header("request-id").is_some());
        assert_eq!(answer.json()["status"], "succeeded");
    }
    assert_eq!(simulator.effects().len(), 2);
}

#[test]
fn a_date_that_a_fault_took_away_stays_away() {
    let simulator = start();
    simulator
        .faults()
        .push(Fault::Tamper(Tamper::header("date", None)));
    assert_eq!(exchange(&simulator, &charge("k")).header("date"), None);
}

#[test]
fn a_lost_reply_can_end_in_order() {
    for (when, effects) in [(When::Before, 0), (When::After, 1)] {
        let simulator = lost(when, Close::Fin);
        let bytes = send(&simulator, &charge("k"))
            .read_to_end()
            .expect("an end of file");
        assert!(bytes.is_empty(), "not a byte comes");
        assert_eq!(simulator.effects_for("order-1").len(), effects);
        assert_eq!(simulator.requests()[0].status, None);
    }
}

#[test]
fn a_lost_reply_can_end_in_a_reset() {
    for (when, effects) in [(When::Before, 0), (When::After, 1)] {
        let simulator = lost(when, Close::Rst);
        let error = send(&simulator, &charge("k"))
            .read_to_end()
            .expect_err("a reset");
        assert_eq!(error.kind(), ErrorKind::ConnectionReset);
        assert_eq!(simulator.effects().len(), effects);
    }
}

#[test]
fn the_second_request_of_a_kept_connection_can_be_the_one_that_is_lost() {
    let simulator = start();
    simulator.faults().push(
        Fault::ReplyLost {
            when: When::After,
            how: Close::Fin,
        }
        .skip(1),
    );
    let mut client = Client::connect(simulator.address());
    client.write(&charge("a"));
    assert_eq!(client.read_reply().status, 200);
    client.write(&charge("b"));
    assert!(client.read_to_end().expect("an end of file").is_empty());
    assert_eq!(simulator.effects().len(), 2);
}

#[test]
fn a_reset_before_reading_does_not_wait_for_the_body() {
    let simulator = start();
    simulator.faults().push(Fault::ResetBeforeReading);
    let whole = String::from_utf8(charge("k")).unwrap();
    let (head, _) = whole.split_once("\r\n\r\n").unwrap();
    let mut client = send(&simulator, format!("{head}\r\n\r\n").as_bytes());
    let error = client.read_to_end().expect_err("a reset");
    assert_eq!(error.kind(), ErrorKind::ConnectionReset);

    let logged = &simulator.requests()[0];
    assert_eq!(logged.fault.as_deref(), Some("reset_before_reading"));
    assert!(logged.body.is_empty());
    assert_eq!(
        exchange(&simulator, &charge("k")).header("idempotent-replayed"),
        None
    );
    assert_eq!(simulator.effects().len(), 1);
}

fn cut(how: CutBody) -> (String, String) {
    let simulator = start();
    simulator.faults().push(Fault::CutBody {
        how,
        keep: Some(28),
    });
    let bytes = send(&simulator, &charge("k"))
        .read_to_end()
        .expect("an end of file");
    assert_eq!(simulator.effects().len(), 1);
    let whole = exchange(&simulator, &charge("k"));
    assert_eq!(whole.header("idempotent-replayed"), Some("true"));
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    assert!(head.starts_with("HTTP/1.1 200 OK\r\n"));
    assert_eq!(header(head, "content-type"), Some("application/json"));
    assert_eq!(head.matches("\r\ndate:").count(), 1);
    let part = whole.body.get(..28).unwrap();
    (head.to_owned(), body.replace(part, "<part>"))
}

#[test]
fn a_body_can_be_shorter_than_its_length() {
    let (head, body) = cut(CutBody::ShortOfLength);
    let length: usize = header(&head, "content-length").unwrap().parse().unwrap();
    assert!(length > 28);
    assert_eq!(body, "<part>");
}

#[test]
fn a_chunked_body_can_end_early_or_cleanly() {
    let (head, body) = cut(CutBody::NoLastChunk);
    assert_eq!(header(&head, "transfer-encoding"), Some("chunked"));
    assert_eq!(header(&head, "content-length"), None);
    assert_eq!(body, "1c\r\n<part>\r\n");
    let (_, body) = cut(CutBody::CleanEnd);
    assert_eq!(body, "1c\r\n<part>\r\n0\r\n\r\n");
}

#[test]
fn a_page_or_a_redirect_comes_whole() {
    let simulator = start();
    simulator.faults().push(Fault::Html {
        status: 502,
        size: 20_000,
        when: When::After,
    });
    let location = "http://127.0.0.1:1/elsewhere".to_owned();
    simulator.faults().push(Fault::Redirect {
        status: 307,
        location,
        when: When::Before,
    });
    let page = exchange(&simulator, &charge("a"));
    assert_eq!((page.status, page.body.len()), (502, 20_000));
    let redirect = exchange(&simulator, &charge("b"));
    assert_eq!(redirect.status, 307);
    assert_eq!(
        redirect.header("location"),
        Some("http://127.0.0.1:1/elsewhere")
    );
    assert_eq!(simulator.effects().len(), 1);
}

#[test]
fn header_lines_are_logged_as_they_came() {
    let simulator = start();
    let request = "POST /stripe/v1/payment_intents HTTP/1.1\r\nhOST: x\r\nIDEMPOTENCY-KEY: one\r\n\
                   Authorization:Bearer sk_test_shop\r\nidempotency-key:  two \r\n\
                   content-length: 4\r\n\r\na=\u{e9}";
    let mut client = Client::connect(simulator.address());
    for number in 0..2 {
        let key = format!("two{number}");
        client.write(request.replace("two", &key).as_bytes());
        assert_eq!(client.read_reply().status, 400);
        let logged = &simulator.requests()[number];
        let lines: Vec<(&str, &str)> = logged
            .headers
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let expected = [
            ("hOST", "x"),
            ("IDEMPOTENCY-KEY", "one"),
            ("Authorization", "Bearer sk_test_shop"),
            ("idempotency-key", &*key),
            ("content-length", "4"),
        ];
        assert_eq!(lines, expected);
        assert_eq!(logged.header_values("Idempotency-Key"), ["one", &*key]);
        assert_eq!(&logged.body[..], "a=\u{e9}".as_bytes());
    }
}

#[test]
fn header_lines_are_complete_on_any_connection() {
    let simulator = start();
    let mut client = Client::connect(simulator.address());
    client.write(b"GET /control/clock HTTP/1.1\r\nHost: x\r\n\r\n");
    client.read_reply();
    // The second request begins before the first one is answered.
    let both = [charge("a"), charge("b")].concat();
    let (now, later) = both.split_at(both.len() - 150);
    client.write(now);
    assert_eq!(client.read_reply().status, 200);
    client.write(later);
    assert_eq!(client.read_reply().status, 200);

    let requests = simulator.requests();
    assert!(
        requests[0]
            .headers
            .contains(&("Idempotency-Key".to_owned(), "a".to_owned()))
    );
    // Its spelling is lost, its headers are not.
    assert_eq!(requests[1].header_values("idempotency-key"), ["b"]);
    assert_eq!(requests[1].headers.len(), requests[0].headers.len());
}

#[test]
fn half_a_request_is_none() {
    let simulator = start();
    let whole = charge("k");
    let half = send(&simulator, &whole[..whole.len() - 5]);
    half.hang_up();
    let answer = exchange(&simulator, &charge("k"));
    assert_eq!(answer.header("idempotent-replayed"), None);
    assert_eq!(simulator.requests().len(), 1);
}

#[test]
fn a_matcher_chooses_over_the_wire_too() {
    let simulator = start();
    let for_b = Matcher::post()
        .path("/v1/payment_intents")
        .contains("key-b");
    simulator.faults().push(Fault::Unauthorized.on(for_b));
    assert_eq!(exchange(&simulator, &charge("key-a")).status, 200);
    assert_eq!(exchange(&simulator, &charge("key-b")).status, 401);
    assert_eq!(exchange(&simulator, &charge("key-b")).status, 200);
    assert!(simulator.faults().list().is_empty());
}
