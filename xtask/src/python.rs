//! Builds the wheel of the Python package, and tries it: in a clean environment as a user has it, then in one with the tests' own packages.

use crate::{
    setup::say,
    shell::{Done, cargo, program, root, run, run_quietly, target, text, works},
};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The workspace of the native module.
const MANIFEST: &str = "python/Cargo.toml";
/// What the tests use, each in one version.
const REQUIREMENTS: &str = "tests/python/requirements.txt";

/// Builds the wheel, and runs every test of it.
pub fn test() -> Done {
    let build = folder().join("build");
    let build = build.to_string_lossy();
    run(&mut cargo(&["fmt", "--check", "--manifest-path", MANIFEST]))?;
    let tools = tools()?;
    run(cargo(&["clippy", "--quiet", "--release", "--locked", "--manifest-path", MANIFEST, "--target-dir", &build])
        .args(["--", "-D", "warnings"]))?;
    let wheel = wheel(&tools)?;
    clean(&wheel)?;
    installed(&tools, &wheel)?;
    say("types: mypy, stubtest, pyright");
    let checked = ["tests/python"];
    let python = || Command::new(tools.join("python"));
    run(in_root(&mut python())
        .env("MYPYPATH", "examples/python-host")
        .args(["-m", "mypy", "--strict", "--no-error-summary", "--cache-dir"])
        .arg(folder().join("mypy"))
        .args(checked))?;
    run_quietly(in_root(&mut python()).args(["-m", "mypy.stubtest", "ask_user._native"]))?;
    run(in_root(&mut python())
        .args(["-m", "pyright", "--project", "tests/python", "--pythonpath"])
        .arg(tools.join("python")))?;
    say("tests");
    run(in_root(&mut python()).args(["-m", "pytest", "-q", "-p", "no:cacheprovider"]).args(checked))
}

fn folder() -> PathBuf {
    target().join("python")
}

fn in_root(command: &mut Command) -> &mut Command {
    command.current_dir(root()).env("PYTHONDONTWRITEBYTECODE", "1")
}

/// The programs of a virtual environment.
fn programs(environment: &Path) -> PathBuf {
    environment.join(if cfg!(windows) { "Scripts" } else { "bin" })
}

/// A new virtual environment.
fn environment(place: &Path) -> Done<PathBuf> {
    let place = place.to_string_lossy();
    let made = run(&mut program("python3", "", &["-m", "venv", "--clear", &place]));
    made.map_err(|error| format!("{error}. Python 3.10 or later with venv is needed"))?;
    Ok(programs(Path::new(&*place)))
}

/// The environment of the tests, with what they use. It is made again when that changes.
fn tools() -> Done<PathBuf> {
    let place = folder().join("tools");
    let (wanted, noted) = (text(&root().join(REQUIREMENTS))?, place.join("requirements.txt"));
    let tools = programs(&place);
    if text(&noted).is_ok_and(|there| there == wanted) && works(Command::new(tools.join("python")).arg("--version")) {
        return Ok(tools);
    }
    say("installing the tools for Python into target/python/tools");
    environment(&place)?;
    pip(&tools, &["--requirement", REQUIREMENTS])?;
    fs::write(&noted, wanted).map_err(|error| format!("{}: {error}", noted.display()))?;
    Ok(tools)
}

fn pip(programs: &Path, arguments: &[&str]) -> Done {
    let python = &mut Command::new(programs.join("python"));
    let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    run(in_root(python).args(install).args(arguments))
}

/// Builds the wheel with maturin.
fn wheel(tools: &Path) -> Done<PathBuf> {
    say("building the wheel");
    for licence in ["LICENSE-APACHE", "LICENSE-MIT"] {
        let copied = fs::copy(root().join(licence), root().join("python").join(licence));
        copied.map_err(|error| format!("{licence}: {error}"))?;
    }
    let wheels = folder().join("wheels");
    let _ = fs::remove_dir_all(&wheels);
    let mut maturin = Command::new(tools.join("maturin"));
    maturin.args(["build", "--quiet", "--release", "--locked", "--manifest-path", MANIFEST, "--out"]).arg(&wheels);
    maturin.env("CARGO_TARGET_DIR", folder().join("build")).env("PYO3_PYTHON", tools.join("python"));
    run(in_root(&mut maturin))?;
    let mut built = fs::read_dir(&wheels).map_err(|error| format!("{}: {error}", wheels.display()))?;
    let wheel = built
        .find_map(|entry| Some(entry.ok()?.path()).filter(|path| path.extension().is_some_and(|end| end == "whl")));
    wheel.ok_or_else(|| "maturin has built no wheel".to_owned())
}

/// Installs the wheel alone into an empty environment, and runs the first example of the documentation in an empty folder.
fn clean(wheel: &Path) -> Done {
    say("the first example of docs/python.md, with the wheel alone, in an empty folder");
    let programs = environment(&folder().join("clean"))?;
    pip(&programs, &["--no-index", &wheel.to_string_lossy()])?;
    let page = text(&root().join("docs/python.md"))?;
    let example = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let example = example.ok_or("docs/python.md has no example")?;
    let empty = folder().join("empty");
    let _ = fs::remove_dir_all(&empty);
    fs::create_dir_all(&empty).map_err(|error| format!("{}: {error}", empty.display()))?;
    let mut python = Command::new(programs.join("python"));
    let said = crate::shell::read(python.args(["-I", "-c", example]).current_dir(&empty))?;
    let expected = page.split("```text\n").nth(1).and_then(|rest| rest.split("```").next());
    if expected == Some(said.as_str()) {
        return Ok(());
    }
    Err(format!("the first example of docs/python.md prints something else than the page says:\n{said}"))
}

/// Puts the wheel into the environment of the tests.
fn installed(tools: &Path, wheel: &Path) -> Done {
    pip(tools, &["--no-index", "--no-deps", "--force-reinstall", &wheel.to_string_lossy()])
}
