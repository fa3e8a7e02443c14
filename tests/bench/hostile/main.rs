//! Hostile input: what it costs the core in time and memory, and how both grow with it. `cargo xtask bench hostile`.
//!
//! `hostile [--short] [--markdown FILE] [WORD ...]` measures the families whose names or calls contain every word.

mod calls;
mod clock;
mod families;
mod measure;
mod memory;
mod table;

use families::Family;
use std::{process::ExitCode, time::Instant};
use table::Row;

#[global_allocator]
static ALLOCATOR: memory::Counting = memory::Counting;

/// How many times the time is taken in the short form, in which nothing is measured twice; and where nothing is optimised.
const SLACK: u32 = if cfg!(debug_assertions) { 40 } else { 4 };

/// A family, and its place in the list of all.
type Chosen = (usize, &'static Family);

fn main() -> ExitCode {
    let mut words = std::env::args().skip(1);
    let (mut filter, mut short, mut file, mut only) = (Vec::new(), false, None, None);
    while let Some(word) = words.next() {
        match word.as_str() {
            // Cargo says so to every benchmark.
            "--bench" => {}
            "--short" => short = true,
            "--markdown" => file = words.next(),
            "--family" => only = words.next(),
            _ => filter.push(word),
        }
    }
    let all = families::all();
    if let Some(place) = only {
        let family = place.parse().ok().and_then(|place: usize| all.get(place)).expect("a family at this place");
        measure::child(family, short);
        return ExitCode::SUCCESS;
    }
    let chosen = |(_, family): &(usize, &'static Family)| {
        filter.iter().all(|word| family.name.contains(word.as_str()) || family.call.contains(word.as_str()))
    };
    let chosen: Vec<_> = all.into_iter().enumerate().filter(chosen).collect();
    let begun = Instant::now();
    let rows = if short { short_form(&chosen) } else { whole(&chosen) };
    let failing = rows.iter().filter(|row| !row.failures.is_empty()).count();
    let seconds = begun.elapsed().as_secs();
    println!("{} kinds of hostile input in {seconds} s; {failing} are beyond what is promised.", rows.len());
    if let Some(file) = file
        && let Err(error) = std::fs::write(&file, table::markdown(&rows))
    {
        eprintln!("{file}: {error}");
        return ExitCode::FAILURE;
    }
    if failing == 0 && !rows.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Every family at every size, in a table. One that seems too much is measured again, since others use the machine, too.
fn whole(families: &[Chosen]) -> Vec<Row> {
    println!("{}", table::heads());
    let measured = families.iter().map(|(place, family)| {
        let measure = || Row::new(family, measure::family(*place, false), 1);
        let mut row = measure();
        if row.is_close() {
            row = row.or_better(measure());
        }
        println!("{}", table::shown(&row));
        row
    });
    measured.collect()
}

/// Every family at its smallest size, once. Only what is wrong is printed.
fn short_form(families: &[Chosen]) -> Vec<Row> {
    let measured = families.iter().map(|(place, family)| {
        let row = Row::new(family, measure::family(*place, true), SLACK);
        if !row.failures.is_empty() {
            println!("{}", table::shown(&row));
        }
        row
    });
    measured.collect()
}
