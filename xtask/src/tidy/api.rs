//! The list of names: what a walk, a reader, a conversation, a desk, an error and the host's options have in Rust, JavaScript, Python and WIT. The names are read out
//! of the sources. One that a language lacks is a fault, unless `xtask/src/tidy/api/names.rs` says why.

mod names;
mod read;

use super::{Source, rules::text_of};
use crate::shell::{Done, root};
use names::{LACKS, Lack, SAME, THINGS, Thing};
use read::{Found, every};
use std::{collections::BTreeMap, fs};

const PAGE: &str = "docs/api.md";

/// The languages, in the order of the columns.
pub const LANGUAGES: [&str; 4] = ["Rust", "JavaScript", "Python", "WIT"];

const HEAD: &str = "\
# Names

What each thing can do, by its name in each language. `cargo xtask tidy --write` writes this page from the sources: the public functions of the core, `pkg/types/core.d.ts`,
`python/ask_user/` and `wit/ask-user.wit`. `cargo xtask tidy` fails if a language lacks a name and nothing says why. Where a cell has no name, it says why.

The same word is written `to_confirm` in Rust and Python, `toConfirm` in JavaScript and `to-confirm` in WIT. Values that cross as JSON have names like `tool_call_id` in every language, because they are
stored and sent: steps, records, events, inputs of a desk. The options of a host are written in JavaScript like `toolCallId`; as `tool_call_id` they are taken, too.
";

/// Lists the names that a language lacks without a reason, and where the page differs from the sources.
pub fn check(sources: &[Source]) -> Vec<String> {
    let (page, mut faults) = page(sources, THINGS, SAME, LACKS);
    faults.extend(read::left_out(sources, THINGS));
    let written = text_of(sources, PAGE).unwrap_or_default();
    if page != written {
        let same = page.lines().zip(written.lines()).take_while(|(made, written)| made == written).count();
        faults.push(format!("{PAGE}:{}: differs from the sources: run `cargo xtask tidy --write`", same + 1));
    }
    faults
}

