//! Estimates the cost of a regular expression from its text, before it is compiled, in units of the work budget.
//! Compiling takes time and memory for every state. Matching takes time for every state and byte. A pattern with look-around or
//! back-references runs on a matcher that also backtracks. This module does not know schemas.

use crate::budget::{Budget, Exhausted};
use std::str::Chars;

/// The most steps back of a pattern with look-around or back-references. A text that needs more is refused.
pub const BACKTRACKS: u64 = 2_000;
/// The most bytes of a compiled pattern, and of the cache of its matcher for each direction.
pub const COMPILED_BYTES: usize = 10_000_000;
pub const CACHE_BYTES: usize = 256_000;

/// The least cost of compiling a pattern (measured as 20 µs and 10 kB), and the cost of each state (1 µs and 350 bytes).
const PATTERN: u64 = 5_000;
const STATE: u64 = 200;
/// The additional cost of a backtracking matcher, which keeps 100 kB.
const GOES_BACK: u64 = 55_000;
/// The most characters of a quantifier or a class name between braces.
const BRACED: usize = 60;
/// The cost of parsing a byte.
const PARSED_BYTE: u64 = 160;
/// The cost of translating an escape such as `\d`, for each byte of the pattern: the crate parses the pattern again after each escape.
const TRANSLATED_BYTE: u64 = 20;

/// The cost of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// About how many states it has, with repetitions expanded.
    states: u64,
    /// Whether it has look-around or back-references.
    goes_back: bool,
    /// The number of escapes that are translated from ECMAScript, and the bytes that are parsed for each.
    escapes: u64,
    bytes: u64,
}

impl Weight {
    /// Estimates the cost of a pattern. Charges the cost of parsing it.
    ///
    /// # Errors
    /// [`Exhausted`] if the budget does not suffice.
    pub fn charged(pattern: &str, budget: &mut Budget) -> Result<Self, Exhausted> {
        budget.charge((pattern.len() as u64).saturating_mul(PARSED_BYTE))?;
        Ok(Self::of(pattern))
    }

    fn of(pattern: &str) -> Self {
        let mut weight = Self { states: 0, goes_back: false, escapes: 0, bytes: pattern.len() as u64 };
        // For each open group, its states and the states of its last part, which a repetition multiplies.
        let mut open: Vec<(u64, u64)> = Vec::new();
        let (mut sum, mut last) = (1_u64, 0_u64);
        let mut rest = pattern.chars();
        while let Some(character) = rest.next() {
            let part = match character {
                '(' => {
                    weight.goes_back |= looks_around(rest.as_str());
                    open.push((sum.saturating_add(last), 0));
                    (sum, last) = (1, 0);
                    continue;
                }
                ')' => {
                    let group = sum.saturating_add(last);
                    (sum, last) = open.pop().unwrap_or((0, 0));
                    group
                }
                '[' => weight.class(&mut rest),
                '\\' => {
                    let escaped = rest.next().unwrap_or('\\');
                    weight.goes_back |= matches!(escaped, '1'..='9' | 'k' | 'K' | 'G');
                    weight.escape(escaped, &mut rest)
                }
                '{' => {
                    if let Some(times) = repetition(&mut rest) {
                        last = last.saturating_mul(times.max(1));
                    }
                    continue;
                }
                '*' | '+' | '?' => {
                    // The second of two quantifiers may make the first possessive, which the linear matcher does not support.
                    weight.goes_back |= rest.as_str().starts_with('+');
                    last = last.saturating_add(1);
                    continue;
                }
                '.' => 10,
                _ => spread(character),
            };
            sum = sum.saturating_add(last);
            last = part;
        }
        weight.states = open.into_iter().fold(sum.saturating_add(last), |sum, (outer, _)| sum.saturating_add(outer));
        weight
    }

    /// The cost of compiling it, without parsing.
    pub fn compiling(self) -> u64 {
        let parsed = self.escapes.saturating_mul(48).saturating_add(self.bytes);
        let translated = self.escapes.saturating_mul(parsed).saturating_mul(TRANSLATED_BYTE);
        let goes_back = if self.goes_back { GOES_BACK } else { 0 };
        let states = self.states.saturating_mul(STATE);
        states.saturating_add(translated).saturating_add(goes_back).saturating_add(PATTERN)
    }

