//! x
use crate::shell::Done;
pub fn run() -> Done {
    Ok(())
}
