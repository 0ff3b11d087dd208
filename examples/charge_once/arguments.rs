//! The command's arguments.

use std::time::Duration;

use payonce::{Customer, Money, MoneyError, OperationKind};

pub(crate) const USAGE: &str = "usage: PAYONCE_SECRET=... charge_once \
--gateway stripe|moyasar|hyperpay|tap --account LABEL --reference R --amount 480.00 --currency SAR \
--source S --ledger PATH
    [--operation O]       charge (default), authorize, capture, refund or void
    [--payment ID]        the gateway's id of what a capture, refund or void is about; these have
                          no --source, and a void has no --amount and --currency either
    [--entity-id ID]      the entity at HyperPay, which has no --account
    [--mode test|live]    which of HyperPay's platforms (test); elsewhere the secret says it
    [--base-url URL]      where the gateway is; by default its own address
    [--return-url URL]    where the customer comes back to; Moyasar and Tap always need one
    [--back-url URL]      the same for a whole account at Tap, whose captures need one too
    [--customer-name N] [--customer-email E] [--customer-phone P]
                          who pays; Tap needs a name and one of the others
    [--metadata k=v]      a field of your own; may be given again
    [--timeout-ms N]      how long one send may take
    [--deadline-ms N]     how long a call may take in all (20000)
    [--key-life-s N]      how long a key may be repeated at Stripe; it only shortens its own life
    [--calls N]           how often to call (1)
exit status: 0 succeeded; 10 declined; 20 unknown, pending or action required; 30 proven without
effect; 40 any other error";

/// What the command was asked to do.
pub(crate) struct Arguments {
    pub(crate) secret: String,
    pub(crate) gateway: Gateway,
    pub(crate) base_url: Option<String>,
    pub(crate) reference: String,
    pub(crate) operation: Operation,
    pub(crate) ledger: String,
    pub(crate) metadata: Vec<(String, String)>,
    pub(crate) customer: Option<Customer>,
    pub(crate) timeout: Option<Duration>,
    pub(crate) deadline: Duration,
    pub(crate) calls: u64,
}

/// Which account at which gateway.
pub(crate) enum Gateway {
    Stripe {
        label: String,
        key_life: Option<Duration>,
    },
    Moyasar {
        label: String,
    },
    HyperPay {
        entity: String,
        live: bool,
    },
    Tap {
        label: String,
        back_url: Option<String>,
    },
}

/// What to do. The amount, or why it is none.
pub(crate) enum Operation {
    Pay {
        reserve: bool,
        money: Result<Money, MoneyError>,
        source: String,
        return_url: Option<String>,
    },
    Capture {
        payment: String,
        money: Result<Money, MoneyError>,
    },
    Refund {
        payment: String,
        money: Result<Money, MoneyError>,
    },
    Void {
        payment: String,
    },
}

impl Arguments {
    pub(crate) fn read() -> Result<Self, String> {
        let mut given = Given::read(std::env::args().skip(1))?;
        let arguments = Self {
            secret: std::env::var("PAYONCE_SECRET")
                .map_err(|_| "the secret is missing: set PAYONCE_SECRET")?,
            gateway: given.gateway()?,
            base_url: given.take("base-url"),
            reference: given.needed("reference")?,
            operation: given.operation()?,
            ledger: given.needed("ledger")?,
            metadata: given.metadata()?,
            customer: given.customer(),
            timeout: given.number("timeout-ms")?.map(Duration::from_millis),
            deadline: Duration::from_millis(given.number("deadline-ms")?.unwrap_or(20_000)),
            calls: given.calls()?,
        };
        match given.0.first() {
            // What is left out silently could be what the user meant.
            Some((name, _)) => Err(format!(
                "--{name} is not known with this gateway and operation, or given twice"
            )),
            None => Ok(arguments),
        }
    }
}

/// Options with their values, until they are used.
struct Given(Vec<(String, String)>);

impl Given {
    fn read(mut arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut given = Self(Vec::new());
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
        Ok(given)
    }

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

    fn gateway(&mut self) -> Result<Gateway, String> {
        match self.needed("gateway")?.as_str() {
            "stripe" => Ok(Gateway::Stripe {
                label: self.needed("account")?,
                key_life: self.number("key-life-s")?.map(Duration::from_secs),
            }),
            "moyasar" => Ok(Gateway::Moyasar {
                label: self.needed("account")?,
            }),
            "hyperpay" => Ok(Gateway::HyperPay {
                entity: self.needed("entity-id")?,
                live: self.live()?,
            }),
            "tap" => Ok(Gateway::Tap {
                label: self.needed("account")?,
                back_url: self.take("back-url"),
            }),
            other => Err(format!(
                "gateway {other} is not known here: use stripe, moyasar, hyperpay or tap"
            )),
        }
    }

    fn live(&mut self) -> Result<bool, String> {
        match self.take("mode").as_deref() {
            None | Some("test") => Ok(false),
            Some("live") => Ok(true),
            Some(other) => Err(format!("--mode {other} is not known: use test or live")),
        }
    }

    fn operation(&mut self) -> Result<Operation, String> {
        let kind = match self.take("operation") {
            None => OperationKind::Charge,
            Some(name) => OperationKind::from_name(&name).ok_or_else(|| {
                format!(
                    "operation {name} is not known: use charge, authorize, capture, refund or void"
                )
            })?,
        };
        Ok(match kind {
            OperationKind::Capture => Operation::Capture {
                payment: self.needed("payment")?,
                money: self.money()?,
            },
            OperationKind::Refund => Operation::Refund {
                payment: self.needed("payment")?,
                money: self.money()?,
            },
            OperationKind::Void => Operation::Void {
                payment: self.needed("payment")?,
            },
            OperationKind::Charge | OperationKind::Authorize => Operation::Pay {
                reserve: kind == OperationKind::Authorize,
                money: self.money()?,
                source: self.needed("source")?,
                return_url: self.take("return-url"),
            },
            other => return Err(format!("operation {other} is not known here")),
        })
    }

    fn money(&mut self) -> Result<Result<Money, MoneyError>, String> {
        let (amount, currency) = (self.needed("amount")?, self.needed("currency")?);
        let money = currency
            .parse()
            .and_then(|currency| Money::parse(&amount, currency));
        Ok(money)
    }

    /// None at all would end without a word of what became of the charge.
    fn calls(&mut self) -> Result<u64, String> {
        match self.number("calls")? {
            Some(0) => Err("--calls is 0: call once at least".to_owned()),
            calls => Ok(calls.unwrap_or(1)),
        }
    }

    /// Nobody, if nothing is said of the customer.
    fn customer(&mut self) -> Option<Customer> {
        let fields =
            ["name", "email", "phone"].map(|field| self.take(&format!("customer-{field}")));
        if fields.iter().all(Option::is_none) {
            return None;
        }
        let set: [fn(Customer, String) -> Customer; 3] =
            [Customer::name, Customer::email, Customer::phone];
        let fields = set.into_iter().zip(fields);
        let given = fields.filter_map(|(set, text)| Some((set, text?)));
        Some(given.fold(Customer::new(), |customer, (set, text)| set(customer, text)))
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
