//! A client that writes its requests byte by byte and hides nothing of what comes back.

use std::io::{self, Read, Write};
use std::net::{Shutdown, SocketAddr, TcpStream};
use std::time::Duration;

use payonce_simulator::{Handle, Options, Running, Simulator};
use serde_json::Value;

pub(crate) const CHARGE: &str = "amount=1099&currency=usd&payment_method=pm_card_visa\
    &payment_method_types[]=card&confirm=true&metadata[order]=order-1";

pub(crate) fn start() -> Running {
    Simulator::start_blocking(Options::default()).expect("starts")
}

/// One connection.
#[derive(Debug)]
pub(crate) struct Client {
    stream: TcpStream,
}

/// A reply, parsed.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) head: String,
    pub(crate) body: String,
}

impl Client {
    pub(crate) fn connect(address: SocketAddr) -> Self {
        let stream = TcpStream::connect(address).expect("connects");
        stream
            .set_read_timeout(Some(Duration::from_secs(5)))
            .unwrap();
        Self { stream }
    }

    pub(crate) fn write(&mut self, bytes: &[u8]) {
        self.stream.write_all(bytes).expect("writes");
    }

    /// Everything until the server ends the connection.
    pub(crate) fn read_to_end(&mut self) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.stream.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    /// One reply with a `Content-Length`; the connection stays open.
    pub(crate) fn read_reply(&mut self) -> Answer {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            self.stream.read_exact(&mut byte).expect("the whole head");
            bytes.extend_from_slice(&byte);
        }
        let head = String::from_utf8(bytes).unwrap();
        let length = header(&head, "content-length").map_or(0, |text| text.parse().unwrap());
        let mut body = vec![0; length];
        self.stream.read_exact(&mut body).expect("the whole body");
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        Answer {
            status,
            head,
            body: String::from_utf8(body).unwrap(),
        }
    }

    pub(crate) fn hang_up(self) {
        self.stream.shutdown(Shutdown::Both).unwrap();
    }
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("not JSON: {self:?}"))
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        header(&self.head, name)
    }
}

pub(crate) fn header<'a>(head: &'a str, name: &str) -> Option<&'a str> {
    let lines = head.split("\r\n").filter_map(|line| line.split_once(':'));
    let mut found = lines.filter(|(line, _)| line.eq_ignore_ascii_case(name));
    found.next().map(|(_, value)| value.trim())
}

/// A charge's bytes under this key.
pub(crate) fn charge(key: &str) -> Vec<u8> {
    post("/stripe/v1/payment_intents", key, CHARGE)
}

pub(crate) fn post(path: &str, key: &str, body: &str) -> Vec<u8> {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: simulator\r\nAuthorization: Bearer sk_test_shop\r\n\
         Content-Type: application/x-www-form-urlencoded\r\nIdempotency-Key: {key}\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
    .into_bytes()
}

/// Sends on a new connection and leaves it open.
pub(crate) fn send(handle: &Handle, bytes: &[u8]) -> Client {
    let mut client = Client::connect(handle.address());
    client.write(bytes);
    client
}

/// Sends on a new connection and reads one reply.
pub(crate) fn exchange(handle: &Handle, bytes: &[u8]) -> Answer {
    send(handle, bytes).read_reply()
}

/// A call without a gateway's headers.
pub(crate) fn call(handle: &Handle, method: &str, path: &str, body: &str) -> Answer {
    let length = body.len();
    let request = format!(
        "{method} {path} HTTP/1.1\r\nHost: simulator\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    exchange(handle, request.as_bytes())
}

/// Waits until something is so; it takes a moment because another thread does it.
pub(crate) fn until(what: &str, is_so: impl Fn() -> bool) {
    for _ in 0..1000 {
        if is_so() {
            return;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    panic!("never happened: {what}");
}
