//! The README's table of gateways says what the adapters' rules say.

use std::fmt::Write;

use payonce::provider::{OnRepeat, Placement, Rule};
use payonce::{OperationKind, Provider};

use super::SHOPS;
use super::shop::Adapter;

const README: &str = include_str!("../../../README.md");
const BEGIN: &str = "<!-- made from the rules: cargo test --test it gateways::table -->\n";
const END: &str = "<!-- so far -->\n";

fn key(rule: &Rule) -> String {
    match rule.placement.value {
        Placement::Header(name) => format!("header `{name}`"),
        Placement::Body(name) => format!("body, `{name}`"),
        _ if rule.baseline.value => {
            "none: the payment is read before, and compared after a lost reply".to_owned()
        }
        Placement::Nowhere | _ => "none".to_owned(),
    }
}

fn repeat(rule: &Rule) -> String {
    // Cut to whole hours, it is never too long.
    let hours = rule.snapshot().window.map(|window| window.as_secs() / 3600);
    let for_so_long = match hours {
        Some(hours) => format!("for {hours} h"),
        None => "for ever".to_owned(),
    };
    match rule.on_repeat.value {
        OnRepeat::Replays => format!("shows the first one's answer, {for_so_long}"),
        OnRepeat::ReplaysSuccess => {
            format!("shows the first one's success, {for_so_long}; it is looked up first")
        }
        OnRepeat::RunsAgain => "would run again, so it is never made".to_owned(),
        OnRepeat::NoFurtherEffect => "has no further effect; it is looked up first".to_owned(),
    }
}

/// Kinds with the same facts stand in one row.
fn rows(adapter: &Adapter) -> Vec<(Vec<&'static str>, [String; 3])> {
    let mut rows: Vec<(Vec<&'static str>, [String; 3])> = Vec::new();
    for kind in OperationKind::all() {
        let Some(rule) = adapter.rule(*kind) else {
            continue;
        };
        let ended = if adapter.close(*kind).is_some() {
            "yes"
        } else {
            "-"
        };
        let facts = [key(&rule), repeat(&rule), ended.to_owned()];
        match rows.iter_mut().find(|(_, known)| *known == facts) {
            Some((kinds, _)) => kinds.push(kind.as_str()),
            None => rows.push((vec![kind.as_str()], facts)),
        }
    }
    rows
}

fn table() -> String {
    let mut table = String::from(
        "| gateway | operations | the key | a repeat with it | `close` |\n|---|---|---|---|---|\n",
    );
    for shop in SHOPS {
        let adapter = shop.provider("https://gateway.example".to_owned());
        let name = shop.name();
        for (row, (kinds, [key, repeat, ended])) in rows(&adapter).into_iter().enumerate() {
            let gateway = if row == 0 {
                format!("[`payonce-{name}`](providers/{name})")
            } else {
                String::new()
            };
            let kinds = kinds.join(", ");
            writeln!(
                table,
                "| {gateway} | {kinds} | {key} | {repeat} | {ended} |"
            )
            .unwrap();
        }
    }
    table
}

/// A table that drifts tells the merchant that a repeat is safe where it is not.
#[test]
fn the_readme_shows_the_rules() {
    let (_, rest) = README.split_once(BEGIN).expect("the table's begin");
    let (shown, _) = rest.split_once(END).expect("the table's end");
    let table = table();
    assert_eq!(shown.trim(), table.trim(), "put this there:\n{table}");
}
