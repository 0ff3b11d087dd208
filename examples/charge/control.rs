//! Plain requests beside the library's own: to the simulator's control API, or a gateway's list.

use std::time::Duration;

use http::Method;
use payonce::ReqwestTransport;
use payonce::provider::Request;
use payonce::transport::Transport;
use serde_json::Value;

use crate::gateways::Result;

pub(crate) async fn get(base_url: &str, path: &str) -> Result<Value> {
    ask(base_url, Request::new(Method::GET, path.to_owned())).await
}

pub(crate) async fn post(base_url: &str, path: &str, body: &Value) -> Result<Value> {
    let request = Request::new(Method::POST, path.to_owned());
    ask(
        base_url,
        request.with_body("application/json", body.to_string()),
    )
    .await
}

pub(crate) async fn ask(base_url: &str, request: Request) -> Result<Value> {
    let transport = ReqwestTransport::new()?;
    let reply = transport
        .send(base_url, request, Duration::from_secs(30))
        .await?;
    if !reply.status.is_success() {
        return Err(format!("the gateway answered {}", reply.status).into());
    }
    Ok(reply.json().ok_or("the reply is no JSON")?)
}
