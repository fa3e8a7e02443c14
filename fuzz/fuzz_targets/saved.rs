//! Fuzzes `ask_user_fuzz::saved`.
#![no_main]

libfuzzer_sys::fuzz_target!(|text: &str| ask_user_fuzz::saved(text));
