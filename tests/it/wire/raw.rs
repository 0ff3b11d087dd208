//! A hand-written keep-alive server: it answers the first request of its first connection, reads
//! the second one whole, executes it, and closes without an answer.

use std::collections::HashMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use payonce_simulator::Close;

/// Executions by key: the reference, and how often.
type Executed = Arc<Mutex<HashMap<String, (String, usize)>>>;

pub(super) struct KeepAliveServer {
    address: SocketAddr,
    executed: Executed,
}

impl KeepAliveServer {
    pub(super) fn start(how: Close) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let executed = Executed::default();
        let seen = Arc::clone(&executed);
        thread::spawn(move || {
            for (place, stream) in listener.incoming().enumerate() {
                let (stream, seen) = (stream.unwrap(), Arc::clone(&seen));
                thread::spawn(move || serve(stream, &seen, (place == 0).then_some(how)));
            }
        });
        Self { address, executed }
    }

    pub(super) fn base_url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// How often the charge of a reference was executed.
    pub(super) fn executions(&self, reference: &str) -> usize {
        let executed = self.executed.lock().unwrap();
        executed
            .values()
            .filter(|(of, _)| of == reference)
            .map(|(_, times)| times)
            .sum()
    }
}

fn serve(mut stream: TcpStream, executed: &Executed, dies: Option<Close>) {
    let mut answered = 0;
    while let Some(body) = read_request(&mut stream) {
        let field = |name: &str| -> String {
            let mut fields = form_urlencoded::parse(&body);
            fields
                .find(|(n, _)| n == name)
                .map(|(_, v)| v.into_owned())
                .unwrap_or_default()
        };
        let key = field("metadata[payonce_key]");
        let mut executed = executed.lock().unwrap();
        executed
            .entry(key.clone())
            .or_insert_with(|| (field("metadata[payonce_reference]"), 1));
        let payments = executed.len();
        drop(executed);
        if let Some(how) = dies
            && answered == 1
        {
            if how == Close::Rst {
                rustix::net::sockopt::set_socket_linger(&stream, Some(std::time::Duration::ZERO))
                    .unwrap();
            }
            return;
        }
        let reply = format!(
            r#"{{"id":"pi_{payments}","object":"payment_intent","amount":48000,"currency":"sar",
                "status":"succeeded","metadata":{{"payonce_key":"{key}"}}}}"#
        );
        let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", reply.len());
        stream.write_all((head + &reply).as_bytes()).unwrap();
        answered += 1;
    }
}

/// The body of the next request, or nothing if the client is gone.
fn read_request(stream: &mut TcpStream) -> Option<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = stream.read(&mut chunk).ok().filter(|read| *read > 0)?;
        bytes.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let length = head.split("content-length:").nth(1)?.lines().next()?.trim();
        let length: usize = length.parse().ok()?;
        if bytes.len() == head.len() + 4 + length {
            return Some(bytes.split_off(head.len() + 4));
        }
    }
}
