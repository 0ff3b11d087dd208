//! The payment intent (PI).

use std::collections::BTreeMap;
use std::time::SystemTime;

use serde_json::{Value, json};

use crate::clock::unix_seconds;
use crate::stripe::auth::Scope;

/// A payment intent, as Stripe keeps it. A test may change every field.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct PaymentIntent {
    /// The id, `pi_...`.
    pub id: String,
    /// The account that it belongs to.
    pub account: String,
    /// Whether it is in live mode.
    pub livemode: bool,
    /// The amount asked for, in the minor unit.
    pub amount: i64,
    /// What can still be captured.
    pub amount_capturable: i64,
    /// What was taken.
    pub amount_received: i64,
    /// The currency, in lowercase.
    pub currency: String,
    /// Where it stands.
    pub status: PaymentIntentStatus,
    /// `automatic`, `automatic_async` or `manual`.
    pub capture_method: String,
    /// The charge of the last try.
    pub latest_charge: Option<String>,
    /// Why the last try failed, as the API shows it.
    pub last_payment_error: Option<Value>,
    /// What the customer has to do.
    pub next_action: Option<NextAction>,
    /// The merchant's own fields.
    pub metadata: BTreeMap<String, String>,
    /// When it was made.
    pub created: SystemTime,
    /// When it was canceled.
    pub canceled_at: Option<SystemTime>,
    /// Why it was canceled.
    pub cancellation_reason: Option<String>,
    /// The payment method.
    pub payment_method: Option<String>,
    /// The kinds of payment method that are allowed.
    pub payment_method_types: Vec<String>,
    /// Whether Stripe chooses the kinds, and whether they may redirect.
    pub automatic_payment_methods: Option<String>,
    /// The customer, `cus_...`.
    pub customer: Option<String>,
    /// The merchant's text.
    pub description: Option<String>,
    /// Added to the statement.
    pub statement_descriptor_suffix: Option<String>,
    /// The key of the request that tries to move the money.
    pub(in crate::stripe) key: Option<String>,
    /// When the authorization was given.
    pub(in crate::stripe) authorized_at: Option<SystemTime>,
    /// What happens when a pending payment goes through.
    pub(in crate::stripe) pending: Option<Pending>,
    /// What the search may find, oldest first.
    pub(in crate::stripe) index: Vec<Indexed>,
}

/// Where a payment intent stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(clippy::exhaustive_enums, reason = "Stripe documents these seven")]
pub enum PaymentIntentStatus {
    /// Nothing was tried yet, or the last try failed.
    RequiresPaymentMethod,
    /// Not confirmed yet.
    RequiresConfirmation,
    /// The customer has to act.
    RequiresAction,
    /// No result yet.
    Processing,
    /// Authorized.
    RequiresCapture,
    /// Given up.
    Canceled,
    /// Paid.
    Succeeded,
}

/// What the customer has to do.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum NextAction {
    /// Open an address.
    RedirectToUrl {
        /// The address.
        url: String,
        /// Where the customer comes back to.
        return_url: Option<String>,
    },
    /// Something that only Stripe's own client code understands.
    UseStripeSdk,
}

/// What happens when a pending payment goes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::stripe) enum Pending {
    /// It is charged or authorized, by its capture method.
    Payment,
    /// It is captured.
    Capture(i64),
}

/// What the search knows about a payment from a moment on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::stripe) struct Indexed {
    pub(in crate::stripe) at: SystemTime,
    pub(in crate::stripe) metadata: BTreeMap<String, String>,
    pub(in crate::stripe) status: PaymentIntentStatus,
    pub(in crate::stripe) currency: String,
    pub(in crate::stripe) customer: Option<String>,
    pub(in crate::stripe) amount: i64,
}

