//! The three routes.

use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::response::Response;
use axum::routing::{get, post};
use axum::{Json, Router};
use http::{StatusCode, Uri};
use payonce::{Client, Currency, Error, Family, Intent, Money, Outcome, Source};
use serde::Deserialize;

use crate::answer;

pub(crate) fn router(client: Client) -> Router {
    Router::new()
        .route("/orders/{id}/pay", post(pay))
        .route("/orders/{id}", get(show))
        .route("/orders/{id}/refund", post(refund))
        .with_state(client)
}

/// What the customer's browser sends. It names no amount: that is the shop's.
#[derive(Deserialize)]
struct Pay {
    /// What the gateway's own front-end code made of the card.
    token: String,
    /// 1, and one more after each 402. So a second click on the same button is the same attempt.
    #[serde(default = "first")]
    attempt: u32,
}

/// What the clerk's browser sends.
#[derive(Deserialize)]
struct Refund {
    /// All of it by default.
    amount: Option<String>,
    /// Which refund of the order it is. A second click on the same button has the same number.
    #[serde(default = "first")]
    number: u32,
}

const fn first() -> u32 {
    1
}

/// In a shop of yours this is the order's, from your database.
fn price(_order: &str) -> Result<Money, Error> {
    Ok(Money::parse("480.00", Currency::SAR)?)
}

/// Pays an order. If the customer goes away, this future is dropped, and the payment goes on.
async fn pay(
    State(client): State<Client>,
    Path(order): Path<String>,
    uri: Uri,
    body: Result<Json<Pay>, JsonRejection>,
) -> Response {
    let Json(pay) = match body {
        Ok(pay) => pay,
        Err(problem) => return answer::no_json(&problem),
    };
    let paid = match price(&order) {
        Ok(price) => {
            let intent = Intent::charge(order, price)
                .attempt(pay.attempt)
                .source(Source::token(pay.token))
                .return_url("https://shop.example/back");
            client.charge(intent).await
        }
        Err(error) => Err(error),
    };
    // Where the customer's page asks again: the order itself.
    let ask = uri.path().trim_end_matches("/pay");
    answer::of(&paid, &format!("GET {ask}"))
}

/// Shows an order. As long as its payment is open, the gateway is asked. That moves no money. A
/// shop with many customers asks from a timetable instead, with [`Client::recover`].
async fn show(State(client): State<Client>, Path(order): Path<String>, uri: Uri) -> Response {
    let found = match client.find(Family::Payment, &order).await {
        Ok(Some(found)) => found,
        Ok(None) => return answer::plain(StatusCode::NOT_FOUND, "nobody tried to pay this order"),
        Err(error) => return answer::of(&Err(error), ""),
    };
    let answer = match found.answer {
        Ok(Outcome::ActionRequired(_) | Outcome::Pending(_) | Outcome::Unknown(_)) => {
            client.look_up(found.summary.id).await
        }
        settled => settled,
    };
    answer::of(&answer, &format!("GET {}", uri.path()))
}

/// Gives money of an order back.
async fn refund(
    State(client): State<Client>,
    Path(order): Path<String>,
    uri: Uri,
    body: Result<Json<Refund>, JsonRejection>,
) -> Response {
    let Json(refund) = match body {
        Ok(refund) => refund,
        Err(problem) => return answer::no_json(&problem),
    };
    let receipt = match client.find(Family::Payment, &order).await {
        Ok(Some(found)) => match found.answer {
            Ok(Outcome::Succeeded(receipt)) => receipt,
            // Also while it is unknown whether it is: nobody knows what there is to give back.
            _ => return answer::plain(StatusCode::CONFLICT, "the order is not paid"),
        },
        Ok(None) => return answer::plain(StatusCode::NOT_FOUND, "nobody tried to pay this order"),
        Err(error) => return answer::of(&Err(error), ""),
    };
    let amount = match refund.amount {
        Some(text) => Money::parse(&text, receipt.money.currency()).map_err(Error::from),
        None => Ok(receipt.money),
    };
    let refunded = match amount {
        Ok(amount) => {
            let reference = format!("{order}-refund-{}", refund.number);
            let intent = Intent::refund(reference, receipt.payment(), amount);
            client.refund(intent).await
        }
        Err(error) => Err(error),
    };
    // Asking again with the same number is safe.
    answer::of(&refunded, &format!("POST {}", uri.path()))
}