/// Writes the page.
pub fn write(sources: &[Source]) -> Done {
    let (page, faults) = page(sources, THINGS, SAME, LACKS);
    fs::write(root().join(PAGE), page).map_err(|error| format!("{PAGE}: {error}"))?;
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// What one word is in each language.
type Row = [Vec<String>; 4];

/// The page, and what is wrong with the names and the reasons.
fn page(
    sources: &[Source],
    things: &[Thing],
    same: &[(&str, &str, &str, &str)],
    lacks: &[Lack],
) -> (String, Vec<String>) {
    let (mut page, mut faults) = (HEAD.to_owned(), Vec::new());
    let mut used = vec![false; same.len()];
    for thing in things {
        let rows = rows(sources, thing, same, &mut used, &mut faults);
        page += &format!("\n## {}\n\n{}\n", thing.heading, thing.about);
        let reasons: Vec<&Lack> = lacks.iter().filter(|lack| lack.thing == thing.heading).collect();
        faults.extend(reasons.iter().flat_map(|lack| stale(lack, &rows)));
        let shown: Vec<_> =
            rows.iter().map(|(word, row)| (row, cells(thing, word, row, &reasons, &mut faults))).collect();
        let columns: Vec<usize> = (0..LANGUAGES.len()).filter(|&at| !thing.of(at).is_empty()).collect();
        let line = |cells: &[String]| {
            let cells: Vec<&str> = columns.iter().filter_map(|&at| Some(cells.get(at)?.as_str())).collect();
            format!("| {} |\n", cells.join(" | "))
        };
        page += &format!("\n{}|{}\n", line(&LANGUAGES.map(str::to_owned)), " --- |".repeat(columns.len()));
        let alone = |row: &Row| row.iter().filter(|names| !names.is_empty()).count() == 1;
        page.extend(shown.iter().filter(|(row, _)| !alone(row)).map(|(_, cells)| line(cells)));
        page += &only(rows.iter().filter(|(_, row)| alone(row)), &reasons);
    }
    faults.extend(same.iter().zip(used).filter(|(_, used)| !used).map(|((thing, language, own, _), _)| {
        format!("{thing}: {language} has no {own}, which is said to be another name")
    }));
    let known = |lack: &&Lack| !things.iter().any(|thing| thing.heading == lack.thing);
    faults.extend(lacks.iter().filter(known).map(|lack| format!("{}: there is no such part of {PAGE}", lack.thing)));
    (page, faults)
}

/// The words of a thing, each with what it is in each language.
fn rows(
    sources: &[Source],
    thing: &Thing,
    same: &[(&str, &str, &str, &str)],
    used: &mut [bool],
    faults: &mut Vec<String>,
) -> BTreeMap<String, Row> {
    let mut rows: BTreeMap<String, Row> = BTreeMap::new();
    for (at, language) in LANGUAGES.iter().enumerate() {
        for &(path, item) in thing.of(at) {
            let found = text_of(sources, path).map(|text| every(path, text, item)).unwrap_or_default();
            if found.is_empty() {
                faults.push(format!("{}: {path} has no names of `{item}`", thing.heading));
            }
            for Found { name, shown } in found {
                let known =
                    same.iter().position(|(of, by, own, _)| of == &thing.heading && by == language && *own == shown);
                let word = match known.and_then(|place| Some((used.get_mut(place)?, same.get(place)?))) {
                    Some((used, (.., word))) => {
                        *used = true;
                        (*word).to_owned()
                    }
                    None => snake(&name),
                };
                if let Some(names) = rows.entry(word).or_default().get_mut(at)
                    && !names.contains(&shown)
                {
                    names.push(shown);
                }
            }
        }
    }
    rows
}

/// The cells of a row: its names, or the reasons why there are none.
fn cells(thing: &Thing, word: &str, row: &Row, reasons: &[&Lack], faults: &mut Vec<String>) -> Vec<String> {
    let cell = |(at, names): (usize, &Vec<String>)| {
        if !names.is_empty() {
            return names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        }
        let language = LANGUAGES.get(at).copied().unwrap_or_default();
        let reason = reasons.iter().find(|lack| lack.is_about(word, language));
        if reason.is_none() && !thing.of(at).is_empty() {
            let there: Vec<&str> = row.iter().flatten().map(String::as_str).collect();
            faults.push(format!(
                "{}: {language} has no `{word}` ({}): add it, or say why in xtask/src/tidy/api/names.rs",
                thing.heading,
                there.join(", ")
            ));
        }
        reason.map_or_else(String::new, |lack| lack.why.to_owned())
    };
    row.iter().enumerate().map(cell).collect()
}

/// The names that one language alone has, by language and reason.
fn only<'a>(alone: impl Iterator<Item = (&'a String, &'a Row)>, reasons: &[&Lack]) -> String {
    let mut groups: Vec<(usize, String, Vec<String>)> = Vec::new();
    for (word, row) in alone {
        let Some((at, names)) = row.iter().enumerate().find(|(_, names)| !names.is_empty()) else { continue };
        let why = why(word, at, reasons);
        let names = names.iter().map(|name| format!("`{name}`"));
        match groups.iter_mut().find(|(language, reason, _)| *language == at && *reason == why) {
            Some((.., all)) => all.extend(names),
            None => groups.push((at, why, names.collect())),
        }
    }
    groups.sort_by_key(|(language, ..)| *language);
    let said = groups.into_iter().map(|(language, why, names)| {
        let language = LANGUAGES.get(language).copied().unwrap_or_default();
        format!("- Only in {language}: {}. {why}\n", names.join(", "))
    });
    let said: String = said.collect();
    if said.is_empty() { said } else { format!("\n{said}") }
}

/// Why the other languages lack a word, as a sentence: one reason for all of them, or one for each.
fn why(word: &str, at: usize, reasons: &[&Lack]) -> String {
    let mut whys: Vec<(&str, Vec<&str>)> = Vec::new();
    for (_, language) in LANGUAGES.iter().enumerate().filter(|(other, _)| *other != at) {
        let Some(lack) = reasons.iter().find(|lack| lack.is_about(word, language)) else { continue };
        match whys.iter_mut().find(|(why, _)| *why == lack.why) {
            Some((_, languages)) => languages.push(language),
            None => whys.push((lack.why, vec![language])),
        }
    }
    match whys.as_slice() {
        [(why, _)] => sentence(why),
        several => {
            let each = several.iter().map(|(why, languages)| format!("{}: {why}.", languages.join(" and ")));
            each.collect::<Vec<_>>().join(" ")
        }
    }
}

/// The reasons that nothing needs.
fn stale(lack: &Lack, rows: &BTreeMap<String, Row>) -> Vec<String> {
    let mut faults = Vec::new();
    for word in lack.words.split_whitespace() {
        let Some(row) = rows.get(word) else {
            faults.push(format!("{}: no language has `{word}`, which needs no reason", lack.thing));
            continue;
        };
        for (language, names) in LANGUAGES.iter().zip(row) {
            if lack.languages.split_whitespace().any(|one| one == *language) && !names.is_empty() {
                faults.push(format!("{}: {language} has `{word}`, which needs no reason", lack.thing));
            }
        }
    }
    faults
}

