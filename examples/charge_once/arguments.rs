//! The command's arguments.

use std::time::Duration;

use payonce::{Money, MoneyError};

pub(crate) const USAGE: &str = "usage: PAYONCE_SECRET=... charge_once \
--gateway stripe --account LABEL --reference R --amount 480.00 --currency SAR --source S \
--ledger PATH
    [--base-url URL]      where the gateway is; by default its own address
    [--return-url URL]    where the customer comes back to
    [--metadata k=v]      a field of your own; may be given again
    [--timeout-ms N]      how long one send may take
    [--deadline-ms N]     how long a call may take in all (20000)
    [--key-life-s N]      how long a key may be repeated; it only shortens the gateway's own
    [--calls N]           how often to call (1)";

/// What the command was asked to do.
pub(crate) struct Arguments {
    pub(crate) secret: String,
    pub(crate) account: String,
    pub(crate) base_url: Option<String>,
    pub(crate) reference: String,
    /// The amount, or why it is none.
    pub(crate) money: Result<Money, MoneyError>,
    pub(crate) source: String,
    pub(crate) ledger: String,
    pub(crate) return_url: Option<String>,
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) deadline: Duration,
    pub(crate) key_life: Option<Duration>,
    pub(crate) calls: u64,
}

impl Arguments {
    pub(crate) fn read() -> Result<Self, String> {
        let mut given = Given(Vec::new());
        let mut arguments = std::env::args().skip(1);
        while let Some(name) = arguments.next() {
            let name = name
                .strip_prefix("--")
                .ok_or_else(|| format!("{name} is no option: options start with --"))?
                .to_owned();
            let value = arguments
                .next()
                .ok_or_else(|| format!("--{name} needs a value"))?;
            given.0.push((name, value));
        }
        let gateway = given.needed("gateway")?;
        if gateway != "stripe" {
            return Err(format!("gateway {gateway} is not known here: use stripe"));
        }
        let (amount, currency) = (given.needed("amount")?, given.needed("currency")?);
        let money = currency
            .parse()
            .and_then(|currency| Money::parse(&amount, currency));
        let arguments = Self {
            secret: std::env::var("PAYONCE_SECRET")
                .map_err(|_| "the secret is missing: set PAYONCE_SECRET")?,
            account: given.needed("account")?,
            base_url: given.take("base-url"),
            reference: given.needed("reference")?,
            money,
            source: given.needed("source")?,
            ledger: given.needed("ledger")?,
            return_url: given.take("return-url"),
            metadata: given.metadata()?,
            timeout: given.number("timeout-ms")?.map(Duration::from_millis),
            deadline: Duration::from_millis(given.number("deadline-ms")?.unwrap_or(20_000)),
            key_life: given.number("key-life-s")?.map(Duration::from_secs),
            calls: given.calls()?,
        };
        match given.0.first() {
            Some((name, _)) => Err(format!("--{name} is not known, or given twice")),
            None => Ok(arguments),
        }
    }
}

/// Options with their values, until they are used.
struct Given(Vec<(String, String)>);

impl Given {
    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(given, _)| given == name)?;
        Some(self.0.remove(place).1)
    }

    fn needed(&mut self, name: &str) -> Result<String, String> {
        self.take(name)
            .ok_or_else(|| format!("--{name} is missing"))
    }

    fn number(&mut self, name: &str) -> Result<Option<u64>, String> {
        let number = |text: String| {
            text.parse()
                .map_err(|_| format!("--{name} needs a whole number, not {text}"))
        };
        self.take(name).map(number).transpose()
    }

    /// None at all would end without a word of what became of the charge.
    fn calls(&mut self) -> Result<u64, String> {
        match self.number("calls")? {
            Some(0) => Err("--calls is 0: call once at least".to_owned()),
            calls => Ok(calls.unwrap_or(1)),
        }
    }

    fn metadata(&mut self) -> Result<Vec<(String, String)>, String> {
        let mut fields = Vec::new();
        while let Some(field) = self.take("metadata") {
            let (name, value) = field
                .split_once('=')
                .ok_or_else(|| format!("--metadata {field} is not of the form name=value"))?;
            fields.push((name.to_owned(), value.to_owned()));
        }
        Ok(fields)
    }
}
