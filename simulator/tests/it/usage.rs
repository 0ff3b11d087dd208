//! The usage page: every example on it works as it stands.

use payonce_simulator::Handle;

use crate::client::{Answer, call, exchange, start};

/// Splits a command as a shell would: spaces, and single quotes around anything.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for character in line.chars() {
        match character {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            other => words.last_mut().unwrap().push(other),
        }
    }
    words
}

/// Does what curl would do with these arguments.
fn curl(handle: &Handle, arguments: &[String]) -> Answer {
    let (mut url, mut method, mut headers, mut data) = (None, None, String::new(), Vec::new());
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap().clone();
        match argument.as_str() {
            "-X" => method = Some(value()),
            "-H" => headers += &(value() + "\r\n"),
            "-d" => data.push(value()),
            "-u" => {
                assert_eq!(value(), "sk_test_demo:");
                headers += "Authorization: Basic c2tfdGVzdF9kZW1vOg==\r\n";
            }
            other => url = Some(other.to_owned()),
        }
    }
    let url = url.expect("a URL");
    let path = url
        .strip_prefix(&handle.url())
        .unwrap_or_else(|| panic!("{url} is elsewhere"));
    let method = method.unwrap_or_else(|| if data.is_empty() { "GET" } else { "POST" }.to_owned());
    let body = data.join("&");
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: x\r\n{headers}Content-Length: {length}\r\n\r\n{body}"
    );
    exchange(handle, request.as_bytes())
}

#[test]
fn every_example_works_as_it_stands() {
    let simulator = start();
    let page = call(&simulator, "GET", "/", "");
    assert_eq!(
        page.header("content-type"),
        Some("text/plain; charset=utf-8")
    );
    let examples: Vec<&str> = page
        .body
        .lines()
        .filter_map(|line| line.trim().strip_prefix("curl "))
        .collect();
    assert!(examples.len() >= 15, "{examples:?}");
    for example in examples {
        let answer = curl(&simulator, &words(example));
        let worked = matches!(answer.status, 200 | 201);
        assert!(worked, "curl {example}: {}", answer.body);
    }
}

#[test]
fn every_fault_is_explained() {
    let simulator = start();
    let page = call(&simulator, "GET", "/", "").body;
    for fault in [
        "reply_lost",
        "reset_before_reading",
        "delay",
        "hold",
        "hold_for_ever",
        "late_arrival",
        "server_error",
        "key_in_use",
        "rate_limited",
        "key_reused",
        "unauthorized",
        "forbidden",
        "cut_body",
        "html",
        "redirect",
        "decline",
        "require_action",
        "processing",
        "tamper",
        "raw",
        "together",
    ] {
        assert!(
            page.contains(&format!("\n    {fault} ")) || page.contains(&format!("\n    {fault}\n")),
            "{fault}"
        );
    }
}