/// A name as the core writes it: `toConfirm` and `to-confirm` are `to_confirm`.
fn snake(name: &str) -> String {
    let (mut word, mut was_upper) = (String::new(), true);
    for letter in name.chars() {
        if letter.is_uppercase() && !was_upper {
            word.push('_');
        }
        was_upper = letter.is_uppercase();
        word.extend(if letter == '-' { '_' } else { letter }.to_lowercase());
    }
    word
}

fn sentence(why: &str) -> String {
    let mut letters = why.chars();
    let first = letters.next().map(|first| first.to_uppercase().collect::<String>()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::{
        HEAD,
        names::{JAVASCRIPT, Lack, Thing},
        page, snake,
    };
    use crate::tidy::Source;

    const RUST: &str = "core/src/walk/act.rs";

    /// The rest of the page, and what is wrong, for a project with these sources.
    fn made(rust: &str, javascript: &str, same: &[(&str, &str, &str, &str)], lacks: &[Lack]) -> (String, Vec<String>) {
        let thing = Thing {
            heading: "A walk",
            about: "What it is.",
            rust: &[(RUST, "impl Walk")],
            javascript: &[(JAVASCRIPT, "interface Walk")],
            python: &[],
            wit: &[],
            elsewhere: &[],
        };
        let rust = Source { path: RUST.into(), text: format!("impl Walk {{\n{rust}}}\n") };
        let javascript =
            Source { path: JAVASCRIPT.into(), text: format!("export interface Walk {{\n{javascript}}}\n") };
        let (page, faults) = page(&[rust, javascript], &[thing], same, lacks);
        (page.strip_prefix(HEAD).expect("the head").to_owned(), faults)
    }

    #[test]
    fn names_are_paired_whatever_their_notation() {
        for (name, word) in [
            ("toConfirm", "to_confirm"),
            ("to-confirm", "to_confirm"),
            ("toJSON", "to_json"),
            ("isOver", "is_over"),
            ("EndTurn", "end_turn"),
        ] {
            assert_eq!(snake(name), word);
        }
        let rust = "    pub fn to_confirm(&self) -> bool {\n    }\n    pub(crate) fn own(&self) {\n    }\n    pub fn back(&self) {\n    }\n";
        let javascript =
            "  readonly back: string;\n  /** @deprecated Use `back`. */\n  old(): void;\n  toConfirm(): string;\n";
        let (page, faults) = made(rust, javascript, &[], &[]);
        assert_eq!(faults, Vec::<String>::new());
        let rows =
            "| Rust | JavaScript |\n| --- | --- |\n| `Walk::back` | `back` |\n| `Walk::to_confirm` | `toConfirm()` |\n";
        assert_eq!(page, format!("\n## A walk\n\nWhat it is.\n\n{rows}"));
    }

    #[test]
    fn a_name_that_a_language_lacks_needs_a_reason() {
        let rust = "    pub fn back(&self) {\n    }\n    pub fn page(&self) {\n    }\n";
        let (_, faults) = made(rust, "  back(): void;\n", &[], &[]);
        assert_eq!(faults.len(), 1, "{faults:?}");
        assert!(faults.concat().contains("JavaScript has no `page`"), "{faults:?}");
        let lack = |words, languages| Lack { thing: "A walk", words, languages, why: "nobody needs it" };
        let (page, faults) = made(rust, "  back(): void;\n", &[], &[lack("page", "JavaScript")]);
        assert_eq!(faults, Vec::<String>::new());
        assert!(page.ends_with("\n- Only in Rust: `Walk::page`. Nobody needs it.\n"), "{page}");
    }

    #[test]
    fn a_reason_that_nothing_needs_is_a_fault() {
        let rust = "    pub fn back(&self) {\n    }\n";
        let lack = |thing, words| Lack { thing, words, languages: "JavaScript", why: "nobody needs it" };
        for (lack, fault) in [
            (lack("A walk", "back"), "JavaScript has `back`"),
            (lack("A walk", "forth"), "no language has `forth`"),
            (lack("A stroll", "back"), "no such part"),
        ] {
            let (_, faults) = made(rust, "  back(): void;\n", &[], &[lack]);
            assert!(faults.len() == 1 && faults.concat().contains(fault), "{faults:?}");
        }
        let (_, faults) = made(rust, "  back(): void;\n", &[("A walk", "Rust", "Walk::forth", "back")], &[]);
        assert!(faults.len() == 1 && faults.concat().contains("Rust has no Walk::forth"), "{faults:?}");
        let (_, faults) = made(rust, "  goBack(): void;\n", &[("A walk", "JavaScript", "goBack()", "back")], &[]);
        assert_eq!(faults, Vec::<String>::new());
    }
}
