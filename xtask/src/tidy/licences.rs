//! Every dependency's licence allows what ours allows.

use crate::shell::{Done, cargo, read, root, text};
use serde_json::Value;

/// Licences that ask for no more than their own text.
const ALLOWED: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];
/// What only tests, builds and examples use, and no user gets: may also have these. `OFL-1.1` is of the fonts of pictures.
const TOOLS: &[&str] = &["BlueOak-1.0.0", "MPL-2.0", "OFL-1.1", "Python-2.0"];

/// What one package alone may have: its name, its licence, and why.
const EXCEPTIONS: &[(&str, &str, &str)] = &[
    (
        "libfuzzer-sys",
        "(MIT OR Apache-2.0) AND NCSA",
        "NCSA, of LLVM's fuzzer, is permissive as MIT and BSD are; only the fuzz targets have it, and they are not shipped",
    ),
    (
        "khroma",
        "none",
        "its file `license` is that of MIT; CopilotKit's diagrams have it, in an example that is not shipped",
    ),
    (
        "commonmark-spec",
        "CC-BY-SA-4.0",
        "the text of the CommonMark specification, whose examples a test reads where they are; none of it is copied or shipped",
    ),
];

/// The workspaces, and the folders that have npm packages of their own, and whether each is for tests or an example alone.
const WORKSPACES: [(&str, bool); 4] = [
    ("Cargo.toml", false),
    ("examples/desktop/Cargo.toml", true),
    ("fuzz/Cargo.toml", true),
    ("python/Cargo.toml", false),
];
const NPM: [(&str, bool); 10] = [
    ("pkg", false),
    ("examples", false),
    ("examples/chats", true),
    ("tests/bench/peers", false),
    ("tests/bench/rjsf", false),
    ("tests/component", false),
    ("tests/engines", false),
    ("tests/frameworks", false),
    ("tests/servers", true),
    ("tests/telemetry", true),
];

/// Lists the dependencies whose licence does not allow it.
pub fn check() -> Done<Vec<String>> {
    let mut faults = Vec::new();
    for (manifest, tool) in WORKSPACES {
        let arguments = ["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest];
        let metadata = json(&read(&mut cargo(&arguments))?)?;
        for package in metadata["packages"].as_array().into_iter().flatten() {
            let licence = package["license"].as_str().unwrap_or("none");
            let name = package["name"].as_str().unwrap_or_default();
            if !(allows(licence, ALLOWED) || tool && for_tools(name, licence)) {
                faults.push(format!("{name} {}: the licence is {licence}", package["version"]));
            }
        }
    }
    for (folder, only_tools) in NPM {
        let lock = json(&text(&root().join(folder).join("package-lock.json"))?)?;
        let packages = lock["packages"].as_object().into_iter().flatten();
        for (name, package) in packages.filter(|(name, package)| !name.is_empty() && package["link"] != true) {
            let licence = package["license"].as_str().unwrap_or("none");
            let name = name.rsplit("node_modules/").next().unwrap_or(name);
            let tool = (only_tools || package["dev"] == true) && for_tools(name, licence);
            if !tool && !allows(licence, ALLOWED) {
                faults.push(format!("{folder}/{name}: the licence is {licence}"));
            }
        }
    }
    Ok(faults)
}

fn json(text: &str) -> Done<Value> {
    serde_json::from_str(text).map_err(|error| error.to_string())
}

/// Whether what no user gets may have a licence: one of [`TOOLS`], or the one that is written down for the package.
fn for_tools(name: &str, licence: &str) -> bool {
    allows(licence, TOOLS) || EXCEPTIONS.iter().any(|(package, allowed, _)| *package == name && *allowed == licence)
}

/// Whether an SPDX expression leaves a choice that is allowed. `/` is how some wrote OR.
fn allows(expression: &str, allowed: &[&str]) -> bool {
    let plain = expression.replace('/', " OR ").replace(['(', ')'], " ");
    // Written out, every expression here is either alternatives, or demands of which each is one.
    plain.split(" AND ").all(|part| part.split(" OR ").any(|licence| allowed.contains(&licence.trim())))
}

#[cfg(test)]
mod tests {
    use super::{ALLOWED, EXCEPTIONS, allows, for_tools};

    #[test]
    fn a_licence_that_asks_for_more_is_a_fault() {
        for (expression, allowed) in [
            ("MIT", true),
            ("MIT OR Apache-2.0", true),
            ("MIT/Apache-2.0", true),
            ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
            ("GPL-3.0-only", false),
            ("MIT AND GPL-3.0-only", false),
            ("GPL-3.0-only OR MIT", true),
            ("none", false),
        ] {
            assert_eq!(allows(expression, ALLOWED), allowed, "{expression}");
        }
    }

    #[test]
    fn an_exception_is_for_one_package_and_its_licence() {
        let (name, licence, why) = EXCEPTIONS[0];
        assert!(for_tools(name, licence) && !why.is_empty() && !allows(licence, ALLOWED));
        assert!(!for_tools("another", licence) && !for_tools(name, "GPL-3.0-only"));
        assert!(for_tools("another", "MPL-2.0"));
    }
}
