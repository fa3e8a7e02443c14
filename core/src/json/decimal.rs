//! The exact values of JSON numbers, read from their texts; a double holds only about 16 digits. Every function takes time linear in the
//! length of the texts, whatever the exponents. An exponent beyond 10¹⁵ counts as 10¹⁵. A text that is not a JSON number has some value, too:
//! nothing panics.

use std::cmp::Ordering;

/// How the exact values of two numbers compare.
pub fn compare_digits(a: &str, b: &str) -> Ordering {
    let (a, b) = (Decimal::new(a), Decimal::new(b));
    match (a.sign(), b.sign()) {
        (1, 1) => a.compare_size(&b),
        (-1, -1) => b.compare_size(&a),
        (a, b) => a.cmp(&b),
    }
}

/// Whether the exact value of a number is whole.
pub fn is_whole(text: &str) -> bool {
    let number = Decimal::new(text);
    let nonzero = number.digits().zip(1_i64..).filter(|(digit, _)| *digit != 0);
    nonzero.last().is_none_or(|(_, place)| number.exponent.saturating_add(count(digits(number.whole))) >= place)
}

/// A number in its parts.
struct Decimal<'a> {
    negative: bool,
    whole: &'a str,
    fraction: &'a str,
    exponent: i64,
}

/// The exponents of all doubles, and of all numbers that are as long as a text can be, are far smaller.
const LARGEST_EXPONENT: i64 = 1_000_000_000_000_000;

impl<'a> Decimal<'a> {
    fn new(text: &'a str) -> Self {
        let (text, exponent) = text.split_once(['e', 'E']).unwrap_or((text, ""));
        let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
        let add = |sum: i64, digit: u8| sum.saturating_mul(10).saturating_add(digit.into()).min(LARGEST_EXPONENT);
        let size = digits(exponent).fold(0, add);
        let exponent = if exponent.starts_with('-') { size.saturating_neg() } else { size };
        Self { negative: text.starts_with('-'), whole, fraction, exponent }
    }

    fn digits(&self) -> impl Iterator<Item = u8> {
        digits(self.whole).chain(digits(self.fraction))
    }

    fn sign(&self) -> i8 {
        match (self.digits().all(|digit| digit == 0), self.negative) {
            (true, _) => 0,
            (false, false) => 1,
            (false, true) => -1,
        }
    }

    /// How the distances from 0 compare. Neither number is 0.
    fn compare_size(&self, other: &Self) -> Ordering {
        let zeros = |number: &Self| count(number.digits().take_while(|digit| *digit == 0));
        // The power of ten of the first digit that is not 0.
        let power =
            |number: &Self| count(digits(number.whole)).saturating_sub(zeros(number)).saturating_add(number.exponent);
        let mut own = self.digits().skip_while(|digit| *digit == 0);
        let mut others = other.digits().skip_while(|digit| *digit == 0);
        let mut pairs = std::iter::from_fn(|| match (own.next(), others.next()) {
            (None, None) => None,
            (own, others) => Some(own.unwrap_or(0).cmp(&others.unwrap_or(0))),
        });
        power(self).cmp(&power(other)).then_with(|| pairs.find(|order| order.is_ne()).unwrap_or(Ordering::Equal))
    }
}

fn digits(text: &str) -> impl Iterator<Item = u8> {
    text.bytes().filter(u8::is_ascii_digit).map(|digit| digit.saturating_sub(b'0'))
}

fn count(items: impl Iterator) -> i64 {
    i64::try_from(items.count()).unwrap_or(i64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_compare_by_their_exact_values() {
        let nines = "9".repeat(10_000);
        let many = |text: &str| text.replace('N', &nines).replace('M', &format!("1{}", "0".repeat(10_000)));
        for (a, order, b) in [
            ("10.0000000000000000001", Ordering::Greater, "10"),
            ("1e2", Ordering::Equal, "100.0"),
            ("-0", Ordering::Equal, "0"),
            ("-0.0e9", Ordering::Equal, "0e-9"),
            ("1e-7", Ordering::Less, "0.000000100000000000000000001"),
            ("-1e-7", Ordering::Greater, "-0.000000100000000000000000001"),
            ("9", Ordering::Less, "10"),
            ("0.09e1", Ordering::Less, "1E+0"),
            ("-2", Ordering::Less, "1"),
            ("1e999999999999", Ordering::Greater, "9e999999999998"),
            ("1e-999999999999", Ordering::Less, "1"),
            ("-1e999999999999", Ordering::Less, "-1"),
            ("0e99999999999999999999", Ordering::Equal, "0"),
            ("1e-N", Ordering::Less, "1e-324"),
            ("1eN", Ordering::Greater, "1e308"),
            ("1e-N", Ordering::Less, "1eN"),
            ("1e000000000000000000000000000000000002", Ordering::Equal, "100"),
            ("N", Ordering::Less, "M"),
            ("0.N", Ordering::Less, "1"),
            ("", Ordering::Equal, "e"),
            ("-é.e", Ordering::Less, "1é"),
        ] {
            let (long_a, long_b) = (many(a), many(b));
            assert_eq!(compare_digits(&long_a, &long_b), order, "{a} {b}");
            assert_eq!(compare_digits(&long_b, &long_a), order.reverse(), "{b} {a}");
        }
    }

    #[test]
    fn a_number_is_whole_by_its_exact_value() {
        for whole in [
            "0",
            "-0.0",
            "1",
            "100.0",
            "1.5e1",
            "10e-1",
            "0.05e2",
            "1e999999999999",
            "0e-99999999999999999999",
            "",
            "x",
        ] {
            assert!(is_whole(whole), "{whole}");
        }
        for fraction in
            ["0.5", "10.0000000000000000001", "1e-1", "15e-1", "1.25e1", "1e-999999999999999999999999", "0.01e1"]
        {
            assert!(!is_whole(fraction), "{fraction}");
        }
    }
}
