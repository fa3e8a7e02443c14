//! What the model is told when somebody answered no to what a tool wanted to do: who, why, that it was not applied, and what the model
//! may do next. It uses the model's words, not this crate's.

use super::Consulted;
use crate::{
    answer::{Advice, Answer, By, Taken},
    form::Outline,
    host::Source,
    json::quoted,
    outcome::{Ended, Ending},
    question::Question,
};

/// The explanation of a completed form: a paragraph for each "no" to a tool's yes-or-no question. `None` where there is none. A "no" to a
/// question of the agent itself is an answer like any other.
pub(crate) fn explanation<'c>(
    form: &Outline,
    ended: Ended<'_>,
    consulted: impl Iterator<Item = &'c Consulted>,
) -> Option<String> {
    if !matches!(form.host.source, Source::Tool { .. }) || *ended.ending != Ending::Completed {
        return None;
    }
    let gives =
        |answer| move |(_, taken): (&Question, Option<&Taken>)| taken.is_some_and(|taken| taken.answer == answer);
    // A tool may have applied what it was told yes to.
    let partly = ended.answers().any(gives(Answer::Boolean(true)));
    let paragraphs: Vec<String> = ended
        .answers()
        .zip(consulted)
        .filter_map(|((question, taken), consulted)| {
            let taken = taken.filter(|taken| taken.answer == Answer::Boolean(false))?;
            Some(paragraph(&quoted(&question.text), &taken.by, consulted, partly))
        })
        .collect();
    (!paragraphs.is_empty()).then(|| paragraphs.join("\n\n"))
}

fn paragraph(asked: &str, by: &By, consulted: &Consulted, partly: bool) -> String {
    let advised = |advice: &Advice| format!(" {} had advised against it.{}", assistant(advice), reason(advice));
    let (who, next) = match (by, consulted) {
        (By::Assistant(advice), _) => (
            format!("{} answered no to {asked}.{} The user was not asked.", assistant(advice), reason(advice)),
            other_changes(advice),
        ),
        (By::Person { .. }, Consulted::Advised(advice)) => (
            format!("The user answered no to {asked}.{}", advised(advice)),
            match advice.reason {
                Some(_) => {
                    "Do not propose the same again. Change it as the reason says, or ask the user what they want."
                }
                None => PERSON,
            },
        ),
        (By::Person { .. }, _) => (format!("The user answered no to {asked}."), PERSON),
        (By::Remembered, _) => (
            format!("The user's answer from earlier in this turn counts for {asked} as well: no."),
            "Do not propose the same again in this turn. Ask the user what they want, or propose something else.",
        ),
        (By::Configuration, _) => (
            format!("The host's configuration answers no to {asked}. The user was not asked."),
            "Do not propose the same again: only a change of the configuration can allow it. Propose something else, or go on \
             without it.",
        ),
        (By::Default, consulted) => {
            let who = format!("No user was there, and the default answer to {asked} is no. The user was not asked.");
            match consulted {
                Consulted::Advised(advice) => (who + &advised(advice), other_changes(advice)),
                Consulted::Not | Consulted::InVain => {
                    (who, "Go on without it, or propose it again when a user is there.")
                }
            }
        }
    };
    let applied = if partly {
        "This was not applied. The other answers stand."
    } else {
        "It was not applied, and nothing was changed."
    };
    format!("{who} {applied} {next}")
}

/// What the model may do after the person said no.
const PERSON: &str = "Do not propose the same again. Ask the user what they want, or propose something else.";

/// What the model may do after an assistant said no: never a way around it.
fn other_changes(advice: &Advice) -> &'static str {
    match advice.reason {
        Some(_) => "Propose other changes that address the reason, or ask the user to review these.",
        None => "Propose other changes, or ask the user to review these.",
    }
}

/// An assistant, as the model reads of it.
pub(crate) fn assistant(advice: &Advice) -> String {
    match &advice.model {
        Some(model) => format!("A secondary assistant ({model})"),
        None => String::from("A secondary assistant"),
    }
}

fn reason(advice: &Advice) -> String {
    let Some(reason) = advice.reason.as_deref().map(str::trim) else { return String::from(" It gave no reason.") };
    let stop = if reason.ends_with(['.', '!', '?']) { "" } else { "." };
    format!(" Reason: {reason}{stop}")
}
