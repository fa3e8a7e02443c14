//! What the other commands need on the machine. Each function looks whether it is there, and installs it if not.

use crate::shell::{Done, cargo, program, read, root, run, target, text, works};
use std::{
    env,
    path::{Path, PathBuf},
    process::Command,
};

/// The Rust target that everything for the web is built for.
pub const WASM: &str = "wasm32-unknown-unknown";

/// The Rust target for wasm.
pub fn wasm_target() -> Done {
    let installed = works(Command::new("rustup").arg("--version"));
    if !installed {
        let libraries = read(Command::new("rustc").args(["--print", "sysroot"]))?;
        let found = Path::new(libraries.trim()).join("lib/rustlib").join(WASM).is_dir();
        return if found { Ok(()) } else { Err(format!("the Rust target {WASM} is missing, and there is no rustup")) };
    }
    let targets = read(&mut program("rustup", "", &["target", "list", "--installed"]))?;
    if targets.lines().any(|target| target == WASM) {
        return Ok(());
    }
    say(&format!("installing the Rust target {WASM}"));
    run(&mut program("rustup", "", &["target", "add", WASM]))
}

/// wasm-bindgen's generator, and where it was asked for its test runner, in the version of Cargo.lock: the programs of `xtask/bindgen`.
pub struct Bindgen {
    folder: PathBuf,
}

impl Bindgen {
    /// Finds or compiles the generator.
    pub fn ready() -> Done<Self> {
        Self::with("xtask-bindgen", &[], "compiling wasm-bindgen's generator (half a minute)")
    }

    /// Finds or compiles the generator and the test runner.
    pub fn with_runner() -> Done<Self> {
        let features = ["--features", "runner"];
        Self::with(
            "xtask-runner",
            &features,
            "compiling wasm-bindgen's generator and test runner (a minute and a half)",
        )
    }

    /// The path of the generator.
    pub fn generator(&self) -> PathBuf {
        self.program("xtask-bindgen")
    }

    /// The path of the test runner.
    pub fn runner(&self) -> PathBuf {
        self.program("xtask-runner")
    }

    fn program(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{}", env::consts::EXE_SUFFIX))
    }

    /// Compiles what gives `name`, unless the same version was compiled before.
    fn with(name: &str, features: &[&str], doing: &str) -> Done<Self> {
        let version = locked("wasm-bindgen")?;
        let found = Self { folder: target().join("debug") };
        let note = found.folder.join(format!("{name}.version"));
        if !found.program(name).is_file()
            || std::fs::read_to_string(&note).is_ok_and(|noted| noted != version)
            || !note.is_file()
        {
            say(doing);
            run(cargo(&["build", "--quiet", "--package", "xtask-bindgen"]).args(features))?;
            // The runner is compiled together with the generator.
            for made in [note, found.folder.join("xtask-bindgen.version")] {
                std::fs::write(&made, &version).map_err(|error| format!("{}: {error}", made.display()))?;
            }
        }
        Ok(found)
    }
}

/// `cargo-fuzz`, from a cache of its own.
pub fn cargo_fuzz() -> Done<PathBuf> {
    Ok(installed("cargo-fuzz", "cargo-fuzz", &["cargo-fuzz"])?.join(format!("cargo-fuzz{}", env::consts::EXE_SUFFIX)))
}

/// The folder of the programs that `cargo install` with these arguments gives, from the cache where `program` works there.
fn installed(home: &str, program: &str, arguments: &[&str]) -> Done<PathBuf> {
    let home = cache()?.join(home);
    let programs = home.join("bin");
    if !works(Command::new(programs.join(format!("{program}{}", env::consts::EXE_SUFFIX))).arg("--version")) {
        say(&format!("installing {} into {} (takes some minutes)", arguments.join(" "), home.display()));
        let mut command = cargo(&["install"]);
        run(command.args(arguments).arg("--root").arg(&home).arg("--quiet"))?;
    }
    Ok(programs)
}

/// The folders that have npm packages of their own.
const PACKAGES: [&str; 2] = ["pkg", "examples"];

/// The npm packages of every folder that has some, as locked.
pub fn npm() -> Done {
    PACKAGES.iter().try_for_each(|folder| packages(folder))
}

