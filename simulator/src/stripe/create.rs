//! `POST /v1/payment_intents` (PI).

use std::collections::BTreeMap;

use serde_json::Value;

use super::action::expand;
use super::amount;
use super::cards;
use super::confirm::Attempt;
use super::error::ApiError;
use super::form::{self, Form};
use super::objects::{PaymentIntent, PaymentIntentStatus};
use super::{Cause, Stripe};

/// Parameters that Stripe takes and that change nothing in this simulation.
pub(super) const WITHOUT_EFFECT: [&str; 10] = [
    "confirmation_method",
    "mandate_data",
    "payment_method_options",
    "radar_options",
    "receipt_email",
    "setup_future_usage",
    "shipping",
    "statement_descriptor",
    "transfer_group",
    "use_stripe_sdk",
];

/// A payment that somebody wants to make.
#[derive(Debug)]
pub(super) struct Create {
    amount: i64,
    currency: String,
    payment_method: Option<String>,
    payment_method_types: Vec<String>,
    /// `always` or `never`, if Stripe chooses the kinds of payment method.
    redirects: Option<String>,
    capture_method: String,
    customer: Option<String>,
    description: Option<String>,
    statement_descriptor_suffix: Option<String>,
    metadata: BTreeMap<String, String>,
    attempt: Option<Attempt>,
    expand: Vec<String>,
}

impl Create {
    pub(super) fn parse(mut form: Form) -> Result<Self, ApiError> {
        let amount = form
            .integer("amount", 1)?
            .ok_or_else(|| form::missing("amount"))?;
        let currency = form
            .text("currency")?
            .ok_or_else(|| form::missing("currency"))?;
        amount::check(amount, &currency)?;
        let payment_method = payment_method(&mut form)?;
        let (payment_method_types, redirects) = kinds(&mut form)?;
        let attempt = attempt(&mut form, payment_method.as_ref(), redirects.as_deref())?;
        let create = Self {
            amount,
            currency,
            payment_method,
            payment_method_types,
            redirects,
            capture_method: form
                .word(
                    "capture_method",
                    &["automatic", "automatic_async", "manual"],
                )?
                .unwrap_or_else(|| "automatic".to_owned()),
            customer: customer(&mut form)?,
            description: form.text("description")?,
            statement_descriptor_suffix: form.text("statement_descriptor_suffix")?,
            metadata: form.metadata()?,
            attempt,
            expand: expand(&mut form, &["latest_charge"])?,
        };
        form.ignore(&WITHOUT_EFFECT);
        form.finish()?;
        Ok(create)
    }
}

/// A payment method that exists.
pub(super) fn payment_method(form: &mut Form) -> Result<Option<String>, ApiError> {
    let Some(id) = form.text("payment_method")? else {
        return Ok(None);
    };
    if cards::result_of(&id).is_some() {
        return Ok(Some(id));
    }
    let message = format!(
        "No such PaymentMethod: '{id}'. The simulator knows Stripe's test payment methods, for \
         example pm_card_visa."
    );
    Err(ApiError::invalid(message)
        .code("resource_missing")
        .param("payment_method"))
}

/// The kinds of payment method, and whether they may redirect. Without any word Stripe chooses,
/// as with `automatic_payment_methods[enabled]=true`: so since version 2023-08-16.
fn kinds(form: &mut Form) -> Result<(Vec<String>, Option<String>), ApiError> {
    let types = form.list("payment_method_types");
    let enabled = form.boolean("automatic_payment_methods[enabled]")?;
    let redirects = form.word(
        "automatic_payment_methods[allow_redirects]",
        &["always", "never"],
    )?;
    if enabled == Some(true) && !types.is_empty() {
        let message = "You may only specify one of these parameters: automatic_payment_methods, \
                       payment_method_types.";
        return Err(ApiError::invalid(message).param("automatic_payment_methods"));
    }
    if enabled.is_none() && redirects.is_some() {
        return Err(form::missing("automatic_payment_methods[enabled]"));
    }
    let card = vec!["card".to_owned()];
    if !types.is_empty() {
        if !types.contains(&"card".to_owned()) {
            let message = "The simulator knows cards only: payment_method_types must have card.";
            return Err(ApiError::invalid(message).param("payment_method_types"));
        }
        return Ok((types, None));
    }
    if enabled == Some(false) {
        return Ok((card, None));
    }
    Ok((card, Some(redirects.unwrap_or_else(|| "always".to_owned()))))
}

