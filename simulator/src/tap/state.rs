//! Looking at the state and planting things in it, from a test or the control API.

use super::Tap;
use super::record::Record;

impl Tap {
    /// All objects, oldest first.
    pub fn records(&self) -> impl Iterator<Item = &Record> {
        self.records.iter()
    }

    /// An object of any account.
    pub fn record(&self, id: &str) -> Option<&Record> {
        self.records.get(id)
    }

    /// An object to change. Changing one is planting: it makes no effect.
    pub fn record_mut(&mut self, id: &str) -> Option<&mut Record> {
        self.records.get_mut(id)
    }

    /// Plants a second object that is equal but for its id and time, as if the request had been
    /// executed twice. It makes no effect. None if there is no such object.
    pub fn copy_record(&mut self, id: &str) -> Option<String> {
        let copy = Record {
            created: self.now,
            page: None,
            ..self.record(id)?.clone()
        };
        Some(self.records.add(copy).id.clone())
    }

    /// Forgets all keys, as after their life.
    pub fn forget_keys(&mut self) {
        self.keys.clear();
    }

    /// The customer pays on the page, or fails.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn complete_action(&mut self, id: &str, passed: bool) -> Result<(), String> {
        if self.open(id)?.page.is_none() {
            return Err(format!("{id} has no page; settle ends it"));
        }
        self.authenticate(id, passed);
        Ok(())
    }

    /// An object without a result gets it.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn settle(&mut self, id: &str, succeeded: bool) -> Result<(), String> {
        self.open(id)?;
        if succeeded {
            self.pay(id);
        } else {
            self.end(id, "DECLINED", "501");
        }
        Ok(())
    }

    /// The customer never comes back: CANCELLED or ABANDONED, with its code.
    ///
    /// # Errors
    ///
    /// The text says why this is not possible.
    pub fn leave(&mut self, id: &str, status: &str, code: &str) -> Result<(), String> {
        self.open(id)?;
        self.end(id, status, code);
        Ok(())
    }

    pub(super) fn authenticate(&mut self, id: &str, passed: bool) {
        if passed {
            self.pay(id);
        } else {
            self.end(id, "DECLINED", "503");
        }
    }

    fn open(&self, id: &str) -> Result<&Record, String> {
        let record = self
            .record(id)
            .ok_or_else(|| format!("no object \"{id}\""))?;
        if record.is_open() {
            return Ok(record);
        }
        let status = &record.status;
        Err(format!("{id} has the status {status}; it is over"))
    }
}
