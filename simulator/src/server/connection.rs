//! Accepts connections and carries requests between them and the world.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::net::TcpListener;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use bytes::Bytes;
use http::{Response, StatusCode};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::TokioIo;
use hyper_util::service::TowerToHyperService;
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::sync::oneshot;

use super::handle::Shared;
use super::tap::{Recorder, Tap};
use super::wire::LastWords;
use super::{control, drive};
use crate::exchange::{Reply, Request};

const MAX_BODY: usize = 16 * 1024 * 1024;

/// Accepts connections until it is told to stop.
pub(super) async fn accept(
    listener: TcpListener,
    shared: Arc<Shared>,
    mut stopped: oneshot::Receiver<()>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else {
        return;
    };
    let router = control::router(Arc::clone(&shared));
    loop {
        tokio::select! {
            _ = &mut stopped => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => {
                    tokio::spawn(serve(stream, Arc::clone(&shared), router.clone()));
                }
                // A connection that went away, or no descriptor left: both pass.
                Err(_) => tokio::time::sleep(Duration::from_millis(10)).await,
            },
        }
    }
}

/// One connection.
struct Connection {
    shared: Arc<Shared>,
    router: Router,
    recorder: Recorder,
    /// Set when the connection has to end outside of HTTP.
    last_words: Mutex<Option<LastWords>>,
}

/// The connection has to end outside of HTTP. The HTTP library then gives it back untouched.
#[derive(Debug)]
struct HangUp;

impl std::fmt::Display for HangUp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the connection ends here")
    }
}

impl std::error::Error for HangUp {}

type Answer = Pin<Box<dyn Future<Output = Result<Response<Body>, HangUp>> + Send>>;

async fn serve(stream: TcpStream, shared: Arc<Shared>, router: Router) {
    // Small replies must not wait for the acknowledgement of their head.
    drop(stream.set_nodelay(true));
    let (tap, recorder) = Tap::new(stream);
    let last_words = Mutex::new(None);
    let connection = Arc::new(Connection {
        shared,
        router,
        recorder,
        last_words,
    });
    let answering = Arc::clone(&connection);
    let service =
        service_fn(move |request| -> Answer { Box::pin(Arc::clone(&answering).answer(request)) });
    let mut http = http1::Builder::new()
        .auto_date_header(false)
        .serve_connection(TokioIo::new(tap), service);
    // What a client does to its connection is its own business: errors end it, no more.
    drop(poll_fn(|cx| http.poll_without_shutdown(cx)).await);
    let mut stream = http.into_parts().io.into_inner().into_stream();
    let last_words = connection
        .last_words
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .take();
    drop(match last_words {
        Some(last_words) => last_words.say(stream).await,
        None => stream.shutdown().await,
    });
}

impl Connection {
    async fn answer(
        self: Arc<Self>,
        request: http::Request<Incoming>,
    ) -> Result<Response<Body>, HangUp> {
        let target = request.uri().path().strip_prefix('/').unwrap_or_default();
        let (prefix, rest) = target.split_once('/').unwrap_or((target, ""));
        let gateway = prefix.to_owned();
        if !self.shared.world().gateways().contains(&prefix) {
            let response = self.answer_control(request).await;
            self.recorder.rearm();
            return Ok(response);
        }
        let path = format!("/{rest}");
        let (parts, body) = request.into_parts();
        let lines = self
            .recorder
            .lines(parts.method.as_str(), parts.headers.len());
        let head = Request {
            reads: parts.method == http::Method::GET,
            method: parts.method,
            path,
            query: parts.uri.query().map(str::to_owned),
            headers: parts.headers,
            lines,
            body: Bytes::new(),
        };
        let now = self.shared.clock.now();
        let ended = self.shared.world().head(&gateway, &head, now);
        if let Some(delivery) = ended {
            return self.deliver(delivery);
        }
        let Ok(body) = to_bytes(Body::new(body), MAX_BODY).await else {
            // Half a request is none; the client went away or it never ends.
            return Err(HangUp);
        };
        self.recorder.rearm();
        let request = Request { body, ..head };
        let delivery = drive::drive(&self.shared, gateway, request).await;
        self.deliver(delivery)
    }

    async fn answer_control(&self, request: http::Request<Incoming>) -> Response<Body> {
        let service = TowerToHyperService::new(self.router.clone());
        let answered: Result<Response<Body>, Infallible> = service.call(request).await;
        match answered {
            Ok(response) => response,
            Err(never) => match never {},
        }
    }

    fn deliver(&self, delivery: crate::exchange::Delivery) -> Result<Response<Body>, HangUp> {
        match LastWords::of(delivery) {
            Ok(reply) => Ok(response(reply)),
            Err(last_words) => {
                let mut place = self
                    .last_words
                    .lock()
                    .unwrap_or_else(PoisonError::into_inner);
                *place = Some(last_words);
                Err(HangUp)
            }
        }
    }
}

fn response(reply: Reply) -> Response<Body> {
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = reply.status;
    *response.headers_mut() = reply.headers;
    if response.status() == StatusCode::NO_CONTENT {
        *response.body_mut() = Body::empty();
    }
    response
}
