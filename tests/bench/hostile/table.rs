//! What the measurements come to: growth, what fails, and the table, for a terminal and for a page.

use crate::{
    families::Family,
    measure::{Measured, Point, SHARES},
};
use std::{fmt::Write, time::Duration};

/// What section 8 of the semantics promises for any input.
const TIME: Duration = Duration::from_millis(250);
const MEMORY: usize = 64 << 20;
const REJECTION: usize = 64 << 10;
/// The steepest growth that counts as linear, over several sizes; and over two, where noise weighs more.
const GROWTH: f64 = 1.4;
const GROWTH_OF_TWO: f64 = 1.5;
/// What is smaller says nothing about growth.
const SHORT: f64 = 2e6;
const SMALL: f64 = (1 << 20) as f64;

/// One family with what was measured of it.
pub struct Row {
    /// The family.
    pub family: &'static Family,
    measured: Measured,
    time_growth: Option<Growth>,
    memory_growth: Option<Growth>,
    /// What it fails, in a few words each.
    pub failures: Vec<String>,
}

/// How something grows with the input: the exponent, and over how many sizes it was seen.
#[derive(Clone, Copy)]
struct Growth {
    exponent: f64,
    points: usize,
}

impl Growth {
    /// Fits a line through the logarithms, by least squares.
    fn of(points: &[Point], least: f64, value: impl Fn(&Point) -> f64) -> Option<Self> {
        let telling = points.iter().filter(|point| point.bytes > 0 && value(point) >= least);
        let all: Vec<(f64, f64)> = telling.map(|point| ((point.bytes as f64).ln(), value(point).ln())).collect();
        let count = all.len() as f64;
        let (x, y) = all.iter().fold((0.0, 0.0), |(sum, of), (x, y)| (sum + x / count, of + y / count));
        let (above, below) =
            all.iter().fold((0.0, 0.0), |(above, below), (a, b)| (above + (a - x) * (b - y), below + (a - x).powi(2)));
        (all.len() > 1 && below > 0.01).then(|| Self { exponent: above / below, points: all.len() })
    }

    fn is_steep(self) -> bool {
        self.exponent > if self.points > 2 { GROWTH } else { GROWTH_OF_TWO }
    }
}

impl Row {
    /// Judges what was measured. In the short form, `slack` times the time is taken, and growth is not looked at.
    pub fn new(family: &'static Family, measured: Measured, slack: u32) -> Self {
        let nanoseconds = |point: &Point| point.time.as_nanos() as f64;
        let time_growth = Growth::of(&measured.points, SHORT, nanoseconds);
        let memory_growth = Growth::of(&measured.points, SMALL, |point| point.memory as f64);
        let mut failures = Vec::new();
        failures.extend(measured.broken.clone());
        if measured.points.iter().any(|point| point.time > TIME * slack) {
            failures.push("time".into());
        }
        if measured.points.iter().any(|point| point.memory > MEMORY) {
            failures.push("memory".into());
        }
        if measured.points.iter().any(|point| point.refusal > REJECTION) {
            failures.push("the refusal's size".into());
        }
        if slack == 1 && time_growth.is_some_and(Growth::is_steep) {
            failures.push("growth of time".into());
        }
        if slack == 1 && memory_growth.is_some_and(Growth::is_steep) {
            failures.push("growth of memory".into());
        }
        Self { family, measured, time_growth, memory_growth, failures }
    }

    /// Whether it fails by so little that it may be the machine's doing.
    pub fn is_close(&self) -> bool {
        let steep = self.time_growth.is_some_and(|growth| growth.exponent > 1.6);
        // Memory is the same each time.
        let of_time = |failure: &String| failure.ends_with("time");
        !self.failures.is_empty() && self.failures.iter().all(of_time) && self.longest() < TIME * 2 && !steep
    }

    /// The one of two measurements that fails less.
    #[must_use]
    pub fn or_better(self, again: Self) -> Self {
        if again.failures.len() < self.failures.len() { again } else { self }
    }

