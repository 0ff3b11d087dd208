//! Going on after the customer acted, where the flow needs another request.

use std::fmt;

use secrecy::{ExposeSecret, SecretString};

use super::{
    Call, EncodeError, Fact, IdempotencyKey, KeyFormat, OnRepeat, Request, Response, Retention,
    RuleSnapshot, Verdict,
};

/// An adapter whose gateway needs one more request after the customer came back: the result of a
/// redirect, the capture of an approved order, a one-time password.
///
/// It is a further step of the operation, with a key and stored bytes of its own. It may move money,
/// so it has a rule as the operation itself has.
pub trait Proceed: fmt::Debug + Send + Sync {
    /// What the gateway does with such a request.
    fn proceed_rule(&self) -> StepRule;

    /// Renders the request: once, without secrets, and the same bytes for the same arguments.
    ///
    /// # Errors
    ///
    /// What the gateway could not carry, or what is missing in the input. Nothing is stored and
    /// nothing is sent then.
    fn proceed_request(
        &self,
        call: &Call<'_>,
        proceeding: &Proceeding<'_>,
        input: &ProceedInput,
    ) -> Result<Request, EncodeError>;

    /// What the gateway's reply says about the one send that it answers. It is total, as
    /// [`Provider::classify`](super::Provider::classify) is.
    fn proceed_reply(
        &self,
        call: &Call<'_>,
        proceeding: &Proceeding<'_>,
        reply: &Response,
    ) -> Verdict;
}

/// What goes on.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct Proceeding<'a> {
    /// The gateway's id of it, if a reply named one.
    pub provider_id: Option<&'a str>,
    /// The key of this step. The operation's own key stands in the call.
    pub key: &'a IdempotencyKey,
}

impl<'a> Proceeding<'a> {
    /// What goes on, from its parts.
    pub const fn new(provider_id: Option<&'a str>, key: &'a IdempotencyKey) -> Self {
        Self { provider_id, key }
    }
}

/// What a gateway does with a further step.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "an adapter names every fact, and a new one must be asked of each"
)]
pub struct StepRule {
    /// The keys that the gateway takes.
    pub key_format: Fact<KeyFormat>,
    /// How long the gateway remembers a key. `None`: for ever.
    pub retention: Fact<Option<Retention>>,
    /// What a second request with the same key does.
    pub on_repeat: Fact<OnRepeat>,
}

impl StepRule {
    /// The parts that decide about sends, with those that it shares with its operation.
    pub fn snapshot(&self, operation: RuleSnapshot) -> RuleSnapshot {
        let retention = self.retention.value;
        RuleSnapshot {
            on_repeat: self.on_repeat.value,
            window: retention.map(Retention::window),
            margin: retention.map(|retention| retention.margin),
            baseline: false,
            ..operation
        }
    }
}

/// What the customer brought back: fields by their name at the gateway.
///
/// `Debug` shows the names only. The values go into the stored request, so give no card data: it is
/// refused.
///
/// ```
/// use payonce::ProceedInput;
///
/// let input = ProceedInput::new().field("redirectResult", "eyJ0cmFuc1...");
/// assert_eq!(input.get("redirectResult"), Some("eyJ0cmFuc1..."));
/// ```
#[derive(Clone, Default)]
pub struct ProceedInput {
    fields: Vec<(String, SecretString)>,
}

impl ProceedInput {
    /// No fields yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// One more field.
    #[must_use]
    pub fn field(mut self, name: impl Into<String>, value: impl Into<SecretString>) -> Self {
        self.fields.push((name.into(), value.into()));
        self
    }

    /// The value of a field, for the adapter.
    pub fn get(&self, name: &str) -> Option<&str> {
        let mut fields = self.fields.iter();
        let (_, value) = fields.find(|(field, _)| field == name)?;
        Some(value.expose_secret())
    }

    /// All fields, in the order given.
    pub fn fields(&self) -> impl Iterator<Item = (&str, &str)> {
        let fields = self.fields.iter();
        fields.map(|(name, value)| (name.as_str(), value.expose_secret()))
    }
}

impl fmt::Debug for ProceedInput {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.fields.iter().map(|(name, _)| name);
        f.debug_list().entries(names).finish()
    }
}
