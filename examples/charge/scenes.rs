//! What goes wrong, and how often the money should move all the same.

use payonce::{Charge, Client, Currency, Error, Intent, Money, MoneyError, Outcome, Source};
use payonce_simulator::{ActionKind, Close, CutBody, Fault, PlannedFault, RateLimit, When};

use crate::gateway::Gateway;

/// One order.
pub(crate) struct Scene {
    /// What goes wrong.
    pub(crate) wrong: &'static str,
    /// How often the money should move.
    pub(crate) effects: usize,
    /// What the gateway and the network do.
    pub(crate) faults: Vec<PlannedFault>,
    plot: Plot,
}

/// What the merchant does.
enum Plot {
    /// Charges once.
    Charge(&'static str),
    /// Charges ten times at once.
    TenCallers,
    /// Charges a card that is declined, then another one.
    SecondCard,
    /// Charges, sends the customer to the bank's page, and asks again.
    CustomerActs,
}

/// What a scene came to.
pub(crate) type Played = Result<Outcome, Error>;

const GOOD_CARD: &str = "pm_card_visa";
const BROKE_CARD: &str = "pm_card_chargeDeclinedInsufficientFunds";

impl Scene {
    fn new(wrong: &'static str, faults: impl IntoIterator<Item = PlannedFault>) -> Self {
        Self {
            wrong,
            effects: 1,
            faults: faults.into_iter().collect(),
            plot: Plot::Charge(GOOD_CARD),
        }
    }

    fn one(wrong: &'static str, fault: Fault) -> Self {
        Self::new(wrong, [fault.into()])
    }

    fn plot(mut self, plot: Plot) -> Self {
        self.plot = plot;
        self
    }

    pub(crate) fn is_plain(&self) -> bool {
        self.faults.is_empty() && matches!(self.plot, Plot::Charge(GOOD_CARD))
    }

    /// What can be played in a sandbox, where nothing goes wrong on demand.
    pub(crate) fn without_faults() -> Vec<Self> {
        let declined = Self {
            effects: 0,
            ..Self::new("the card has no money", []).plot(Plot::Charge(BROKE_CARD))
        };
        vec![
            Self::new("nothing", []),
            declined,
            Self::new("declined, then another card", []).plot(Plot::SecondCard),
            Self::new("ten callers at once", []).plot(Plot::TenCallers),
        ]
    }

    pub(crate) fn all() -> Vec<Self> {
        let lost = |when| Fault::ReplyLost {
            when,
            how: Close::Rst,
        };
        let late = Fault::LateArrival {
            ms: 300,
            how: Close::Fin,
        };
        let busy = Fault::RateLimited {
            kind: RateLimit::RateLimit,
            retry_after: Some("1".to_owned()),
        };
        let cut = Fault::CutBody {
            how: CutBody::CleanEnd,
            keep: None,
        };
        let page = Fault::Html {
            status: 502,
            size: 20_000,
            when: When::After,
        };
        let bank = Fault::RequireAction {
            kind: ActionKind::RedirectToUrl,
        };
        let mut scenes = Self::without_faults();
        scenes.extend([
            Self::one("reply lost after the money moved", lost(When::After)),
            Self::one("reply lost before the money moved", lost(When::Before)),
            Self::one("connection reset", Fault::ResetBeforeReading),
            Self::one("request travels long, arrives after its repeat", late),
            Self::one("gateway is slow, 409 meanwhile", Fault::Hold { ms: 1_000 }),
            Self::new(
                "503, twice",
                [Fault::server_error(503, When::Before).times(2)],
            ),
            Self::one("429 with Retry-After", busy),
            Self::one(
                "500 after the money moved, stored",
                Fault::stored_error(When::After),
            ),
            Self::one("JSON cut in the middle", cut),
            Self::one("HTML instead of JSON, after the money moved", page),
            Self::one("the bank asks the customer", bank).plot(Plot::CustomerActs),
        ]);
        scenes
    }

    pub(crate) async fn play(&self, client: &Client, gateway: &Gateway, reference: &str) -> Played {
        let order = |card| charge(reference, card);
        match self.plot {
            Plot::Charge(card) => client.charge(order(card)?).await,
            Plot::TenCallers => {
                let order = order(GOOD_CARD)?;
                let call = || {
                    let (client, order) = (client.clone(), order.clone());
                    tokio::spawn(async move { client.charge(order).await })
                };
                let callers: Vec<_> = (0..9).map(|_| call()).collect();
                let mut last = client.charge(order).await;
                for caller in callers {
                    last = caller.await.unwrap_or(last);
                }
                last
            }
            Plot::SecondCard => {
                let first = client.charge(order(BROKE_CARD)?).await;
                let Ok(Outcome::Declined(_)) = first else {
                    return first;
                };
                client.charge(order(GOOD_CARD)?.attempt(2)).await
            }
            Plot::CustomerActs => {
                let order = order(GOOD_CARD)?.return_url("https://shop.example/back");
                let first = client.charge(order.clone()).await;
                let Ok(Outcome::ActionRequired(action)) = &first else {
                    return first;
                };
                gateway.customer_passes(&action.provider_id);
                client.charge(order).await
            }
        }
    }
}

/// The whole use of the library.
fn charge(reference: &str, card: &str) -> Result<Intent<Charge>, MoneyError> {
    let price = Money::parse("480.00", Currency::SAR)?;
    Ok(Intent::charge(reference, price).source(Source::token(card)))
}
