//! The child: it asks for an operation, says where it is, and waits there to be killed.

use std::time::{Duration, SystemTime};

use payonce::ledger::{
    Checked, Claim, Claimed, Desk, Learned, Ledger, NextStep, Owned, Record, Settle, Settled,
    StepRequest,
};
use payonce::provider::{
    Account, Baseline, Call, Details, EncodeError, LookUp, ProviderName, Request, Response, Rule,
    Verdict,
};
use payonce::transport::{Transport, TransportError};
use payonce::{
    BoxFuture, Client, Error, Identity, LedgerError, OperationId, OperationKind, Outcome, Payment,
    Provider, ReqwestTransport, SqliteLedger,
};

use crate::gateways::shop;
use crate::gateways::shop::{Adapter, Shop, call};

pub(super) const POINT: &str = "PAYONCE_TEST_CRASH_POINT";
pub(super) const LEDGER: &str = "PAYONCE_TEST_LEDGER";
pub(super) const GATEWAY: &str = "PAYONCE_TEST_GATEWAY";
pub(super) const SHOP: &str = "PAYONCE_TEST_SHOP";
pub(super) const KIND: &str = "PAYONCE_TEST_KIND";
pub(super) const PARENT: &str = "PAYONCE_TEST_PARENT";

/// Where a child waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Point {
    /// The request is rendered, nothing is stored.
    BeforeCommit,
    /// The claim is durable, nothing was sent.
    AfterCommit,
    /// What the payment showed before is durable, nothing was sent. Only where it is read.
    AfterBaseline,
    /// The gateway has the request; its reply is on the way.
    AfterSend,
    /// The reply is here, nothing of it is stored.
    AfterResponse,
    /// It waits nowhere, and says what became of each claim.
    Nowhere,
}

impl Point {
    pub(super) const ALL: [Self; 5] = [
        Self::BeforeCommit,
        Self::AfterCommit,
        Self::AfterBaseline,
        Self::AfterSend,
        Self::AfterResponse,
    ];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::BeforeCommit => "before_commit",
            Self::AfterCommit => "after_commit",
            Self::AfterBaseline => "after_baseline",
            Self::AfterSend => "after_send",
            Self::AfterResponse => "after_response",
            Self::Nowhere => "nowhere",
        }
    }

    /// Says that it is reached.
    fn say(self) {
        println!("\n{}", self.name());
    }
}

fn say_claimed(claimed: &Result<Claimed, LedgerError>) {
    match claimed {
        Ok(Claimed::Ours(_)) => println!("\nclaim: ours"),
        Ok(Claimed::Busy(_)) => println!("\nclaim: busy"),
        _ => {}
    }
}

/// Does nothing in an ordinary test run.
#[test]
fn runs_only_as_a_child() {
    let Ok(name) = std::env::var(POINT) else {
        return;
    };
    let point = Point::ALL
        .into_iter()
        .find(|point| point.name() == name)
        .unwrap();
    let set_up = SetUp::from_env();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = set_up.client(point);
        let _outcome = set_up.call(&client).await;
    });
}

/// What a child is to do, as its parent says.
pub(crate) struct SetUp {
    shop: &'static dyn Shop,
    kind: OperationKind,
    parent: Option<Payment>,
}

impl SetUp {
    pub(crate) fn from_env() -> Self {
        let kind = std::env::var(KIND).unwrap();
        let parent = std::env::var(PARENT).ok();
        Self {
            shop: shop(&std::env::var(SHOP).unwrap()),
            kind: OperationKind::from_name(&kind).unwrap(),
            parent: parent.map(|json| serde_json::from_str(&json).unwrap()),
        }
    }

    /// Wrapped all round. It must be called inside of a runtime.
    pub(crate) fn client(&self, point: Point) -> Client {
        let ledger = SqliteLedger::open(std::env::var(LEDGER).unwrap()).unwrap();
        let adapter = self.shop.provider(std::env::var(GATEWAY).unwrap());
        let transport = ReqwestTransport::new().unwrap();
        Client::builder(Parking::new(ledger, point))
            .provider(Parking::new(adapter, point))
            .transport(Parking::new(transport, point))
            .build()
            .unwrap()
    }

    pub(crate) async fn call(&self, client: &Client) -> Result<Outcome, Error> {
        call(self.shop, client, self.kind, self.parent.as_ref()).await
    }
}

