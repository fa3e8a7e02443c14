//! What a fuzzed target reports: the figures that libFuzzer prints, a row in `docs/testing.md`, and what was found as text.

use crate::{figures::Figures, shell::Done};
use std::{fmt, time::Duration};

/// Where the table stands.
const TABLE: Figures = Figures {
    page: "docs/testing.md",
    lines: [
        "<!-- the table of fuzzing: each row made by `cargo xtask fuzz TARGET --write` -->\n",
        "<!-- the end of the table of fuzzing -->",
    ],
};
const HEAD: &str = "\
| target | longest text, KiB | executions | seconds | a second | corpus | edges | features | memory, MiB | found |
| --- | --: | --: | --: | --: | --: | --: | --: | --: | --: |
";

/// What came of one run of a target.
#[derive(Default)]
pub struct Report {
    name: String,
    /// How long a text may be, in KiB.
    longest: u64,
    executions: u64,
    seconds: u64,
    /// The texts that a run begins with: seeds, and what earlier runs learned.
    begun_with: u64,
    seeds: u64,
    corpus: u64,
    edges: u64,
    features: u64,
    memory: u64,
    /// The texts that were found.
    pub found: usize,
    /// Whether somebody stopped it: it still says how far it came.
    pub interrupted: bool,
    /// Whether the program ended without an error.
    pub ended_well: bool,
}

impl Report {
    pub fn new(name: &str, longest: u64) -> Self {
        Self { name: name.to_owned(), longest, ..Self::default() }
    }

    /// The name of the target.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Reads a line of libFuzzer. Gives whether it is only of its progress.
    pub fn read(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        self.interrupted |= line.contains("libFuzzer: run interrupted");
        let number = |text: Option<&&str>| text.and_then(|text| text.parse().ok());
        match words.as_slice() {
            ["stat::number_of_executed_units:", count] => self.executions = number(Some(count)).unwrap_or_default(),
            ["stat::peak_rss_mb:", count] => self.memory = number(Some(count)).unwrap_or_default(),
            ["Done", _, "runs", "in", count, ..] => self.seconds = number(Some(count)).unwrap_or_default(),
            ["INFO:", count, "files", "found", "in", folder] => {
                let count = number(Some(count)).unwrap_or_default();
                self.begun_with += count;
                self.seeds += if folder.contains("seeds") { count } else { 0 };
            }
            [place, ..] if place.starts_with('#') => {
                let after = |name: &str| words.iter().position(|word| *word == name).and_then(|at| words.get(at + 1));
                self.edges = number(after("cov:")).unwrap_or(self.edges);
                self.features = number(after("ft:")).unwrap_or(self.features);
                let corpus = after("corp:").and_then(|text| text.split('/').next());
                self.corpus = number(corpus.as_ref()).unwrap_or(self.corpus);
            }
            _ => {}
        }
        let progress = ["#", "INFO:", "stat::", "Done ", "\tNEW_FUNC", "WARNING: Failed to find function", "\""];
        progress.iter().any(|start| line.starts_with(start))
    }

    /// How long it ran, where libFuzzer did not come to say it.
    pub fn ran(&mut self, time: Duration) {
        if self.seconds == 0 {
            self.seconds = time.as_secs();
        }
    }

    /// What is wrong: something was found, or nothing was tried.
    pub fn fault(&self) -> Option<String> {
        if self.found > 0 {
            return Some(format!("found {}", self.found));
        }
        if !self.ended_well {
            return Some("the fuzzer failed".into());
        }
        if self.seeds == 0 {
            return Some("there were no seeds".into());
        }
        (self.executions <= self.begun_with).then(|| "nothing was tried but what it began with".into())
    }

    fn row(&self) -> String {
        let rate = self.executions / self.seconds.max(1);
        let figures =
            [self.longest, self.executions, self.seconds, rate, self.corpus, self.edges, self.features, self.memory]
                .map(grouped);
        format!("{} {} | {} |\n", begin(&self.name), figures.join(" | "), self.found)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { executions, seconds, corpus, edges, seeds, found, .. } = self;
        let (executions, seconds) = (grouped(*executions), grouped(*seconds));
        write!(
            out,
            "{executions} executions in {seconds} s, from {seeds} seeds to {corpus} texts and {edges} edges; found {found}"
        )
    }
}

