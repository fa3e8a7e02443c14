//! The part of a page that a command writes, between two lines that name it.

use crate::shell::{Done, root, text};
use std::fs;

/// A page of the project, and the lines around what is written.
pub struct Figures {
    pub page: &'static str,
    pub lines: [&'static str; 2],
}

impl Figures {
    /// Writes what `make` makes of what stands there.
    pub fn write(&self, make: impl FnOnce(&str) -> String) -> Done {
        let path = root().join(self.page);
        let written = self.put_into(&text(&path)?, make);
        let written = written.ok_or_else(|| format!("{} has no place for the table", self.page))?;
        fs::write(&path, written).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// The text of the page with it; nothing where the lines are not there.
    pub fn put_into(&self, page: &str, make: impl FnOnce(&str) -> String) -> Option<String> {
        let [begin, end] = self.lines;
        let (before, rest) = page.split_once(begin)?;
        let (now, after) = rest.split_once(end)?;
        Some([before, begin, "\n", &make(now), "\n", end, after].concat())
    }
}