/// Something that waits at its point.
#[derive(Debug)]
struct Parking<T> {
    inner: T,
    point: Point,
}

impl<T> Parking<T> {
    const fn new(inner: T, point: Point) -> Self {
        Self { inner, point }
    }
}

impl Provider for Parking<Adapter> {
    fn name(&self) -> ProviderName {
        self.inner.name()
    }

    fn account(&self) -> Account {
        self.inner.account()
    }

    fn rule(&self, kind: OperationKind) -> Option<Rule> {
        self.inner.rule(kind)
    }

    fn encode(&self, call: &Call<'_>, details: &Details<'_>) -> Result<Request, EncodeError> {
        let rendered = self.inner.encode(call, details);
        if self.point == Point::BeforeCommit {
            self.point.say();
            std::thread::sleep(Duration::from_secs(600));
        }
        rendered
    }

    fn authorize(&self, request: &mut Request, now: SystemTime) -> Result<(), EncodeError> {
        self.inner.authorize(request, now)
    }

    fn classify(&self, call: &Call<'_>, reply: &Response) -> Verdict {
        self.inner.classify(call, reply)
    }

    fn look_up(&self) -> Option<&dyn LookUp> {
        self.inner.look_up()
    }

    fn baseline(&self) -> Option<&dyn Baseline> {
        self.inner.baseline()
    }
}

impl Ledger for Parking<SqliteLedger> {
    fn fingerprint_salt(&self) -> [u8; 32] {
        self.inner.fingerprint_salt()
    }

    fn claim(&self, claim: Claim) -> BoxFuture<'_, Result<Claimed, LedgerError>> {
        Box::pin(async move {
            let claimed = self.inner.claim(claim).await;
            if self.point == Point::AfterCommit {
                self.point.say();
                std::future::pending::<()>().await;
            }
            if self.point == Point::Nowhere {
                say_claimed(&claimed);
            }
            claimed
        })
    }

    fn check(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Checked>, LedgerError>> {
        self.inner.check(id)
    }

    fn record(
        &self,
        id: OperationId,
        epoch: i64,
        learned: Learned,
    ) -> BoxFuture<'_, Result<(), LedgerError>> {
        self.inner.record(id, epoch, learned)
    }

    fn settle(&self, settle: Settle) -> BoxFuture<'_, Result<Settled, LedgerError>> {
        self.inner.settle(settle)
    }

    fn read(&self, id: OperationId) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.inner.read(id)
    }

    fn find(&self, identity: Identity) -> BoxFuture<'_, Result<Option<Record>, LedgerError>> {
        self.inner.find(identity)
    }

    fn baseline(
        &self,
        id: OperationId,
        epoch: i64,
        baseline: String,
    ) -> BoxFuture<'_, Result<bool, LedgerError>> {
        Box::pin(async move {
            let stored = self.inner.baseline(id, epoch, baseline).await;
            if self.point == Point::AfterBaseline {
                self.point.say();
                std::future::pending::<()>().await;
            }
            stored
        })
    }

    fn go_on(
        &self,
        id: OperationId,
        epoch: i64,
        next: NextStep,
    ) -> BoxFuture<'_, Result<Option<Owned>, LedgerError>> {
        self.inner.go_on(id, epoch, next)
    }

    fn begin_close(
        &self,
        id: OperationId,
        epoch: i64,
        step: StepRequest,
    ) -> BoxFuture<'_, Result<Option<StepRequest>, LedgerError>> {
        self.inner.begin_close(id, epoch, step)
    }

    fn desk(&self) -> &dyn Desk {
        self.inner.desk()
    }
}

impl Transport for Parking<ReqwestTransport> {
    fn send(
        &self,
        base_url: &str,
        request: Request,
        timeout: Duration,
    ) -> BoxFuture<'_, Result<Response, TransportError>> {
        // What is only read is no send.
        let body = String::from_utf8_lossy(&request.body);
        let reads = ["/list", "/payment/query"]
            .iter()
            .any(|end| request.path.ends_with(end))
            || body.contains("\"query_command\"");
        let moves = request.method == "POST" && !reads;
        if moves && self.point == Point::AfterSend {
            self.point.say();
        }
        let sent = self.inner.send(base_url, request, timeout);
        Box::pin(async move {
            let reply = sent.await;
            if moves && self.point == Point::AfterResponse {
                self.point.say();
                std::future::pending::<()>().await;
            }
            reply
        })
    }
}
