//! A request that is still being written, and the walk over its questions: what every binding does with the two. It decides nothing.

use crate::{Reader, Rejection, Walk, schema::SchemaChecker};

impl Reader {
    /// Takes in what comes next ([`Reader::write`]), compiles the schemas that it brings ([`Reader::check`]), and lets the walk ask the questions that are
    /// complete ([`Walk::grow`]).
    pub fn feed(&mut self, walk: &mut Walk, text: impl AsRef<[u8]>, checker: &dyn SchemaChecker) {
        self.write(text);
        self.check(checker);
        walk.grow(self.form());
    }

    /// Reads the whole request, now that nothing more comes, and lets the walk go on with it. Says whether the walk began anew
    /// ([`Walk::accept_or_anew`]).
    ///
    /// # Errors
    /// The [`Rejection`] of the request. The walk is then unchanged.
    pub fn finish(self, walk: &mut Walk, checker: &dyn SchemaChecker) -> Result<bool, Rejection> {
        Ok(walk.accept_or_anew(self.end()?.finish(checker)?))
    }
}
