//! The program: see the README.

fn main() -> std::process::ExitCode {
    ask_user_host::program(None)
}
