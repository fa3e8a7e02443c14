//! Running other programs, and where things are.

use std::{
    env, io,
    path::{Path, PathBuf},
    process::{Command, ExitStatus, Output, Stdio},
    sync::{Mutex, PoisonError},
};

/// What comes of a command: nothing, or a sentence for the person who called it.
pub type Done<T = ()> = Result<T, String>;

/// The folder of the project.
pub fn root() -> PathBuf {
    // Two clones that share a target folder share this program, so cargo says where it is run.
    let here = env::var_os("CARGO_MANIFEST_DIR").unwrap_or_else(|| env!("CARGO_MANIFEST_DIR").into());
    Path::new(&here).parent().map_or_else(PathBuf::new, Path::to_owned)
}

/// Where builds go.
pub fn target() -> PathBuf {
    env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), PathBuf::from)
}

/// `cargo`, in the folder of the project.
pub fn cargo(arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(arguments).current_dir(root());
    command
}

/// Another program, in a folder of the project.
pub fn program(name: impl AsRef<std::ffi::OsStr>, folder: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(name);
    command.args(arguments).current_dir(root().join(folder));
    command
}

/// Builds programs of the workspace, and gives the path of the first. They are built by their names alone: with `--package`, or by `cargo run`, their dependencies would have other features than
/// for `cargo test`, and be compiled again.
pub fn built(names: &[&str]) -> Done<PathBuf> {
    run(cargo(&["build", "--quiet"]).args(names.iter().flat_map(|name| ["--bin", name])))?;
    let first = names.first().copied().unwrap_or_default();
    Ok(target().join("debug").join(format!("{first}{}", env::consts::EXE_SUFFIX)))
}

/// Node, in the folder of the project.
pub fn node(arguments: &[&str]) -> Command {
    program("node", "", arguments)
}

/// The programs that run now.
static RUNNING: Mutex<Vec<u32>> = Mutex::new(Vec::new());

/// From now on, a signal that ends this process (SIGINT, SIGTERM or SIGHUP) ends the programs that it runs, too.
pub fn end_together() -> Done {
    let end = || {
        let running = RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
        for id in running.iter() {
            works(Command::new("kill").arg(id.to_string()));
        }
        std::process::exit(130);
    };
    ctrlc::set_handler(end).map_err(|error| error.to_string())
}

/// Runs a program to its end, as one of those that run now.
fn status(command: &mut Command) -> io::Result<ExitStatus> {
    let running = || RUNNING.lock().unwrap_or_else(PoisonError::into_inner);
    let mut child = command.spawn()?;
    running().push(child.id());
    let status = child.wait();
    running().retain(|id| *id != child.id());
    status
}

/// Becomes another program: it takes the place of this process, so whatever ends this one ends it. Where a system cannot do so, runs it to its end.
pub fn become_program(command: &mut Command) -> Done {
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(command);
        Err(format!("{} could not be started: {error}", shown(command)))
    }
    #[cfg(not(unix))]
    run(command)
}

/// Runs a program to its end; it writes where we write.
pub fn run(command: &mut Command) -> Done {
    match status(command) {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{} ended with {status}", shown(command))),
        Err(error) => Err(format!("{} could not be started: {error}", shown(command))),
    }
}

/// Runs a program to its end and gives what it wrote to standard output; it is in the error, if the program fails.
pub fn read(command: &mut Command) -> Done<String> {
    match command.stderr(Stdio::inherit()).output() {
        Ok(output) if output.status.success() => Ok(String::from_utf8_lossy(&output.stdout).into_owned()),
        Ok(output) => {
            Err(format!("{} ended with {}\n{}", shown(command), output.status, String::from_utf8_lossy(&output.stdout)))
        }
        Err(error) => Err(format!("{} could not be started: {error}", shown(command))),
    }
}

/// Runs a program to its end; what it wrote is in the error, if it fails.
pub fn run_quietly(command: &mut Command) -> Done {
    match command.output() {
        Ok(output) if output.status.success() => Ok(()),
        Ok(Output { status, stdout, stderr }) => {
            let [said, complained] = [&stdout, &stderr].map(|text| String::from_utf8_lossy(text).into_owned());
            Err(format!("{} ended with {status}\n{said}{complained}", shown(command)))
        }
        Err(error) => Err(format!("{} could not be started: {error}", shown(command))),
    }
}

/// Whether a program runs and ends well; it writes nothing.
pub fn works(command: &mut Command) -> bool {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Reads a file of the project.
pub fn text(path: &Path) -> Done<String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

fn shown(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}
