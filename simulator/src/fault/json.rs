//! Planned faults as the control API writes them: the fault's own fields, and beside them
//! `match`, `times` and `skip`.

use std::ops::RangeInclusive;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::{Fault, Matcher, PlannedFault};

const MAX_PAGE: usize = 16 * 1024 * 1024;

impl PlannedFault {
    /// Reads one from JSON.
    ///
    /// # Errors
    ///
    /// The text says what is wrong with it.
    pub fn from_json(value: &Value) -> Result<Self, String> {
        let Value::Object(members) = value else {
            return Err("a fault is a JSON object with the field \"fault\"".to_owned());
        };
        let mut own = members.clone();
        let on: Option<Matcher> = part(&mut own, "match")?;
        let times: Option<u32> = part(&mut own, "times")?;
        let skip: Option<u32> = part(&mut own, "skip")?;
        own.remove("id");
        let fault = fault_from(&Value::Object(own))?;
        if times == Some(0) {
            return Err("times: 0 would never hit anything".to_owned());
        }
        Ok(Self {
            id: 0,
            fault,
            on: on.unwrap_or_default(),
            times: times.unwrap_or(1),
            skip: skip.unwrap_or(0),
        })
    }

    /// The same in JSON.
    pub fn to_json(&self) -> Value {
        let mut value = serde_json::to_value(&self.fault).unwrap_or_default();
        if let Value::Object(members) = &mut value {
            members.insert("id".to_owned(), json!(self.id));
            members.insert("match".to_owned(), json!(self.on));
            members.insert("times".to_owned(), json!(self.times));
            members.insert("skip".to_owned(), json!(self.skip));
        }
        value
    }
}

fn part<T: for<'de> Deserialize<'de>>(
    members: &mut Map<String, Value>,
    name: &str,
) -> Result<Option<T>, String> {
    let Some(value) = members.remove(name) else {
        return Ok(None);
    };
    serde_json::from_value(value)
        .map(Some)
        .map_err(|error| format!("{name}: {error}"))
}

fn fault_from(value: &Value) -> Result<Fault, String> {
    let fault: Fault =
        serde_json::from_value(value.clone()).map_err(|error| format!("fault: {error}"))?;
    refuse_unknown(value, &fault)?;
    check(&fault)?;
    Ok(fault)
}

/// A misspelt field must not be a fault that silently does something else. Serde does not see
/// this in variants without fields, so the fields are compared with those of the result.
fn refuse_unknown(given: &Value, fault: &Fault) -> Result<(), String> {
    let known = serde_json::to_value(fault).unwrap_or_default();
    let mut members = given.as_object().into_iter().flatten();
    if let Some((name, _)) = members.find(|(name, _)| known.get(name).is_none()) {
        return Err(format!("fault {}: unknown field \"{name}\"", fault.name()));
    }
    if let (Fault::Together { faults }, Some(Value::Array(inner))) = (fault, given.get("faults")) {
        return inner
            .iter()
            .zip(faults)
            .try_for_each(|(given, fault)| refuse_unknown(given, fault));
    }
    Ok(())
}

/// Values that could not be sent.
fn check(fault: &Fault) -> Result<(), String> {
    if let Fault::Together { faults } = fault {
        return faults.iter().try_for_each(check);
    }
    if let Fault::Html { size, .. } = fault
        && *size > MAX_PAGE
    {
        return Err(format!("fault html: size {size} is over {MAX_PAGE}"));
    }
    let Some((status, allowed)) = status_and_range(fault) else {
        return Ok(());
    };
    if allowed.contains(&status) {
        return Ok(());
    }
    let (first, last) = (allowed.start(), allowed.end());
    Err(format!(
        "fault {}: status {status} is not {first} to {last}",
        fault.name()
    ))
}

fn status_and_range(fault: &Fault) -> Option<(u16, RangeInclusive<u16>)> {
    if let Fault::ServerError { status, .. } = fault {
        return Some((*status, 500..=599));
    }
    if let Fault::Redirect { status, .. } = fault {
        return Some((*status, 300..=399));
    }
    if let Fault::Html { status, .. } | Fault::Raw { status, .. } = fault {
        return Some((*status, 200..=599));
    }
    None
}
