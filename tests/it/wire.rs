//! What happens between us and the gateway: connections, time-outs, redirects, TLS.

mod raw;
mod tls;

use std::net::{SocketAddr, TcpListener};
use std::time::Duration;

use payonce::{Client, Doubt, Error, Outcome, Policy, ReqwestTransport};
use payonce_simulator::{Close, Fault, When};
use payonce_stripe::Stripe;

use self::raw::KeepAliveServer;
use crate::world::{SHORT, World, assert_word, charge, hasty};

/// A client of the world for a gateway at another address.
fn client_at(world: &World, base_url: &str) -> Client {
    let stripe = Stripe::new("main", "sk_test_1").base_url(base_url);
    world
        .builder(world.ledger())
        .provider(stripe)
        .build()
        .unwrap()
}

/// Money moved, the answer came too late. "Failed, try again" makes the customer pay twice.
#[tokio::test]
async fn c27_a_reply_after_the_time_out_leaves_the_outcome_unknown() {
    let world = World::new();
    let late = u64::try_from(SHORT.as_millis()).unwrap() + 150;
    world.fault(Fault::Delay {
        when: When::After,
        ms: late,
    });
    let result = world.blind_client().charge(charge("r1")).await;
    assert_word(&result, "unknown");
    let Ok(Outcome::Unknown(unknown)) = &result else {
        panic!("{result:?}")
    };
    assert!(matches!(&unknown.doubt, Doubt::NoReply { problem } if problem.contains("time")));
    let text = unknown.doubt.to_string();
    assert!(
        text.contains("money may have moved") && text.contains("same intent"),
        "{text}"
    );
    assert_eq!(result.as_ref().unwrap().http_status(), 202);

    let client = world.client();
    for _ in 0..3 {
        assert_word(&client.charge(charge("r1")).await, "succeeded");
    }
    assert_eq!((world.effects("r1"), world.keys().len()), (1, 1));
}

/// A pooled connection that dies after the request was read: the server may have acted.
#[tokio::test]
async fn c29_a_connection_that_dies_in_use_is_not_taken_for_unsent() {
    for how in [Close::Fin, Close::Rst] {
        let world = World::new();
        let server = KeepAliveServer::start(how);
        let client = client_at(&world, &server.base_url());
        assert_word(&client.charge(charge("first")).await, "succeeded");
        assert_word(&client.charge(charge("second")).await, "succeeded");
        assert_eq!(server.executions("second"), 1);
        let sends: i64 = world.sql("SELECT sends FROM operation ORDER BY rid DESC");
        assert_eq!(sends, 2, "the dead connection counts as a send");
        let maybe: i64 = world.sql("SELECT count(*) FROM send WHERE class = 'no_reply'");
        assert_eq!(maybe, 1);
    }
}

/// A failure before the first byte is safe to repeat, and it is not "unknown".
#[tokio::test]
async fn c30_what_never_left_is_unsent_and_may_be_tried_again() {
    let closed = TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let stalled = TcpListener::bind("127.0.0.1:0").unwrap();
    let full = Backlog::fill();
    for (name, base_url) in [
        ("unknown name", "https://gateway.invalid".to_owned()),
        ("closed port", format!("http://{closed}")),
        ("no answer to SYN", format!("http://{}", full.address)),
        (
            "TLS that stalls",
            format!("https://{}", stalled.local_addr().unwrap()),
        ),
    ] {
        let world = World::new();
        let stripe = Stripe::new("main", "sk_test_1").base_url(base_url);
        let policy = Policy::new().sends(2);
        let transport = ReqwestTransport::builder().connect_timeout(SHORT);
        let builder = world.builder(world.ledger()).policy(policy);
        let builder = builder.transport(transport.build().unwrap());
        let client = builder.provider(stripe).build().unwrap();
        match client.charge(charge("r1")).await {
            Err(Error::Unavailable { state, why, .. }) => {
                assert_eq!(state.as_str(), "unsent", "{name}");
                assert!(why.starts_with("connecting"), "{name}: {why}");
            }
            other => panic!("{name}: {other:?}"),
        }
        let tried: i64 = world.sql("SELECT count(*) FROM send WHERE class = 'not_sent'");
        assert_eq!(tried, 2, "{name}");
        assert_eq!(
            world.sql::<i64>("SELECT maybe_sent FROM operation"),
            0,
            "{name}"
        );
    }
}

