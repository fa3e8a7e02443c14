//! A question with its field, its error and its note: on a step of its own, or with others on a page.

use crate::{
    element::{El, el, text_in, typed_in},
    notice,
    prompt::{self, Prompt, Read},
    ui::Ui,
    words,
};
use ask_user_core::{Action, Asking, Given};

/// A question with its field.
pub struct Card {
    pub fieldset: El,
    /// Reads the field when the person continues; absent where the field itself answers.
    pub read: Option<Read>,
    /// The keys that act at this step.
    pub keys: words::Keys,
    /// What stands beside the primary action.
    pub beside: Vec<El>,
}

/// A question with its field, alone or on a page.
pub fn card(ui: Ui, asking: &Asking) -> Card {
    let question = &asking.question;
    let Prompt { body, read, keys, described, beside, .. } = prompt::view(ui, asking);
    let (note, read) = with_note(ui, asking, read);
    let described = if described { "context error suggestion" } else { "context error" };
    let described: Vec<String> = described.split(' ').map(|name| ui.id(name)).collect();
    let legend = notice::legend(question).attr_if(ui.scope != 0, "id", &ui.id("legend"));
    let legend =
        legend.children(question.optional.then(|| el("span").attr("class", "optional").text(" ").say(words::OPTIONAL)));
    let context = question.context.as_deref().map(notice::said);
    let rules = words::rules(&question.answer_type).map(|rules| el("p").attr("class", "hint").say_value(&rules));
    let id = question.id.clone();
    let is_choice = question.answer_type.choices().is_some();
    // Where "Something else" is chosen, its text is missing.
    let other = format!("[id='{}']:checked", ui.id("option-other"));
    let chosen = move || is_choice && ui.found(&other).is_none();
    let drafted = (asking.draft_answered || ui.typed(&question.id).is_some())
        && ui.session(|session| session.walk().is_some_and(|walk| walk.is_drafted(&question.id)));
    let drafted = drafted.then(|| el("p").attr("class", "hint").attr("data-draft", "").say(words::DRAFTED));
    let danger =
        question.danger.then(|| el("p").attr("id", &ui.id("danger")).attr("class", "warned").say(words::DANGER));
    let fieldset = el("fieldset")
        .attr("part", "question")
        .attr("aria-describedby", &described.join(" "))
        .child(legend)
        .child(
            el("div")
                .attr("id", &ui.id("context"))
                .attr("class", "aside")
                .children(context)
                .children(danger)
                .children(rules)
                .children(drafted),
        )
        .child(body)
        .child(
            el("div")
                .attr("id", &ui.id("error"))
                // The errors of a page are listed above it, and spoken there.
                .attr_if(!ui.is_beside_others(), "role", "alert")
                .changing(move || ui.refused().map(|refusal| notice::error(&refusal, chosen(), &id))),
        )
        .children(note);
    Card { fieldset, read, keys, beside }
}

/// The field for a note, where one may stand beside the answer, and the reading of the answer with it.
fn with_note(ui: Ui, asking: &Asking, read: Option<Read>) -> (Option<El>, Option<Read>) {
    let read = match read {
        Some(read) if asking.question.notes => read,
        read => return (None, read),
    };
    let area = el("textarea").attr("id", &ui.id("note")).attr("part", "input").attr("rows", "1").attr("dir", "auto");
    // Beside other questions, Enter breaks the line.
    let area = area.attr_if(ui.is_beside_others(), "data-lines", "");
    let restored = asking.draft_note.as_deref().unwrap_or_default();
    let (area, node) = prompt::kept(ui, area, format!("{}.note", asking.question.id), restored);
    let is_empty = text_in(&node).is_empty();
    let area = area.attr_said("aria-label", words::NOTE);
    let with_note = move || match read() {
        Action::Answer(given) => Action::Answer(Given { note: Some(typed_in(&node)), ..given }),
        other => other,
    };
    let note = el("details").named("note", "note").attr_if(!is_empty, "open", "");
    (Some(note.child(el("summary").say(words::ADD_NOTE)).child(area)), Some(Box::new(with_note)))
}
