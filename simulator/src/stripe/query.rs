//! The search's query language, as far as it is needed here (SRCH).

use super::error::ApiError;
use super::objects::Indexed;

/// Clauses that all have to hold.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Query {
    clauses: Vec<Clause>,
}

#[derive(Debug, PartialEq, Eq)]
struct Clause {
    field: Field,
    value: String,
}

#[derive(Debug, PartialEq, Eq)]
enum Field {
    Metadata(String),
    Status,
    Currency,
    Customer,
    Amount,
}

impl Query {
    /// Reads `metadata['k']:'v' AND status:'succeeded'`. Quotes are single or double; a backslash
    /// takes the next character as it is.
    pub(super) fn parse(text: &str) -> Result<Self, ApiError> {
        let mut reader = Reader { rest: text };
        let mut clauses = vec![reader.clause()?];
        loop {
            reader.spaces();
            if reader.rest.is_empty() {
                return Ok(Self { clauses });
            }
            if reader.word() != "AND" {
                return Err(reader.error("only AND can join clauses here"));
            }
            clauses.push(reader.clause()?);
        }
    }

    /// Whether a payment is one of them. The match is exact but for upper and lower case.
    pub(super) fn matches(&self, payment: &Indexed) -> bool {
        self.clauses.iter().all(|Clause { field, value }| {
            let same = |found: &str| found.to_lowercase() == value.to_lowercase();
            match field {
                Field::Metadata(key) => payment.metadata.get(key).is_some_and(|found| same(found)),
                Field::Status => same(payment.status.as_str()),
                Field::Currency => same(&payment.currency),
                Field::Customer => payment.customer.as_deref().is_some_and(same),
                Field::Amount => same(&payment.amount.to_string()),
            }
        })
    }
}

struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn clause(&mut self) -> Result<Clause, ApiError> {
        self.spaces();
        let field = match self.word().as_str() {
            "metadata" => {
                self.symbol('[')?;
                let key = self.quoted()?;
                self.symbol(']')?;
                Field::Metadata(key)
            }
            "status" => Field::Status,
            "currency" => Field::Currency,
            "customer" => Field::Customer,
            "amount" => Field::Amount,
            _ => {
                let known = "the fields here are metadata['key'], status, currency, customer, \
                             amount";
                return Err(self.error(known));
            }
        };
        self.symbol(':')?;
        self.spaces();
        let value = if field == Field::Amount && !self.rest.starts_with(['\'', '"']) {
            self.word()
        } else {
            self.quoted()?
        };
        Ok(Clause { field, value })
    }

    fn spaces(&mut self) {
        self.rest = self.rest.trim_start();
    }

    /// Takes letters, digits and underscores.
    fn word(&mut self) -> String {
        let end = self
            .rest
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest;
        word.to_owned()
    }

    fn symbol(&mut self, symbol: char) -> Result<(), ApiError> {
        self.spaces();
        match self.rest.strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest;
                Ok(())
            }
            None => Err(self.error(&format!("expected {symbol}"))),
        }
    }

    fn quoted(&mut self) -> Result<String, ApiError> {
        self.spaces();
        let mut characters = self.rest.chars();
        let quote = characters
            .next()
            .filter(|quote| matches!(quote, '\'' | '"'));
        let Some(quote) = quote else {
            return Err(self.error("expected a text in quotes"));
        };
        let mut text = String::new();
        while let Some(character) = characters.next() {
            if character == quote {
                self.rest = characters.as_str();
                return Ok(text);
            }
            let escaped = if character == '\\' {
                characters.next()
            } else {
                None
            };
            text.push(escaped.unwrap_or(character));
        }
        Err(self.error("the closing quote is missing"))
    }

    fn error(&self, why: &str) -> ApiError {
        let rest: String = self.rest.chars().take(40).collect();
        let message = format!("We were unable to parse your search query: {why}, at \"{rest}\".");
        ApiError::invalid(message).param("query")
    }
}
