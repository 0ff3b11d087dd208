//! What a gateway's row has to say, and the same for every gateway: its place in a world.

use std::fmt;
use std::time::{Duration, SystemTime};

use payonce::provider::{
    Account, Baseline, Call, Close, Details, EncodeError, LookUp, Proceed, ProviderName, Request,
    Response, Rule, RuleSnapshot, Verdict,
};
use payonce::{
    Authorize, Capture, Charge, Client, ClientBuilder, Currency, Customer, Error, Intent, Money,
    OperationKind, Outcome, Payment, Policy, Provider, Refund, Source, Void,
};
use payonce_simulator::{Effect, EffectKind, Fault, LoggedRequest, Matcher, Tamper, When};

use crate::world::{World, assert_word, money};

/// What a card does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Card {
    /// It pays.
    Pays,
    /// Another one that pays.
    PaysToo,
    /// It is declined.
    Declines,
    /// The customer has to pass 3-D Secure.
    Asks,
}

/// One gateway of `providers/`, for every table of this folder.
pub(crate) trait Shop: fmt::Debug + Sync {
    /// The name of the adapter's folder, and of the simulated gateway.
    fn name(&self) -> &'static str;

    /// The adapter, at this address.
    fn provider(&self, url: String) -> Adapter {
        self.with_secret(url, "sk_test_1")
    }

    /// The same with this secret.
    fn with_secret(&self, url: String, secret: &str) -> Adapter;

    /// The currency of its merchant.
    fn currency(&self) -> Currency {
        Currency::SAR
    }

    /// Whether a part of a reservation can be captured.
    fn captures_parts(&self) -> bool {
        true
    }

    /// Whether the gateway answers that the customer must act.
    fn asks(&self) -> bool {
        true
    }

    /// What pays.
    fn token(&self, card: Card) -> &'static str;

    /// Whether what this kind does carries its own reference at the gateway. Else it shows that
    /// of its payment.
    fn carries_its_own(&self, kind: OperationKind) -> bool;

    /// Whether a reply or a look-up tells what became of every kind, so that a failure is asked about
    /// again. Else only a notification tells: what is done to a payment stays pending.
    fn tells_at_once(&self) -> bool {
        true
    }

    /// The answer that an earlier request did this already, if the gateway has one. Nothing is
    /// executed.
    fn duplicate(&self, kind: OperationKind) -> Option<Fault>;

    /// The answer that the same request is still in progress, if the gateway has one.
    fn in_progress(&self, kind: OperationKind) -> Option<Fault>;

    /// A reply, or a look-up's reply, that shows another amount.
    fn other_amount(&self, kind: OperationKind, looked_up: bool) -> Tamper;

    /// Whether a look-up can show that an operation of this kind was carried out. Else it stays
    /// unknown after a lost reply, and a person decides.
    fn shows(&self, _kind: OperationKind) -> bool {
        true
    }

    /// Whether it takes a reference in any script, and with spaces.
    fn takes_any_text(&self) -> bool {
        true
    }

    /// Whether look-ups are a `POST` too.
    fn reads_by_post(&self) -> bool {
        false
    }

    /// From now on look-ups show what was so long ago.
    fn look_ups_lag(&self, world: &World, kind: OperationKind, lag: Duration);

    /// From now on they show what is.
    fn look_ups_are_true(&self, world: &World);

    /// Where a request names the key. `None`: nowhere.
    fn key_in(&self, post: &LoggedRequest) -> Option<String>;
}

/// An adapter of any gateway.
#[derive(Debug)]
pub(crate) struct Adapter(pub(crate) Box<dyn Provider>);

impl Provider for Adapter {
    fn name(&self) -> ProviderName {
        self.0.name()
    }

