//! Fuzzes `ask_user_fuzz::records`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ask_user_fuzz::records(text));
