//! The intent that the arguments ask for, of whichever kind.

use payonce::{
    AccountId, Authorize, Capture, Charge, Client, Error, Intent, Kind, Outcome, Payment, Pays,
    Refund, Source, Void,
};

use crate::arguments::{Arguments, Operation};

/// An intent of any kind. Their types keep a refund from being charged.
pub(crate) enum Wanted {
    Charge(Intent<Charge>),
    Authorize(Intent<Authorize>),
    Capture(Intent<Capture>),
    Refund(Intent<Refund>),
    Void(Intent<Void>),
}

impl Wanted {
    pub(crate) fn new(arguments: &Arguments, account: AccountId) -> Result<Self, Error> {
        let reference = arguments.reference.as_str();
        Ok(match &arguments.operation {
            Operation::Pay { reserve, money, .. } if *reserve => {
                Self::Authorize(paid(arguments, Intent::authorize(reference, (*money)?)))
            }
            Operation::Pay { money, .. } => {
                Self::Charge(paid(arguments, Intent::charge(reference, (*money)?)))
            }
            Operation::Capture { payment, money } => {
                let payment = Payment::new(account, payment);
                let intent = Intent::capture(reference, payment, (*money)?);
                Self::Capture(marked(arguments, intent))
            }
            Operation::Refund { payment, money } => {
                let payment = Payment::new(account, payment);
                let intent = Intent::refund(reference, payment, (*money)?);
                Self::Refund(marked(arguments, intent))
            }
            Operation::Void { payment } => {
                let intent = Intent::void(reference, Payment::new(account, payment));
                Self::Void(marked(arguments, intent))
            }
        })
    }

    pub(crate) async fn carry_out(&self, client: &Client) -> Result<Outcome, Error> {
        match self {
            Self::Charge(intent) => client.charge(intent.clone()).await,
            Self::Authorize(intent) => client.authorize(intent.clone()).await,
            Self::Capture(intent) => client.capture(intent.clone()).await,
            Self::Refund(intent) => client.refund(intent.clone()).await,
            Self::Void(intent) => client.void(intent.clone()).await,
        }
    }
}

/// What the customer pays with, and where they come back to.
fn paid<K: Pays>(arguments: &Arguments, mut intent: Intent<K>) -> Intent<K> {
    if let Operation::Pay {
        source, return_url, ..
    } = &arguments.operation
    {
        intent = intent.source(Source::token(source));
        if let Some(url) = return_url {
            intent = intent.return_url(url);
        }
    }
    marked(arguments, intent)
}

/// The merchant's own fields, and who pays.
fn marked<K: Kind>(arguments: &Arguments, mut intent: Intent<K>) -> Intent<K> {
    for (name, value) in &arguments.metadata {
        intent = intent.metadata(name, value);
    }
    if let Some(customer) = &arguments.customer {
        intent = intent.customer(customer.clone());
    }
    intent
}
