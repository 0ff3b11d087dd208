//! The control API: the same as the handle, over HTTP.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get, post};
use http::{Method, StatusCode, Uri};
use serde_json::{Value, json};

use super::handle::Shared;
use super::usage;
use crate::clock::unix_ms;
use crate::fault::PlannedFault;
use crate::gateway::{ControlCall, ControlReply};

type Context = State<Arc<Shared>>;

/// The routes.
pub(super) fn router(shared: Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(usage))
        .route(
            "/control/faults",
            get(list_faults).post(plant_faults).delete(clear_faults),
        )
        .route("/control/effects", get(effects))
        .route("/control/requests", get(requests))
        .route("/control/clock", get(clock).post(set_clock))
        .route("/control/release", post(release))
        .route("/control/reset", post(reset))
        .route("/control/{gateway}/{*path}", any(gateway))
        .fallback(unknown)
        .method_not_allowed_fallback(unknown)
        .with_state(shared)
}

async fn usage(State(shared): Context) -> Response {
    let page = usage::page(&format!("http://{}", shared.address));
    let mut response = Response::new(Body::from(page));
    let kind = http::HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert("content-type", kind);
    response
}

async fn list_faults(State(shared): Context) -> Response {
    let world = shared.world();
    let faults: Vec<Value> = world.faults().iter().map(PlannedFault::to_json).collect();
    answer(Ok(json!(faults)))
}

/// Takes one fault or an array of them; all or none are planted.
async fn plant_faults(State(shared): Context, body: Bytes) -> Response {
    let planned = parse(&body).and_then(|value| {
        let values = if let Value::Array(values) = value {
            values
        } else {
            vec![value]
        };
        values.iter().map(PlannedFault::from_json).collect()
    });
    answer(planned.map(|planned: Vec<PlannedFault>| {
        let mut world = shared.world();
        let ids: Vec<u64> = planned
            .into_iter()
            .map(|planned| world.push_fault(planned))
            .collect();
        json!({ "planted": ids })
    }))
}

async fn clear_faults(State(shared): Context) -> Response {
    shared.world().clear_faults();
    answer(Ok(json!([])))
}

async fn effects(State(shared): Context, RawQuery(query): RawQuery) -> Response {
    let query = query.unwrap_or_default();
    let mut asked = form_urlencoded::parse(query.as_bytes());
    let reference = asked
        .find(|(name, _)| name == "reference")
        .map(|(_, value)| value);
    let world = shared.world();
    answer(Ok(match reference {
        Some(reference) => json!(world.effects_for(&reference)),
        None => json!(world.effects()),
    }))
}

async fn requests(State(shared): Context) -> Response {
    answer(Ok(json!(shared.world().requests())))
}

async fn clock(State(shared): Context) -> Response {
    answer(Ok(json!({ "now_ms": unix_ms::of(shared.clock.now()) })))
}

async fn set_clock(State(shared): Context, body: Bytes) -> Response {
    let set = parse(&body).and_then(|body| move_clock(&shared, &body));
    answer(set.map(|()| json!({ "now_ms": unix_ms::of(shared.clock.now()) })))
}

fn move_clock(shared: &Shared, body: &Value) -> Result<(), String> {
    let help = "the body must be {\"set\": UNIX_MS} or {\"advance_ms\": N}";
    if let Some(ms) = body.get("set") {
        shared
            .clock
            .set(ms.as_i64().and_then(unix_ms::at).ok_or(help)?);
        return Ok(());
    }
    let ms = body.get("advance_ms").and_then(Value::as_u64).ok_or(help)?;
    shared.clock.advance(Duration::from_millis(ms));
    Ok(())
}

async fn release(State(shared): Context) -> Response {
    answer(Ok(json!({ "released": shared.release() })))
}

async fn reset(State(shared): Context) -> Response {
    shared.reset();
    answer(Ok(json!({})))
}

async fn gateway(
    State(shared): Context,
    Path((gateway, path)): Path<(String, String)>,
    method: Method,
    body: Bytes,
) -> Response {
    let body = if body.is_empty() {
        Ok(Value::Null)
    } else {
        parse(&body)
    };
    let reply = match body {
        Ok(body) => {
            let call = ControlCall {
                body,
                ..ControlCall::new(method, &path)
            };
            let now = shared.clock.now();
            shared.world().control(&gateway, &call, now)
        }
        Err(text) => ControlReply::error(StatusCode::BAD_REQUEST, &text),
    };
    (reply.status, axum::Json(reply.body)).into_response()
}

async fn unknown(State(shared): Context, method: Method, uri: Uri) -> Response {
    let gateways = shared.world().gateways().join(", ");
    let text = format!(
        "there is no {method} {}; GET / explains the control API; gateways: {gateways}",
        uri.path()
    );
    let reply = ControlReply::error(StatusCode::NOT_FOUND, &text);
    (reply.status, axum::Json(reply.body)).into_response()
}

fn parse(body: &[u8]) -> Result<Value, String> {
    serde_json::from_slice(body).map_err(|error| format!("the body is not JSON: {error}"))
}

fn answer(result: Result<Value, String>) -> Response {
    match result {
        Ok(body) => axum::Json(body).into_response(),
        Err(text) => {
            let reply = ControlReply::error(StatusCode::BAD_REQUEST, &text);
            (reply.status, axum::Json(reply.body)).into_response()
        }
    }
}
