//! Writes the bindings of a wasm module: `xtask-bindgen USE FOLDER NAME MODULE`. USE is `package` (for pages; whoever loads the module says from where), `page` (for pages;
//! the module is loaded from beside the bindings) or `bundler`. The library of wasm-bindgen compiles in half the time of its command.

use std::process::ExitCode;
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [purpose, folder, name, module] = &arguments[..] else {
        eprintln!("usage: xtask-bindgen package|page|bundler FOLDER NAME MODULE");
        return ExitCode::from(2);
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(name).typescript(false).omit_default_module_path(purpose == "package");
    let chosen = if purpose == "bundler" { bindgen.bundler(true) } else { bindgen.web(true) }.map(drop);
    match chosen.and_then(|()| bindgen.generate(folder)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
