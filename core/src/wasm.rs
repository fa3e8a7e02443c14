//! The bindings to JavaScript. All values cross as JSON text, which keeps digits and the order of keys, and needs no imports but those of
//! wasm-bindgen itself. `pkg/src/core.js` converts the texts to values and errors.

use crate::{
    Action, Content, Dialect, Form, Given, Host, PromptKind, Reader, Rejection, ToolDefinition, UnknownDialect,
    Verdict, Walk as CoreWalk,
    conversation::{Conversation as CoreConversation, Event, Unexpected, UnreadableState},
    desk::{Asked, Desk as CoreDesk, Unasked, UnreadableDesk},
    json::{parse, text},
    problem::{NotAllowed, Pointer, Problem, ProblemKind, Refusal, Unresumable, object},
    record::{Record, Stream, mend, read, to_markdown},
    route::permission as permission_of,
    schema::SchemaChecker,
};
use serde_json::{Map, Value};
use std::fmt;
use wasm_bindgen::prelude::wasm_bindgen;

/// Reads a request, given as JSON text, and begins to walk. The error is a JSON text with `kind`: `rejection` or `misuse`.
#[wasm_bindgen]
pub fn open(request: &str, dialect: Option<String>, options: &str) -> Result<Walk, String> {
    form(request, dialect, options).map(|form| CoreWalk::new(form).into())
}

/// Begins to walk a request that is still being written: see [`Walk::write`] and [`Walk::end`]. The error is like that of [`open`].
#[wasm_bindgen]
pub fn stream(dialect: Option<String>, options: &str) -> Result<Walk, String> {
    let (dialect, host) = asked(dialect, options)?;
    let reader = Reader::new(dialect, &host);
    Ok(Walk { walk: CoreWalk::stream(reader.form()), reader: Some(reader) })
}

/// Resumes a saved walk, given as JSON text, with its secrets by question id where they are known, as JSON text too. The error is like that
/// of [`open`], or has `kind`: `unresumable`.
#[wasm_bindgen]
pub fn resume(
    request: &str,
    saved: &str,
    dialect: Option<String>,
    options: &str,
    secrets: &str,
) -> Result<Walk, String> {
    let form = form(request, dialect, options)?;
    let saved = parse(saved).map_err(|error| unresumable(&Unresumable::NotASavedWalk { reason: error.reason }))?;
    let secrets = match parse(secrets) {
        Ok(Value::Object(secrets)) => secrets,
        _ => Map::new(),
    };
    CoreWalk::resume_with(form, &saved, &secrets).map(Walk::from).map_err(|error| unresumable(&error))
}

/// The rejection, as JSON text, of a request that JavaScript could not write as JSON.
#[wasm_bindgen]
pub fn unreadable(reason: String) -> String {
    rejection(&Rejection::of(None, Problem::new(Pointer::root(), ProblemKind::Unreadable { reason })))
}

/// The name of the dialect whose shape a request has, which is given as JSON text. The error is like that of [`open`].
#[wasm_bindgen(js_name = detectDialect)]
pub fn detect_dialect(request: &str, options: &str) -> Result<String, String> {
    let (_, host) = asked(None, options)?;
    Dialect::of(request, &host).map(|dialect| dialect.name().to_owned()).map_err(|error| rejection(&error))
}

/// The definitions of a dialect's tools, as JSON text; an empty list for an agent without a user, and where there is no such dialect.
#[wasm_bindgen(js_name = toolDefinitions)]
pub fn tool_definitions(dialect: &str, sub_agent: bool) -> String {
    let definitions = dialect.parse().map(ToolDefinition::of).unwrap_or_default();
    text(&if sub_agent { Vec::new() } else { definitions })
}

/// The names of all dialects, as JSON text.
#[wasm_bindgen]
pub fn dialects() -> String {
    text(&Dialect::every().map(Dialect::name).collect::<Vec<_>>())
}

