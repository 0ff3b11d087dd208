//! The fields that are written on an object of Stripe: ours, and the merchant's own.

use form_urlencoded::Serializer;
use payonce::provider::{Call, EncodeError};
use payonce::{OperationKind, Problem};

use crate::rule::{CAPTURE_KEY_NAME, CAPTURE_REFERENCE_NAME, KEY_NAME, REFERENCE_NAME};

/// <https://docs.stripe.com/metadata>: so many fields, names and values of so many characters,
/// and no square brackets in names.
const METADATA_FIELDS: usize = 50;
const METADATA_NAME: usize = 40;
const METADATA_VALUE: usize = 500;
/// How many of the fields are ours: a key and a reference. A capture writes its own two beside
/// those of its authorization, which leaves room for them.
const OWN_FIELDS: usize = 2;
const OWN_FIELDS_WITH_CAPTURE: usize = 4;
/// How the names of our own fields start.
const OWN_PREFIX: &str = "payonce_";

/// Our fields first, then the merchant's in the order given.
pub(super) fn append(
    form: &mut Serializer<'_, String>,
    call: &Call<'_>,
    fields: &[(String, String)],
) -> Result<(), EncodeError> {
    let (key_name, reference_name, own) = match call.kind {
        OperationKind::Authorize => (KEY_NAME, REFERENCE_NAME, OWN_FIELDS_WITH_CAPTURE),
        // On its payment there may be more. If there is no room, Stripe refuses the capture.
        OperationKind::Capture => (
            CAPTURE_KEY_NAME,
            CAPTURE_REFERENCE_NAME,
            OWN_FIELDS_WITH_CAPTURE,
        ),
        OperationKind::Charge | OperationKind::Refund | OperationKind::Void | _ => {
            (KEY_NAME, REFERENCE_NAME, OWN_FIELDS)
        }
    };
    let most = METADATA_FIELDS.saturating_sub(own);
    if fields.len() > most {
        let problem = Problem::other(format!(
            "has {} fields: Stripe takes {METADATA_FIELDS}, and payonce needs {own} of \
             them, so give at most {most}",
            fields.len()
        ));
        return Err(EncodeError::field("metadata", problem));
    }
    form.append_pair(&metadata_field(key_name), call.key.as_str());
    form.append_pair(&metadata_field(reference_name), call.reference);
    for (name, value) in fields {
        name_problem(name).map_or(Ok(()), |problem| {
            Err(EncodeError::field("metadata name", problem))
        })?;
        if longer_than(value, METADATA_VALUE) {
            let problem = Problem::TooLong {
                limit: METADATA_VALUE,
            };
            return Err(EncodeError::field(format!("metadata {name}"), problem));
        }
        form.append_pair(&metadata_field(name), value);
    }
    Ok(())
}

fn metadata_field(name: &str) -> String {
    format!("metadata[{name}]")
}

fn name_problem(name: &str) -> Option<Problem> {
    if name.is_empty() {
        return Some(Problem::Empty);
    }
    if longer_than(name, METADATA_NAME) {
        return Some(Problem::TooLong {
            limit: METADATA_NAME,
        });
    }
    if name.contains(['[', ']']) {
        return Some(Problem::other(
            "holds a square bracket: Stripe takes none in names",
        ));
    }
    name.starts_with(OWN_PREFIX).then(|| {
        Problem::other(format!(
            "starts with {OWN_PREFIX}, which is for payonce: rename it"
        ))
    })
}

fn longer_than(text: &str, limit: usize) -> bool {
    text.chars().nth(limit).is_some()
}
