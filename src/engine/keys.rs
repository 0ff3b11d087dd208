//! Where new keys come from.

use std::fmt;

use hmac::{Hmac, KeyInit, Mac};
use secrecy::{ExposeSecret, SecretString};
use sha2::{Digest, Sha256};
use ulid::Ulid;
use uuid::{Builder, Uuid};

use crate::operation::Identity;
use crate::provider::{Alphabet, IdempotencyKey, KeyFormat};

/// Where a new key comes from. It is made once for an operation and written as the gateway wants
/// it.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub enum KeySource {
    /// UUID version 7: random enough for every gateway, and in time order, which keeps the ledger
    /// fast as it grows.
    #[default]
    UuidV7,
    /// UUID version 4. It is also used wherever a gateway asks for it.
    UuidV4,
    /// ULID, where the gateway takes letters and digits; elsewhere its bits, as a UUID. In time
    /// order too.
    Ulid,
    /// From the reference, with a secret: see [`KeySource::derived`].
    Derived(Namespace),
}

/// A secret from which keys are derived.
#[derive(Clone)]
pub struct Namespace(SecretString);

impl fmt::Debug for Namespace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Namespace(..)")
    }
}

impl KeySource {
    /// Keys that follow from the tenant, family, reference and attempt, and from a secret of the
    /// merchant's that must stay the same.
    ///
    /// The same order then has the same key after a ledger was lost, or at two hosts with a file
    /// each. That protects **only inside the gateway's key life, and only where the gateway
    /// replays**: a week later, or at a gateway without keys, it protects nothing.
    pub fn derived(secret: impl Into<SecretString>) -> Self {
        Self::Derived(Namespace(secret.into()))
    }

    pub(super) fn key(
        &self,
        identity: &Identity,
        format: KeyFormat,
        fresh: &dyn Fresh,
    ) -> IdempotencyKey {
        let bits = match (self, format.alphabet) {
            (Self::Derived(secret), _) => derived(secret, identity),
            (Self::UuidV4, _) | (_, Alphabet::UuidV4) => fresh.uuid_v4().as_u128(),
            (Self::UuidV7, _) => fresh.uuid_v7().as_u128(),
            (Self::Ulid, Alphabet::Alphanumeric | Alphabet::VisibleAscii) => {
                return IdempotencyKey::new(fresh.ulid().to_string());
            }
            (Self::Ulid, Alphabet::Uuid | Alphabet::Hex32) => fresh.ulid().into(),
        };
        format.render(bits)
    }
}

/// Where ids and keys come from that must be new. Only a run that must be repeated exactly gives
/// another than the system's: two equal ones would make two payments one.
#[doc(hidden)]
pub trait Fresh: fmt::Debug + Send + Sync + 'static {
    /// A new ULID.
    fn ulid(&self) -> Ulid;

    /// A new UUID of version 4.
    fn uuid_v4(&self) -> Uuid;

    /// A new UUID of version 7.
    fn uuid_v7(&self) -> Uuid;
}

/// New ones by the system's clock and random source.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SystemFresh;

impl Fresh for SystemFresh {
    fn ulid(&self) -> Ulid {
        Ulid::generate()
    }

    fn uuid_v4(&self) -> Uuid {
        Uuid::new_v4()
    }

    fn uuid_v7(&self) -> Uuid {
        Uuid::now_v7()
    }
}

fn derived(Namespace(secret): &Namespace, identity: &Identity) -> u128 {
    let secret = secret.expose_secret().as_bytes();
    // HMAC takes a key of any length, so there is always one.
    let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(secret) else {
        return Uuid::new_v4().as_u128();
    };
    let attempt = identity.attempt.to_string();
    let parts = [
        "payonce key 1",
        &identity.tenant,
        identity.family.as_str(),
        &identity.reference,
        &attempt,
    ];
    for part in parts {
        mac.update(&u64::try_from(part.len()).unwrap_or(u64::MAX).to_be_bytes());
        mac.update(part.as_bytes());
    }
    uuid(&mac.finalize().into_bytes())
}

/// The key of a further step: it follows from the operation's, and differs for every claim.
pub(super) fn step_key(of: &IdempotencyKey, epoch: i64, format: KeyFormat) -> IdempotencyKey {
    let mut hash = Sha256::new();
    hash.update(b"payonce step 1");
    hash.update(epoch.to_be_bytes());
    hash.update(of.as_str().as_bytes());
    format.render(uuid(&hash.finalize()))
}

/// The first 128 bits, stamped as a version 4 UUID so that every gateway takes them.
fn uuid(hash: &[u8]) -> u128 {
    let mut bits = [0; 16];
    for (bit, byte) in bits.iter_mut().zip(hash) {
        *bit = *byte;
    }
    Builder::from_random_bytes(bits).into_uuid().as_u128()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::operation::Family;

    const FORMAT: KeyFormat = KeyFormat::new(36, Alphabet::UuidV4);

    fn key(secret: &str, tenant: &str, reference: &str, attempt: u32) -> String {
        let identity = Identity::new(tenant, Family::Payment, reference, attempt);
        let key = KeySource::derived(secret).key(&identity, FORMAT, &SystemFresh);
        FORMAT.check(&key).unwrap();
        key.as_str().to_owned()
    }

    /// A lost ledger, or a second host: the same order has the same key. It is fixed for ever.
    #[test]
    fn a_derived_key_follows_from_the_identity_and_nothing_else() {
        let one = key("secret", "", "order-1042", 1);
        assert_eq!(one, "4b5f31d9-03b4-4929-9c0b-4c4ffff6faf6");
        for other in [
            key("secret2", "", "order-1042", 1),
            key("secret", "t", "order-1042", 1),
            key("secret", "", "order-1043", 1),
            key("secret", "", "order-1042", 2),
            key("secret", "order", "-1042", 1),
        ] {
            assert_ne!(one, other);
        }
    }

    #[test]
    fn the_secret_is_not_in_debug() {
        let source = KeySource::derived("SENTINEL");
        assert!(!format!("{source:?}").contains("SENTINEL"));
    }

    #[test]
    fn a_ulid_is_written_as_one_where_the_gateway_takes_it() {
        let identity = Identity::new("", Family::Payment, "r", 1);
        let key = |alphabet| {
            let format = KeyFormat::new(36, alphabet);
            let key = KeySource::Ulid.key(&identity, format, &SystemFresh);
            format.check(&key).unwrap();
            key.as_str().len()
        };
        assert_eq!(key(Alphabet::Alphanumeric), 26);
        assert_eq!(key(Alphabet::VisibleAscii), 26);
        assert_eq!(key(Alphabet::Uuid), 36);
        assert_eq!(key(Alphabet::UuidV4), 36);
        assert_eq!(key(Alphabet::Hex32), 32);
    }
}
