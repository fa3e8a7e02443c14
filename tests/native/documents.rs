//! The Rust code of README.md and of the guide for agents compiles and runs: `tests/build.rs` makes the tests of this file.

include!(concat!(env!("OUT_DIR"), "/documents.rs"));