/// The npm packages of one folder, as locked.
pub fn packages(folder: &str) -> Done {
    let home = root().join(folder);
    let (locked, installed) = (home.join("package-lock.json"), home.join("node_modules/.package-lock.json"));
    let written = |path: &Path| std::fs::metadata(path).and_then(|data| data.modified()).ok();
    if written(&installed).is_some_and(|there| written(&locked).is_none_or(|wanted| there >= wanted)) {
        return Ok(());
    }
    if !works(Command::new("node").arg("--version")) {
        return Err("Node is missing: install Node 20 or later, with npm, from https://nodejs.org".into());
    }
    say(&format!("installing the npm packages of {folder}/"));
    // The one install script that there is, that of esbuild, only checks its own binary.
    run(&mut program(npm_program(), folder, &["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// Builds an npm package of a folder that has a part in another language, unless the file that this makes is there.
pub fn built(folder: &str, package: &str, made: &str) -> Done {
    if root().join(folder).join("node_modules").join(package).join(made).is_file() {
        return Ok(());
    }
    say(&format!("building {package} in {folder}/ (takes some minutes)"));
    run(&mut program(npm_program(), folder, &["rebuild", package, "--no-audit", "--no-fund", "--loglevel=error"]))
}

/// A package of Python and what it needs, of one version, in a folder of its own.
pub fn python(package: &str, version: &str, folder: &Path) -> Done {
    let there = std::fs::read_dir(folder).is_ok_and(|mut entries| {
        let name = format!("{package}-{version}.dist-info");
        entries.any(|entry| entry.is_ok_and(|entry| entry.file_name() == *name))
    });
    if there {
        return Ok(());
    }
    say(&format!("installing {package} {version} into {}", folder.display()));
    let place = folder.to_string_lossy();
    let wanted = format!("{package}=={version}");
    let arguments =
        ["-m", "pip", "install", "--quiet", "--root-user-action=ignore", "--upgrade", "--target", &place, &wanted];
    run(&mut program("python3", "", &arguments)).map_err(|error| format!("{error}. Python 3 with pip is needed"))
}

/// A program, which is there if it runs with these arguments; otherwise the package of Debian that has it.
pub fn needs(name: &str, arguments: &[&str], package: &str) -> Done {
    if works(Command::new(name).args(arguments)) { Ok(()) } else { debian(&[package]) }
}

/// Programs and libraries that have packages of Debian: installed with apt-get, unless all of them are there.
pub fn debian(packages: &[&str]) -> Done {
    if works(Command::new("dpkg").arg("-s").args(packages)) {
        return Ok(());
    }
    if !works(Command::new("apt-get").arg("--version")) {
        return Err(format!("there is no apt-get: install what Debian calls {}", packages.join(", ")));
    }
    say(&format!("installing {} with apt-get", packages.join(", ")));
    let root_user = read(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    for arguments in [&["update", "-qq"][..], &[&["install", "-y", "-qq"], packages].concat()] {
        let mut command = Command::new(if root_user { "apt-get" } else { "sudo" });
        if !root_user {
            command.args(["-n", "apt-get"]);
        }
        run(command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive").stdout(std::process::Stdio::null()))?;
    }
    Ok(())
}

/// A Chromium and its ChromeDriver, for tests.
pub struct Chromium {
    /// The browser.
    pub browser: PathBuf,
    /// Its driver.
    pub driver: PathBuf,
}

impl Chromium {
    /// Finds them (`CHROMIUM` and `CHROMEDRIVER` come first), or installs them where there is apt.
    pub fn ready() -> Done<Self> {
        if let Some(found) = Self::find() {
            return Ok(found);
        }
        let missing = "Chromium or ChromeDriver is missing: install both in the same version, or name them in the \
                       environment variables CHROMIUM and CHROMEDRIVER";
        debian(&["chromium", "chromium-driver"]).map_err(|error| format!("{error}. {missing}"))?;
        Self::find().ok_or_else(|| missing.into())
    }

    /// Which browser that is.
    pub fn version(&self) -> Done<String> {
        read(Command::new(&self.browser).arg("--version"))
    }

    /// Finds or installs the same browser without a window, whose pages cost a third of the time; where there is none, gives this one.
    pub fn shell(&self) -> PathBuf {
        let names = ["chromium-headless-shell", "chrome-headless-shell"];
        let found = || named("CHROMIUM_SHELL", &names);
        found()
            .or_else(|| debian(&["chromium-headless-shell"]).ok().and_then(|()| found()))
            .unwrap_or_else(|| self.browser.clone())
    }

    /// Tells a program where they are.
    pub fn name_to(&self, command: &mut Command) {
        command.env("CHROMIUM", &self.browser).env("CHROMEDRIVER", &self.driver);
    }

    fn find() -> Option<Self> {
        let browser = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
        Some(Self { browser: named("CHROMIUM", &browser)?, driver: named("CHROMEDRIVER", &["chromedriver"])? })
    }
}

/// The version that Cargo.lock has of a crate.
pub fn locked(name: &str) -> Done<String> {
    let lock = text(&root().join("Cargo.lock"))?;
    let mut lines = lock.lines();
    lines
        .by_ref()
        .find(|line| *line == format!("name = \"{name}\""))
        .and_then(|_| lines.next()?.strip_prefix("version = \"")?.strip_suffix('"'))
        .map(str::to_owned)
        .ok_or_else(|| format!("Cargo.lock has no {name}"))
}

/// Says what is being done to the machine.
pub fn say(what: &str) {
    println!("· {what}");
}

fn cache() -> Done<PathBuf> {
    let home = env::var_os("XDG_CACHE_HOME").map(PathBuf::from);
    let home = home
        .or_else(|| Some(PathBuf::from(env::var_os("HOME").or_else(|| env::var_os("USERPROFILE"))?).join(".cache")));
    home.map(|home| home.join("ask-user")).ok_or_else(|| "neither XDG_CACHE_HOME nor HOME is set".into())
}

fn npm_program() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

fn named(variable: &str, names: &[&str]) -> Option<PathBuf> {
    if let Some(path) = env::var_os(variable) {
        return Some(path.into());
    }
    let folders: Vec<PathBuf> = env::split_paths(&env::var_os("PATH")?).collect();
    names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|path| path.is_file())
}
