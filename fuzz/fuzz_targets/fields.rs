//! Fuzzes `ask_user_fuzz::fields`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ask_user_fuzz::fields(text));
