//! The values of a JSON text with their places, numbers as they are written.
//!
//! A number keeps its digits, and a name that stands twice is there twice: a parser into a tree
//! would lose both, and both decide about money.

use serde::de::IgnoredAny;

/// The place and the text of every value that holds no other. `None`: it is no JSON.
pub(super) fn leaves(text: &str) -> Option<Vec<(String, String)>> {
    let _valid: IgnoredAny = serde_json::from_str(text).ok()?;
    let mut scan = Scan {
        rest: text,
        found: Vec::new(),
    };
    scan.value("")?;
    Some(scan.found)
}

/// A walk over a text that is known to be valid, and so not deeper than the parser allows.
struct Scan<'t> {
    rest: &'t str,
    found: Vec<(String, String)>,
}

impl<'t> Scan<'t> {
    fn value(&mut self, place: &str) -> Option<()> {
        match self.peek()? {
            '{' => self.members(place, '}', true),
            '[' => self.members(place, ']', false),
            '"' => {
                let text = self.string()?;
                self.found.push((place.to_owned(), text));
                Some(())
            }
            _ => {
                let ends = |c: char| matches!(c, ',' | ']' | '}') || c.is_whitespace();
                let end = self.rest.find(ends).unwrap_or(self.rest.len());
                let text = self.take(end)?;
                self.found.push((place.to_owned(), text.to_owned()));
                Some(())
            }
        }
    }

    fn members(&mut self, place: &str, close: char, named: bool) -> Option<()> {
        self.take(1)?;
        let mut number = 0_usize;
        loop {
            match self.peek()? {
                c if c == close => {
                    self.take(1)?;
                    return Some(());
                }
                ',' => {
                    self.take(1)?;
                }
                _ => {
                    let name = if named {
                        let name = self.string()?;
                        self.peek().filter(|c| *c == ':')?;
                        self.take(1)?;
                        name
                    } else {
                        number.to_string()
                    };
                    let inner = if place.is_empty() {
                        name
                    } else {
                        format!("{place}.{name}")
                    };
                    self.value(&inner)?;
                    number = number.saturating_add(1);
                }
            }
        }
    }

    fn string(&mut self) -> Option<String> {
        let mut escaped = false;
        let mut end = None;
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '"' => {
                    end = at.checked_add(1);
                    break;
                }
                _ => {}
            }
        }
        serde_json::from_str(self.take(end?)?).ok()
    }

    fn peek(&mut self) -> Option<char> {
        self.rest = self.rest.trim_start();
        self.rest.chars().next()
    }

    fn take(&mut self, length: usize) -> Option<&'t str> {
        let (taken, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        Some(taken)
    }
}

#[cfg(test)]
mod tests {
    use super::leaves;

    #[test]
    fn numbers_and_names_are_kept_as_they_are_written() {
        let text =
            r#" { "a": { "b" : [480.00, "x\"y\u0041"], "b2":null }, "k":"1", "k":"2", "e":{} } "#;
        let found = leaves(text).unwrap();
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(place, text)| (place.as_str(), text.as_str()))
            .collect();
        let expected = [
            ("a.b.0", "480.00"),
            ("a.b.1", "x\"yA"),
            ("a.b2", "null"),
            ("k", "1"),
            ("k", "2"),
        ];
        assert_eq!(found, expected);
        assert_eq!(leaves("{\"a\":"), None);
        assert_eq!(leaves("[]").unwrap(), Vec::new());
    }
}
