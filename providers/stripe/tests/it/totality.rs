//! Whatever the bytes, there is a verdict, and nothing definite comes from noise.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use payonce::Timestamp;
use payonce::provider::{LookUpStep, Provider, Query, Response, Ruling};

use crate::kit::{KINDS, PARENT, call_of, fixture_of, key, names, stripe};

/// Numbers that are the same on every run (xorshift).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap();
        usize::try_from(self.next().checked_rem(limit).unwrap()).unwrap()
    }

    fn bytes(&mut self, most: usize) -> Vec<u8> {
        let length = self.below(most);
        (0..length).map(|_| self.next().to_le_bytes()[0]).collect()
    }

    /// A fixture with some bytes changed, cut at some place.
    fn damaged(&mut self, fixture: &Response) -> Vec<u8> {
        let mut body = fixture.body.clone();
        for _ in 0..self.below(4) {
            if !body.is_empty() {
                let place = self.below(body.len());
                body[place] = self.next().to_le_bytes()[0];
            }
        }
        if self.below(3) == 0 {
            let end = self.below(body.len());
            body.truncate(end);
        }
        body
    }

    fn headers(&mut self) -> HeaderMap {
        let names = [
            "idempotency-key",
            "idempotent-replayed",
            "stripe-should-retry",
            "request-id",
            "location",
            "retry-after",
        ];
        let mut headers = HeaderMap::new();
        for name in names {
            for _ in 0..self.below(3) {
                let mut bytes = self.bytes(24);
                bytes.retain(|b| *b >= 32 && *b != 127);
                headers.append(
                    HeaderName::from_static(name),
                    HeaderValue::from_bytes(&bytes).unwrap(),
                );
            }
        }
        headers
    }
}

#[test]
fn noise_is_never_a_definite_answer() {
    let (stripe, key) = (stripe(), key());
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for round in 0..40_u16 {
        for status in 100..1000 {
            let body = if round == 0 {
                Vec::new()
            } else {
                noise.bytes(64)
            };
            let status = StatusCode::from_u16(status).unwrap();
            let reply = Response::new(status, noise.headers(), body);
            for kind in KINDS {
                let ruling = stripe.classify(&call_of(kind, &key), &reply).ruling;
                let unknown = matches!(ruling, Ruling::Unknown(_));
                assert!(unknown, "{kind} {status} {ruling:?}");
            }
        }
    }
}

#[test]
fn damaged_replies_never_panic_in_classify_or_look_up() {
    let (stripe, key) = (stripe(), key());
    let look_up = stripe.look_up().unwrap();
    let mut fixture: Vec<Response> = Vec::new();
    for kind in KINDS {
        fixture.extend(names(kind).iter().map(|name| fixture_of(kind, name)));
    }
    let parents = [
        Some(PARENT),
        Some("ch_3FixtureA1"),
        Some("pi_1/../x"),
        Some("pi_"),
        Some(""),
        None,
    ];
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let mut asked = 0_u32;
    for round in 0..40_000_u32 {
        let base = &fixture[noise.below(fixture.len())];
        let headers = if noise.below(2) == 0 {
            base.headers.clone()
        } else {
            noise.headers()
        };
        let reply = Response::new(base.status, headers, noise.damaged(base));
        let mut call = call_of(KINDS[noise.below(KINDS.len())], &key);
        if noise.below(4) == 0 {
            call.parent = parents[noise.below(parents.len())];
        }
        let _verdict = stripe.classify(&call, &reply);
        let replies: Vec<Response> = (0..noise.below(6))
            .map(|_| {
                let base = &fixture[noise.below(fixture.len())];
                Response::new(base.status, HeaderMap::new(), noise.damaged(base))
            })
            .collect();
        let ids = [None, Some("pi_3FixtureA1"), Some("../refunds"), Some("")];
        let times = [i64::MIN, -1, 0, 1_764_500_000_000, i64::MAX];
        let first_sent = Timestamp::from_millis(times[noise.below(times.len())]);
        let query = Query::new(ids[noise.below(ids.len())], first_sent, first_sent);
        if let LookUpStep::Ask(request) = look_up.next(&call, &query, &replies) {
            assert_eq!(request.method, http::Method::GET, "round {round}");
            assert!(
                request.path.is_ascii() && !request.path.contains(' '),
                "{}",
                request.path
            );
            asked += 1;
        }
    }
    assert!(
        asked > 1_000,
        "the scripts end too early to show anything: {asked}"
    );
}
