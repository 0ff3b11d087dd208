//! One check under way: the adapter's functions, guarded, and what was found so far.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind};

use super::{Kit, Promise, Report, fields, pays};
use crate::intent::Source;
use crate::money::{Currency, Money};
use crate::operation::{OperationId, OperationKind};
use crate::provider::{
    Call, Details, EncodeError, IdempotencyKey, Placement, Request, Response, Rule, Verdict,
};

/// Any operation's name: an adapter has no use for it.
const OPERATION: &str = "01KB9M7V8E2N3P4Q5R6S7T8V9W";
/// Bits that fit every gateway: those of version 4 UUIDs.
const BITS: [u128; 3] = [
    0x9f1c_2b7e_4d5a_4e0f_8a3b_6c7d_8e9f_0a1b,
    0x0c1e_8b34_7a53_4f0e_9f0e_0a5c_2b7d_1d11,
    0xfe00_0000_0000_4000_8000_0000_0000_0001,
];

pub(super) struct Run<'k> {
    pub(super) kit: &'k Kit,
    operation: OperationId,
    report: RefCell<Report>,
}

/// A kind of operation that the adapter can do.
pub(super) struct Subject {
    pub(super) kind: OperationKind,
    pub(super) rule: Rule,
}

/// One operation to render.
#[derive(Clone)]
pub(super) struct Order {
    pub(super) key: IdempotencyKey,
    pub(super) reference: String,
    pub(super) money: Money,
    pub(super) parent: Option<String>,
    pub(super) source: Option<Source>,
    /// With a description and fields of the merchant's own.
    pub(super) rich: bool,
}

impl<'k> Run<'k> {
    pub(super) fn new(kit: &'k Kit) -> Result<Self, Report> {
        let mut report = Report::default();
        match OPERATION.parse() {
            Ok(operation) => Ok(Self {
                kit,
                operation,
                report: RefCell::new(report),
            }),
            Err(problem) => {
                let text = format!("the kit itself is broken, report it: {problem}");
                report.add(Promise::Inputs, None, text);
                Err(report)
            }
        }
    }

    pub(super) fn report(self) -> Report {
        self.report.into_inner()
    }

    pub(super) fn broken(
        &self,
        promise: Promise,
        kind: impl Into<Option<OperationKind>>,
        text: impl Into<String>,
    ) {
        self.report
            .borrow_mut()
            .add(promise, kind.into(), text.into());
    }

    /// What the adapter has a rule for.
    pub(super) fn kinds(&self) -> Vec<Subject> {
        let kinds = OperationKind::all().iter().copied();
        let rule = |kind| {
            let rule = || self.kit.provider.rule(kind);
            let rule = self.guarded(kind, "rule", rule)??;
            Some(Subject { kind, rule })
        };
        let subjects: Vec<Subject> = kinds.filter_map(rule).collect();
        if subjects.is_empty() {
            self.broken(
                Promise::Inputs,
                None,
                "the adapter has no rule for any kind of operation, so nothing can be checked: \
                 give `rule` one",
            );
        }
        subjects
    }

    /// What a function of the adapter gives. `None`: it panicked.
    pub(super) fn guarded<T>(
        &self,
        kind: impl Into<Option<OperationKind>>,
        name: &str,
        function: impl FnOnce() -> T,
    ) -> Option<T> {
        let done = catch_unwind(AssertUnwindSafe(function)).ok();
        if done.is_none() {
            self.broken(
                Promise::Totality,
                kind,
                format!("`{name}` panics: make it answer whatever it is given"),
            );
        }
        done
    }

