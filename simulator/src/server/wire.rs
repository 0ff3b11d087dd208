//! The ends of a connection that HTTP does not have: no answer, a reset, a part of a reply.

use std::io;

use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;

use crate::exchange::{Close, CutBody, Delivery, Reply};

/// How a connection ends outside of HTTP: these bytes, and then this.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LastWords {
    bytes: Vec<u8>,
    close: Close,
}

impl LastWords {
    /// What to do instead of a reply, or the reply if it is whole.
    pub(super) fn of(delivery: Delivery) -> Result<Reply, Self> {
        match delivery {
            Delivery::Reply(reply) => Ok(reply),
            Delivery::Close(close) => Err(Self {
                bytes: Vec::new(),
                close,
            }),
            Delivery::Cut { reply, keep, how } => Err(Self {
                bytes: cut(&reply, keep, how),
                close: Close::Fin,
            }),
        }
    }

    /// Says them and closes the connection.
    pub(super) async fn say(self, mut stream: TcpStream) -> io::Result<()> {
        stream.write_all(&self.bytes).await?;
        match self.close {
            Close::Fin => stream.shutdown().await,
            // Closing with zero linger sends a reset instead of an end of file.
            Close::Rst => stream.set_zero_linger(),
        }
    }
}

/// The bytes of a reply whose body is cut.
fn cut(reply: &Reply, keep: usize, how: CutBody) -> Vec<u8> {
    let status = reply.status;
    let reason = status.canonical_reason().unwrap_or_default();
    let mut bytes = format!("HTTP/1.1 {} {reason}\r\n", status.as_str()).into_bytes();
    for (name, value) in &reply.headers {
        bytes.extend_from_slice(name.as_str().as_bytes());
        bytes.extend_from_slice(b": ");
        bytes.extend_from_slice(value.as_bytes());
        bytes.extend_from_slice(b"\r\n");
    }
    let part = reply.body.get(..keep).unwrap_or(&reply.body);
    let framing = match how {
        CutBody::ShortOfLength => format!("content-length: {}\r\n", reply.body.len()),
        CutBody::NoLastChunk | CutBody::CleanEnd => "transfer-encoding: chunked\r\n".to_owned(),
    };
    bytes.extend_from_slice(framing.as_bytes());
    bytes.extend_from_slice(b"connection: close\r\n\r\n");
    if how == CutBody::ShortOfLength {
        bytes.extend_from_slice(part);
        return bytes;
    }
    if !part.is_empty() {
        bytes.extend_from_slice(format!("{:x}\r\n", part.len()).as_bytes());
        bytes.extend_from_slice(part);
        bytes.extend_from_slice(b"\r\n");
    }
    if how == CutBody::CleanEnd {
        bytes.extend_from_slice(b"0\r\n\r\n");
    }
    bytes
}
