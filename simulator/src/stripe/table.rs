//! Objects by id. Ids come from a counter, so that the same run gives the same ids.

use std::collections::BTreeMap;

/// Objects of one kind, in the order of their creation.
#[derive(Debug)]
pub(super) struct Table<T> {
    prefix: &'static str,
    last: u64,
    rows: BTreeMap<u64, T>,
}

impl<T> Table<T> {
    /// An empty table whose ids begin so.
    pub(super) fn new(prefix: &'static str) -> Self {
        Self {
            prefix,
            last: 0,
            rows: BTreeMap::new(),
        }
    }

    /// Adds an object that is made with its id.
    pub(super) fn add(&mut self, make: impl FnOnce(String) -> T) -> String {
        self.add_and_get(make).0
    }

    /// Adds an object and gives it back.
    pub(super) fn add_and_get(&mut self, make: impl FnOnce(String) -> T) -> (String, &mut T) {
        self.last = self.last.saturating_add(1);
        let id = format!("{}_sim_{:06}", self.prefix, self.last);
        let object = make(id.clone());
        let row = self.rows.entry(self.last).or_insert(object);
        (id, row)
    }

    pub(super) fn get(&self, id: &str) -> Option<&T> {
        self.rows.get(&self.number(id)?)
    }

    pub(super) fn get_mut(&mut self, id: &str) -> Option<&mut T> {
        self.rows.get_mut(&self.number(id)?)
    }

    /// Oldest first.
    pub(super) fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        self.rows.values()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.rows.values_mut()
    }

    /// The number in an id; another spelling of the same number is another id.
    fn number(&self, id: &str) -> Option<u64> {
        let digits = id.strip_prefix(self.prefix)?.strip_prefix("_sim_")?;
        let number = digits.parse().ok()?;
        (format!("{number:06}") == digits).then_some(number)
    }
}
