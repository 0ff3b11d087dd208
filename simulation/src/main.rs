//! Runs deterministic histories of the real engine, and says what did not hold.

mod arguments;

use std::io::{self, Write};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use payonce_simulation::{Options, Plant, Report, Summary, find, floor, run, run_all, shrink};

use crate::arguments::{Command, USAGE};

/// Seeds that failed once. They are run first, always.
const REGRESSIONS: &str = include_str!("../regressions.txt");

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match arguments::parse(&words) {
        Ok(Command::Help) => write(USAGE).map(|()| true),
        Ok(Command::Many {
            from,
            seeds,
            sqlite,
            coverage,
        }) => many(from, seeds, sqlite, coverage),
        Ok(Command::One {
            seed,
            plant,
            sqlite,
        }) => one(&Options::of(seed)
            .with_plant(plant)
            .on_sqlite(sqlite)
            .traced()),
        Ok(Command::Shrink {
            seed,
            plant,
            sqlite,
        }) => smaller(&Options::of(seed).with_plant(plant).on_sqlite(sqlite)),
        Ok(Command::Plants { within }) => plants(within),
        Err(why) => write(&format!("{why}\n\n{USAGE}")).map(|()| false),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) | Err(_) => ExitCode::FAILURE,
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

#[expect(
    clippy::disallowed_methods,
    reason = "how fast it goes is a matter of real time"
)]
fn now() -> Instant {
    Instant::now()
}

/// The seeds of the regression list.
fn regressions() -> Vec<u64> {
    let lines = REGRESSIONS.lines();
    let numbers = lines.filter_map(|line| line.split_whitespace().next());
    numbers.filter_map(|number| number.parse().ok()).collect()
}

fn many(from: u64, seeds: u64, sqlite: bool, coverage: bool) -> io::Result<bool> {
    let mut all = if sqlite { Vec::new() } else { regressions() };
    all.extend(from..from.saturating_add(seeds));
    let began = now();
    let count = all.len();
    let heard = |done: u64| {
        if count > 5_000 {
            let text = format!(
                "\r{done} of {count}, {} a second ",
                rate(done, began.elapsed())
            );
            // A progress line that cannot be shown is no reason to stop.
            drop(io::stderr().write_all(text.as_bytes()));
        }
    };
    let summary = run_all(&all, &Options::default().on_sqlite(sqlite), &heard);
    if count > 5_000 {
        io::stderr().write_all(b"\r")?;
    }
    if coverage {
        write(&summary.coverage.tables())?;
    }
    report(&summary, sqlite, began.elapsed())
}

fn rate(done: u64, took: Duration) -> u64 {
    let ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX).max(1);
    done.saturating_mul(1000).checked_div(ms).unwrap_or(0)
}

fn report(summary: &Summary, sqlite: bool, took: Duration) -> io::Result<bool> {
    for (seed, failure) in summary.failed.iter().take(20) {
        let text = format!("seed {seed}: {}: {}\n", failure.what, failure.detail);
        write(&text)?;
    }
    if !summary.failed.is_empty() {
        let text = format!(
            "{} seeds failed; --seed S shows one, --shrink S makes it smaller\n",
            summary.failed.len()
        );
        write(&text)?;
    }
    // A real file is slow: so few histories cannot meet everything.
    let missing = if sqlite {
        Vec::new()
    } else {
        floor(&summary.coverage, summary.histories)
    };
    for text in &missing {
        write(&format!("coverage: {text}\n"))?;
    }
    for (why, hits) in summary.coverage.held_by_reason() {
        write(&format!("held for a person: {hits:>7}  {why}\n"))?;
    }
    write(&format!(
        "histories: {}  double effects: {}  false finals: {}  held for a person: {}  \
         unsettled: {}  seeds/s: {}\n",
        summary.histories,
        summary.double_effects,
        summary.false_finals,
        summary.held,
        summary.unsettled,
        rate(summary.histories, took)
    ))?;
    Ok(summary.failed.is_empty() && missing.is_empty())
}

fn one(options: &Options) -> io::Result<bool> {
    let report = run(options);
    for line in &report.lines {
        write(&format!("{line}\n"))?;
    }
    broken(&report)
}

fn broken(report: &Report) -> io::Result<bool> {
    for failure in &report.failures {
        write(&format!("BROKEN {}: {}\n", failure.what, failure.detail))?;
    }
    write(&format!("hash: {:016x}\n", report.hash))?;
    Ok(report.failures.is_empty())
}

fn smaller(options: &Options) -> io::Result<bool> {
    let (muted, report) = shrink(options);
    if report.failures.is_empty() {
        return write("it does not fail\n").map(|()| true);
    }
    let shown = run(&options.clone().without(muted).traced());
    for line in &shown.lines {
        write(&format!("{line}\n"))?;
    }
    write("what is left of what was drawn:\n")?;
    for label in &shown.happened {
        write(&format!("  {label}\n"))?;
    }
    broken(&shown)
}

fn plants(within: u64) -> io::Result<bool> {
    let mut all = true;
    for plant in Plant::ALL {
        let found = find(*plant, 1, within);
        let text = match &found.within {
            Some((seed, failure)) => format!("{seed:>6}  {}  ({})\n", plant.name(), failure.what),
            None => format!("  none  {}\n", plant.name()),
        };
        all &= found.within.is_some();
        write(&text)?;
    }
    Ok(all)
}
