//! How texts look to a reader, and how long texts are shortened in messages.

/// The text as a reader sees it: invisible characters ([`is_invisible`]) are removed, white space is collapsed and trimmed. Two texts with
/// the same look cannot be told apart.
pub fn look(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for word in text.split(|character: char| character.is_whitespace() && !character.is_control()) {
        let start = seen.len();
        if start > 0 {
            seen.push(' ');
        }
        let before = seen.len();
        seen.extend(word.chars().filter(|character| !is_invisible(*character)));
        if seen.len() == before {
            seen.truncate(start);
        }
    }
    seen
}

/// Whether a character is not seen: a format or control character or a separator of lines (Unicode 16.0, general categories Cf, Cc, Zl
/// and Zp), one that is ignored by default (Default_Ignorable_Code_Point), or the blank of Braille.
pub fn is_invisible(character: char) -> bool {
    // Most texts have nothing else.
    if matches!(character, ' '..='~') {
        return false;
    }
    character.is_control()
        || matches!(character, '\u{ad}' | '\u{34f}' | '\u{600}'..='\u{605}' | '\u{61c}' | '\u{6dd}' | '\u{70f}'
            | '\u{890}'..='\u{891}' | '\u{8e2}' | '\u{115f}'..='\u{1160}' | '\u{17b4}'..='\u{17b5}' | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{2800}' | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{110bd}' | '\u{110cd}'
            | '\u{13430}'..='\u{1343f}' | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}')
}

/// The text itself, or its beginning and end around its length in bytes where it has more than `most` bytes.
pub fn shortened(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    if text.len() <= most {
        return text.into();
    }
    let half = most / 2;
    let end = text.len().saturating_sub(half);
    let start = text.get(..text.floor_char_boundary(half)).unwrap_or_default();
    let end = text.get(text.ceil_char_boundary(end)..).unwrap_or_default();
    format!("{start}…({} bytes)…{end}", text.len()).into()
}

#[cfg(test)]
mod tests {
    use super::{look, shortened};

    #[test]
    fn invisible_characters_and_white_space_do_not_change_a_look() {
        for text in [
            "staging",
            " staging ",
            "\u{200b}staging",
            "sta\u{ad}ging\n",
            "\u{202e}staging\u{202c}",
            "\tstaging\u{feff}",
            "sta\u{3164}gi\u{34f}ng\u{fe0f}\u{e0100}\u{e0061}\u{2800}",
            "staging\u{2028}\u{2029}",
        ] {
            assert_eq!(look(text), "staging", "{text:?}");
        }
        assert_eq!(look("x \u{200b} y  z"), "x y z");
        assert_ne!(look("x y"), look("xy"));
        assert_eq!(look("\u{200b} \u{200c} \u{115f}\u{2800}\u{2029}"), "");
    }

    #[test]
    fn a_long_text_is_shortened_in_the_middle() {
        assert_eq!(shortened("short", 5), "short");
        assert_eq!(shortened(&"ä".repeat(100), 10), "ää…(200 bytes)…ää");
    }
}