    /// The request of an order. `None`: it panicked.
    pub(super) fn render(
        &self,
        kind: OperationKind,
        order: &Order,
    ) -> Option<Result<Request, EncodeError>> {
        let call = self.call(kind, order);
        let fields: Vec<(String, String)> = ["basket", "till", "a", "shop", "z", "m"]
            .map(|name| (name.to_owned(), format!("{name} of the shop")))
            .into();
        let details = Details::new(
            order.source.as_ref(),
            self.kit.return_url.as_deref().filter(|_| pays(kind)),
            order.rich.then_some("Two bags of coffee"),
            if order.rich { &fields } else { &[] },
        )
        .with_customer(self.kit.customer.as_ref());
        let encode = || self.kit.provider.encode(&call, &details);
        let rendered = self.guarded(kind, "encode", encode)?;
        match &rendered {
            Ok(request) => self.no_secret(kind, "a rendered request", &fields::raw(request)),
            Err(problem) => self.no_secret_in_error(kind, problem),
        }
        Some(rendered)
    }

    pub(super) fn call<'a>(&self, kind: OperationKind, order: &'a Order) -> Call<'a> {
        let call = Call::new(
            kind,
            self.operation,
            &order.reference,
            &order.key,
            order.money,
        );
        match &order.parent {
            Some(parent) => call.with_parent(parent),
            None => call,
        }
    }

    /// The verdict on a reply. `None`: it panicked.
    pub(super) fn classify(&self, call: &Call<'_>, reply: &Response) -> Option<Verdict> {
        let classify = || self.kit.provider.classify(call, reply);
        self.guarded(call.kind, "classify", classify)
    }

    pub(super) fn no_secret(
        &self,
        kind: impl Into<Option<OperationKind>>,
        place: &str,
        bytes: &[u8],
    ) {
        let mut secrets = self.kit.secrets.iter();
        if secrets.any(|secret| fields::holds(bytes, secret)) {
            self.broken(
                Promise::Secrets,
                kind,
                format!("a secret shows in {place}: only what `authorize` adds may hold one"),
            );
        }
    }

    pub(super) fn no_secret_in_error(&self, kind: OperationKind, problem: &EncodeError) {
        let text = format!("{problem}\n{problem:?}");
        self.no_secret(kind, "an error", text.as_bytes());
        let mut tokens = self.kit.sources.iter().filter_map(Source::expose_token);
        if tokens.any(|token| fields::holds(text.as_bytes(), token)) || text.contains(STRANGE) {
            self.broken(
                Promise::Secrets,
                kind,
                "an error repeats the source's token: say what is wrong with it, without it",
            );
        }
    }
}

/// What stands in a token that no gateway takes.
pub(super) const STRANGE: &str = "PAYONCE-STRANGE-TOKEN";

impl Subject {
    /// Keys as they are made for this gateway.
    pub(super) fn keys(&self) -> Vec<IdempotencyKey> {
        let format = self.rule.key_format.value;
        BITS.iter().map(|bits| format.render(*bits)).collect()
    }

    pub(super) fn has_key(&self) -> bool {
        self.rule.placement.value != Placement::Nowhere
    }

    /// The currencies to try.
    pub(super) fn currencies(&self, kit: &Kit) -> Vec<Currency> {
        if kit.currencies.is_empty() {
            let offered = self.rule.amount.value.currencies;
            offered.unwrap_or_else(Currency::all).to_vec()
        } else {
            kit.currencies.clone()
        }
    }

    /// The amount that the author gave, in a currency that the rule carries it in.
    pub(super) fn money(&self, kit: &Kit, currency: Currency) -> Option<Money> {
        let money = Money::from_minor(kit.amount, currency).ok()?;
        self.rule.amount.value.units(money).ok()?;
        Some(money)
    }

    /// An operation that the adapter should render. `None`: an input is missing.
    pub(super) fn order(&self, kit: &Kit) -> Option<Order> {
        let currencies = self.currencies(kit);
        let money = currencies
            .iter()
            .find_map(|currency| self.money(kit, *currency))?;
        let is_payment = pays(self.kind);
        Some(Order {
            key: self.keys().into_iter().next()?,
            reference: "order-1042".to_owned(),
            money,
            parent: match kit.parents(self.kind).first() {
                _ if is_payment => None,
                Some(parent) => Some((*parent).clone()),
                None => return None,
            },
            source: match kit.sources.first() {
                _ if !is_payment => None,
                Some(source) => Some(source.clone()),
                None => return None,
            },
            rich: false,
        })
    }
}
