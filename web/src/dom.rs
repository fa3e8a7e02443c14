//! The DOM that the view is made of. With `cfg(page)` it is the browser's. Otherwise it is a tree in memory (`dom/tree.rs`) with the few
//! methods that the view uses, which is written as HTML: a host renders a form before any script runs, and the listeners of the view work on it as on a page.

#[cfg(page)]
mod browser;
#[cfg(not(page))]
mod selector;
#[cfg(not(page))]
mod tree;

#[cfg(page)]
pub use browser::*;
#[cfg(not(page))]
pub use tree::*;
