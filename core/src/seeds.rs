//! The source of randomness of modules that import none: zeros, from which the validator's hash maps make their seeds. It knows nothing of the rest.

use getrandom::Error;

/// What getrandom's custom backend calls (getrandom 0.3, "Custom backend").
///
/// # Safety
///
/// `dest` must be valid for writes of `len` bytes, which getrandom guarantees.
#[allow(unsafe_code, reason = "getrandom names this function, and hands it a pointer")]
#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(dest: *mut u8, len: usize) -> Result<(), Error> {
    // SAFETY: the caller owns `len` bytes at `dest`.
    unsafe { dest.write_bytes(0, len) };
    Ok(())
}
