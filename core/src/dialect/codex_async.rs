//! The questions of Codex that it does not wait for (`request_user_input_async`): a message of the agent with `questions`, alone or as the app server tells of it (`item/started`,
//! `item/completed`). The result is the input of `turn/steer` or `turn/start`: a text with the answers, in the format that the agent recognises.

use super::{
    declared::Level,
    draft::{Draft, texts_of},
    fields::{Fields, QUESTIONS, Reader},
    labelled::{self, Shape},
};
use crate::{
    answer::Taken,
    json,
    outcome::{Ended, Ending, Reply, Write},
    problem::object,
};
use serde_json::{Map, Value};

/// What the message says that it is.
pub(super) const KIND: &str = "agentMessage";
/// The notifications that have the message.
const METHODS: [&str; 2] = ["item/started", "item/completed"];
/// The fields of a notification, of its parameters, of the message, and of a question.
const ROOT: &[&str] = &["jsonrpc", "method", "params"];
const PARAMS: &[&str] = &["item", "threadId", "turnId", "startedAtMs", "completedAtMs"];
const MESSAGE: &[&str] = &["id", "type", "text", "delivery", "questions", "phase", "memoryCitation", "moderation"];
const QUESTION: &[&str] = &["title", "options"];
/// What the text of an answer stands between.
const TAGS: [&str; 2] = ["<send_user_message_question_reply>\n", "\n</send_user_message_question_reply>"];

const SHAPE: Shape = Shape { text: "title", header: 0, optional: true, fields: QUESTION, ..Shape::PLAIN };

/// Whether a request is such a message.
pub(super) fn is_it(request: &Map<String, Value>) -> bool {
    let is_told = request.get("method").and_then(Value::as_str).is_some_and(|method| METHODS.contains(&method));
    let item = if is_told { request.get("params").and_then(|params| params.get("item")) } else { None };
    let field = |name| item.map_or_else(|| request.get(name), |item| item.get(name));
    field("type").is_some_and(|kind| kind == KIND) && field("questions").is_some_and(Value::is_array)
}

/// Reads it.
#[cold]
#[inline(never)]
pub(super) fn read(reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
    let mut fields = Fields::root(request);
    if request.contains_key("params") {
        fields.declare(reader, ROOT, Level::Request)?;
        let params = fields.required(reader, "params")?;
        let mut params = reader.object(params, fields.place("params"), "the parameters (an object)")?;
        params.declare(reader, PARAMS, Level::Request)?;
        let item = params.required(reader, "item")?;
        fields = reader.object(item, params.place("item"), "an item (an object)")?;
    }
    fields.declare(reader, MESSAGE, Level::Request)?;
    let id = fields.required_text(reader, "id");
    let message = fields.note(reader, "text").map(Into::into);
    let list = fields.questions(reader, "questions", QUESTIONS)?;
    reader.ask_each(list, &fields.place("questions"), &mut |reader, fields, place| {
        fields.declare(reader, QUESTION, Level::Question)?;
        labelled::question(reader, fields, place, &SHAPE)
    });
    Some(Draft { message, blocking: false, ..Draft::new(Message { id: id?.to_owned() }) })
}

/// Writes the person's message.
#[derive(Default)]
pub(super) struct Message {
    /// The id of the message with the questions.
    id: String,
}

impl Message {
    /// The answers that there are, each with the place of its question and with its text.
    fn answers(ended: &Ended<'_>) -> Vec<(usize, String, String)> {
        let text = |taken: &Taken| texts_of(Some(&taken.answer)).pop();
        let answers = ended.answers().enumerate();
        answers.filter_map(|(place, (question, taken))| Some((place, question.text.clone(), text(taken?)?))).collect()
    }

    /// As the client of Codex writes them.
    fn answered(&self, ended: &Ended<'_>) -> Option<String> {
        let answers = Self::answers(ended).into_iter().map(|(place, question, answer)| {
            let id: Value =
                [Value::from("request_user_input_async"), self.id.as_str().into(), place.into()].into_iter().collect();
            Value::Object(object([
                ("questionItemId", json::text(&id).into()),
                ("question", question.into()),
                ("answer", answer.into()),
            ]))
        });
        let answers: Vec<Value> = answers.collect();
        (!answers.is_empty()).then(|| [TAGS[0], &json::text(&Value::Array(answers)), TAGS[1]].concat())
    }

    /// The person's words, and what was chosen before them.
    fn replied(ended: &Ended<'_>, words: &str) -> String {
        let mut text = words.to_owned();
        let answers = Self::answers(ended);
        if !answers.is_empty() {
            text.push_str("\n\nChosen before that, and not sent:");
        }
        for (_, question, answer) in answers {
            text.push_str(&["\n- ", &question, " ", &answer].concat());
        }
        text
    }
}

impl Write for Message {
    fn reply(&self) -> Reply {
        Reply::WithWords
    }

    /// Nothing where there is nothing to say: the agent does not wait.
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let text = match ended.ending {
            Ending::Completed => self.answered(ended)?,
            Ending::Replied { text } => Self::replied(ended, text.as_deref()?),
            Ending::TurnEnded | Ending::Expired | Ending::Failed(_) => return None,
        };
        let part = Value::Object(object([("type", "text".into()), ("text", text.into())]));
        Some(Value::Object(object([("input", Value::Array(vec![part]))])))
    }
}
