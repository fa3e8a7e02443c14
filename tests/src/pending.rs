//! The files of vectors that are left out until what they test is built. A listed file that passes whole fails the run,
//! so that the list cannot outlive its reason.

/// File names, each with what is missing.
pub fn pending() -> Vec<(&'static str, &'static str)> {
    include_str!("../vectors.pending")
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .filter_map(|line| line.split_once(": "))
        .collect()
}
