//! The names of spans and metrics. Merchants build alarms on them: one that is renamed is silent.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

use metrics::{Counter, Gauge, Histogram, Key, KeyName, Metadata, Recorder, SharedString, Unit};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Subscriber};

use super::*;

type Labels = BTreeSet<String>;

/// What was counted and told.
#[derive(Debug, Default)]
struct Heard {
    /// Counters, each with the names of its labels.
    counters: Mutex<BTreeMap<String, Labels>>,
    /// Spans, each with the fields that were filled.
    spans: Mutex<BTreeMap<String, Labels>>,
    /// The spans that are open, by their number.
    open: Mutex<BTreeMap<u64, String>>,
    /// Every value.
    values: Mutex<Vec<String>>,
    last: AtomicU64,
}

impl Heard {
    fn values(&self, fill: impl FnOnce(&mut Filled)) -> Labels {
        let mut filled = Filled::default();
        fill(&mut filled);
        self.values.lock().unwrap().extend(filled.values);
        filled.names
    }

    fn fill(&self, span: &str, names: Labels) {
        let mut spans = self.spans.lock().unwrap();
        spans.entry(span.to_owned()).or_default().extend(names);
    }
}

impl Recorder for Heard {
    fn describe_counter(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_gauge(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn describe_histogram(&self, _: KeyName, _: Option<Unit>, _: SharedString) {}

    fn register_counter(&self, key: &Key, _: &Metadata<'_>) -> Counter {
        let labels = key.labels().map(|label| label.key().to_owned()).collect();
        let mut counters = self.counters.lock().unwrap();
        let before = counters.insert(key.name().to_owned(), Labels::clone(&labels));
        assert!(before.is_none_or(|before| before == labels), "{key}");
        let values = key.labels().map(|label| label.value().to_owned());
        self.values.lock().unwrap().extend(values);
        Counter::noop()
    }

    fn register_gauge(&self, key: &Key, _: &Metadata<'_>) -> Gauge {
        panic!("{key} is not documented")
    }

    fn register_histogram(&self, key: &Key, _: &Metadata<'_>) -> Histogram {
        panic!("{key} is not documented")
    }
}

/// The fields of one record.
#[derive(Default)]
struct Filled {
    names: Labels,
    values: Vec<String>,
}

impl Visit for Filled {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.names.insert(field.name().to_owned());
        self.values.push(format!("{value:?}"));
    }
}

/// The subscriber: it hears everything.
struct Listener(Arc<Heard>);

impl Subscriber for Listener {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let id = self.0.last.fetch_add(1, Ordering::SeqCst).saturating_add(1);
        let name = span.metadata().name().to_owned();
        let names = self.0.values(|filled| span.record(filled));
        self.0.fill(&name, names);
        self.0.open.lock().unwrap().insert(id, name);
        Id::from_u64(id)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let names = self.0.values(|filled| values.record(filled));
        let name = self.0.open.lock().unwrap()[&span.into_u64()].clone();
        self.0.fill(&name, names);
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}

    fn event(&self, event: &Event<'_>) {
        self.0.values(|filled| event.record(filled));
    }

    fn enter(&self, _: &Id) {}

    fn exit(&self, _: &Id) {}
}

/// The words in backticks of a text.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The metrics that the table in `telemetry.rs` documents.
fn documented() -> BTreeMap<String, Labels> {
    let text = include_str!("../../engine/telemetry.rs");
    let rows = text.lines().filter(|line| line.starts_with("//! | `"));
    rows.map(|row| {
        let mut words = quoted(row).map(str::to_owned);
        (words.next().unwrap(), words.collect())
    })
    .collect()
}

/// Every way in which a call can end that is counted.
async fn everything(world: &World) {
    let engine = world.engine(vec![Fake::new()], Policy::new());
    let busy = wanted("busy");
    let mut claim = engine.claim_for(&busy).unwrap();
    claim.rendered = engine.render(&busy).ok();
    engine.ledger.claim(claim).await.unwrap();
    let client = client(world.engine(vec![Fake::new()], Policy::new()));
    let result = client.charge(charge("busy")).await;
    assert!(matches!(result, Ok(Outcome::Pending(_))), "{result:?}");
    world.sends([Some((500, "theirs"))]);
    drop(client.charge(charge("alarm")).await);
    world.sends([Some((500, "body_SENTINEL"))]);
    drop(client.charge(charge("repeated")).await);
    let once = super::client(world.engine(vec![Fake::new()], Policy::new().sends(1)));
    world.sends([None]);
    world.look_ups([Some((200, "found"))]);
    drop(once.charge(charge("looked up")).await);
    world.sends([Some((200, "page")), Some((200, "ended"))]);
    world.look_ups([Some((200, "page")), Some((200, "canceled"))]);
    let Ok(Outcome::ActionRequired(action)) = client.charge(charge("closed")).await else {
        panic!("no page")
    };
    let closed = client.close(action.operation.id).await;
    assert!(matches!(closed, Ok(Outcome::NoEffect(_))), "{closed:?}");
    world.fault(|faults| faults.settle_fails = true);
    drop(client.charge(charge("unrecorded")).await);
}

/// What `src/lib.rs` promises is what there is, neither less nor more, and none of it tells a
/// secret, a token, a URL query or a body.
#[tokio::test]
async fn spans_and_metrics_have_their_documented_names_and_no_secret() {
    let heard = Arc::new(Heard::default());
    let world = World::new();
    {
        let _metrics = metrics::set_default_local_recorder(heard.as_ref());
        let listener = || Listener(Arc::clone(&heard));
        // With one subscriber alone, `tracing` asks the thread that first comes to a place in the
        // code whether anybody listens there, and other tests have none.
        let _second = tracing::Dispatch::new(listener());
        let _tracing = tracing::subscriber::set_default(listener());
        everything(&world).await;
    }
    let counters = heard.counters.lock().unwrap();
    assert_eq!(*counters, documented());
    let front = include_str!("../../lib.rs");
    let named: BTreeSet<&str> = quoted(front)
        .filter(|w| w.starts_with("payonce_"))
        .collect();
    let counted: BTreeSet<&str> = counters.keys().map(String::as_str).collect();
    assert_eq!(counted, named);

    let fields = ["account", "attempt", "kind", "operation"];
    let fields: Labels = fields.map(str::to_owned).into();
    let spans = heard.spans.lock().unwrap();
    assert_eq!(
        *spans,
        BTreeMap::from([("payonce.operation".to_owned(), fields.clone())])
    );
    let words: Vec<&str> = quoted(front).collect();
    assert!(words.contains(&"payonce.operation"));
    assert!(fields.iter().all(|field| words.contains(&field.as_str())));

    let values = heard.values.lock().unwrap();
    assert!(values.iter().any(|value| value.contains("charge")));
    let secret = values.iter().find(|value| value.contains("SENTINEL"));
    assert_eq!(secret, None);
}
