//! Which questions of a form stand on one page. What a page looks like, `page` says.

use ask_user_core::{Action, AnswerType, Asking, Question, Step, Target, Walk};

/// Whether a form asks its questions one by one, or several on one page. See `docs/layout.md`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// One question at a time.
    Steps,
    /// All questions that the answers so far make relevant, on one page. A form of more than 100 questions is asked in steps.
    Page,
    /// Two to four questions under tabs: a page that shows one of them at a time, and then all answers. Any other form is asked as by `Auto`. As HTML without
    /// a script, the page shows all questions.
    Tabs,
    /// Tabs for two to four short choices without conditions that all have a header, a page for two to eight other short questions without conditions, steps for
    /// any other form.
    #[default]
    Auto,
}

impl Layout {
    /// The layout of this name; the default for any other.
    pub fn named(name: Option<&str>) -> Self {
        match name {
            Some("page") => Self::Page,
            Some("steps") => Self::Steps,
            Some("tabs") => Self::Tabs,
            _ => Self::Auto,
        }
    }
}

/// How many questions a page has at most: of more, each is a step.
const MOST: usize = 100;
/// How many there are on a page that the form chooses by itself.
const FEW: std::ops::RangeInclusive<usize> = 2..=8;
/// How many there are under tabs.
const TABS: std::ops::RangeInclusive<usize> = 2..=4;
/// How many options a choice has there at most, and how many characters a question with its context.
const OPTIONS: usize = 10;
const CHARACTERS: usize = 300;

/// The questions that are shown on one page now. Empty where a step is shown.
pub fn places(layout: Layout, walk: &Walk) -> Vec<Asking> {
    if !is_paged(layout, walk) {
        return Vec::new();
    }
    let page = fitting(walk.page(Vec::new()));
    // One question is a page where another may follow on it.
    let least = if walk.form().questions().iter().any(|question| question.when.is_some()) { 1 } else { 2 };
    if page.len() >= least { page } else { Vec::new() }
}

/// Whether several questions of a form may stand on one page.
fn is_paged(layout: Layout, walk: &Walk) -> bool {
    let questions = walk.form().questions();
    match layout {
        Layout::Steps => false,
        Layout::Page => questions.len() <= MOST,
        Layout::Tabs if is_tabbed(layout, walk) => true,
        Layout::Tabs | Layout::Auto => {
            is_tabbed(Layout::Auto, walk)
                || FEW.contains(&questions.len()) && questions.iter().all(|question| is_short(question))
        }
    }
}

/// Whether a page shows its questions one at a time, under tabs: it holds all questions of the form, so that nothing comes after it.
pub fn is_tabbed(layout: Layout, walk: &Walk) -> bool {
    let questions = walk.form().questions();
    let is_fitting = |question: &Question| match layout {
        Layout::Tabs => is_on_page(walk, question),
        Layout::Auto => {
            let is_choice = question.answer_type.choices().is_some();
            is_choice && question.header.is_some() && is_brief(question) && is_on_page(walk, question)
        }
        Layout::Steps | Layout::Page => false,
    };
    TABS.contains(&questions.len()) && questions.iter().all(|question| is_fitting(question))
}

/// How many questions Back leads over: to the one before, or to the first of the page that this one stood on.
pub fn backs(layout: Layout, walk: &Walk) -> usize {
    let is_paged = is_paged(layout, walk);
    let place = |walk: &Walk| match walk.step() {
        Step::Asking(asking) => walk.form().questions().iter().position(|question| question.id == asking.question.id),
        _ => None,
    };
    let (mut walk, mut count, mut last) = (walk.clone(), 0, None);
    while walk.act(Action::Back).is_ok() {
        let Some(place) = place(&walk) else { break };
        let between = walk.form().questions().iter().take(last.unwrap_or(place) + 1).skip(place);
        if count > 0 && !(is_paged && between.into_iter().all(|question| is_on_page(&walk, question))) {
            break;
        }
        (count, last) = (count + 1, Some(place));
    }
    count.max(1)
}

/// Whether a question can stand on a page, and nobody but the person is asked.
pub fn is_on_page(walk: &Walk, question: &Question) -> bool {
    let host = walk.form().host();
    fits(question) && (host.is_exclusive(&question.id) || matches!(host.target_of(&question.id), Target::User))
}

/// The questions up to the first that has a step of its own.
pub fn fitting(page: Vec<Asking>) -> Vec<Asking> {
    page.into_iter().take_while(|asking| fits(&asking.question)).collect()
}

/// Whether a question can stand on a page. One that is answered elsewhere, by an editor or by a decision, cannot.
pub fn fits(question: &Question) -> bool {
    match question.answer_type {
        AnswerType::Schema { .. } | AnswerType::Url(_) | AnswerType::Approval(_) => false,
        AnswerType::Boolean
        | AnswerType::Select(_)
        | AnswerType::MultiSelect { .. }
        | AnswerType::Text(_)
        | AnswerType::Number(_)
        | AnswerType::Secret => true,
    }
}

/// Whether a question is brief, and has no field for a note.
fn is_short(question: &Question) -> bool {
    is_brief(question) && !question.notes
}

/// Whether a question is brief, and asked whatever was answered before.
fn is_brief(question: &Question) -> bool {
    let choices = question.answer_type.choices();
    let said = question.text.len() + question.context.as_ref().map_or(0, String::len);
    fits(question)
        && question.when.is_none()
        && said <= CHARACTERS
        && choices.is_none_or(|choices| choices.as_slice().len() <= OPTIONS && !choices.have_previews())
}
