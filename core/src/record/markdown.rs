//! Records as Markdown, for people: exports and reports. All text of agents and people is escaped.

use super::{Record, Request, Response};
use crate::host::Source;
use serde_json::Value;
use std::collections::{BTreeMap, VecDeque};

/// Renders records as Markdown, one paragraph group for each request: the question in bold, who asked, and the answer.
///
/// A response belongs to the earliest request before it that has its id and no response yet. A secret is rendered as `<redacted>`, a
/// question that was not answered as `Cancelled (reason)`, and a request without a response as `Open`.
pub fn to_markdown(records: &[Record]) -> String {
    let mut markdown = String::new();
    for (request, response) in pairs(records) {
        if !markdown.is_empty() {
            markdown.push_str("\n\n");
        }
        write_pair(&mut markdown, request, response);
    }
    markdown
}

/// Every request, with its response.
fn pairs(records: &[Record]) -> Vec<(&Request, Option<&Response>)> {
    let mut pairs = Vec::new();
    // Only what is open is looked up: in most streams each response follows its request.
    let mut open: BTreeMap<&str, VecDeque<usize>> = BTreeMap::new();
    for record in records {
        match record {
            Record::Request(request) => {
                open.entry(record.id()).or_default().push_back(pairs.len());
                pairs.push((request, None));
            }
            Record::Response(response) => {
                let Some(waiting) = open.get_mut(record.id()) else { continue };
                if let Some((_, answered)) = waiting.pop_front().and_then(|at| pairs.get_mut(at)) {
                    *answered = Some(response);
                }
                if waiting.is_empty() {
                    open.remove(record.id());
                }
            }
        }
    }
    pairs
}

fn write_pair(markdown: &mut String, request: &Request, response: Option<&Response>) {
    let text = request.question.get("text").and_then(Value::as_str).unwrap_or("?");
    markdown.push_str("**");
    write_escaped(markdown, text);
    markdown.push_str("** (asked by ");
    match &request.source {
        Source::Tool { name } => markdown.extend(["the tool ", &code(name)]),
        Source::Assistant => markdown.push_str("the assistant"),
        Source::User => markdown.push_str("the user"),
        Source::Other { name } => write_escaped(markdown, name),
    }
    markdown.push_str(")\n\n");
    match response {
        None => markdown.push_str("*Open*"),
        Some(Response::Redacted { .. }) => markdown.push_str("`<redacted>`"),
        Some(Response::Cancelled { reason, .. }) => {
            markdown.push_str("*Cancelled (");
            write_escaped(markdown, reason.as_str());
            markdown.push_str(")*");
        }
        Some(Response::Answered { answer, answer_text, note, reason, .. }) => {
            match answer_text {
                Some(text) if answer.is_number() => write_escaped(markdown, text),
                Some(text) => markdown.push_str(&fenced(text, "json")),
                None => write_value(markdown, answer),
            }
            for (what, text) in [("Note", note), ("Reason", reason)] {
                if let Some(text) = text {
                    markdown.extend(["\n\n", what, ": "]);
                    write_escaped(markdown, text);
                }
            }
        }
    }
}

/// The most bytes of JSON that are indented.
const LONG: usize = 10_000;

fn write_value(markdown: &mut String, answer: &Value) {
    match answer {
        Value::String(text) if text.is_empty() => markdown.push_str("*(empty)*"),
        Value::String(text) if text.contains('\n') => markdown.push_str(&fenced(text, "")),
        Value::String(text) => write_escaped(markdown, text),
        Value::Bool(true) => markdown.push_str("Yes"),
        Value::Bool(false) => markdown.push_str("No"),
        Value::Null => markdown.push_str("*(left empty)*"),
        Value::Array(list) if list.iter().all(Value::is_string) && !list.is_empty() => {
            for (at, text) in list.iter().filter_map(Value::as_str).enumerate() {
                markdown.push_str(if at == 0 { "- " } else { "\n- " });
                write_escaped(markdown, text);
            }
        }
        Value::Number(number) => markdown.push_str(&number.to_string()),
        Value::Array(_) | Value::Object(_) => markdown.push_str(&match answer.to_string() {
            // Indented, a deep value can become sixty times as long.
            long if long.len() > LONG => fenced(&long, "json"),
            _ => fenced(&format!("{answer:#}"), "json"),
        }),
    }
}

/// Writes a text without markup. A line break becomes a space, so that the text stays in its paragraph.
fn write_escaped(markdown: &mut String, text: &str) {
    for character in text.chars() {
        match character {
            '\n' | '\r' => markdown.push(' '),
            // Every ASCII punctuation character may be escaped (CommonMark 0.31, section 2.4).
            character if character.is_ascii_punctuation() && !",'?;".contains(character) => {
                markdown.push('\\');
                markdown.push(character);
            }
            character => markdown.push(character),
        }
    }
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
        Some(Response::Answered { id: "a".into(), answer, answer_text: None, note: None, reason: None })
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
        let noted = Response::Answered {
            id: "a".into(),
            answer: json!(1),
            answer_text: None,
            note: Some("n".into()),
            reason: Some("r".into()),
        };
        assert!(rendered("Which?", Some(noted)).ends_with("\n\n1\n\nNote: n\n\nReason: r"));
    }

    #[test]
    fn each_response_belongs_to_the_earliest_open_request_of_its_id() {
        let request = |text: &str| {
            let question = Arc::new(json!({ "text": text, "answer_type": { "type": "text" } }));
            Record::Request(Request { id: "a".into(), source: Source::User, question })
        };
        let response = |text: &str| Record::Response(answered(text.into()).expect("an answer"));
        let records =
            [response("0"), request("A"), request("B"), response("1"), request("C"), response("2"), response("3")];
        let pairs = [("A", "1"), ("B", "2"), ("C", "3")]
            .map(|(text, answer)| format!("**{text}** (asked by the user)\n\n{answer}"));
        assert_eq!(to_markdown(&records), pairs.join("\n\n"));
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
