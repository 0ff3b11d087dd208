//! The transport against servers that are written by hand.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use http::Method;

use super::*;

const URL: &str = "PAYONCE_TEST_URL";
const PROXY: &str = "PAYONCE_TEST_PROXY";

/// A server on this host, and how many requests it read whole.
struct Server {
    address: SocketAddr,
    requests: Arc<AtomicUsize>,
}

impl Server {
    /// It answers the n-th request of all, counted from 0, with these bytes, or closes.
    fn start(answer: impl Fn(usize) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let requests = Arc::new(AtomicUsize::new(0));
        let (seen, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (seen, answer) = (Arc::clone(&seen), Arc::clone(&answer));
                thread::spawn(move || {
                    let mut stream = stream.unwrap();
                    while read_request(&mut stream) {
                        let Some(bytes) = answer(seen.fetch_add(1, Ordering::SeqCst)) else {
                            return;
                        };
                        // The client may have gone away before the end.
                        drop(stream.write_all(&bytes));
                    }
                });
            }
        });
        Self { address, requests }
    }

    /// It answers everything with this.
    fn answering(head: &str, body: Vec<u8>) -> Self {
        let mut bytes = format!("HTTP/1.1 200 OK\r\n{head}\r\n\r\n").into_bytes();
        bytes.extend(body);
        Self::start(move |_| Some(bytes.clone()))
    }

    fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    fn requests(&self) -> usize {
        self.requests.load(Ordering::SeqCst)
    }
}

/// Reads one request without a body. `false`: the client is gone.
fn read_request(stream: &mut TcpStream) -> bool {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        if !matches!(stream.read(&mut byte), Ok(1)) {
            return false;
        }
        head.push(byte[0]);
    }
    true
}

async fn get(transport: &ReqwestTransport, url: &str) -> Result<Response, TransportError> {
    let minute = Duration::from_secs(60);
    transport
        .send(url, Request::new(Method::GET, "/"), minute)
        .await
}

fn builder() -> ReqwestTransportBuilder {
    ReqwestTransport::builder()
}

/// A reply that does not fit is in doubt. A cut one could be read as something that the gateway
/// never said, and one without end would fill the merchant's memory.
#[tokio::test]
async fn a_reply_above_the_limit_is_in_doubt_and_never_cut() {
    let ten = || builder().body_max(10).build().unwrap();
    let default = || builder().build().unwrap();
    let mib = 1024 * 1024;
    for (limited, length, fits) in [
        (ten(), 10, true),
        (ten(), 11, false),
        (default(), mib, true),
        (default(), mib + 1, false),
    ] {
        let body = vec![b'x'; length];
        let whole = Server::answering(&format!("Content-Length: {length}"), body.clone());
        let mut chunks = format!("{length:x}\r\n").into_bytes();
        chunks.extend(&body);
        chunks.extend(b"\r\n0\r\n\r\n");
        let chunked = Server::answering("Transfer-Encoding: chunked", chunks);
        for server in [whole, chunked] {
            let result = get(&limited, &server.url()).await;
            if fits {
                assert_eq!(result.unwrap().body, body);
            } else {
                assert_eq!(result, too_large(), "{length}");
            }
        }
    }
}

fn too_large() -> Result<Response, TransportError> {
    Err(TransportError::MaybeSent {
        problem: "the reply is too large".to_owned(),
        status: Some(200),
    })
}

/// The limit counts what comes out of a compressed body, not what came over the wire.
#[tokio::test]
async fn a_small_reply_that_grows_beyond_the_limit_is_in_doubt() {
    // 5000 times '0', by gzip.
    let zipped = [
        31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 237, 193, 49, 1, 0, 0, 0, 194, 160, 74, 235, 159, 206, 20,
        126, 64, 1, 0, 0, 0, 0, 111, 3, 4, 61, 252, 168, 136, 19, 0, 0,
    ];
    let head = format!("Content-Encoding: gzip\r\nContent-Length: {}", zipped.len());
    let server = Server::answering(&head, zipped.to_vec());
    let fits = builder().body_max(5000).build().unwrap();
    let whole = get(&fits, &server.url()).await.unwrap();
    assert_eq!(whole.body, vec![b'0'; 5000]);
    let limited = builder().body_max(4999).build().unwrap();
    assert_eq!(get(&limited, &server.url()).await, too_large());
}

/// A server that reads a request and closes may have acted. The client's own repeat would be a
/// second charge that the ledger knows nothing of.
#[tokio::test]
async fn a_request_that_got_no_reply_is_sent_once() {
    let ok = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
    let server = Server::start(|n| (n != 1).then(|| ok.to_vec()));
    let transport = builder().build().unwrap();
    get(&transport, &server.url()).await.unwrap();
    // On the connection that is kept alive.
    let lost = get(&transport, &server.url()).await;
    assert!(matches!(
        lost,
        Err(TransportError::MaybeSent { status: None, .. })
    ));
    assert_eq!(server.requests(), 2);
    // And on a new one.
    let silent = Server::start(|_| None);
    let lost = get(&transport, &silent.url()).await;
    assert!(matches!(
        lost,
        Err(TransportError::MaybeSent { status: None, .. })
    ));
    assert_eq!(silent.requests(), 1);
}

/// A proxy that the environment names sees every payment. It is used only if the merchant asked
/// for it.
#[test]
fn the_environments_proxy_is_ignored_unless_asked_for() {
    for asked in [false, true] {
        let answer = || Server::answering("Content-Length: 2", b"ok".to_vec());
        let (gateway, proxy) = (answer(), answer());
        let mut child = Command::new(std::env::current_exe().unwrap());
        child.args(["--exact", "transport::reqwest::tests::runs_only_as_a_child"]);
        for name in ["http_proxy", "https_proxy", "all_proxy"] {
            child.env(name, proxy.url());
            child.env(name.to_ascii_uppercase(), proxy.url());
        }
        child.env_remove("no_proxy").env_remove("NO_PROXY");
        // With it the client takes the environment for that of a web server's child.
        child.env_remove("REQUEST_METHOD");
        child.env(URL, gateway.url()).env(PROXY, asked.to_string());
        let done = child.output().unwrap();
        assert!(done.status.success(), "{done:?}");
        let expected = if asked { (0, 1) } else { (1, 0) };
        assert_eq!((gateway.requests(), proxy.requests()), expected);
    }
}

/// Does nothing in an ordinary test run.
#[tokio::test]
async fn runs_only_as_a_child() {
    let Ok(url) = std::env::var(URL) else {
        return;
    };
    let mut builder = builder();
    if std::env::var(PROXY).unwrap() == "true" {
        builder = builder.environment_proxy(true);
    }
    get(&builder.build().unwrap(), &url).await.unwrap();
}