/// Declares a dialect, given as JSON text, and gives its name. The error is a JSON text with `kind`: `misuse`.
#[wasm_bindgen(js_name = registerDialect)]
pub fn register_dialect(declaration: &str) -> Result<String, String> {
    Dialect::from_json_text(declaration).map(|own| own.name().to_owned()).map_err(|error| misuse(&error))
}

/// Whether a tool may run, or may deliver its result, as JSON text: `granted`, `refused`, `ask` or `denied`. `kind` is `run`, `deliver` or `tool`. The
/// error is a JSON text with `kind`: `misuse`.
#[wasm_bindgen]
pub fn permission(tool: &str, kind: &str, options: &str) -> Result<String, String> {
    let kind: PromptKind = kind.parse().map_err(|error| misuse(&error))?;
    let (_, host) = asked(None, options)?;
    Ok(text(&permission_of(&host, &host.turn, tool, kind)))
}

/// Repairs the records of one turn, given as JSON text: every request has its response. The error is a JSON text with `kind`: `misuse`.
#[wasm_bindgen(js_name = mendRecords)]
pub fn mend_records(records: &str) -> Result<String, String> {
    Ok(text(&mend(self::records(records)?)))
}

/// Reads stored lines of many turns, given as JSON text, and repairs them turn by turn. `turns` is the JSON text of a list: the places of the
/// lines that begin a turn. Gives `turns` and `unreadable` as JSON text. The error is like that of [`mend_records`].
#[wasm_bindgen(js_name = readRecords)]
pub fn read_records(lines: &str, turns: &str) -> Result<String, String> {
    let turns = parse(turns).unwrap_or_default();
    let turns = turns.as_array().into_iter().flatten().filter_map(Value::as_u64);
    let turns = turns.filter_map(|place| usize::try_from(place).ok()).collect();
    Stream::read_text(lines, &turns).map(|stream| text(&stream)).map_err(|error| misuse(&error))
}

/// Renders records, given as JSON text, as Markdown. The error is like that of [`mend_records`].
#[wasm_bindgen(js_name = recordsMarkdown)]
pub fn records_markdown(records: &str) -> Result<String, String> {
    Ok(to_markdown(&self::records(records)?))
}

fn records(text: &str) -> Result<Vec<Record>, String> {
    read(text).map_err(|error| misuse(&error))
}

/// A walk. The error of a method that acts is a JSON text with `kind`: `refusal`. The walk is then unchanged.
#[wasm_bindgen]
pub struct Walk {
    walk: CoreWalk,
    /// Reads the request while it is being written.
    reader: Option<Reader>,
}

impl From<CoreWalk> for Walk {
    fn from(walk: CoreWalk) -> Self {
        Self { walk, reader: None }
    }
}

#[wasm_bindgen]
impl Walk {
    /// Takes in what comes next of the request, if it is still being written.
    pub fn write(&mut self, text: &str) {
        let Some(reader) = &mut self.reader else { return };
        with_checker(|checker| reader.feed(&mut self.walk, text, checker));
    }

    /// Reads the whole request, now that nothing more comes. Says whether the walk began anew, because the end of the request contradicts its
    /// beginning. The error is like that of [`open`]; the walk is then as it was.
    pub fn end(&mut self) -> Result<bool, String> {
        let Some(reader) = self.reader.take() else { return Ok(false) };
        with_checker(|checker| reader.finish(&mut self.walk, checker)).map_err(|error| rejection(&error))
    }

    /// The step, as JSON text.
    pub fn step(&self) -> String {
        text(&self.walk.step())
    }

    /// A description of the form, as JSON text: `dialect`, `warnings`, `questions`, `label`.
    pub fn form(&self) -> String {
        text(&self.walk.form().to_json())
    }

    /// Whether the walk has ended.
    #[wasm_bindgen(js_name = isOver)]
    pub fn is_over(&self) -> bool {
        self.walk.is_over()
    }