/// The first try, if `confirm=true`. The parameters of a try are refused without it (PI).
fn attempt(
    form: &mut Form,
    payment_method: Option<&String>,
    redirects: Option<&str>,
) -> Result<Option<Attempt>, ApiError> {
    let confirm = form.boolean("confirm")?.unwrap_or(false);
    let return_url = form.text("return_url")?;
    let off_session = form.boolean("off_session")?;
    let error_on_requires_action = form.boolean("error_on_requires_action")?;
    if !confirm {
        let given = [
            ("return_url", return_url.is_some()),
            ("off_session", off_session.is_some()),
            (
                "error_on_requires_action",
                error_on_requires_action.is_some(),
            ),
        ];
        return match given.iter().find(|(_, given)| *given) {
            Some((name, _)) => {
                let message = format!("The parameter {name} can only be used with confirm=true.");
                Err(ApiError::invalid(message).param(name))
            }
            None => Ok(None),
        };
    }
    let Some(payment_method) = payment_method.cloned() else {
        let message = "You cannot confirm this PaymentIntent because it's missing a payment \
                       method.";
        return Err(ApiError::invalid(message).code("payment_intent_unexpected_state"));
    };
    check_redirects(redirects, return_url.as_deref())?;
    Ok(Some(Attempt {
        payment_method,
        return_url,
        nobody_there: off_session.unwrap_or(false) || error_on_requires_action.unwrap_or(false),
    }))
}

/// A customer who may be sent away needs a way back (PI).
pub(super) fn check_redirects(
    redirects: Option<&str>,
    return_url: Option<&str>,
) -> Result<(), ApiError> {
    if redirects != Some("always") || return_url.is_some() {
        return Ok(());
    }
    let message = "This PaymentIntent is configured to accept payment methods enabled in your \
                   Dashboard. Because some of these payment methods might redirect your customer \
                   off of your page, you must provide a `return_url`. If you don't want to accept \
                   redirect-based payment methods, set \
                   `automatic_payment_methods[allow_redirects]` to `never` or name the \
                   `payment_method_types`.";
    Err(ApiError::invalid(message).param("return_url"))
}

/// There is no customer to look up here; the shape of the id has to do.
fn customer(form: &mut Form) -> Result<Option<String>, ApiError> {
    let Some(id) = form.text("customer")? else {
        return Ok(None);
    };
    if id.starts_with("cus_") {
        return Ok(Some(id));
    }
    let message = format!("No such customer: '{id}'");
    Err(ApiError::invalid(message)
        .code("resource_missing")
        .param("customer"))
}

impl Stripe {
    pub(super) fn create(&mut self, create: Create, cause: Cause<'_>) -> Result<Value, ApiError> {
        let now = self.now;
        let id = self.payments.add(|id| {
            let Create {
                amount, currency, ..
            } = create;
            let status = match create.payment_method {
                Some(_) => PaymentIntentStatus::RequiresConfirmation,
                None => PaymentIntentStatus::RequiresPaymentMethod,
            };
            PaymentIntent {
                status,
                payment_method: create.payment_method,
                payment_method_types: create.payment_method_types,
                automatic_payment_methods: create.redirects,
                capture_method: create.capture_method,
                customer: create.customer,
                description: create.description,
                statement_descriptor_suffix: create.statement_descriptor_suffix,
                metadata: create.metadata,
                ..PaymentIntent::new(id, cause.scope, amount, currency, now)
            }
        });
        self.reindex(&id);
        if let Some(attempt) = create.attempt {
            self.try_payment(&id, attempt, cause)?;
        }
        self.show(&id, &create.expand)
    }
}
