//! A connection that keeps the head of each request as it came: the HTTP library gives headers
//! neither their spelling nor their order.

use std::io;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;

const MAX_HEAD: usize = 256 * 1024;
const END: &[u8] = b"\r\n\r\n";

/// A connection whose incoming bytes are also recorded, until the end of a head.
#[derive(Debug)]
pub(super) struct Tap {
    stream: TcpStream,
    recorder: Recorder,
}

/// The head of the request that is being read. Clones are the same recorder.
#[derive(Debug, Clone, Default)]
pub(super) struct Recorder {
    head: Arc<Mutex<Vec<u8>>>,
}

impl Tap {
    pub(super) fn new(stream: TcpStream) -> (Self, Recorder) {
        let recorder = Recorder::default();
        (
            Self {
                stream,
                recorder: recorder.clone(),
            },
            recorder,
        )
    }

    pub(super) fn into_stream(self) -> TcpStream {
        self.stream
    }
}

impl Recorder {
    /// The header lines of the request. Empty if what was recorded is not its head: a client that
    /// sends requests ahead of replies can blur it.
    pub(super) fn lines(&self, method: &str, count: usize) -> Vec<(String, String)> {
        let head = self.head.lock().unwrap_or_else(PoisonError::into_inner);
        let text = String::from_utf8_lossy(&head);
        let Some((head, _)) = text.split_once("\r\n\r\n") else {
            return Vec::new();
        };
        let mut lines = head.trim_start_matches("\r\n").split("\r\n");
        if !lines.next().is_some_and(|first| first.starts_with(method)) {
            return Vec::new();
        }
        let headers: Vec<(String, String)> = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_owned(), value.trim().to_owned()))
            .collect();
        if headers.len() == count {
            headers
        } else {
            Vec::new()
        }
    }

    /// The request was read whole: the next bytes are another one.
    pub(super) fn rearm(&self) {
        self.head
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    fn record(&self, bytes: &[u8]) {
        let mut head = self.head.lock().unwrap_or_else(PoisonError::into_inner);
        let complete = head.windows(END.len()).any(|window| window == END);
        if !complete && head.len() < MAX_HEAD {
            head.extend_from_slice(bytes);
        }
    }
}

impl AsyncRead for Tap {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let before = into.filled().len();
        let polled = Pin::new(&mut self.stream).poll_read(cx, into);
        self.recorder
            .record(into.filled().get(before..).unwrap_or_default());
        polled
    }
}

impl AsyncWrite for Tap {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.stream).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
