//! Builds the core as a WebAssembly component, and prints its size.

use crate::{
    build, setup,
    shell::{Done, node, run, target},
    size,
};
use std::path::PathBuf;

/// Builds the component, and gives where it is.
pub fn build() -> Done<PathBuf> {
    setup::wasm_target()?;
    setup::npm()?;
    setup::packages("tests/component")?;
    let module = build::wasm("ask-user-component", "")?;
    let component = target().join("component/ask-user.wasm");
    let (from, to) = (module.to_string_lossy().into_owned(), component.to_string_lossy().into_owned());
    run(&mut node(&["tests/component/build.mjs", &from, &to]))?;
    Ok(component)
}

/// Builds it, and prints its size.
pub fn run_once() -> Done {
    let component = build()?;
    println!("{}", component.display());
    size::print("the component", &[&component]).map(drop)
}