    fn account(&self) -> Account {
        self.0.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        self.0.rule(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        self.0.encode(call, details)
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.0.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        self.0.classify(call, reply)
    }

    fn reads_header(&self, name: &str) -> bool {
        self.0.reads_header(name)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        self.0.look_up()
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        self.0.baseline()
    }

    fn proceed(&self, kind: OperationKind) -> Option<&dyn Proceed> {
        self.0.proceed(kind)
    }

    fn close(&self, kind: OperationKind) -> Option<&dyn Close> {
        self.0.close(kind)
    }
}

/// The order of every test. What is done to its payment is called after it: `order-1042/refund`.
pub(crate) const ORDER: &str = "order-1042";

pub(crate) const KINDS: [OperationKind; 5] = [
    OperationKind::Charge,
    OperationKind::Authorize,
    OperationKind::Capture,
    OperationKind::Refund,
    OperationKind::Void,
];

pub(crate) fn sar(amount: &str) -> Money {
    money(amount, Currency::SAR)
}

/// How much an operation of a kind is about in these tests.
pub(crate) fn amount(shop: &dyn Shop, kind: OperationKind) -> Money {
    let amount = match kind {
        OperationKind::Capture if shop.captures_parts() => "300.00",
        OperationKind::Refund => "120.00",
        OperationKind::Charge
        | OperationKind::Authorize
        | OperationKind::Capture
        | OperationKind::Void
        | _ => "480.00",
    };
    money(amount, shop.currency())
}

/// The reference of an operation of a kind in these tests.
pub(crate) fn reference(kind: OperationKind) -> String {
    match kind {
        OperationKind::Charge | OperationKind::Authorize => ORDER.to_owned(),
        OperationKind::Capture | OperationKind::Refund | OperationKind::Void | _ => {
            format!("{ORDER}/{kind}")
        }
    }
}

pub(crate) fn effect_of(kind: OperationKind) -> EffectKind {
    match kind {
        OperationKind::Charge => EffectKind::Charge,
        OperationKind::Authorize => EffectKind::Authorize,
        OperationKind::Capture => EffectKind::Capture,
        OperationKind::Refund => EffectKind::Refund,
        OperationKind::Void | _ => EffectKind::Void,
    }
}

/// Who pays: some gateways ask for it with every payment.
pub(crate) fn customer() -> Customer {
    Customer::new()
        .name("Layla Example")
        .email("laila@shop.example")
}

pub(crate) fn charge(shop: &dyn Shop, reference: &str) -> Intent<Charge> {
    Intent::charge(reference, amount(shop, OperationKind::Charge))
        .source(Source::token(shop.token(Card::Pays)))
        .return_url("https://shop.example/back")
        .customer(customer())
}

fn authorize(shop: &dyn Shop, reference: &str) -> Intent<Authorize> {
    Intent::authorize(reference, amount(shop, OperationKind::Authorize))
        .source(Source::token(shop.token(Card::Pays)))
        .return_url("https://shop.example/back")
        .customer(customer())
}

/// The payment that an operation of a kind is about, made now.
pub(crate) async fn parent(
    shop: &dyn Shop,
    client: &Client,
    kind: OperationKind,
) -> Option<Payment> {
    let made = match kind {
        OperationKind::Capture | OperationKind::Void => {
            client.authorize(authorize(shop, ORDER)).await
        }
        OperationKind::Refund => client.charge(charge(shop, ORDER)).await,
        OperationKind::Charge | OperationKind::Authorize | _ => return None,
    };
    Some(paid(&made))
}

/// The operation of a kind, by the names and amounts of these tests.
pub(crate) async fn call(
    shop: &dyn Shop,
    client: &Client,
    kind: OperationKind,
    parent: Option<&Payment>,
) -> Result<Outcome, Error> {
    let (reference, money) = (reference(kind), amount(shop, kind));
    let parent = || parent.unwrap().clone();
    match kind {
        OperationKind::Charge => client.charge(charge(shop, &reference)).await,
        OperationKind::Authorize => client.authorize(authorize(shop, &reference)).await,
        OperationKind::Capture => {
            let intent: Intent<Capture> = Intent::capture(reference, parent(), money);
            client.capture(intent).await
        }
        OperationKind::Refund => {
            let intent: Intent<Refund> = Intent::refund(reference, parent(), money);
            client.refund(intent).await
        }
        OperationKind::Void | _ => {
            let intent: Intent<Void> = Intent::void(reference, parent());
            client.void(intent).await
        }
    }
}

/// One gateway in a world of its own.
pub(crate) struct Place {
    pub(crate) world: World,
    pub(crate) shop: &'static dyn Shop,
}

impl Place {
    pub(crate) fn new(shop: &'static dyn Shop) -> Self {
        Self {
            world: World::ticking(),
            shop,
        }
    }

