//! Tells whether something was made from the sources that are there now: by a hash of their content and of the compiler's version.

use crate::shell::{Done, read, root, text};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::{Path, PathBuf},
    process::Command,
};

/// What is made or installed, not a source.
const MADE: [&str; 6] = ["LICENSE-APACHE", "LICENSE-MIT", "build", "dist", "node_modules", "target"];

/// The hash of a set of sources.
pub struct Inputs(String);

impl Inputs {
    /// Hashes files and folders, named from the folder of the project.
    pub fn of<S: AsRef<str>>(names: &[S]) -> Done<Self> {
        let mut hasher = DefaultHasher::new();
        read(Command::new("rustc").arg("-vV"))?.hash(&mut hasher);
        for name in names {
            add(&root().join(name.as_ref()), &mut hasher)?;
        }
        Ok(Self(format!("{:016x}", hasher.finish())))
    }

    /// These and a text.
    pub fn and(&self, more: &str) -> Self {
        let mut hasher = DefaultHasher::new();
        (&self.0, more).hash(&mut hasher);
        Self(format!("{:016x}", hasher.finish()))
    }

    /// The hash, in 16 hexadecimal digits.
    pub fn hash(&self) -> &str {
        &self.0
    }

    /// Whether a file notes these inputs.
    pub fn are_noted_in(&self, file: &Path) -> bool {
        text(file).is_ok_and(|noted| noted == self.0)
    }

    /// Notes these inputs in a file.
    pub fn note_in(&self, file: &Path) -> Done {
        fs::write(file, &self.0).map_err(|error| format!("{}: {error}", file.display()))
    }
}

/// Adds the content of a file, or of all files of a folder in the order of their names.
fn add(path: &Path, hasher: &mut DefaultHasher) -> Done {
    let failed = |error: std::io::Error| format!("{}: {error}", path.display());
    if !path.is_dir() {
        path.strip_prefix(root()).unwrap_or(path).hash(hasher);
        fs::read(path).map_err(failed)?.hash(hasher);
        return Ok(());
    }
    let entries = fs::read_dir(path).map_err(failed)?;
    let mut inner: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    inner.retain(|path| !path.file_name().is_some_and(|name| MADE.contains(&&*name.to_string_lossy())));
    inner.sort();
    inner.iter().try_for_each(|path| add(path, hasher))
}