/// Puts the row of a run into the table; the rows of other targets stay.
pub fn write(report: &Report) -> Done {
    TABLE.write(|table| with_row(table, report))
}

fn with_row(table: &str, report: &Report) -> String {
    let mut rows: Vec<String> =
        table.lines().filter(|line| line.starts_with("| `")).map(|line| format!("{line}\n")).collect();
    match rows.iter_mut().find(|row| row.starts_with(&begin(&report.name))) {
        Some(row) => *row = report.row(),
        None => rows.push(report.row()),
    }
    rows.sort();
    [HEAD, &rows.concat()].concat()
}

fn begin(name: &str) -> String {
    format!("| `{name}` |")
}

/// A number with a comma before every three digits.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let comma = |place: usize| if place > 0 && (digits.len() - place).is_multiple_of(3) { "," } else { "" };
    digits.char_indices().map(|(place, digit)| format!("{}{digit}", comma(place))).collect()
}

/// Bytes as base64.
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let four = |three: &[u8]| {
        let byte = |place: usize| u32::from(three.get(place).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        let digit = |place: usize| char::from(DIGITS[(bits >> (18 - 6 * place)) as usize & 63]);
        (0..4).map(move |place| if place <= three.len() { digit(place) } else { '=' }).collect::<Vec<_>>()
    };
    bytes.chunks(3).flat_map(four).collect()
}

#[cfg(test)]
mod tests {
    use super::{Report, TABLE, base64, with_row};

    const SAID: &str = "\
INFO:        3 files found in /t/corpus/saved
INFO:       25 files found in /t/seeds/saved
#2\tINITED cov: 1503 ft: 1504 corp: 1/76b exec/s: 0 rss: 39Mb
#81649\tDONE   cov: 2489 ft: 10682 corp: 859/46Kb lim: 76 exec/s: 3888 rss: 44Mb
Done 81649 runs in 21 second(s)
stat::number_of_executed_units: 81649
stat::peak_rss_mb:              44";

    fn report(said: &str) -> Report {
        let mut report = Report::new("saved", 64);
        report.ended_well = true;
        assert!(said.lines().all(|line| report.read(line)));
        report
    }

    #[test]
    fn the_figures_are_those_that_the_fuzzer_prints() {
        let report = report(SAID);
        assert_eq!(report.row(), "| `saved` | 64 | 81,649 | 21 | 3,888 | 859 | 2,489 | 10,682 | 44 | 0 |\n");
        assert_eq!(report.fault(), None);
        assert!(!Report::new("saved", 64).read("thread 'main' panicked at core/src/lib.rs"));
    }

    #[test]
    fn a_run_that_tried_nothing_has_failed() {
        for (from, to) in [("81649", "28"), ("25 files", "0 files"), ("stat::number", "stat::other")] {
            assert!(report(&SAID.replace(from, to)).fault().is_some(), "{to}");
        }
        assert!(Report { found: 1, ..report(SAID) }.fault().is_some());
        assert!(Report { ended_well: false, ..report(SAID) }.fault().is_some());
    }

    #[test]
    fn a_run_changes_its_own_row() {
        let page = format!("a\n{}{}b\n", TABLE.lines[0], TABLE.lines[1]);
        let with = |page: &str, report: &Report| TABLE.put_into(page, |table| with_row(table, report));
        let schema = with(&page, &Report { name: "schema".into(), ..report(SAID) }).expect("a place");
        let other = with(&schema, &report(SAID)).expect("a place");
        let again = with(&other, &Report { found: 2, ..report(SAID) }).expect("a place");
        let rows: Vec<&str> = again.lines().filter(|line| line.starts_with("| `")).collect();
        assert_eq!(rows.len(), 2);
        assert!(rows[0].starts_with("| `saved`") && rows[0].ends_with("| 2 |") && rows[1].starts_with("| `schema`"));
        assert!(again.starts_with("a\n") && again.ends_with("b\n"));
        assert_eq!(with("no table", &report(SAID)), None);
    }

    #[test]
    fn base64_is_that_of_the_standard() {
        for (bytes, text) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(base64(&[0xff, 0xfe, 0xfd]), "//79");
    }
}