    pub(crate) fn adapter(&self) -> Adapter {
        self.shop.provider(self.url())
    }

    pub(crate) fn url(&self) -> String {
        self.world.gateway.gateway_url(self.shop.name())
    }

    pub(crate) fn rule(&self, kind: OperationKind) -> RuleSnapshot {
        self.adapter().rule(kind).unwrap().snapshot()
    }

    /// A client of a new process.
    pub(crate) fn client(&self) -> Client {
        self.client_with(|builder| builder)
    }

    pub(crate) fn client_with(
        &self,
        change: impl FnOnce(ClientBuilder) -> ClientBuilder,
    ) -> Client {
        let builder = self.world.builder(self.world.ledger());
        change(builder.provider(self.adapter())).build().unwrap()
    }

    /// A client that makes one send a call.
    pub(crate) fn one_send(&self) -> Client {
        self.client_with(|builder| builder.policy(Policy::new().sends(1)))
    }

    /// From now on every look-up fails, but not what is read before the first send of `kind`.
    pub(crate) fn no_look_ups(&self, kind: OperationKind) {
        let fault = Fault::server_error(503, When::Before).on(Matcher::get());
        let first = u32::from(self.rule(kind).baseline);
        self.world.gateway.faults().push(fault.skip(first).always());
    }

    /// An amount in the currency of this place.
    pub(crate) fn money(&self, amount: &str) -> Money {
        money(amount, self.shop.currency())
    }

    pub(crate) fn source(&self, card: Card) -> Source {
        Source::token(self.shop.token(card))
    }

    pub(crate) fn charge(&self, reference: &str) -> Intent<Charge> {
        charge(self.shop, reference)
    }

    pub(crate) fn authorize(&self, reference: &str) -> Intent<Authorize> {
        authorize(self.shop, reference)
    }

    /// The payment that an operation of a kind is about, made before.
    pub(crate) async fn parent(&self, kind: OperationKind) -> Option<Payment> {
        let made = parent(self.shop, &self.client(), kind).await;
        self.world.clock.advance(Duration::from_secs(3600));
        made
    }

    /// The operation of a kind, by the names and amounts of these tests.
    pub(crate) async fn call(
        &self,
        client: &Client,
        kind: OperationKind,
        parent: Option<&Payment>,
    ) -> Result<Outcome, Error> {
        call(self.shop, client, kind, parent).await
    }

    /// How often the money of an operation moved.
    pub(crate) fn effects(&self, kind: OperationKind) -> Vec<Effect> {
        let own = reference(kind);
        let named = if self.shop.carries_its_own(kind) {
            own.as_str()
        } else {
            ORDER
        };
        let mut effects = self.world.gateway.effects_for(named);
        effects.retain(|effect| effect.kind == effect_of(kind));
        effects
    }

    /// The requests that move money, without the first so many.
    pub(crate) fn sent(&self, before: usize) -> Vec<LoggedRequest> {
        self.world.sent().into_iter().skip(before).collect()
    }

    /// One value of an operation's row.
    pub(crate) fn row<T: rusqlite::types::FromSql>(&self, kind: OperationKind, column: &str) -> T {
        self.world.sql(&format!(
            "SELECT {column} FROM operation o JOIN reference r ON r.rid = o.reference_rid
             WHERE r.reference = '{}' AND o.kind = '{kind}' ORDER BY attempt DESC",
            reference(kind)
        ))
    }
}

/// The payment of a call that succeeded.
#[track_caller]
pub(crate) fn paid(result: &Result<Outcome, Error>) -> Payment {
    assert_word(result, "succeeded");
    let Ok(Outcome::Succeeded(receipt)) = result else {
        panic!("{result:?}")
    };
    receipt.payment()
}
