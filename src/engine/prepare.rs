//! From an intent to what a claim needs: account, key, rendered request.

use std::sync::Arc;
use std::time::Duration;

use uuid::Uuid;

use super::Engine;
use super::errand::{Errand, Wanted};
use super::fingerprint::fingerprint;
use crate::clock::Timestamp;
use crate::error::Error;
use crate::intent::Problem;
use crate::ledger::{Claim, Record, Rendered};
use crate::operation::{Family, OperationId, OperationKind};
use crate::provider::{
    AccountId, Alphabet, Call, Details, IdempotencyKey, KeyFormat, Provider, Rule,
};

/// How long a capture, refund or void may be sent.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// Where a new key comes from. Each is made once for an operation, from the operating system's
/// random source, and written as the gateway wants it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum KeySource {
    /// UUID version 7: random enough for every gateway, and in time order, which keeps the ledger
    /// fast as it grows.
    #[default]
    UuidV7,
    /// UUID version 4. It is also used wherever a gateway asks for it.
    UuidV4,
}

impl KeySource {
    fn key(self, format: KeyFormat) -> IdempotencyKey {
        let bits = match (self, format.alphabet) {
            (Self::UuidV4, _) | (_, Alphabet::UuidV4) => Uuid::new_v4(),
            (Self::UuidV7, _) => Uuid::now_v7(),
        };
        format.render(bits.as_u128())
    }
}

impl Engine {
    /// The claim for an intent, without a rendered request.
    pub(crate) fn claim_for(&self, wanted: &Wanted) -> Result<Claim, Error> {
        let Wanted {
            kind,
            fields,
            money,
            deadline,
            ..
        } = wanted;
        let salt = self.ledger.fingerprint_salt();
        let print = fingerprint(
            *kind,
            *money,
            fields.source.as_ref(),
            fields.parent.as_ref(),
            salt,
        )
        .map_err(|error| Error::Config(format!("the intent has no fingerprint ({error})")))?;
        let send_until = fields
            .send_until
            .unwrap_or_else(|| self.send_until(*kind, *deadline));
        Ok(Claim {
            identity: wanted.identity(),
            kind: *kind,
            money: *money,
            parent: fields.parent.clone(),
            fingerprint: print,
            via: fields.via.clone(),
            key: fields.key.clone(),
            accounts: self.accounts(),
            rendered: None,
            lease: deadline.saturating_add(self.policy.lease_margin),
            send_until,
            renew: true,
        })
    }

    /// The claim for an operation that is stored, whatever it is.
    pub(crate) fn claim_of(&self, record: &Record, errand: &Errand) -> Claim {
        let until = self.send_until(record.kind, errand.deadline());
        Claim {
            identity: record.identity.clone(),
            kind: record.kind,
            money: record.money,
            parent: None,
            fingerprint: record.fingerprint.clone(),
            via: None,
            key: None,
            accounts: self.accounts(),
            rendered: None,
            lease: errand.deadline().saturating_add(self.policy.lease_margin),
            send_until: until,
            renew: errand.renews(),
        }
    }

    fn accounts(&self) -> Vec<AccountId> {
        let providers = self.providers.iter();
        providers.map(|provider| provider.account().id()).collect()
    }

    /// Until when an operation may be sent unless the caller says otherwise.
    fn send_until(&self, kind: OperationKind, deadline: Duration) -> Timestamp {
        let after = match kind.family() {
            Family::Payment => deadline.saturating_add(self.policy.send_until_margin),
            // Nobody waits at the till: it may be carried out later, while the key lives.
            Family::Capture | Family::Refund | Family::Void => DAY,
        };
        self.clock.now().plus(after)
    }

    /// Renders the request of a first claim, with a new key unless the caller brought one.
    pub(crate) fn render(&self, wanted: &Wanted) -> Result<Rendered, Error> {
        let provider = self.choose(wanted.fields.via.as_ref())?;
        let Some(rule) = provider.rule(wanted.kind) else {
            let what = format!("{} cannot do a {}", provider.name(), wanted.kind);
            return Err(Error::Unsupported { what });
        };
        let id = OperationId::generate();
        let key = self.key(wanted.fields.key.as_ref(), &rule)?;
        let fields = &wanted.fields;
        let mut call = Call::new(wanted.kind, id, &fields.reference, &key, wanted.money);
        if let Some(payment) = &fields.parent {
            call = call.with_parent(&payment.provider_id);
        }
        let details = Details::new(
            fields.source.as_ref(),
            fields.return_url.as_deref(),
            fields.description.as_deref(),
            &fields.metadata,
        );
        let request = provider.encode(&call, &details)?;
        Ok(Rendered::new(
            id,
            provider.account().id(),
            key,
            request,
            rule.snapshot(),
        ))
    }

    fn key(&self, own: Option<&IdempotencyKey>, rule: &Rule) -> Result<IdempotencyKey, Error> {
        let format = rule.key_format.value;
        // Ours as well: a gateway that cuts it could take two payments for one.
        let key = own.cloned().unwrap_or_else(|| self.key_source.key(format));
        format.check(&key).map_err(|problem| Error::Invalid {
            field: "key".to_owned(),
            problem,
        })?;
        Ok(key)
    }

    /// The provider of the account that the caller named, or the only one.
    fn choose(&self, via: Option<&AccountId>) -> Result<&Arc<dyn Provider>, Error> {
        let invalid = |text: String| Error::Invalid {
            field: "account".to_owned(),
            problem: Problem::other(text),
        };
        match (via, self.providers.as_slice()) {
            (Some(account), _) => self.provider(account).ok_or_else(|| {
                invalid(format!(
                    "{account} is not one of this client's: add it to the builder"
                ))
            }),
            (None, [only]) => Ok(only),
            (None, _) => Err(invalid(
                "is not given, and this client has several: choose one with .via(..)".to_owned(),
            )),
        }
    }

    /// The provider of an account.
    pub(super) fn provider(&self, account: &AccountId) -> Option<&Arc<dyn Provider>> {
        self.providers
            .iter()
            .find(|provider| provider.account().id() == *account)
    }
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests;
