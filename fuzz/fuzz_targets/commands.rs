//! Fuzzes `ask_user_fuzz::commands`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ask_user_fuzz::commands(text));
