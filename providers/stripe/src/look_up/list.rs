//! Reading a list of Stripe, newest first, for what carries our key.

use form_urlencoded::Serializer;
use payonce::provider::{Match, Ruling};

use super::{PAGE_SIZE, Walk, Walked, read_ok, unclear, unreadable};
use crate::rule::KEY_NAME;
use crate::wire::{self, Keyed};

/// How many pages of a list are read.
const PAGES: usize = 10;

/// A list and what of it is asked for.
pub(super) struct List<'l> {
    pub(super) path: &'static str,
    pub(super) filter: &'l [(&'l str, &'l str)],
    /// What is said where there is more than is read.
    pub(super) too_many: &'static str,
}

/// The objects of a page with their ids, and whether there is more.
type Page<T> = (Vec<(String, T)>, bool);

impl Walk<'_> {
    /// What of the list carries our key.
    pub(super) fn list<T: Keyed>(
        &mut self,
        list: &List<'_>,
        matched: fn(&Self, &str, &T) -> Match,
    ) -> Walked<Vec<Match>> {
        let mut found = Vec::new();
        let mut after: Option<String> = None;
        for _ in 0..PAGES {
            let (objects, more) = self.page::<T>(list, after.as_deref())?;
            for (id, object) in objects {
                if object.carries(self.call.key) == Some(true) {
                    found.push(matched(self, &id, &object));
                }
                after = Some(id);
            }
            if !more {
                return Ok(found);
            }
            if found.iter().any(succeeded) {
                break;
            }
        }
        let found = complete(found, true, list.too_many)?;
        if found.is_empty() {
            return Err(unclear(list.too_many));
        }
        Ok(found)
    }

    /// A page of the list. It counts only if every object on it can be told to be ours or not.
    fn page<T: Keyed>(&mut self, list: &List<'_>, after: Option<&str>) -> Walked<Page<T>> {
        let mut query = Serializer::new(String::new());
        query.extend_pairs(list.filter);
        query.append_pair("limit", PAGE_SIZE);
        if let Some(id) = after {
            query.append_pair("starting_after", id);
        }
        let reply = self.ask(&format!("{}?{}", list.path, query.finish()))?;
        let key = self.call.key;
        let object = |value| {
            let object: T = wire::read(value)?;
            object.carries(key)?;
            Some((object.id()?.to_owned(), object))
        };
        let page = || {
            let wire::List { data, has_more } = read_ok(reply)?;
            let objects: Option<Vec<_>> = data?.into_iter().map(object).collect();
            let end = objects.as_ref()?.last().map(|(id, _)| id.as_str());
            // A page that does not lead on would be asked for again and again.
            let stuck = has_more? && (end.is_none() || end == after);
            if stuck {
                None
            } else {
                Some((objects?, has_more?))
            }
        };
        page().ok_or_else(|| unreadable(reply))
    }
}

/// What was found, if it may stand for everything: where there is more to read, a refusal may
/// not be the last word.
pub(super) fn complete(
    found: Vec<Match>,
    more: bool,
    too_many: &'static str,
) -> Walked<Vec<Match>> {
    if more && !found.is_empty() && !found.iter().any(succeeded) {
        return Err(unclear(too_many));
    }
    Ok(found)
}

fn succeeded(found: &Match) -> bool {
    matches!(found.verdict.ruling, Ruling::Succeeded(_))
}

/// The key that an object names.
pub(super) fn key_of<T: Keyed>(object: &T) -> Option<&str> {
    object.metadata()?.get(KEY_NAME)
}
