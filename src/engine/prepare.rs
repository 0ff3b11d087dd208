//! From an intent to what a claim needs: account, key, rendered request.

use std::sync::Arc;
use std::time::Duration;

use super::Engine;
use super::errand::{Errand, Wanted};
use super::fingerprint::fingerprint;
use crate::clock::Timestamp;
use crate::error::Error;
use crate::intent::Problem;
use crate::ledger::{Claim, Record, Rendered};
use crate::operation::{Family, OperationId, OperationKind};
use crate::provider::{AccountId, Call, Details, IdempotencyKey, Provider, Rule};

/// How long a capture, refund or void may be sent.
const DAY: Duration = Duration::from_secs(24 * 60 * 60);

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
        let id = OperationId::new(self.fresh.ulid());
        let key = self.key(wanted, &rule)?;
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
        )
        .with_customer(fields.customer.as_ref());
        let request = provider.encode(&call, &details)?;
        Ok(Rendered::new(
            id,
            provider.account().id(),
            key,
            request,
            rule.snapshot(),
        ))
    }

    fn key(&self, wanted: &Wanted, rule: &Rule) -> Result<IdempotencyKey, Error> {
        let format = rule.key_format.value;
        // Ours as well: a gateway that cuts it could take two payments for one.
        let own = wanted.fields.key.clone();
        let fresh = self.fresh.as_ref();
        let key = own.unwrap_or_else(|| self.key_source.key(&wanted.identity(), format, fresh));
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
    pub(crate) fn provider(&self, account: &AccountId) -> Option<&Arc<dyn Provider>> {
        self.providers
            .iter()
            .find(|provider| provider.account().id() == *account)
    }
}

#[cfg(feature = "sqlite")]
#[cfg(test)]
mod tests;
