//! The work budget of one call: a deterministic count of the work that input causes and of the memory that it makes the core keep.

/// What is left of the work of one call. Everything that input can make expensive is charged before it is done.
///
/// A unit is about 5 ns on one core of a small server, or 2 bytes that are kept until the call returns. The count depends on the
/// input alone, so the same input is refused on every machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    left: u64,
}

/// The budget of a call is spent. The caller says what was too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exhausted;

impl Budget {
    /// The default of [`crate::Limits::work`], in units: at most 250 ms and 64 MB for any input.
    pub const DEFAULT: u64 = 20_000_000;

    /// A budget of this many units.
    pub fn new(units: u64) -> Self {
        Self { left: units }
    }

    /// Takes units from what is left.
    ///
    /// # Errors
    /// [`Exhausted`] when they do not suffice. Nothing is left then, so every later charge fails as well.
    pub fn charge(&mut self, units: u64) -> Result<(), Exhausted> {
        match self.left.checked_sub(units) {
            Some(rest) => {
                self.left = rest;
                Ok(())
            }
            None => {
                self.left = 0;
                Err(Exhausted)
            }
        }
    }

    /// How many units are left.
    pub fn left(&self) -> u64 {
        self.left
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::new(Self::DEFAULT)
    }
}
