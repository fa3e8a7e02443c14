//! Dialects of tool calls to approve that are declared: where a request has its calls, where a call has its parts, and what each decision is written as.

use super::{
    approval::{self, Call, Ids},
    draft::{Draft, Rules, Tells},
    fields::{Fields, Reader},
    near::says_nothing,
    permit::said_of,
};
use crate::{
    answer::Decided,
    json::parse,
    outcome::{Ended, Ending, Reply, Write},
    problem::{Pointer, ProblemKind, object},
    question::Decision,
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// The names of the fields on the way to a part, from the outermost.
type Path = &'static [&'static str];

/// A dialect of tool calls to approve.
pub(super) struct Calls {
    /// The field with the words that tell of a call to approve, and those words.
    marks: (&'static str, &'static [&'static str]),
    /// Where the list of calls is. Without one, a request is a call.
    list: &'static str,
    /// What the agent says about the calls of the list, beside it and by their ids. Without a name, nothing.
    about: &'static str,
    /// Where a call has its id, the name of its tool, what else tells tools of one name apart, its arguments, and what its agent says about it.
    id: Path,
    tool: Path,
    owner: Path,
    arguments: Path,
    /// Whether the agent leaves the arguments out where there are none.
    bare: bool,
    says: Path,
    /// What no approval can give: a request with it is rejected.
    refused: Path,
    /// A field that says whether the agent asks, and the words with which it does.
    asks: (&'static str, &'static [&'static str]),
    /// What a call goes back with.
    back: Path,
    /// The decisions that a person has. With `flags`, those whose flag is true there.
    decisions: &'static [Decision],
    flags: Option<(&'static str, &'static [(&'static str, Decision)])>,
    /// What each decision is written as: JSON in which `$id`, `$words`, `$arguments`, `$tool` and `$back` stand for these. Without words, a field of
    /// them is left out.
    approved: &'static str,
    edited: &'static str,
    rejected: &'static str,
    responded: &'static str,
    /// How the decisions of a list are written: under a name, by id. Without a name, the result is the decision, in a list if `in_list`.
    by_id: &'static str,
    in_list: bool,
}

impl Calls {
    const NONE: Self = Self {
        marks: ("type", &[]),
        list: "",
        about: "",
        id: &["id"],
        tool: &["name"],
        owner: &[],
        arguments: &["arguments"],
        bare: false,
        says: &[],
        refused: &[],
        asks: ("", &[]),
        back: &[],
        decisions: &[Decision::Approve, Decision::Reject],
        flags: None,
        approved: "",
        edited: "",
        rejected: "",
        responded: "",
        by_id: "",
        in_list: false,
    };

    pub fn recognises(&self, request: &Value) -> bool {
        if !self.list.is_empty() {
            let list = request.get(self.list).and_then(Value::as_array);
            let (mark, words) = self.marks;
            let is_call = |call: &Value| {
                call.get(mark)
                    .is_some_and(|said| words.is_empty() || said.as_str().is_some_and(|said| words.contains(&said)))
            };
            return list.is_some_and(|list| list.iter().any(is_call));
        }
        let (mark, words) = self.marks;
        match request.get(mark) {
            Some(said) if words.is_empty() => said.is_object(),
            Some(said) => said.as_str().is_some_and(|said| words.contains(&said)),
            None => false,
        }
    }

    #[cold]
    #[inline(never)]
    pub fn read(&'static self, reader: &mut Reader, request: &Map<String, Value>) -> Option<Draft> {
        let mut fields = Fields::root(request);
        let mut asked = Vec::new();
        if self.list.is_empty() {
            asked.extend(self.call(reader, &mut fields, None));
        } else {
            let parts = self.names();
            fields.name_strays(reader, &[self.list], &[&parts[..], &[self.list]].concat());
            let list = fields.required_list(reader, self.list)?;
            let path = fields.place(self.list);
            let items: Vec<_> = list.iter().enumerate().collect();
            let mut taken = Ids::default();
            let about = match fields.present(self.about) {
                None => None,
                Some(about) => {
                    reader.object(about, fields.place(self.about), "metadata by the ids of calls (an object)")
                }
            };
            let about = about.as_ref().map(Fields::map);
            approval::each(reader, &items, &path, "a call (an object)", &mut |reader, fields, place| {
                if let Some(call) = self.call(reader, fields, about) {
                    if let Some(id) = call.id.as_str() {
                        taken.take(reader, id, fields.path.clone(), place);
                    }
                    asked.push(call);
                }
            });
            // Calls that are run elsewhere ask for nothing.
            let own = [self.list, self.about, "calls"];
            approval::around_from(reader, 0, &said_of(&fields, &[], &own, BOOKKEEPING))?;
        }
        Some(Draft::new(Decisions { table: self, asked }))
    }

    /// Asks about a call. `about` is what is said beside the list, by the ids of its calls.
    fn call(&self, reader: &mut Reader, fields: &mut Fields<'_>, about: Option<&Map<String, Value>>) -> Option<Asked> {
        let text = |path: Path| at(fields.map(), path).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        self.name_others(reader, fields);
        if at(fields.map(), self.refused).is_some_and(|more| !more.is_null()) {
            let place = place_of(fields, self.refused);
            let given = self.refused.last().copied().unwrap_or_default().to_owned();
            reader.problem(place, ProblemKind::MisplacedField { given, meant: None });
        }
        let (name, words) = self.asks;
        if let Some(given) = fields.text(reader, name).filter(|given| !words.contains(given)) {
            reader.unknown_type(fields.place(name), name, given, words);
        }
        for path in [self.says, self.owner] {
            if let Some(other) = at(fields.map(), path).filter(|given| !(given.is_null() || given.is_string())) {
                let place = place_of(fields, path);
                reader.wrong_type(place, "a string", other);
            }
        }
        let mut others = self.others(fields);
        let id = self.part(reader, fields, self.id);
        if let Some(other) = id.filter(|id| !id.is_string()) {
            let place = place_of(fields, self.id);
            reader.wrong_type(place, "an id (a string)", other);
            return None;
        }
        let tool = self.part(reader, fields, self.tool);
        if tool.is_some() && text(self.tool).is_none() {
            let place = place_of(fields, self.tool);
            reader.wrong_type(place, "a string", tool.unwrap_or_default());
            return None;
        }
        // A field that is not known may have been meant for the arguments.
        let given = match at(fields.map(), self.arguments).filter(|given| !given.is_null()) {
            None if self.bare && others.is_empty() => Some(&Value::Null),
            _ => self.part(reader, fields, self.arguments),
        };
        let (id, given) = (id?.clone(), given?);
        reader.charge(crate::json::size(given) as usize)?;
        let said = about.and_then(|about| about.get(id.as_str()?)).filter(|said| !says_nothing(said));
        if let Some(said) = said {
            reader.charge(crate::json::size(said) as usize)?;
            others.insert(self.about.to_owned(), said.clone());
        }
        let arguments = match given {
            Value::String(text) if text.is_empty() && self.bare => Value::Null,
            Value::String(text) => approval::arguments(text),
            given => given.clone(),
        };
        let name = text(self.tool)?;
        let tool = match text(self.owner) {
            Some(owner) => [owner, ".", name].concat(),
            None => name.to_owned(),
        };
        let mut decisions = self.decisions.to_vec();
        if let Some((around, flags)) = self.flags {
            let allowed = fields.required(reader, around)?;
            let allowed = reader.object(allowed, fields.place(around), "what is allowed (an object)")?;
            let own: Vec<&'static str> = flags.iter().map(|(flag, _)| *flag).collect();
            allowed.name_strays(reader, &own, &[&own, self.says].concat());
            decisions.clear();
            for (flag, decision) in flags {
                if allowed.flag(reader, flag, false) {
                    decisions.push(*decision);
                }
            }
        }
        if !arguments.is_object() {
            decisions.retain(|decision| *decision != Decision::Edit);
        }
        if let (true, Some((around, _))) = (decisions.is_empty(), self.flags) {
            reader.problem(fields.place(around), ProblemKind::TooFewOptions { limit: 1, found: 0 });
            return None;
        }
        let back = at(fields.map(), self.back).filter(|_| !self.back.is_empty()).cloned();
        let asked = Asked { id, tool: name.to_owned(), back, decisions: decisions.clone() };
        let description = text(self.says).map(str::to_owned);
        let reasons = has_words(self.rejected);
        let grants = Vec::new();
        Call { tool: &tool, arguments, description, others, decisions, schema: None, grants, reasons }.ask(reader);
        Some(asked)
    }

    /// The decision that stands for nobody's: the rejection, or where words are to travel, one with a place for them. `None` where the call can only run.
    fn no(&self, allowed: &[Decision], with_words: bool) -> Option<Decision> {
        let mut ways = [Decision::Reject, Decision::Respond].into_iter().filter(|way| allowed.contains(way));
        let said = || ways.clone().find(|way| with_words && self.takes_words(*way));
        said().or_else(|| ways.next())
    }

    /// Whether words have a place in a decision that the call does not run.
    fn takes_words(&self, no: Decision) -> bool {
        has_words(if no == Decision::Reject { self.rejected } else { self.responded })
    }

    /// The paths of all parts.
    fn paths(&self) -> [Path; 7] {
        [self.id, self.tool, self.owner, self.arguments, self.says, self.refused, self.back]
    }

    /// The names of all parts, and of what is around them.
    fn names(&self) -> Vec<&'static str> {
        let names = self.paths().into_iter().flatten().copied();
        names.chain(self.flags.map(|(around, _)| around)).collect()
    }

    /// Each object of a call that has parts, with the names of those parts.
    fn levels<'a>(&self, fields: &Fields<'a>, with: &mut dyn FnMut(Fields<'a>, &[&str])) {
        let paths = self.paths();
        let mut seen: Vec<&[&str]> = Vec::new();
        for path in paths {
            for end in 0..path.len() {
                let around = path.get(..end).unwrap_or_default();
                if seen.contains(&around) {
                    continue;
                }
                seen.push(around);
                let map = around.iter().try_fold(fields.map(), |map, name| map.get(*name)?.as_object());
                let own =
                    paths.iter().filter(|path| path.starts_with(around)).filter_map(|path| path.get(end).copied());
                let flags = self.flags.filter(|_| around.is_empty()).map(|(flags, _)| flags);
                let own: Vec<&str> = own.chain(flags).collect();
                let place = place_of(fields, around);
                if let Some(map) = map {
                    with(Fields::at(map, place), &own);
                }
            }
        }
    }

    /// Names the fields of a call that are at another level or in another notation: they are not read.
    fn name_others(&self, reader: &mut Reader, fields: &Fields<'_>) {
        let all = self.names();
        self.levels(fields, &mut |level, own| level.name_strays(reader, &[own, PLAIN].concat(), &all));
    }

    /// What else a call says, in fields that are not known.
    fn others(&self, fields: &Fields<'_>) -> Map<String, Value> {
        let mut others = Map::new();
        let (mark, _) = self.marks;
        let (asks, _) = self.asks;
        self.levels(fields, &mut |level, own| {
            for (name, value) in said_of(&level, &[], &[own, OPAQUE, &[mark, asks]].concat(), BOOKKEEPING) {
                // Another level may have one of this name, which says something else.
                let mut own = name.clone();
                while others.get(&own).is_some_and(|other| *other != value) {
                    own = [level.path.as_str(), "/", &own].concat();
                }
                others.insert(own, value);
            }
        });
        others
    }

    /// A part that must be there.
    fn part<'a>(&self, reader: &mut Reader, fields: &Fields<'a>, path: Path) -> Option<&'a Value> {
        let (last, around) = path.split_last()?;
        let mut map = fields.map();
        let mut place = fields.path.clone();
        for name in around {
            let Some(inner) = map.get(*name).filter(|inner| !inner.is_null()) else {
                reader.missing(&Fields::at(map, place), name);
                return None;
            };
            place = place.field(name);
            map = reader.object(inner, place.clone(), "an object")?.map();
        }
        Fields::at(map, place).required(reader, last)
    }
}

/// Whether words have a place in a decision.
fn has_words(template: &str) -> bool {
    template.as_bytes().windows(6).any(|word| word == b"$words")
}

/// What objects of any kind have.
const PLAIN: &[&str] = &["id", "type", "name"];
/// What the agents' packages put beside a call to know it again. A field with one of these names that says more is shown.
const BOOKKEEPING: &[&str] = &[
    "id",
    "type",
    "name",
    "call_id",
    "tool_call_id",
    "toolCallId",
    "runId",
    "from",
    "actionType",
    "hosted",
    "confirmed",
    "part_kind",
    "tool_kind",
    "provider_name",
    "processed_at",
    "session_thread_id",
    "user_input_request",
    "status",
    "timestamp",
    "will_continue",
    "willContinue",
];
/// What a package keeps for a provider or for itself, and what says which answers it takes.
const OPAQUE: &[&str] = &["provider_details", "providerMetadata", "resumeSchema"];

/// The place of what is at a path.
fn place_of(fields: &Fields<'_>, path: Path) -> Pointer {
    path.iter().fold(fields.path.clone(), |path, name| path.field(name))
}

/// The value at a path, if there is one.
fn at(map: &Map<String, Value>, path: Path) -> Option<&Value> {
    let (last, around) = path.split_last()?;
    let map = around.iter().try_fold(map, |map, name| map.get(*name)?.as_object())?;
    map.get(*last)
}

/// A call that was asked about.
struct Asked {
    id: Value,
    tool: String,
    back: Option<Value>,
    decisions: Vec<Decision>,
}

/// Writes the decisions by a table.
struct Decisions {
    table: &'static Calls,
    asked: Vec<Asked>,
}

impl Decisions {
    fn decision(&self, asked: &Asked, ended: &Ended<'_>, place: usize) -> Option<Value> {
        let taken = ended.answer(place);
        let decided = taken.and_then(|taken| taken.answer.decided()).filter(|_| *ended.ending == Ending::Completed);
        let mut arguments = None;
        let (template, words) = match decided {
            Some(Decided::Approved) => (self.table.approved, None),
            Some(Decided::Edited(edited)) => {
                arguments = Some(edited);
                (self.table.edited, None)
            }
            Some(Decided::Responded(text)) => (self.table.responded, Some(text.to_owned())),
            Some(Decided::Rejected(_)) => (self.table.rejected, taken.and_then(approval::reason)),
            // Nobody decided: the call does not run. The words of a Reply go where there is a place for them.
            None => {
                let words = approval::undecided(ended.ending);
                let is_said = matches!(ended.ending, Ending::Replied { text: Some(_) });
                match self.table.no(&asked.decisions, is_said)? {
                    Decision::Respond => {
                        let words = words.unwrap_or_else(|| "The user did not answer.".to_owned());
                        (self.table.responded, Some(words))
                    }
                    _ => (self.table.rejected, words),
                }
            }
        };
        let mut value = parse(template).ok()?;
        fill(&mut value, &|name| {
            Some(match name {
                "$id" => asked.id.clone(),
                "$words" => words.clone()?.into(),
                "$arguments" => arguments?.clone(),
                "$tool" => asked.tool.as_str().into(),
                "$back" => asked.back.clone()?,
                _ => return None,
            })
        });
        Some(value)
    }
}

/// Puts values in the place of their names. A field without one is left out.
fn fill(value: &mut Value, with: &dyn Fn(&str) -> Option<Value>) {
    if let Value::Object(map) = value {
        map.retain(|_, value| {
            if let Some(name) = value.as_str().filter(|text| text.starts_with('$')) {
                let Some(found) = with(name) else { return false };
                *value = found;
            } else {
                fill(value, with);
            }
            true
        });
    }
}

impl Write for Decisions {
    fn reply(&self) -> Reply {
        let ways: Option<Vec<Decision>> =
            self.asked.iter().map(|asked| self.table.no(&asked.decisions, true)).collect();
        match ways {
            None => Reply::No,
            Some(ways) if ways.iter().all(|way| self.table.takes_words(*way)) => Reply::WithWords,
            Some(_) => Reply::WithoutWords,
        }
    }

    /// Where the form was cancelled, no call runs. `None` where a call can only be approved or edited.
    fn write(&self, ended: &Ended<'_>) -> Option<Value> {
        let decisions = self.asked.iter().enumerate().map(|(place, asked)| self.decision(asked, ended, place));
        let decisions: Vec<Value> = decisions.collect::<Option<_>>()?;
        if !self.table.by_id.is_empty() {
            let id = |asked: &Asked| asked.id.as_str().map(str::to_owned);
            let by_id = self.asked.iter().zip(decisions).filter_map(|(asked, decision)| Some((id(asked)?, decision)));
            return Some(Value::Object(object([(self.table.by_id, Value::Object(by_id.collect()))])));
        }
        if self.table.in_list {
            return (!decisions.is_empty()).then_some(Value::Array(decisions));
        }
        decisions.into_iter().next()
    }
}

/// The rules of a dialect by its table.
macro_rules! rules {
    ($name:literal, $tool:literal, $table:ident) => {
        Rules {
            name: $name,
            tool: |_| $tool,
            recognises: |request| $table.recognises(request),
            tells: Tells::NONE,
            read: |reader, request| $table.read(reader, request),
            unread: |_| Arc::new(Decisions { table: &$table, asked: Vec::new() }),
            own: None,
        }
    };
}

/// A call of a hosted server that the OpenAI Responses API asks about.
pub(super) const OPENAI_RESPONSES: Rules = rules!("openai_responses", "mcp_approval_request", RESPONSES);
static RESPONSES: Calls = Calls {
    marks: ("type", &["mcp_approval_request"]),
    owner: &["server_label"],
    approved: r#"{"type":"mcp_approval_response","approval_request_id":"$id","approve":true}"#,
    rejected: r#"{"type":"mcp_approval_response","approval_request_id":"$id","approve":false,"reason":"$words"}"#,
    ..Calls::NONE
};

/// A confirmation of a tool of Google's Agent Development Kit.
pub(super) const ADK: Rules = rules!("adk", "adk_request_confirmation", CONFIRMATION);
static CONFIRMATION: Calls = Calls {
    marks: ("name", &["adk_request_confirmation"]),
    tool: &["args", "originalFunctionCall", "name"],
    arguments: &["args", "originalFunctionCall", "args"],
    bare: true,
    says: &["args", "toolConfirmation", "hint"],
    refused: &["args", "toolConfirmation", "payload"],
    approved: r#"{"name":"adk_request_confirmation","id":"$id","response":{"confirmed":true}}"#,
    rejected: r#"{"name":"adk_request_confirmation","id":"$id","response":{"confirmed":false}}"#,
    ..Calls::NONE
};

/// An approval of a function of the Microsoft Agent Framework.
pub(super) const AGENT_FRAMEWORK: Rules = rules!("agent_framework", "function_approval_request", FUNCTION);
static FUNCTION: Calls = Calls {
    marks: ("type", &["function_approval_request"]),
    tool: &["function_call", "name"],
    owner: &["function_call", "server_name"],
    arguments: &["function_call", "arguments"],
    bare: true,
    back: &["function_call"],
    approved: r#"{"type":"function_approval_response","id":"$id","approved":true,"function_call":"$back"}"#,
    rejected: r#"{"type":"function_approval_response","id":"$id","approved":false,"function_call":"$back"}"#,
    ..Calls::NONE
};

/// A tool of Claude Managed Agents that waits for a confirmation.
pub(super) const MANAGED_AGENTS: Rules = rules!("managed_agents", "agent.tool_use", TOOL_USE);
static TOOL_USE: Calls = Calls {
    marks: ("type", &["agent.tool_use", "agent.mcp_tool_use"]),
    owner: &["mcp_server_name"],
    asks: ("evaluated_permission", &["ask"]),
    arguments: &["input"],
    approved: r#"{"type":"user.tool_confirmation","tool_use_id":"$id","result":"allow"}"#,
    rejected: r#"{"type":"user.tool_confirmation","tool_use_id":"$id","result":"deny","deny_message":"$words"}"#,
    ..Calls::NONE
};

/// The deferred tool calls of Pydantic AI that wait for an approval.
pub(super) const PYDANTIC_AI: Rules = rules!("pydantic_ai", "deferred_tools", DEFERRED);
static DEFERRED: Calls = Calls {
    marks: ("tool_call_id", &[]),
    list: "approvals",
    about: "metadata",
    id: &["tool_call_id"],
    tool: &["tool_name"],
    arguments: &["args"],
    bare: true,
    decisions: &[Decision::Approve, Decision::Edit, Decision::Reject],
    approved: r#"true"#,
    edited: r#"{"kind":"tool-approved","override_args":"$arguments"}"#,
    rejected: r#"{"kind":"tool-denied","message":"$words"}"#,
    by_id: "approvals",
    ..Calls::NONE
};

/// The interrupt `HumanInterrupt` of LangGraph's agent inbox.
pub(super) const LANGGRAPH: Rules = rules!("langgraph", "human_interrupt", INTERRUPT);
static INTERRUPT: Calls = Calls {
    marks: ("action_request", &[]),
    id: &["action_request", "action"],
    tool: &["action_request", "action"],
    arguments: &["action_request", "args"],
    says: &["description"],
    flags: Some((
        "config",
        &[
            ("allow_accept", Decision::Approve),
            ("allow_edit", Decision::Edit),
            ("allow_ignore", Decision::Reject),
            ("allow_respond", Decision::Respond),
        ],
    )),
    approved: r#"{"type":"accept","args":null}"#,
    edited: r#"{"type":"edit","args":{"action":"$tool","args":"$arguments"}}"#,
    rejected: r#"{"type":"ignore","args":null}"#,
    responded: r#"{"type":"response","args":"$words"}"#,
    in_list: true,
    ..Calls::NONE
};

/// A tool call of goose that waits for a confirmation.
pub(super) const GOOSE: Rules = Rules {
    recognises: |request| {
        let says = |value: Option<&Value>, word: &str| value.is_some_and(|said| said == word);
        says(request.get("type"), "actionRequired")
            && says(request.get("data").and_then(|data| data.get("actionType")), "toolConfirmation")
    },
    ..rules!("goose", "toolConfirmation", ACTION)
};
static ACTION: Calls = Calls {
    id: &["data", "id"],
    tool: &["data", "toolName"],
    arguments: &["data", "arguments"],
    says: &["data", "prompt"],
    approved: r#"{"type":"actionRequired","data":{"actionType":"toolConfirmationResponse","id":"$id","permission":"allow_once"}}"#,
    rejected: r#"{"type":"actionRequired","data":{"actionType":"toolConfirmationResponse","id":"$id","permission":"deny_once"}}"#,
    ..Calls::NONE
};

/// A tool call of Mastra that waits for an approval.
pub(super) static MASTRA: Calls = Calls {
    marks: ("type", &["tool-call-approval"]),
    id: &["payload", "toolCallId"],
    tool: &["payload", "toolName"],
    arguments: &["payload", "args"],
    approved: r#"{"approved":true}"#,
    rejected: r#"{"approved":false,"reason":"$words"}"#,
    ..Calls::NONE
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_decision_is_written_as_json_with_names_that_are_filled() {
        for table in [&RESPONSES, &CONFIRMATION, &FUNCTION, &TOOL_USE, &DEFERRED, &INTERRUPT, &ACTION, &MASTRA] {
            for template in
                [table.approved, table.edited, table.rejected, table.responded].iter().filter(|text| !text.is_empty())
            {
                let mut value = parse(template).unwrap();
                fill(&mut value, &|name| {
                    ["$id", "$words", "$arguments", "$tool", "$back"].contains(&name).then(|| 1.into())
                });
                assert!(!value.to_string().contains('$'), "{template}");
            }
            let needs = [
                (Decision::Approve, table.approved),
                (Decision::Edit, table.edited),
                (Decision::Reject, table.rejected),
                (Decision::Respond, table.responded),
            ];
            let has = |decision| table.decisions.contains(&decision) || table.flags.is_some();
            assert!(needs.iter().all(|(decision, template)| has(*decision) != template.is_empty()));
        }
    }
}