    /// The longest time that was seen.
    fn longest(&self) -> Duration {
        let longest = self.measured.points.iter().map(|point| point.time).max().unwrap_or_default();
        if self.measured.broken.is_some() { longest.max(Duration::from_secs(10)) } else { longest }
    }

    /// What bounded it: the last outcome.
    fn bound(&self) -> String {
        let said = self.measured.points.last().map_or("nothing", |point| &point.said);
        match &self.measured.broken {
            Some(why) => format!("{why}, at 1/{}", SHARES.get(self.measured.points.len()).unwrap_or(&1)),
            None if self.measured.stopped => {
                let at = SHARES.get(self.measured.points.len().saturating_sub(1)).unwrap_or(&1);
                format!("{said}, at 1/{at}; larger ones were not tried")
            }
            None => said.to_owned(),
        }
    }

    fn cells(&self) -> [String; 8] {
        let last = self.measured.points.last();
        let growth =
            |growth: Option<Growth>| growth.map_or("–".to_owned(), |growth| format!("{:.1}", growth.exponent));
        let megabytes = |bytes: usize| format!("{:.1}", bytes as f64 / f64::from(1 << 20));
        [
            self.family.name.to_owned(),
            self.family.call.to_owned(),
            last.map_or("–".to_owned(), |point| megabytes(point.bytes)),
            last.map_or("–".to_owned(), |point| format!("{:.1}", point.time.as_secs_f64() * 1e3)),
            last.map_or("–".to_owned(), |point| megabytes(point.memory)),
            growth(self.time_growth),
            growth(self.memory_growth),
            self.bound(),
        ]
    }
}

const HEADS: [&str; 8] = ["input", "call", "MB", "ms", "memory, MB", "growth of time", "of memory", "what bounded it"];

/// The heads of the table for a terminal.
pub fn heads() -> String {
    line(&HEADS.map(str::to_owned)) + "  fails"
}

/// One line of the table for a terminal.
pub fn shown(row: &Row) -> String {
    let failures = row.failures.join(", ");
    format!("{}  {failures}", line(&row.cells())).trim_end().to_owned()
}

fn line([name, call, size, time, memory, growth, of_memory, bound]: &[String; 8]) -> String {
    format!("{name:<58} {call:<12} {size:>5} {time:>8} {memory:>10} {growth:>14} {of_memory:>9}  {bound:<34}")
}

/// The table as Markdown, with what it comes to above it.
pub fn markdown(rows: &[Row]) -> String {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let failing = rows.iter().filter(|row| !row.failures.is_empty()).count();
    let mut text = format!(
        "Measured on one core of {} with {cores} cores. {failing} of {} kinds of input exceed a limit; they are \
         marked.\n\nThe three slowest:\n\n",
        std::env::consts::ARCH,
        rows.len()
    );
    let mut worst: Vec<&Row> = rows.iter().collect();
    worst.sort_by_key(|row| std::cmp::Reverse(row.longest()));
    for (place, row) in worst.iter().take(3).enumerate() {
        let time = match row.measured.broken {
            Some(_) => String::new(),
            None => format!("{:.0} ms; ", row.longest().as_secs_f64() * 1e3),
        };
        let Family { name, call, .. } = row.family;
        writeln!(text, "{}. {name} ({call}): {time}{}.", place + 1, row.bound()).expect("memory");
    }
    let rule = |place: usize| if (2..7).contains(&place) { "--:" } else { "---" };
    let rules: Vec<&str> = (0..HEADS.len()).map(rule).collect();
    write!(text, "\n| {} |\n| {} |\n", HEADS.join(" | "), rules.join(" | ")).expect("memory");
    for row in rows {
        let mut cells = row.cells();
        if !row.failures.is_empty() {
            cells[7] = format!("{} **({})**", cells[7], row.failures.join(", "));
        }
        writeln!(text, "| {} |", cells.map(|cell| cell.replace('|', "\\|")).join(" | ")).expect("memory");
    }
    text
}