    /// The questions to show on one page, as a JSON list of steps, with the answers that the page has now: an object by question id, as JSON text. Each answer in
    /// it is JSON text, too, so that one that cannot be read does not spoil the others.
    pub fn page(&self, answers: &str) -> Result<String, String> {
        Ok(text(&self.walk.page(self.texts_by_id(answers)?)))
    }

    /// The tool calls that wait for approval, as a JSON list of steps.
    pub fn approvals(&self) -> String {
        text(&self.walk.approvals())
    }

    /// The ids of the questions whose answers cannot be undone, as a JSON list. The answers are like those of [`Walk::page`].
    #[wasm_bindgen(js_name = toConfirm)]
    pub fn to_confirm(&self, answers: &str) -> Result<String, String> {
        let found = self.walk.to_confirm(&self.texts_by_id(answers)?);
        Ok(text(&found.iter().map(|(question, _)| question.id.as_str()).collect::<Vec<_>>()))
    }

    /// Whether the open question, or the one with this id, takes an answer: a JSON value as text, perhaps with a free text in place of an option. Nothing changes.
    pub fn check(&self, value: &str, other: Option<String>, id: Option<String>) -> Result<(), String> {
        let checked = Content::read(value.to_owned(), other).and_then(|content| match id {
            None => self.walk.check(content),
            Some(id) => match self.walk.form().question(&id) {
                Some(question) => self.walk.check_for(question, content),
                None => Err(Refusal::NotAllowed(NotAllowed::NO_SUCH_QUESTION)),
            },
        });
        checked.map_err(|error| refusal(&error))
    }

    /// Answers with a JSON value as text, perhaps with a free text in place of an option or beside options, and with a note.
    pub fn answer(
        &mut self,
        value: &str,
        other: Option<String>,
        note: Option<String>,
        remember: bool,
    ) -> Result<(), String> {
        let content = Content::read(value.to_owned(), other).map_err(|error| refusal(&error))?;
        self.act(Action::Answer(Given { content, note, remember }))
    }

    /// Answers several questions at once, given as JSON text: an object of answers by question id. Its order does not matter, since
    /// JavaScript moves ids that are numbers to the front.
    #[wasm_bindgen(js_name = answerAll)]
    pub fn answer_all(&mut self, answers: &str) -> Result<(), String> {
        let answers = self.by_id(answers)?;
        self.walk.answer_all(answers).map_err(|error| refusal(&error))
    }

    /// Answers the form with plain values, given as JSON text: an object by question id or, where the dialect answers so, by the text of the
    /// question.
    pub fn answers(&mut self, answers: &str) -> Result<(), String> {
        let read = parse(answers).map_err(|error| refusal(&Refusal::InvalidJson(error)))?;
        let Value::Object(answers) = read else {
            return Err(refusal(&Refusal::NotAllowed(NotAllowed::NOT_BY_QUESTION)));
        };
        self.walk.answers(answers).map_err(|error| refusal(&error))
    }

    /// Answers with the text of a field.
    pub fn typed(&mut self, text: String) -> Result<(), String> {
        self.act(Action::typed(text))
    }

    /// Goes back.
    pub fn back(&mut self) -> Result<(), String> {
        self.act(Action::Back)
    }

    /// Cancels the form, perhaps with a message.
    pub fn reply(&mut self, text: Option<String>) -> Result<(), String> {
        self.act(Action::Reply(text))
    }

    /// Ends the turn.
    #[wasm_bindgen(js_name = endTurn)]
    pub fn end_turn(&mut self) -> Result<(), String> {
        self.act(Action::EndTurn)
    }

    /// Ends the walk as expired if its time is over by `now`, in milliseconds since the beginning of 1970. Gives whether it has expired.
    pub fn expire(&mut self, now: f64) -> bool {
        self.walk.expire(now as i64)
    }

    /// Sends the answers from the review.
    pub fn submit(&mut self) -> Result<(), String> {
        self.act(Action::Submit)
    }

    /// Changes an answer from the review.
    pub fn change(&mut self, id: String) -> Result<(), String> {
        self.act(Action::Change(id))
    }