    /// The cost of matching a text of this many bytes.
    pub fn matching(self, bytes: usize) -> u64 {
        let passes = if self.goes_back { self.states.saturating_add(BACKTRACKS) } else { self.states };
        passes.saturating_mul(bytes as u64).saturating_add(20)
    }

    /// The states of a class, after its opening bracket.
    fn class(&mut self, rest: &mut Chars<'_>) -> u64 {
        let mut states = 1_u64;
        let mut nested = 0_usize;
        while let Some(character) = rest.next() {
            match character {
                '\\' => {
                    let escaped = rest.next().unwrap_or('\\');
                    states = states.saturating_add(self.escape(escaped, rest));
                }
                '[' => nested = nested.saturating_add(1),
                ']' if nested == 0 => break,
                ']' => nested = nested.saturating_sub(1),
                '^' => states = states.saturating_add(15),
                _ => states = states.saturating_add(spread(character).saturating_sub(1)),
            }
        }
        states
    }

    /// The states of an escape, after its backslash and letter. A Unicode class has hundreds.
    fn escape(&mut self, escaped: char, rest: &mut Chars<'_>) -> u64 {
        match escaped {
            'p' | 'P' => {
                // The name of the class, for example `{Script=Latin}`.
                if rest.as_str().starts_with('{') {
                    rest.by_ref().take(BRACED).take_while(|character| *character != '}').for_each(drop);
                }
                800
            }
            'd' | 'w' | 'c' | 's' | 'S' | 'D' | 'W' | 'b' | 'B' => {
                self.escapes = self.escapes.saturating_add(1);
                if matches!(escaped, 'd' | 'w' | 'c') { 1 } else { 16 }
            }
            _ => 1,
        }
    }
}

fn looks_around(group: &str) -> bool {
    ["?=", "?!", "?<=", "?<!", "?>", "?("].iter().any(|kind| group.starts_with(kind))
}

/// The states of a character: one for each of its bytes.
fn spread(character: char) -> u64 {
    character.len_utf8() as u64
}

/// The upper bound of a repetition, after its opening brace. `None` if it is not a repetition.
fn repetition(rest: &mut Chars<'_>) -> Option<u64> {
    let mut after = rest.clone();
    let inner: String = after.by_ref().take(BRACED).take_while(|character| *character != '}').collect();
    let most = inner.rsplit(',').find(|number| !number.trim().is_empty())?;
    let times = most.trim().parse().ok()?;
    *rest = after;
    Some(times)
}

#[cfg(test)]
mod tests {
    use super::Weight;

    #[test]
    fn repetitions_multiply_what_they_repeat() {
        for (pattern, least, most) in [
            ("^abc$", 5, 10),
            ("a{1000}", 1_000, 1_100),
            ("(a{100}){100}", 10_000, 11_000),
            ("((a|b){10}c){10,20}", 400, 1_000),
            ("[a-z]{1,63}", 60, 300),
            ("\\p{L}{10}", 4_000, 10_000),
            ("((((((((((a))))))))))", 5, 30),
            ("x{1,}y{,3}", 2, 20),
            ("((((a", 5, 20),
            ("a)))", 2, 20),
            ("{5}{", 0, 5),
            ("\\", 1, 5),
            ("a{18446744073709551615}{18446744073709551615}", 1 << 60, u64::MAX),
        ] {
            let states = Weight::of(pattern).states;
            assert!((least..=most).contains(&states), "{pattern} has {states}");
        }
    }

    #[test]
    fn a_pattern_that_goes_back_over_its_text_is_known() {
        for pattern in ["(?=a)b", "(?!a)", "(?<=a+)b", "(?<!a)", "(a)\\1", "(?<n>a)\\k<n>", "(?>a)", "a++", "a*+"] {
            assert!(Weight::of(pattern).goes_back, "{pattern}");
        }
        for pattern in ["(a+)+", "(?:a)", "(?i)a", "(?<n>a)", "[(?=]", "\\(?=", "\\d+"] {
            assert!(!Weight::of(pattern).goes_back, "{pattern}");
        }
    }
}