/// A certificate that is not trusted stays so: it is not tried again, and no switch accepts it.
#[tokio::test]
async fn c30_an_untrusted_certificate_is_unsent_and_not_tried_again() {
    for (name, server) in [
        ("self-signed", tls::Server::self_signed()),
        ("wrong host", tls::Server::for_another_host()),
        ("expired", tls::Server::expired()),
    ] {
        let world = World::new();
        let transport = server.transport();
        let stripe = Stripe::new("main", "sk_test_1").base_url(server.base_url());
        let builder = world.builder(world.ledger()).transport(transport);
        let client = builder.provider(stripe).build().unwrap();
        match client.charge(charge("r1")).await {
            Err(Error::Unavailable { state, why, .. }) => {
                assert_eq!(state.as_str(), "unsent", "{name}");
                assert!(why.contains("certificate"), "{name}: {why}");
            }
            other => panic!("{name}: {other:?}"),
        }
        assert_eq!(world.sql::<i64>("SELECT count(*) FROM send"), 1, "{name}");
    }
}

/// A private certificate authority that the merchant added is trusted.
#[tokio::test]
async fn c30_a_private_authority_can_be_added() {
    let world = World::new();
    let server = tls::Server::trusted();
    let stripe = Stripe::new("main", "sk_test_1").base_url(server.base_url());
    let builder = world.builder(world.ledger()).transport(server.transport());
    let client = builder
        .policy(hasty().sends(1))
        .provider(stripe)
        .build()
        .unwrap();
    // The server reads the request and answers nothing.
    assert_word(&client.charge(charge("r1")).await, "unknown");
}

/// The request went out and nothing came back: that is the one case that is unknown.
#[tokio::test]
async fn c30_a_request_without_a_reply_is_unknown() {
    let world = World::new();
    world.fault(Fault::ReplyLost {
        when: When::Before,
        how: Close::Rst,
    });
    assert_word(&world.blind_client().charge(charge("r1")).await, "unknown");
    assert_eq!(world.sql::<i64>("SELECT maybe_sent FROM operation"), 1);
}

/// A followed redirect sends the order and its key to a stranger, or takes a page for success.
#[tokio::test]
async fn c32_redirects_are_never_followed() {
    let other = World::new();
    for status in [301, 302, 303, 307, 308] {
        for place in ["same host", "other host", "plain http"] {
            let world = World::new();
            let location = match place {
                "same host" => format!("{}/control/effects", world.gateway.url()),
                "other host" => {
                    format!("{}/v1/payment_intents", other.gateway.gateway_url("stripe"))
                }
                _ => "http://u:secret@gateway.example/v1/payment_intents?token=x".to_owned(),
            };
            let redirect = Fault::Redirect {
                status,
                location,
                when: When::Before,
            };
            for _ in 0..5 {
                world.fault(redirect.clone());
            }
            let result = world.client().charge(charge("r1")).await;
            assert_word(&result, "unknown");
            let Ok(Outcome::Unknown(unknown)) = result else {
                panic!("{result:?}")
            };
            let text = unknown.doubt.to_string();
            assert!(text.contains(&status.to_string()), "{text}");
            assert!(
                !text.contains("secret") && !text.contains("token"),
                "{text}"
            );
            assert_eq!((world.effects("r1"), world.keys().len()), (0, 1));
        }
    }
    assert_eq!(other.gateway.requests().len(), 0);
}

/// A listening socket whose queue is full: a further connection gets no answer to its SYN.
struct Backlog {
    address: SocketAddr,
    _listener: rustix::fd::OwnedFd,
    _queued: Vec<std::net::TcpStream>,
}

impl Backlog {
    fn fill() -> Self {
        use rustix::net::{AddressFamily, SocketType, bind, getsockname, listen, socket};
        let listener = socket(AddressFamily::INET, SocketType::STREAM, None).unwrap();
        let any: SocketAddr = "127.0.0.1:0".parse().unwrap();
        bind(&listener, &any).unwrap();
        listen(&listener, 0).unwrap();
        let address = SocketAddr::try_from(getsockname(&listener).unwrap()).unwrap();
        let mut queued = Vec::new();
        while let Ok(stream) =
            std::net::TcpStream::connect_timeout(&address, Duration::from_millis(50))
        {
            queued.push(stream);
        }
        Self {
            address,
            _listener: listener,
            _queued: queued,
        }
    }
}