    /// The consultation for the assistant, as JSON text. `undefined` if no assistant is asked.
    pub fn consultation(&self) -> Option<String> {
        self.walk.consultation().map(|asked| text(&asked))
    }

    /// Brings the verdict of the assistant on a record, as JSON text. Anything else counts as no verdict.
    pub fn assistant(&mut self, verdict: &str, record: String) -> Result<(), String> {
        let verdict = parse(verdict).ok().as_ref().and_then(|verdict| Verdict::read(verdict, record));
        self.act(verdict.map_or(Action::NoAssistant, Action::Assistant))
    }

    /// A draft for the open schema question, as JSON text. `undefined` at other steps.
    pub fn template(&self) -> Option<String> {
        self.walk.template().map(|template| text(&template))
    }

    /// The outcome, as JSON text. `undefined` while the walk has not ended.
    pub fn outcome(&self) -> Option<String> {
        self.walk.outcome().map(|outcome| text(&outcome))
    }

    /// The result for the agent, as JSON text. `undefined` if there is none.
    pub fn result(&self) -> Option<String> {
        self.walk.result_text()
    }

    /// The records from the given one on, as JSON text.
    pub fn records(&self, from: usize) -> String {
        text(&self.walk.records_from(from).collect::<Vec<_>>())
    }

    /// The turn after this walk, as JSON text.
    pub fn turn(&self) -> String {
        text(&self.walk.turn())
    }

    /// The drafts for the next form of the turn, as JSON text.
    pub fn drafts(&self) -> String {
        text(&self.walk.drafts())
    }

    /// The saved walk, as JSON text.
    pub fn save(&self) -> String {
        text(&self.walk.save())
    }

    /// The response of a client to its host, as JSON text: the saved walk and its secrets.
    pub fn response(&self) -> String {
        text(&self.walk.response())
    }

    /// This walk as it went on in a client, by the client's response as JSON text. The error has `kind`: `unresumable`.
    pub fn continued(&self, response: &str) -> Result<Walk, String> {
        let response = parse(response).unwrap_or_default();
        self.walk.continued(&response).map(Self::from).map_err(|error| unresumable(&error))
    }

    /// A key for sending this ending once, however often it is sent.
    #[wasm_bindgen(js_name = idempotencyKey)]
    pub fn idempotency_key(&self) -> String {
        self.walk.idempotency_key()
    }
}

impl Walk {
    fn act(&mut self, action: Action) -> Result<(), String> {
        self.walk.act(action).map_err(|error| refusal(&error))
    }

    /// Reads answers by question id, given as JSON text.
    fn by_id(&self, answers: &str) -> Result<Vec<(String, Given)>, String> {
        Ok(self.walk.in_order(object_of(answers)?.into_iter().map(|(id, answer)| (id, answer.into())).collect()))
    }

    /// The same where each answer is JSON text itself.
    fn texts_by_id(&self, answers: &str) -> Result<Vec<(String, Given)>, String> {
        let given = |(id, answer): (String, Value)| {
            let text = answer.as_str().map(str::to_owned);
            (id, Given::new(text.map_or(Content::Value(answer), Content::Json)))
        };
        Ok(self.walk.in_order(object_of(answers)?.into_iter().map(given).collect()))
    }
}

/// The state machine of a host that runs tools.
#[wasm_bindgen]
pub struct Conversation(CoreConversation);

#[wasm_bindgen]
impl Conversation {
    /// An idle conversation. `attended` says whether a person can be asked, `several_open` whether later calls of a response run while a question is open.
    #[wasm_bindgen(js_name = begin)]
    pub fn new(attended: bool, several_open: bool) -> Self {
        Self(CoreConversation::new(attended).several_open(several_open))
    }

    /// Reads a stored conversation, given as JSON text. The error has `kind`: `unreadable`.
    pub fn read(stored: &str) -> Result<Self, String> {
        let stored = parse(stored).map_err(|error| unreadable_state(&UnreadableState { reason: error.reason }))?;
        CoreConversation::from_json(&stored).map(Self).map_err(|error| unreadable_state(&error))
    }

