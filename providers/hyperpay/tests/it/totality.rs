//! Whatever the bytes, there is a verdict, and nothing definite comes from noise.

use http::{HeaderMap, StatusCode};
use payonce::provider::{LookUpStep, Provider, Query, Response, Ruling};
use payonce::{OperationKind, Timestamp};

use crate::kit::{PAYMENT, call, charge, fixture, hyperpay, key, names};

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

    /// A body with some bytes changed, cut at some place.
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

    fn kind(&mut self) -> OperationKind {
        let kinds = OperationKind::all();
        kinds[self.below(kinds.len())]
    }
}

#[test]
fn noise_is_never_a_definite_answer() {
    let (hyperpay, key) = (hyperpay(), key());
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for round in 0..40_u16 {
        for status in 100..1000 {
            let body = if round == 0 {
                Vec::new()
            } else {
                noise.bytes(64)
            };
            let status = StatusCode::from_u16(status).unwrap();
            let reply = Response::new(status, HeaderMap::new(), body);
            let ruling = hyperpay.classify(&charge(&key), &reply).ruling;
            assert!(matches!(ruling, Ruling::Unknown(_)), "{status} {ruling:?}");
        }
    }
}

/// Only these statuses may come with an answer, whatever the body says.
#[test]
fn a_failing_machine_answers_nothing() {
    let (hyperpay, key) = (hyperpay(), key());
    for name in ["charge/200_succeeded", "charge/200_declined"] {
        let body = fixture(name).body;
        for status in (100..200).chain(300..400).chain(500..1000) {
            let status = StatusCode::from_u16(status).unwrap();
            let reply = Response::new(status, HeaderMap::new(), body.clone());
            let ruling = hyperpay.classify(&charge(&key), &reply).ruling;
            assert!(matches!(ruling, Ruling::Unknown(_)), "{status} {ruling:?}");
        }
    }
}

#[test]
fn damaged_replies_never_panic_in_classify_or_look_up() {
    let (hyperpay, key) = (hyperpay(), key());
    let look_up = hyperpay.look_up().unwrap();
    let fixtures: Vec<Response> = names().iter().map(|name| fixture(name)).collect();
    let lists = [
        fixture("charge/200_query_answer"),
        fixture("refund/404_no_such_payment"),
    ];
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let mut asked = 0_u32;
    for round in 0..20_000_u32 {
        let kind = noise.kind();
        let base = &fixtures[noise.below(fixtures.len())];
        let reply = Response::new(base.status, base.headers.clone(), noise.damaged(base));
        let _verdict = hyperpay.classify(&call(kind, &key), &reply);
        let replies: Vec<Response> = (0..noise.below(4))
            .map(|place| {
                let base = if place == 0 {
                    &lists[noise.below(lists.len())]
                } else {
                    &fixtures[noise.below(fixtures.len())]
                };
                Response::new(base.status, HeaderMap::new(), noise.damaged(base))
            })
            .collect();
        let ids = [
            None,
            Some(PAYMENT),
            Some("8a2"),
            Some("../refunds"),
            Some(""),
        ];
        let times = [i64::MIN, -1, 0, 1_796_036_000_000, i64::MAX];
        let sent = Timestamp::from_millis(times[noise.below(times.len())]);
        let query = Query::new(ids[noise.below(ids.len())], sent, sent);
        if let LookUpStep::Ask(request) = look_up.next(&call(kind, &key), &query, &replies) {
            assert_eq!(request.method, http::Method::GET, "round {round}");
            let fits = request.path.is_ascii() && !request.path.contains(' ');
            assert!(fits, "{}", request.path);
            asked += 1;
        }
    }
    assert!(asked > 1_000, "the scripts end too early: {asked}");
}
