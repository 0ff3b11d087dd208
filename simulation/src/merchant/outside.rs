//! What happens beside the merchant's program: clocks that jump, customers, and somebody who works
//! in the gateway's dashboard.

use std::sync::Arc;
use std::time::Duration;

use http::Method;
use payonce::Payment;
use payonce_simulator::hyperpay::HyperPay;
use payonce_simulator::moyasar::{Moyasar, PaymentStatus};
use payonce_simulator::stripe::{PaymentIntentStatus, Stripe};
use payonce_simulator::{Request, World as Gateways};

use super::orders::Order;
use crate::dice::Dice;
use crate::faults::Kind;
use crate::world::{Shop, World};

/// What happens to the clock of one host.
pub(super) async fn weather(world: Arc<World>, host: usize) {
    let Some(host) = world.hosts.get(host).cloned() else {
        return;
    };
    let label = format!("weather/{}", host.name);
    // Those of one machine have one clock.
    if world.plan.one_machine && host.name > 0 {
        return;
    }
    if let Some(mut dice) = world.draw(Kind::Skew, &label) {
        let ms = match dice.below(3) {
            0 => dice.between(100, 1_900),
            1 => dice.between(1_900, 60_000),
            _ => dice.between(60_000, 3_000_000),
        };
        jump(&world, &host, ms, dice.chance(500));
    }
    let mut dice = world.dice(&label);
    for _ in 0..4 {
        let ms = match dice.below(3) {
            0 => dice.between(100, 10_000),
            1 => dice.between(10_000, 600_000),
            _ => dice.between(600_000, 20_000_000),
        };
        tokio::time::sleep(Duration::from_millis(ms)).await;
        if let Some((kind, mut dice)) = world.draw_one(&[Kind::JumpForward, Kind::JumpBack], &label)
        {
            let ms = match dice.below(4) {
                0 => dice.between(500, 10_000),
                1 => dice.between(10_000, 600_000),
                2 => dice.between(600_000, 10_000_000),
                _ => dice.between(80_000_000, 100_000_000),
            };
            jump(&world, &host, ms, kind == Kind::JumpBack);
        }
    }
    std::future::pending::<()>().await;
}

fn jump(world: &World, host: &crate::world::Host, ms: u64, back: bool) {
    let by = i64::try_from(ms).unwrap_or(0);
    let by = if back { by.saturating_neg() } else { by };
    world.note(|| {
        format!(
            "the clock of machine {} jumps by {by} ms",
            host.machine.name
        )
    });
    host.machine.jump(by);
    world.clock_is_wrong();
}

/// Customers pass what they are asked for, or do not, and gateways come to a result.
pub(super) async fn customers(world: Arc<World>) {
    let mut dice = world.dice("customers");
    loop {
        let ms = dice.pick(5_000, &[60_000, 900_000, 9_000_000]);
        tokio::time::sleep(Duration::from_millis(ms)).await;
        customers_act(&world, &mut dice, 500);
    }
}

/// Each that waits goes on, so many times in a thousand.
pub(super) fn customers_act(world: &World, dice: &mut Dice, per_mille: u64) {
    let waiting = world.at_gateways(waiting);
    for waiting in waiting {
        if !dice.chance(per_mille) {
            continue;
        }
        let passed = dice.chance(700);
        let (gateway, id) = (waiting.gateway, waiting.id.clone());
        world.note(|| format!("{gateway}: {id} goes on, passed {passed}"));
        world.at_gateways(|gateways, now| go_on(gateways, now, &waiting, passed));
    }
}

/// A payment that waits for its customer or its result.
pub(super) struct Waiting {
    gateway: &'static str,
    id: String,
    page: bool,
    /// Our key, where it shows.
    pub(super) key: Option<String>,
}

/// Every payment that waits for its customer or its result.
pub(super) fn waiting(gateways: &mut Gateways, now: std::time::SystemTime) -> Vec<Waiting> {
    let mut all = Vec::new();
    let stripe = gateways.with_gateway::<Stripe, _>("stripe", now, |stripe| {
        let waits = |status| match status {
            PaymentIntentStatus::RequiresAction => Some(true),
            PaymentIntentStatus::Processing => Some(false),
            PaymentIntentStatus::RequiresPaymentMethod
            | PaymentIntentStatus::RequiresConfirmation
            | PaymentIntentStatus::RequiresCapture
            | PaymentIntentStatus::Canceled
            | PaymentIntentStatus::Succeeded => None,
        };
        let waiting = stripe.payment_intents().filter_map(|payment| {
            Some(Waiting {
                gateway: "stripe",
                id: payment.id.clone(),
                page: waits(payment.status)?,
                key: payment.metadata.get("payonce_key").cloned(),
            })
        });
        waiting.collect::<Vec<_>>()
    });
    all.extend(stripe.unwrap_or_default());
    let moyasar = gateways.with_gateway::<Moyasar, _>("moyasar", now, |moyasar| {
        let waits = moyasar
            .payments()
            .filter(|payment| payment.status == PaymentStatus::Initiated);
        let waiting = waits.map(|payment| Waiting {
            gateway: "moyasar",
            id: payment.id.clone(),
            page: payment.transaction_url.is_some(),
            key: Some(payment.id.clone()),
        });
        waiting.collect::<Vec<_>>()
    });
    all.extend(moyasar.unwrap_or_default());
    let hyperpay = gateways.with_gateway::<HyperPay, _>("hyperpay", now, |hyperpay| {
        let waits = hyperpay
            .payments()
            .filter(|payment| payment.redirect.is_some() || has_no_result(&payment.code));
        let waiting = waits.map(|payment| Waiting {
            gateway: "hyperpay",
            id: payment.id.clone(),
            page: payment.redirect.is_some(),
            key: payment.fields.transaction_id.clone(),
        });
        waiting.collect::<Vec<_>>()
    });
    all.extend(hyperpay.unwrap_or_default());
    all
}

