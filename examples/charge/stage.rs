//! What every scene needs: the gateways, the merchant's clients, and where it is written down.

use std::path::{Path, PathBuf};
use std::time::Duration;

use payonce::{
    AccountId, Authorize, Charge, Client, Currency, Error, Intent, Money, Outcome, Pays, Policy,
    Source, SqliteLedger,
};

use crate::gateways::{Gateways, Name, Result};
use crate::report::Report;

/// What a call came to.
pub(crate) type Played = std::result::Result<Outcome, Error>;

pub(crate) struct Stage {
    pub(crate) gateways: Gateways,
    /// The merchant's backend.
    pub(crate) client: Client,
    /// A second process of it, over the same ledger.
    pub(crate) other_process: Client,
    pub(crate) ledger: PathBuf,
    /// A folder that is gone after the run.
    pub(crate) folder: PathBuf,
    pub(crate) report: Report,
    /// References are the merchant's own. Here each run has its own orders.
    run: String,
    orders: u32,
}

/// One order: what is wanted once, and what goes wrong with it.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    pub(crate) reference: String,
    pub(crate) gateway: Name,
    pub(crate) wrong: &'static str,
    account: AccountId,
}

impl Stage {
    pub(crate) fn new(
        gateways: Gateways,
        ledger: PathBuf,
        folder: &Path,
        run: &str,
    ) -> Result<Self> {
        Ok(Self {
            client: client(&gateways, &ledger, policy(gateways.is_sandbox()))?,
            other_process: client(&gateways, &ledger, policy(gateways.is_sandbox()))?,
            gateways,
            ledger,
            folder: folder.to_owned(),
            report: Report::default(),
            run: run.to_owned(),
            orders: 0,
        })
    }

    /// The next order, at this gateway.
    #[expect(clippy::print_stdout, reason = "an example talks to its reader")]
    pub(crate) fn order(&mut self, gateway: Name, wrong: &'static str) -> Result<Order> {
        self.orders = self.orders.saturating_add(1);
        let number = self.orders;
        println!("{number:>2}. {}: {wrong}", gateway.as_str());
        Ok(Order {
            reference: format!("order-{number}-{}", self.run),
            gateway,
            wrong,
            account: self.account(gateway)?,
        })
    }

    /// The same order at another gateway.
    pub(crate) fn moved(&self, order: &Order, gateway: Name) -> Result<Order> {
        Ok(Order {
            gateway,
            account: self.account(gateway)?,
            ..order.clone()
        })
    }

    /// A client that sends once a call, of a process of its own: what is in doubt stays so.
    pub(crate) fn hasty_client(&self) -> Result<Client> {
        client(&self.gateways, &self.ledger, policy(false).sends(1))
    }

    pub(crate) fn account(&self, gateway: Name) -> Result<AccountId> {
        let accounts = self.client.accounts();
        let of_gateway =
            |account: &AccountId| account.as_str().split(':').next() == Some(gateway.as_str());
        let account = accounts.into_iter().find(of_gateway);
        Ok(account.ok_or_else(|| format!("{} is not set up", gateway.as_str()))?)
    }
}

impl Order {
    /// The whole use of the library: what is wanted, of whom, by which card.
    pub(crate) fn charge(&self, card: &str) -> Result<Intent<Charge>> {
        Ok(self.paid_by(card, Intent::charge(self.reference.as_str(), price()?)))
    }

    pub(crate) fn authorize(&self, card: &str) -> Result<Intent<Authorize>> {
        Ok(self.paid_by(card, Intent::authorize(self.reference.as_str(), price()?)))
    }

    fn paid_by<K: Pays>(&self, card: &str, intent: Intent<K>) -> Intent<K> {
        let intent = intent.source(Source::token(card)).via(self.account.clone());
        // Where the customer comes back to, if the bank asks them. Moyasar wants it always.
        if self.gateway == Name::Moyasar || card == self.gateway.bank_card() {
            intent.return_url("https://shop.example/back")
        } else {
            intent
        }
    }
}

/// What every order costs.
pub(crate) fn price() -> Result<Money> {
    Ok(Money::parse("480.00", Currency::SAR)?)
}

/// Short times, so that the example is quick, and so more sends.
pub(crate) fn policy(sandbox: bool) -> Policy {
    let send = if sandbox { 30_000 } else { 600 };
    Policy::new()
        .send_timeout(Duration::from_millis(send))
        .sends(8)
        .backoff(Duration::from_millis(100), Duration::from_secs(1))
}

fn client(gateways: &Gateways, ledger: &Path, policy: Policy) -> Result<Client> {
    let builder = Client::builder(SqliteLedger::open(ledger)?).policy(policy);
    Ok(gateways.add_to(builder)?.build()?)
}
