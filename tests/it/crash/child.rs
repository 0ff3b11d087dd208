//! The child: it charges, says where it is, and waits there to be killed.

use std::time::{Duration, SystemTime};

use payonce::ledger::{Checked, Claim, Claimed, Desk, Learned, Ledger, Record, Settle, Settled};
use payonce::provider::{
    Account, Call, Details, EncodeError, LookUp, ProviderName, Request, Response, Rule, Verdict,
};
use payonce::transport::{Transport, TransportError};
use payonce::{
    BoxFuture, Client, Identity, LedgerError, OperationId, OperationKind, Provider,
    ReqwestTransport, SqliteLedger,
};
use payonce_stripe::Stripe;

use crate::world::charge;

pub(super) const POINT: &str = "PAYONCE_TEST_CRASH_POINT";
pub(super) const LEDGER: &str = "PAYONCE_TEST_LEDGER";
pub(super) const GATEWAY: &str = "PAYONCE_TEST_GATEWAY";

/// Where a child waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Point {
    /// The request is rendered, nothing is stored.
    BeforeCommit,
    /// The claim is durable, nothing was sent.
    AfterCommit,
    /// The gateway has the request; its reply is on the way.
    AfterSend,
    /// The reply is here, nothing of it is stored.
    AfterResponse,
}

impl Point {
    pub(super) const ALL: [Self; 4] = [
        Self::BeforeCommit,
        Self::AfterCommit,
        Self::AfterSend,
        Self::AfterResponse,
    ];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::BeforeCommit => "before_commit",
            Self::AfterCommit => "after_commit",
            Self::AfterSend => "after_send",
            Self::AfterResponse => "after_response",
        }
    }

    /// Says that it is reached.
    fn say(self) {
        println!("\n{}", self.name());
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
    let ledger = SqliteLedger::open(std::env::var(LEDGER).unwrap()).unwrap();
    let stripe = Stripe::new("main", "sk_test_1").base_url(std::env::var(GATEWAY).unwrap());
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let client = Client::builder(Parking {
            inner: ledger,
            point,
        })
        .provider(Parking {
            inner: stripe,
            point,
        })
        .transport(Parking {
            inner: ReqwestTransport::new().unwrap(),
            point,
        })
        .build()
        .unwrap();
        let _outcome = client.charge(charge("r1")).await;
    });
}

/// Something that waits at its point.
#[derive(Debug)]
struct Parking<T> {
    inner: T,
    point: Point,
}

impl Provider for Parking<Stripe> {
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
        self.inner.baseline(id, epoch, baseline)
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
        if self.point == Point::AfterSend {
            self.point.say();
        }
        let sent = self.inner.send(base_url, request, timeout);
        Box::pin(async move {
            let reply = sent.await;
            if self.point == Point::AfterResponse {
                self.point.say();
                std::future::pending::<()>().await;
            }
            reply
        })
    }
}