/// Whether a code of HyperPay's says that there is no result yet, or that nobody knows it.
fn has_no_result(code: &str) -> bool {
    let open = [
        "000.200",
        "800.400.5",
        "100.400.500",
        "900.",
        "999.",
        "800.5",
    ];
    open.iter().any(|start| code.starts_with(start))
}

fn go_on(gateways: &mut Gateways, now: std::time::SystemTime, waiting: &Waiting, passed: bool) {
    let id = waiting.id.as_str();
    let result = match (waiting.gateway, waiting.page) {
        ("stripe", true) => gateways
            .with_gateway::<Stripe, _>("stripe", now, |stripe| stripe.complete_action(id, passed)),
        ("stripe", false) => {
            gateways.with_gateway::<Stripe, _>("stripe", now, |stripe| stripe.settle(id, passed))
        }
        ("moyasar", true) => gateways.with_gateway::<Moyasar, _>("moyasar", now, |moyasar| {
            moyasar.complete_action(id, passed)
        }),
        ("moyasar", false) => gateways
            .with_gateway::<Moyasar, _>("moyasar", now, |moyasar| moyasar.settle(id, passed)),
        (_, true) => gateways.with_gateway::<HyperPay, _>("hyperpay", now, |hyperpay| {
            hyperpay.complete_action(id, passed)
        }),
        (_, false) => gateways.with_gateway::<HyperPay, _>("hyperpay", now, |hyperpay| {
            let code = if passed { "000.100.110" } else { "800.100.152" };
            hyperpay.settle(id, code)
        }),
    };
    // What is refused has gone on by itself meanwhile.
    drop(result);
}

/// Somebody refunds, voids or captures in the dashboard. The amount is one that no order has, so
/// that nobody can take it for payonce's.
pub(super) fn dashboard(world: &World, order: &Order, payment: &Payment, mut dice: Dice) {
    let shop = world.plan.shops.iter().copied();
    let Some(shop) = shop
        .into_iter()
        .find(|shop| shop.account() == payment.account)
    else {
        return;
    };
    let whole = u64::try_from(order.money.minor()).unwrap_or(1);
    let minor = dice.between(1, (whole / 3).max(2)).saturating_mul(2) | 1;
    let minor = minor.max(101);
    let id = payment.provider_id.as_str();
    let request = request(shop, id, minor, dice.below(3));
    world.note(|| format!("dashboard: {} {}", request.method, request.path));
    world.at_gateways(|gateways, now| {
        let number = gateways.requests().len().saturating_add(1);
        world.checks().arrives(number, None);
        drop(gateways.handle(shop.gateway(), request, now));
    });
}

fn request(shop: Shop, id: &str, minor: u64, what: u64) -> Request {
    let form = "application/x-www-form-urlencoded";
    let bearer = format!("Bearer {}", shop.secret());
    let post = |path: &str| Request::new(Method::POST, path);
    match (shop.gateway(), what) {
        ("stripe", 0) => {
            post(&format!("/v1/payment_intents/{id}/cancel")).with_header("authorization", &bearer)
        }
        ("stripe", 1) => post(&format!("/v1/payment_intents/{id}/capture"))
            .with_header("authorization", &bearer)
            .with_header("content-type", form)
            .with_body(format!("amount_to_capture={minor}")),
        ("stripe", _) => post("/v1/refunds")
            .with_header("authorization", &bearer)
            .with_header("content-type", form)
            .with_body(format!("payment_intent={id}&amount={minor}")),
        ("moyasar", what) => {
            let verb = match what {
                0 => "void",
                1 => "capture",
                _ => "refund",
            };
            let body = if verb == "void" {
                String::new()
            } else {
                format!("{{\"amount\":{minor}}}")
            };
            post(&format!("/v1/payments/{id}/{verb}"))
                .with_header("authorization", &basic(shop.secret()))
                .with_header("content-type", "application/json")
                .with_body(body)
        }
        (_, what) => {
            let kind = match what {
                0 => "RV",
                1 => "CP",
                _ => "RF",
            };
            let (whole, rest) = (minor / 100, minor.checked_rem(100).unwrap_or(0));
            let entity = Shop::entity();
            let body = format!(
                "entityId={entity}&amount={whole}.{rest:02}&currency=SAR&paymentType={kind}"
            );
            post(&format!("/v1/payments/{id}"))
                .with_header("authorization", &bearer)
                .with_header("content-type", form)
                .with_body(body)
        }
    }
}

/// HTTP's basic authentication with a name and no password.
fn basic(secret: &str) -> String {
    const LETTERS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bytes: Vec<u8> = secret.bytes().chain(*b":").collect();
    let mut text = String::from("Basic ");
    for three in bytes.chunks(3) {
        let mut bits: u32 = 0;
        for place in 0..3 {
            bits = (bits << 8) | u32::from(three.get(place).copied().unwrap_or(0));
        }
        for place in 0..4_usize {
            let shift = 18_usize.saturating_sub(place.saturating_mul(6));
            let letter = usize::try_from((bits >> shift) & 63).unwrap_or(0);
            let is_filled = place <= three.len();
            let letter = LETTERS.get(letter).copied().filter(|_| is_filled);
            text.push(char::from(letter.unwrap_or(b'=')));
        }
    }
    text
}
