//! Whatever the bytes, there is a verdict, and nothing definite comes from noise.

use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use payonce::Timestamp;
use payonce::provider::{Finding, LookUpStep, Provider, Query, Response, Ruling};

use crate::kit::{KINDS, call, fixture, key, moyasar, names};

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
    fn damaged(&mut self, fixture: &Response) -> Response {
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
        Response::new(fixture.status, self.headers(), body)
    }

    fn headers(&mut self) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for name in ["location", "retry-after", "content-type"] {
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
    let (moyasar, key) = (moyasar(), key());
    let mut noise = Noise(0x9e37_79b9_7f4a_7c15);
    for round in 0..10_u16 {
        for status in 100..1000 {
            for kind in KINDS {
                let body = if round == 0 {
                    Vec::new()
                } else {
                    noise.bytes(64)
                };
                let status = StatusCode::from_u16(status).unwrap();
                let reply = Response::new(status, noise.headers(), body);
                let ruling = moyasar.classify(&call(kind, &key), &reply).ruling;
                assert!(matches!(ruling, Ruling::Unknown(_)), "{status} {ruling:?}");
            }
        }
    }
}

#[test]
fn damaged_replies_never_panic_anywhere() {
    let (moyasar, key) = (moyasar(), key());
    let look_up = moyasar.look_up().unwrap();
    let all = KINDS.into_iter().flat_map(|kind| {
        let names = names(kind).into_iter();
        names.map(move |name| fixture(kind, &name))
    });
    let fixture: Vec<Response> = all.collect();
    let mut noise = Noise(0x2545_f491_4f6c_dd1d);
    let (mut asked, mut found) = (0_u32, 0_u32);
    for round in 0..20_000_u32 {
        let kind = KINDS[noise.below(KINDS.len())];
        let call = call(kind, &key);
        let picked = noise.below(fixture.len());
        let reply = noise.damaged(&fixture[picked]);
        let _verdict = moyasar.classify(&call, &reply);
        let baseline = moyasar.baseline().unwrap().read(&call, &reply).ok();
        let baseline = match noise.below(3) {
            0 => Some(String::from_utf8_lossy(&noise.bytes(40)).into_owned()),
            _ => baseline,
        };
        let replies: Vec<Response> = (0..noise.below(3))
            .map(|_| {
                let picked = noise.below(fixture.len());
                noise.damaged(&fixture[picked])
            })
            .collect();
        let times = [i64::MIN, -1, 0, 1_764_500_000_000, i64::MAX];
        let first_sent = Timestamp::from_millis(times[noise.below(times.len())]);
        let query = Query::new(None, first_sent, first_sent).with_baseline(baseline.as_deref());
        match look_up.next(&call, &query, &replies) {
            LookUpStep::Ask(request) => {
                assert_eq!(request.method, http::Method::GET, "round {round}");
                asked += 1;
            }
            LookUpStep::Done(Finding::Found(_)) => found += 1,
            LookUpStep::Done(_) => {}
        }
    }
    assert!(
        asked > 1_000 && found > 100,
        "the rounds end too early to show anything: {asked} {found}"
    );
}
