//! Fuzzes `ask_user_fuzz::request`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ask_user_fuzz::request(text));