    /// The conversation as JSON text, to be stored.
    pub fn save(&self) -> String {
        text(&self.0)
    }

    /// The state, as JSON text.
    pub fn state(&self) -> String {
        text(self.0.state())
    }

    /// The questions that wait for the person, the oldest first, as JSON text.
    pub fn open(&self) -> String {
        text(&self.0.open().collect::<Vec<_>>())
    }

    /// What to tell a client that connects now, as JSON text.
    pub fn notice(&self) -> String {
        text(&self.0.notice())
    }

    /// The ids of the calls whose questions end with an event, beside the question that it is about, as JSON text. The event is given as JSON text. The error has `kind`: `misuse`, where it is
    /// no event.
    #[wasm_bindgen(js_name = endedBy)]
    pub fn ended_by(&self, event: &str) -> Result<String, String> {
        // A long event is not read for nothing.
        if self.0.open().next().is_none() {
            return Ok("[]".to_owned());
        }
        let event = Event::read(event).map_err(|error| misuse(&error))?;
        Ok(text(&self.0.ended_by(&event)))
    }

    /// Takes an event, given as JSON text, and gives the effects to carry out, in order, as JSON text. The error has `kind`: `unexpected`, where
    /// the event cannot happen in this state, or `misuse`, where it is no event. The conversation is then unchanged.
    pub fn on(&mut self, event: &str) -> Result<String, String> {
        let event = Event::read(event).map_err(|error| misuse(&error))?;
        self.0.on(event).map(|effects| text(&effects)).map_err(|error| unexpected(&error))
    }
}

/// One open question at a host.
#[wasm_bindgen]
pub struct Desk(CoreDesk);

#[wasm_bindgen]
impl Desk {
    /// Asks a question: a request, given as JSON text, by a call. `earlier` is the desk of the same call id, as JSON text, if there was one. The error is like
    /// that of [`open`], or has `kind`: `unreadable`, where that is no desk.
    pub fn ask(
        call: String,
        request: &str,
        dialect: Option<String>,
        options: &str,
        earlier: Option<String>,
    ) -> Result<Self, String> {
        let (dialect, _) = asked(dialect, options)?;
        let earlier = earlier.as_deref().map(desk).transpose()?;
        let options = parse(options).unwrap_or_default();
        let asked = Asked { call, request: request.to_owned(), dialect, options };
        CoreDesk::ask(asked, earlier).map(Self).map_err(|error| match error {
            Unasked::Rejected(error) => rejection(&error),
            Unasked::Misused(error) => misuse(&error),
        })
    }

    /// The same question with a saved walk of it, given as JSON text, that was begun before the person is asked. The error has `kind`: `unresumable`.
    pub fn begun(&self, saved: &str) -> Result<Self, String> {
        let saved = parse(saved).map_err(|error| unresumable(&Unresumable::NotASavedWalk { reason: error.reason }))?;
        self.0.clone().begun(&saved).map(Self).map_err(|error| unresumable(&error))
    }

    /// Reads a stored desk, given as JSON text. The error has `kind`: `unreadable`.
    pub fn read(stored: &str) -> Result<Self, String> {
        desk(stored).map(Self)
    }

    /// The desk as JSON text, to be stored.
    pub fn save(&self) -> String {
        text(&self.0.to_json())
    }

    /// What a client needs to show the question, as JSON text.
    pub fn request(&self) -> String {
        self.0.request()
    }

    /// What the agent gets, without secrets, as JSON text. `None` while the question is open, and where it gets nothing.
    pub fn answer(&self) -> Option<String> {
        self.0.answer().map(text)
    }

    /// How the question was closed, and under which key, as JSON text. `None` while it is open.
    pub fn closed(&self) -> Option<String> {
        let (how, key) = self.0.closed()?;
        Some(text(&serde_json::json!({ "how": how, "key": key })))
    }

