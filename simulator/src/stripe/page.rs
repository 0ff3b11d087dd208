//! Lists in pages, newest first (PI).

use std::time::{Duration, SystemTime};

use serde_json::{Value, json};

use super::error::ApiError;
use super::form::Form;

/// The page that a list request asks for.
#[derive(Debug)]
pub(super) struct Page {
    limit: usize,
    starting_after: Option<String>,
    ending_before: Option<String>,
}

/// The creation times that a list request asks for, in Unix seconds.
#[derive(Debug, Default)]
pub(super) struct Created {
    from: Option<i64>,
    to: Option<i64>,
}

/// Takes `limit`: 1 to 100, else 10.
pub(super) fn limit(form: &mut Form) -> Result<usize, ApiError> {
    let limit = form.integer("limit", 1)?.unwrap_or(10);
    match usize::try_from(limit) {
        Ok(limit) if limit <= 100 => Ok(limit),
        _ => {
            let message = "This value must be less than or equal to 100.";
            Err(ApiError::invalid(message)
                .code("parameter_invalid_integer")
                .param("limit"))
        }
    }
}

impl Page {
    pub(super) fn take(form: &mut Form) -> Result<Self, ApiError> {
        let page = Self {
            limit: limit(form)?,
            starting_after: form.text("starting_after")?,
            ending_before: form.text("ending_before")?,
        };
        if page.starting_after.is_some() && page.ending_before.is_some() {
            let message = "You may only specify one of these parameters: starting_after, \
                           ending_before.";
            return Err(ApiError::invalid(message).param("starting_after"));
        }
        Ok(page)
    }

    /// The objects of this page out of all, newest first, and whether there are more.
    pub(super) fn of<'a, T>(
        &self,
        all: &[&'a T],
        id: impl Fn(&T) -> &str,
        wanted: impl Fn(&T) -> bool,
    ) -> Result<(Vec<&'a T>, bool), ApiError> {
        let position = |cursor: &str| {
            let found = all.iter().position(|object| id(object) == cursor);
            found.ok_or_else(|| {
                let message = format!("No such object: '{cursor}'");
                ApiError::invalid(message)
                    .code("resource_missing")
                    .param("starting_after")
            })
        };
        let more_than_limit = self.limit.saturating_add(1);
        let mut found: Vec<&T> = if let Some(cursor) = &self.ending_before {
            // The newer ones that are next to the cursor.
            let newer = all.iter().take(position(cursor)?).rev().copied();
            newer
                .filter(|object| wanted(object))
                .take(more_than_limit)
                .collect()
        } else {
            let from = match &self.starting_after {
                Some(cursor) => position(cursor)?.saturating_add(1),
                None => 0,
            };
            let older = all.iter().skip(from).copied();
            older
                .filter(|object| wanted(object))
                .take(more_than_limit)
                .collect()
        };
        let has_more = found.len() > self.limit;
        found.truncate(self.limit);
        if self.ending_before.is_some() {
            found.reverse();
        }
        Ok((found, has_more))
    }
}

impl Created {
    /// Takes `created` and `created[gt|gte|lt|lte]`.
    pub(super) fn take(form: &mut Form) -> Result<Self, ApiError> {
        let exact = form.integer("created", 0)?;
        let after = form
            .integer("created[gt]", 0)?
            .map(|at| at.saturating_add(1));
        let from = form.integer("created[gte]", 0)?;
        let before = form
            .integer("created[lt]", 0)?
            .map(|at| at.saturating_sub(1));
        let to = form.integer("created[lte]", 0)?;
        Ok(Self {
            from: [exact, after, from].into_iter().flatten().max(),
            to: [exact, before, to].into_iter().flatten().min(),
        })
    }

    pub(super) fn has(&self, created: SystemTime) -> bool {
        let at = crate::clock::unix_seconds(created);
        self.from.is_none_or(|from| at >= from) && self.to.is_none_or(|to| at <= to)
    }
}

/// A list as the API shows it.
pub(super) fn list(url: &str, data: &[Value], has_more: bool) -> Value {
    json!({ "object": "list", "data": data, "has_more": has_more, "url": url })
}

/// The time so long before another one; the search shows what was so then.
pub(super) fn before(now: SystemTime, lag: Duration) -> SystemTime {
    now.checked_sub(lag).unwrap_or(SystemTime::UNIX_EPOCH)
}
