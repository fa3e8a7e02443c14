//! Texts of options without the difference of capitals and accents, for the filter and for the letters that are typed at a list.

#[cfg(page)]
use crate::words::shown;
use ask_user_core::{Choice, Question};
use std::sync::Arc;
#[cfg(page)]
use {
    js_sys::{Array, JsString, RegExp},
    std::cell::OnceCell,
    wasm_bindgen::JsCast,
};

/// Comes between two options.
#[cfg(page)]
const OPTION: char = '\0';
/// Comes before a label.
const LABEL: char = '\u{1}';
/// Comes before a description.
#[cfg(page)]
const DESCRIPTION: char = '\u{2}';

/// The folded texts of the options of a question. They are made when they are needed first: all at once, since each way to JavaScript has its cost.
pub struct Texts {
    question: Arc<Question>,
    #[cfg(page)]
    folded: OnceCell<Array>,
}

impl Texts {
    pub fn new(question: Arc<Question>) -> Self {
        Self {
            question,
            #[cfg(page)]
            folded: OnceCell::new(),
        }
    }

    /// The options.
    pub fn choices(&self) -> &[Choice] {
        self.question.answer_type.choices().map(|choices| choices.as_slice()).unwrap_or_default()
    }

    /// Whether the label or the description of an option has a text within.
    #[cfg(page)]
    pub fn have(&self, place: usize, folded: &str) -> bool {
        self.at(place).includes(folded, 0)
    }

    /// Without a page, nothing is typed at a list.
    #[cfg(not(page))]
    pub fn have(&self, _: usize, _: &str) -> bool {
        false
    }

    /// What an option has in it if its label begins with a text.
    pub fn beginning(text: &str) -> String {
        format!("{LABEL}{}", fold(text))
    }

    #[cfg(page)]
    fn at(&self, place: usize) -> JsString {
        let all = self.folded.get_or_init(|| {
            let mut all = String::new();
            for choice in self.choices() {
                let label = shown(&choice.label);
                all.push(LABEL);
                all.push_str(label.trim_start());
                all.push(DESCRIPTION);
                all.push_str(&shown(choice.description.as_deref().unwrap_or_default()));
                all.push(OPTION);
            }
            folded(&all).split("\0")
        });
        all.get(place as u32).unchecked_into()
    }
}

/// A text as it is compared.
#[cfg(page)]
pub fn fold(text: &str) -> String {
    folded(text).into()
}

/// Likewise, without the tables of a browser.
#[cfg(not(page))]
pub fn fold(text: &str) -> String {
    text.to_uppercase()
}

/// Accents are taken off, and of what is the same in capitals nothing is left apart: `ẞ`, `ß` and `SS`, `ς` and `σ`, `ı` and `i`.
#[cfg(page)]
fn folded(text: &str) -> JsString {
    let text = JsString::from(text).normalize("NFKD");
    let text = text.replace_by_pattern(&RegExp::new("\\p{M}+", "gu"), "");
    text.to_lower_case().to_upper_case().replace_by_pattern(&RegExp::new("\\s+", "g"), " ")
}