    /// The secrets in an input, given as JSON text, to make a seal of them. `None` if there are none. The error has `kind`: `misuse`.
    #[wasm_bindgen(js_name = secretsIn)]
    pub fn secrets_in(&self, input: &str) -> Result<Option<String>, String> {
        CoreDesk::input(input).map(|input| self.0.secrets_in(&input)).map_err(|error| misuse(&error))
    }

    /// Takes an input, given as JSON text, and gives what follows, as JSON text. With `now`, milliseconds since the beginning of 1970, the question expires
    /// before that if its time is over. The error has `kind`: `misuse`.
    pub fn on(&mut self, input: &str, now: Option<f64>) -> Result<String, String> {
        let input = CoreDesk::input(input).map_err(|error| misuse(&error))?;
        Ok(text(&match now {
            Some(now) => self.0.on_at(now as i64, input),
            None => self.0.on(input),
        }))
    }
}

/// Answers by question id, given as JSON text.
fn object_of(answers: &str) -> Result<Map<String, Value>, String> {
    match parse(answers) {
        Ok(Value::Object(answers)) => Ok(answers),
        Ok(_) => Err(refusal(&Refusal::NotAllowed(NotAllowed::NOT_BY_ID))),
        Err(error) => Err(refusal(&Refusal::InvalidJson(error))),
    }
}

fn desk(stored: &str) -> Result<CoreDesk, String> {
    let stored = parse(stored).map_err(|error| UnreadableDesk { reason: error.reason });
    let desk = stored.and_then(|stored| CoreDesk::from_json(&stored));
    desk.map_err(|error| unreadable_stored(&error, &error.reason))
}

fn form(request: &str, dialect: Option<String>, options: &str) -> Result<Form, String> {
    let (dialect, host) = asked(dialect, options)?;
    Form::read(request, dialect, &host).map_err(|error| rejection(&error))
}

/// The dialect and the options of a host.
fn asked(dialect: Option<String>, options: &str) -> Result<(Dialect, Host), String> {
    let options = parse(options).unwrap_or_default();
    let host = Host::from_json(&options).map_err(|error| misuse(&error))?;
    let named = dialect.as_deref().map_or(Ok(Dialect::Detect), str::parse);
    let dialect = named.map_err(|unknown: UnknownDialect| rejection(&unknown.into()))?;
    Ok((dialect, host))
}

/// Does something with the checker of schemas that the crate is built with.
fn with_checker<T>(act: impl FnOnce(&dyn SchemaChecker) -> T) -> T {
    #[cfg(feature = "schema")]
    let checker = crate::schema::Validator::default();
    #[cfg(not(feature = "schema"))]
    let checker = crate::schema::NoChecker;
    act(&checker)
}

fn rejection(error: &Rejection) -> String {
    tagged("rejection", error.to_json())
}

fn refusal(error: &Refusal) -> String {
    tagged("refusal", error.to_json())
}

fn unresumable(error: &Unresumable) -> String {
    tagged("unresumable", object([("code", error.code().into()), ("message", error.to_string().into())]))
}

fn unexpected(error: &Unexpected) -> String {
    let mut fields = object([("code", error.code().into()), ("message", error.to_string().into())]);
    fields.extend(error.call_id().map(|call| ("call_id".to_owned(), call.into())));
    tagged("unexpected", fields)
}

fn unreadable_state(error: &UnreadableState) -> String {
    unreadable_stored(error, &error.reason)
}

fn unreadable_stored(error: &dyn fmt::Display, reason: &str) -> String {
    tagged("unreadable", object([("message", error.to_string().into()), ("reason", reason.into())]))
}

fn misuse(error: &dyn fmt::Display) -> String {
    tagged("misuse", object([("message", error.to_string().into())]))
}

fn tagged(kind: &str, fields: Map<String, Value>) -> String {
    let mut json = object([("kind", kind.into())]);
    json.extend(fields);
    text(&json)
}
