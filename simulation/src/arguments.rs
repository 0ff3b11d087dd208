//! The command line.

use payonce_simulation::Plant;

/// How it is used.
pub(crate) const USAGE: &str = "\
Runs deterministic histories of the real engine, and says what did not hold.

  --seeds N        so many histories (2000)
  --from S         from this seed on (1)
  --coverage       show what they went through
  --seed S         replay one, and show what happened
  --shrink S       leave out what a failing one does not need
  --plants         plant each known mistake, and say which seed finds it
  --within N       look for it in so many seeds (3000)
  --plant NAME     with --seed or --shrink: with this mistake
  --sqlite         over a real SQLite file (with the feature sqlite)
";

/// What to do.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Command {
    Help,
    Many {
        from: u64,
        seeds: u64,
        sqlite: bool,
        coverage: bool,
    },
    One {
        seed: u64,
        plant: Option<Plant>,
        sqlite: bool,
    },
    Shrink {
        seed: u64,
        plant: Option<Plant>,
        sqlite: bool,
    },
    Plants {
        within: u64,
    },
}

pub(crate) fn parse(words: &[String]) -> Result<Command, String> {
    let (mut from, mut seeds, mut within) = (1, 2000, 3000);
    let (mut one, mut smaller, mut plant) = (None, None, None);
    let (mut sqlite, mut coverage, mut plants) = (false, false, false);
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let mut number = || -> Result<u64, String> {
            let next = words
                .next()
                .ok_or_else(|| format!("{word} needs a number"))?;
            next.parse().map_err(|_| format!("{next} is no number"))
        };
        match word.as_str() {
            "--help" | "-h" => return Ok(Command::Help),
            "--seeds" => seeds = number()?,
            "--from" => from = number()?,
            "--within" => within = number()?,
            "--seed" => one = Some(number()?),
            "--shrink" => smaller = Some(number()?),
            "--plants" => plants = true,
            "--coverage" => coverage = true,
            "--sqlite" => sqlite = true,
            "--plant" => plant = Some(named(words.next())?),
            other => return Err(format!("{other} is not known")),
        }
    }
    if plants {
        return Ok(Command::Plants { within });
    }
    Ok(match (one, smaller) {
        (Some(seed), _) => Command::One {
            seed,
            plant,
            sqlite,
        },
        (None, Some(seed)) => Command::Shrink {
            seed,
            plant,
            sqlite,
        },
        (None, None) => Command::Many {
            from,
            seeds,
            sqlite,
            coverage,
        },
    })
}

fn named(name: Option<&String>) -> Result<Plant, String> {
    let found = name.and_then(|name| {
        let mut all = Plant::ALL.iter().copied();
        all.find(|plant| plant.name() == name)
    });
    found.ok_or_else(|| {
        let names: Vec<_> = Plant::ALL.iter().map(|plant| plant.name()).collect();
        format!("--plant needs one of: {}", names.join(", "))
    })
}
