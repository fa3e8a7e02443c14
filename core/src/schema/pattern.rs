//! What a regular expression may cost. Matching one takes a number of steps for each character of the text that grows with
//! its states; with look-around or back-references it also goes back over the text. Both are estimated here, from above,
//! before a pattern is compiled. Knows no schemas.

/// How often a pattern with look-around or back-references may go back; then its text is refused.
pub const BACKTRACKS: u64 = 2_000;

/// The cost of a pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight {
    /// About how many states it has, repetitions written out.
    pub states: u64,
    /// Whether it has look-around or back-references.
    pub goes_back: bool,
}

impl Weight {
    /// Estimates the cost of a pattern.
    pub fn of(pattern: &str) -> Self {
        let mut weight = Self { states: 0, goes_back: false };
        // The states of each open group, and those of the last part of it, which a repetition multiplies.
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
                    (sum, _) = open.pop().unwrap_or((0, 0));
                    group
                }
                '[' => class(&mut rest),
                '\\' => {
                    let escaped = rest.next().unwrap_or('\\');
                    weight.goes_back |= matches!(escaped, '1'..='9' | 'k' | 'K' | 'G');
                    escape(escaped)
                }
                '{' => {
                    if let Some(times) = repetition(&mut rest) {
                        last = last.saturating_mul(times.max(1));
                    }
                    continue;
                }
                '*' | '+' | '?' => {
                    // Two in a row: the second may make the first possessive, which the linear matcher does not know.
                    weight.goes_back |= rest.as_str().starts_with('+');
                    last = last.saturating_add(1);
                    continue;
                }
                '.' => 10,
                _ => 1,
            };
            sum = sum.saturating_add(last);
            last = part;
        }
        weight.states = open.into_iter().fold(sum.saturating_add(last), |sum, (outer, _)| sum.saturating_add(outer));
        weight
    }

    /// The steps of matching a text of so many bytes.
    pub fn steps(self, bytes: usize) -> u64 {
        // One step of the count stands for as many states as are looked at in the time that a subschema takes.
        const STATES: u64 = 64;
        let passes = if self.goes_back { self.states.saturating_add(BACKTRACKS) } else { self.states };
        passes.saturating_mul(bytes as u64).checked_div(STATES).unwrap_or(0)
    }
}

fn looks_around(group: &str) -> bool {
    ["?=", "?!", "?<=", "?<!", "?>", "?("].iter().any(|kind| group.starts_with(kind))
}

/// The states of a class, whose opening bracket has been read.
fn class(rest: &mut std::str::Chars<'_>) -> u64 {
    let mut states = 4_u64;
    let mut nested = 0_usize;
    while let Some(character) = rest.next() {
        match character {
            '\\' => states = states.saturating_add(rest.next().map_or(0, escape)),
            '[' => nested = nested.saturating_add(1),
            ']' if nested == 0 => break,
            ']' => nested = nested.saturating_sub(1),
            '^' => states = states.saturating_add(10),
            _ => states = states.saturating_add(1),
        }
    }
    states
}

/// The states of an escape: a class of Unicode has hundreds.
fn escape(escaped: char) -> u64 {
    match escaped {
        'p' | 'P' => 400,
        'w' | 'W' | 's' | 'S' | 'd' | 'D' | 'b' | 'B' => 20,
        _ => 1,
    }
}

/// The most times of a repetition, whose opening brace has been read; `None` where it is none.
fn repetition(rest: &mut std::str::Chars<'_>) -> Option<u64> {
    let (inner, after) = rest.as_str().split_once('}')?;
    let most = inner.rsplit(',').find(|number| !number.trim().is_empty())?;
    let times = most.trim().parse().ok()?;
    *rest = after.chars();
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
            ("[a-z]{1,63}", 400, 1_000),
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
    fn what_goes_back_is_known() {
        for pattern in ["(?=a)b", "(?!a)", "(?<=a+)b", "(?<!a)", "(a)\\1", "(?<n>a)\\k<n>", "(?>a)", "a++", "a*+"] {
            assert!(Weight::of(pattern).goes_back, "{pattern}");
        }
        for pattern in ["(a+)+", "(?:a)", "(?i)a", "(?<n>a)", "[(?=]", "\\(?=", "\\d+"] {
            assert!(!Weight::of(pattern).goes_back, "{pattern}");
        }
    }
}
