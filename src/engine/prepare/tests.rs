use uuid::{Uuid, Version};

use super::*;
use crate::engine::testing::{World, wanted};
use crate::engine::{KeySource, Policy, SystemFresh};
use crate::operation::Identity;
use crate::provider::testing::Fake;
use crate::provider::{Alphabet, KeyFormat};

const ALPHABETS: [Alphabet; 5] = [
    Alphabet::Uuid,
    Alphabet::UuidV4,
    Alphabet::Hex32,
    Alphabet::Alphanumeric,
    Alphabet::VisibleAscii,
];

/// A key that the gateway does not take is no key: the gateway would refuse every request, or cut
/// it and take two payments for one.
#[test]
fn every_source_makes_keys_that_the_gateway_takes() {
    for source in [KeySource::UuidV7, KeySource::UuidV4] {
        for alphabet in ALPHABETS {
            for max_len in [32, 36, 255] {
                let is_uuid = matches!(alphabet, Alphabet::Uuid | Alphabet::UuidV4);
                if is_uuid && max_len < 36 {
                    continue;
                }
                let format = KeyFormat::new(max_len, alphabet);
                let identity = Identity::new("", Family::Payment, "r1", 1);
                let (key, other) = (
                    source.key(&identity, format, &SystemFresh),
                    source.key(&identity, format, &SystemFresh),
                );
                format.check(&key).unwrap();
                assert_ne!(key, other, "each is made anew");
                let uuid = Uuid::try_parse(key.as_str()).unwrap();
                let expected = match (&source, alphabet) {
                    (KeySource::UuidV7, Alphabet::Uuid | Alphabet::Hex32) => Version::SortRand,
                    (KeySource::UuidV7, Alphabet::Alphanumeric | Alphabet::VisibleAscii) => {
                        Version::SortRand
                    }
                    _ => Version::Random,
                };
                assert_eq!(uuid.get_version(), Some(expected), "{alphabet:?}");
            }
        }
    }
}

/// Two payments with one key are one payment at the gateway: the second customer's order looks paid.
/// As many keys as a large shop makes in a month, by all its threads at once, and no two are alike.
#[test]
fn c11_a_million_keys_of_eight_threads_are_all_different() {
    for (source, each) in [(KeySource::UuidV7, 125_000), (KeySource::UuidV4, 10_000)] {
        let format = KeyFormat::new(32, Alphabet::Hex32);
        let makers: Vec<_> = (0..8)
            .map(|_| {
                let source = source.clone();
                std::thread::spawn(move || -> Vec<u128> {
                    let identity = Identity::new("", Family::Payment, "r1", 1);
                    let key = || {
                        let key = source.key(&identity, format, &SystemFresh);
                        u128::from_str_radix(key.as_str(), 16).unwrap()
                    };
                    (0..each).map(|_| key()).collect()
                })
            })
            .collect();
        let mut keys: Vec<_> = makers
            .into_iter()
            .flat_map(|maker| maker.join().unwrap())
            .collect();
        let made = keys.len();
        keys.sort_unstable();
        keys.dedup();
        assert_eq!((made, keys.len()), (8 * each, 8 * each), "{source:?}");
    }
}

/// The source that the merchant chose is the one that is used.
#[test]
fn the_chosen_source_makes_the_key() {
    let world = World::new();
    for (source, version) in [
        (KeySource::UuidV7, Version::SortRand),
        (KeySource::UuidV4, Version::Random),
    ] {
        let mut engine = world.engine(vec![Fake::new()], Policy::new());
        engine.key_source = source;
        let rendered = engine.render(&wanted("r1")).unwrap();
        let uuid = Uuid::try_parse(rendered.key.as_str()).unwrap();
        assert_eq!(uuid.get_version(), Some(version));
    }
}

/// A gateway that takes only shorter keys than we make would cut ours, and two payments could have
/// one key. Nothing is stored or sent then, and the caller can bring a key that fits.
#[test]
fn a_generated_key_that_does_not_fit_is_refused() {
    let world = World::new();
    let short = KeyFormat::new(20, Alphabet::Alphanumeric);
    let fake = Fake::new().with(|rule| rule.key_format.value = short);
    let engine = world.engine(vec![fake], Policy::new());
    let mut charge = wanted("r1");
    let refused = engine.render(&charge).unwrap_err();
    assert!(
        matches!(&refused, Error::Invalid { field, problem: Problem::TooLong { limit: 20 } } if field == "key"),
        "{refused:?}"
    );
    charge.fields.key = Some(IdempotencyKey::new("order1042"));
    assert_eq!(engine.render(&charge).unwrap().key.as_str(), "order1042");
}

/// How long a payment may still be sent is what the caller said, else five minutes more than the
/// call. A capture of tomorrow's would surprise a customer.
#[test]
fn send_until_is_the_callers_or_follows_from_the_deadline() {
    let world = World::new();
    let second = Duration::from_secs(1);
    let policy = Policy::new().send_until_margin(second * 7);
    let engine = world.engine(vec![Fake::new()], policy.lease_margin(second * 11));
    let now = engine.clock.now();
    let mut charge = wanted("r1");
    charge.deadline = second * 3;
    let claim = engine.claim_for(&charge).unwrap();
    assert_eq!(claim.send_until, now.plus(second * 10));
    assert_eq!(claim.lease, second * 14);
    charge.fields.send_until = Some(now.plus(second * 500));
    let claim = engine.claim_for(&charge).unwrap();
    assert_eq!(claim.send_until, now.plus(second * 500));
}
