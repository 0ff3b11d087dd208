//! Leaves out faults and actions of a failing history as long as it still fails.

use std::collections::BTreeSet;

use crate::{Options, Report, run};

/// Shrinks a failing history: what is left out, and what then happens.
///
/// It leaves out ever smaller parts of what was drawn, and keeps a part out if the same promise
/// still breaks.
pub fn shrink(options: &Options) -> (BTreeSet<String>, Report) {
    let mut report = run(options);
    let mut muted = options.muted.clone();
    let Some(first) = report.failures.first().cloned() else {
        return (muted, report);
    };
    let mut size = report.happened.len();
    while size > 0 {
        let mut from = 0;
        while from < report.happened.len() {
            let part = report.happened.iter().skip(from).take(size).cloned();
            let mut more = muted.clone();
            more.extend(part);
            let tried = run(&options.clone().without(more.clone()));
            if tried
                .failures
                .iter()
                .any(|failure| failure.what == first.what)
            {
                (muted, report) = (more, tried);
            } else {
                from = from.saturating_add(size);
            }
        }
        size /= 2;
    }
    (muted, report)
}
