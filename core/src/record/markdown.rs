//! Records as Markdown, for people: exports and reports. All text of agents and people is escaped.

use super::{Record, Request, Response};
use crate::host::Source;
use serde_json::Value;
use std::collections::BTreeMap;

/// Renders records as Markdown, one paragraph group for each request: the question in bold, who asked, and the answer.
///
/// A secret is rendered as `<redacted>`, a question that was not answered as `Cancelled (reason)`, and a request without a response as
/// `Open`.
pub fn to_markdown(records: &[Record]) -> String {
    let mut responses: BTreeMap<&str, Vec<&Response>> = BTreeMap::new();
    for record in records.iter().rev() {
        if let Record::Response(response) = record {
            responses.entry(record.id()).or_default().push(response);
        }
    }
    let mut markdown = String::new();
    for record in records {
        if let Record::Request(request) = record {
            if !markdown.is_empty() {
                markdown.push_str("\n\n");
            }
            markdown.push_str(&pair(request, responses.get_mut(record.id()).and_then(Vec::pop)));
        }
    }
    markdown
}

fn pair(request: &Request, response: Option<&Response>) -> String {
    let asker = match &request.source {
        Source::Tool { name } => format!("the tool {}", code(name)),
        Source::Assistant => "the assistant".to_owned(),
        Source::User => "the user".to_owned(),
        Source::Other { name } => escaped(name),
    };
    let text = request.question.get("text").and_then(Value::as_str).unwrap_or("?");
    let mut pair = format!("**{}** (asked by {asker})\n\n", escaped(text));
    match response {
        None => pair.push_str("*Open*"),
        Some(Response::Redacted { .. }) => pair.push_str("`<redacted>`"),
        Some(Response::Cancelled { reason, .. }) => {
            pair.push_str(&format!("*Cancelled ({})*", escaped(reason.as_str())));
        }
        Some(Response::Answered { answer, note, reason, .. }) => {
            pair.push_str(&value(answer));
            for (what, text) in [("Note", note), ("Reason", reason)] {
                if let Some(text) = text {
                    pair.push_str(&format!("\n\n{what}: {}", escaped(text)));
                }
            }
        }
    }
    pair
}

/// The most bytes of JSON that are indented.
const LONG: usize = 10_000;

fn value(answer: &Value) -> String {
    match answer {
        Value::String(text) if text.is_empty() => "*(empty)*".to_owned(),
        Value::String(text) if text.contains('\n') => fenced(text, ""),
        Value::String(text) => escaped(text),
        Value::Bool(true) => "Yes".to_owned(),
        Value::Bool(false) => "No".to_owned(),
        Value::Null => "*(left empty)*".to_owned(),
        Value::Array(list) if list.iter().all(Value::is_string) && !list.is_empty() => list
            .iter()
            .filter_map(Value::as_str)
            .map(|text| format!("- {}", escaped(text)))
            .collect::<Vec<_>>()
            .join("\n"),
        Value::Number(_) => answer.to_string(),
        Value::Array(_) | Value::Object(_) => match answer.to_string() {
            // Indented, a deep value can become sixty times as long.
            long if long.len() > LONG => fenced(&long, "json"),
            _ => fenced(&format!("{answer:#}"), "json"),
        },
    }
}

/// A text without markup. A line break becomes a space, so that the text stays in its paragraph.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' | '\r' => escaped.push(' '),
            // Every ASCII punctuation character may be escaped (CommonMark 0.31, section 2.4).
            character if character.is_ascii_punctuation() && !",'?;".contains(character) => {
                escaped.push('\\');
                escaped.push(character);
            }
            character => escaped.push(character),
        }
    }
    escaped
}

/// An inline code span, with more backticks around it than it has in a row.
fn code(text: &str) -> String {
    let ticks = "`".repeat(longest_run(text).saturating_add(1));
    let text = text.replace(['\n', '\r'], " ");
    if ticks.len() > 1 { format!("{ticks} {text} {ticks}") } else { format!("{ticks}{text}{ticks}") }
}

fn fenced(text: &str, language: &str) -> String {
    let fence = "`".repeat(longest_run(text).saturating_add(1).max(3));
    format!("{fence}{language}\n{text}\n{fence}")
}

fn longest_run(text: &str) -> usize {
    text.split(|character| character != '`').map(str::len).max().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Cancelled;
    use serde_json::json;
    use std::sync::Arc;

    fn rendered(text: &str, outcome: Option<Response>) -> String {
        let question = Arc::new(json!({ "text": text, "answer_type": { "type": "text" } }));
        let mut records = vec![Record::Request(Request { id: "a".into(), source: Source::Assistant, question })];
        records.extend(outcome.map(Record::Response));
        to_markdown(&records)
    }

    fn answered(answer: Value) -> Option<Response> {
        Some(Response::Answered { id: "a".into(), answer, note: None, reason: None })
    }

    fn cancelled(reason: Cancelled) -> Option<Response> {
        Some(Response::Cancelled { id: "a".into(), reason })
    }

    #[test]
    fn a_pair_is_rendered_with_its_answer() {
        for (outcome, expected) in [
            (answered(json!("production")), "production"),
            (answered(json!(true)), "Yes"),
            (answered(json!(["a", "b"])), "- a\n- b"),
            (answered(json!("two\n```\nlines")), "````\ntwo\n```\nlines\n````"),
            (answered(json!({ "a": 1 })), "```json\n{\n  \"a\": 1\n}\n```"),
            (answered(json!("")), "*(empty)*"),
            (Some(Response::Redacted { id: "a".into() }), "`<redacted>`"),
            (cancelled(Cancelled::Back), "*Cancelled (back)*"),
            (cancelled(Cancelled::Other("time_out".into())), "*Cancelled (time\\_out)*"),
            (None, "*Open*"),
        ] {
            assert_eq!(rendered("Which?", outcome), format!("**Which?** (asked by the assistant)\n\n{expected}"));
        }
        let noted =
            Response::Answered { id: "a".into(), answer: json!(1), note: Some("n".into()), reason: Some("r".into()) };
        assert!(rendered("Which?", Some(noted)).ends_with("\n\n1\n\nNote: n\n\nReason: r"));
    }

    #[test]
    fn nothing_that_was_written_is_markup() {
        let text = "**x** <img src=x onerror=alert(1)> [a](javascript:b) `c`\n# d";
        let markdown = rendered(text, answered(json!(text.replace('\n', " "))));
        // Without everything escaped, only words and the bold of the question are left.
        let mut bare = String::new();
        let mut letters = markdown.chars();
        while let Some(letter) = letters.next() {
            match letter {
                '\\' => drop(letters.next()),
                letter => bare.push(letter),
            }
        }
        assert_eq!(bare.matches("**").count(), 2, "{bare}");
        assert!(!bare.contains(['<', '[', '`', '#']), "{bare}");
    }
}