impl PaymentIntentStatus {
    /// Stripe's word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::RequiresPaymentMethod => "requires_payment_method",
            Self::RequiresConfirmation => "requires_confirmation",
            Self::RequiresAction => "requires_action",
            Self::Processing => "processing",
            Self::RequiresCapture => "requires_capture",
            Self::Canceled => "canceled",
            Self::Succeeded => "succeeded",
        }
    }

    /// The status of Stripe's word.
    pub fn parse(word: &str) -> Option<Self> {
        let all = [
            Self::RequiresPaymentMethod,
            Self::RequiresConfirmation,
            Self::RequiresAction,
            Self::Processing,
            Self::RequiresCapture,
            Self::Canceled,
            Self::Succeeded,
        ];
        all.into_iter().find(|status| status.as_str() == word)
    }
}

impl PaymentIntent {
    /// A payment of which nothing is known but the amount.
    pub(in crate::stripe) fn new(
        id: String,
        scope: &Scope,
        amount: i64,
        currency: String,
        created: SystemTime,
    ) -> Self {
        Self {
            id,
            account: scope.account.clone(),
            livemode: scope.livemode,
            amount,
            amount_capturable: 0,
            amount_received: 0,
            currency,
            status: PaymentIntentStatus::RequiresPaymentMethod,
            capture_method: "automatic".to_owned(),
            latest_charge: None,
            last_payment_error: None,
            next_action: None,
            metadata: BTreeMap::new(),
            created,
            canceled_at: None,
            cancellation_reason: None,
            payment_method: None,
            payment_method_types: vec!["card".to_owned()],
            automatic_payment_methods: None,
            customer: None,
            description: None,
            statement_descriptor_suffix: None,
            key: None,
            authorized_at: None,
            pending: None,
            index: Vec::new(),
        }
    }

    /// The secret for the customer's device.
    pub fn client_secret(&self) -> String {
        format!("{}_secret_sim", self.id)
    }

    pub(in crate::stripe) fn is_of(&self, scope: &Scope) -> bool {
        self.account == scope.account && self.livemode == scope.livemode
    }

    /// As the API shows it, with the charge in the place of its id if it is given.
    pub(in crate::stripe) fn to_json(&self, latest_charge: Option<Value>) -> Value {
        json!({
            "id": self.id,
            "object": "payment_intent",
            "amount": self.amount,
            "amount_capturable": self.amount_capturable,
            "amount_received": self.amount_received,
            "automatic_payment_methods": self.automatic_payment_methods.as_ref().map(
                |redirects| json!({ "enabled": true, "allow_redirects": redirects })),
            "canceled_at": self.canceled_at.map(unix_seconds),
            "cancellation_reason": self.cancellation_reason,
            "capture_method": self.capture_method,
            "client_secret": self.client_secret(),
            "confirmation_method": "automatic",
            "created": unix_seconds(self.created),
            "currency": self.currency,
            "customer": self.customer,
            "description": self.description,
            "last_payment_error": self.last_payment_error,
            "latest_charge": latest_charge.unwrap_or_else(|| json!(self.latest_charge)),
            "livemode": self.livemode,
            "metadata": self.metadata,
            "next_action": self.next_action.as_ref().map(NextAction::to_json),
            "payment_method": self.payment_method,
            "payment_method_types": self.payment_method_types,
            "statement_descriptor_suffix": self.statement_descriptor_suffix,
            "status": self.status.as_str(),
        })
    }

    /// Tells the search what it may find from now on.
    pub(in crate::stripe) fn reindex(&mut self, now: SystemTime) {
        self.index.push(Indexed {
            at: now,
            metadata: self.metadata.clone(),
            status: self.status,
            currency: self.currency.clone(),
            customer: self.customer.clone(),
            amount: self.amount,
        });
    }
}

impl NextAction {
    fn to_json(&self) -> Value {
        match self {
            Self::RedirectToUrl { url, return_url } => json!({
                "type": "redirect_to_url",
                "redirect_to_url": { "url": url, "return_url": return_url },
            }),
            Self::UseStripeSdk => json!({
                "type": "use_stripe_sdk",
                "use_stripe_sdk": { "type": "three_d_secure_redirect" },
            }),
        }
    }
}
