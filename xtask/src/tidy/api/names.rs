//! What the list of names is made of: where each thing stands in each language, which words are the same, and why a language lacks one.

/// The declarations of the headless package.
pub const JAVASCRIPT: &str = "pkg/types/core.d.ts";
/// The declarations of the native module for Python.
pub const PYTHON: &str = "python/ask_user/_native.pyi";
/// The package around it.
pub const PYTHON_PACKAGE: &str = "python/ask_user/__init__.py";
const PYTHON_TYPES: &str = "python/ask_user/_types.py";
const PYTHON_ERRORS: &str = "python/ask_user/_errors.py";
/// The interfaces of the component.
pub const WIT: &str = "wit/ask-user.wit";

/// Files, each with what in it has the names.
type Places = &'static [(&'static str, &'static str)];

/// A part of the page.
pub struct Thing {
    /// Its heading.
    pub heading: &'static str,
    /// What it is, in each language.
    pub about: &'static str,
    /// Where its names are.
    pub rust: Places,
    pub javascript: Places,
    pub python: Places,
    pub wit: Places,
    /// Files whose type of the same name is another one.
    pub elsewhere: &'static [&'static str],
}

impl Thing {
    /// The places of a language. Empty where the page has no column for it.
    pub fn of(&self, language: usize) -> Places {
        [self.rust, self.javascript, self.python, self.wit].get(language).copied().unwrap_or_default()
    }
}

/// Why languages lack words.
pub struct Lack {
    /// The heading of the part.
    pub thing: &'static str,
    /// The words, as Rust would write them.
    pub words: &'static str,
    /// The languages.
    pub languages: &'static str,
    /// The reason, as a part of a sentence.
    pub why: &'static str,
}

impl Lack {
    /// Whether it says why a language lacks a word.
    pub fn is_about(&self, word: &str, language: &str) -> bool {
        self.words.split_whitespace().any(|one| one == word)
            && self.languages.split_whitespace().any(|one| one == language)
    }
}

pub const THINGS: &[Thing] = &[
    Thing {
        heading: "Requests, tools and records",
        about: "Functions of no thing. In JavaScript and Python a module exports them, in WIT the interface `forms`.",
        rust: &[
            ("core/src/dialect/mod.rs", "impl Dialect"),
            ("core/src/dialect/reading.rs", "impl Dialect"),
            ("core/src/dialect/declaration.rs", "impl Dialect"),
            ("core/src/dialect/definition.rs", "impl ToolDefinition"),
            ("core/src/record/stream.rs", "impl Stream"),
            ("core/src/record/stream.rs", "fn read"),
            ("core/src/record/stream.rs", "fn mend"),
            ("core/src/record/markdown.rs", "fn to_markdown"),
            ("core/src/route/mod.rs", "fn permission"),
        ],
        javascript: &[
            (JAVASCRIPT, "function detectDialect"),
            (JAVASCRIPT, "function dialects"),
            (JAVASCRIPT, "function registerDialect"),
            (JAVASCRIPT, "function toolDefinition"),
            (JAVASCRIPT, "function toolDefinitions"),
            (JAVASCRIPT, "function permission"),
            (JAVASCRIPT, "function mendRecords"),
            (JAVASCRIPT, "function readRecords"),
            (JAVASCRIPT, "function recordsMarkdown"),
        ],
        python: &[
            (PYTHON, "def detect_dialect"),
            (PYTHON, "def dialects"),
            (PYTHON, "def register_dialect"),
            (PYTHON_PACKAGE, "def tool_definition"),
            (PYTHON, "def tool_definitions"),
            (PYTHON, "def permission"),
            (PYTHON, "def mend_records"),
            (PYTHON, "def read_records"),
            (PYTHON, "def records_markdown"),
        ],
        wit: &[
            (WIT, "func detect-dialect"),
            (WIT, "func dialects"),
            (WIT, "func register-dialect"),
            (WIT, "func tool-definitions"),
            (WIT, "func permission"),
            (WIT, "func mend-records"),
            (WIT, "func read-records"),
            (WIT, "func records-markdown"),
        ],
        elsewhere: &[],
    },
    Thing {
        heading: "A form",
        about: "A request that was read. In Rust and Python it is a value of its own, `Form`; in JavaScript and WIT a walk has begun with it, and `form` of the walk describes it.",
        rust: &[
            ("core/src/dialect/reading.rs", "impl Form"),
            ("core/src/dialect/new_question.rs", "impl Form"),
            ("core/src/form.rs", "impl Outline"),
        ],
        javascript: &[(JAVASCRIPT, "function open"), (JAVASCRIPT, "members form")],
        python: &[(PYTHON, "class Form")],
        wit: &[(WIT, "func open"), (WIT, "json form")],
        elsewhere: &[],
    },
    Thing {
        heading: "A walk",
        about: "One person's way through a form. In Rust and WIT an action is a value that `act` takes; in JavaScript and Python each action is a method.",
        rust: &[
            ("core/src/walk/begin.rs", "impl Walk"),
            ("core/src/walk/act.rs", "impl Walk"),
            ("core/src/walk/projections.rs", "impl Walk"),
            ("core/src/walk/event.rs", "impl Action"),
            ("core/src/walk/event.rs", "enum Action"),
        ],
        javascript: &[(JAVASCRIPT, "interface Walk"), (JAVASCRIPT, "function resume")],
        python: &[(PYTHON, "class Walk")],
        wit: &[(WIT, "resource walk"), (WIT, "variant action"), (WIT, "func resume")],
        elsewhere: &[],
    },
    Thing {
        heading: "A request that is still being written",
        about: "`Reader` in Rust and Python, `reader` in WIT, `RequestStream` in JavaScript.",
        rust: &[("core/src/dialect/stream.rs", "impl Reader"), ("core/src/writing.rs", "impl Reader")],
        javascript: &[(JAVASCRIPT, "function openStream"), (JAVASCRIPT, "interface RequestStream")],
        python: &[(PYTHON, "class Reader")],
        wit: &[(WIT, "func stream"), (WIT, "resource reader")],
        elsewhere: &["core/src/dialect/fields.rs"],
    },
    Thing {
        heading: "A conversation",
        about: "The state machine of a host that runs tools, `Conversation`.",
        rust: &[("core/src/conversation/mod.rs", "impl Conversation")],
        javascript: &[(JAVASCRIPT, "class Conversation")],
        python: &[(PYTHON, "class Conversation")],
        wit: &[(WIT, "resource conversation")],
        elsewhere: &[],
    },
    Thing {
        heading: "A desk",
        about: "One open question at a host, `Desk`.",
        rust: &[("core/src/desk/mod.rs", "impl Desk"), ("core/src/desk/stored.rs", "impl Desk")],
        javascript: &[(JAVASCRIPT, "class Desk")],
        python: &[(PYTHON, "class Desk")],
        wit: &[(WIT, "resource desk")],
        elsewhere: &[],
    },
    Thing {
        heading: "A rejection",
        about: "The request is no form: `Rejection` in Rust, `RejectionError` in JavaScript and Python. In WIT it is JSON, the same as `tool_result`.",
        rust: &[
            ("core/src/problem/rejection.rs", "struct Rejection"),
            ("core/src/problem/rejection.rs", "impl Rejection"),
        ],
        javascript: &[(JAVASCRIPT, "class RejectionError")],
        python: &[(PYTHON_ERRORS, "class RejectionError")],
        wit: &[],
        elsewhere: &[],
    },
    Thing {
        heading: "A refusal",
        about: "An action was not taken: `Refusal` in Rust, `RefusalError` in JavaScript and Python, `refusal` in WIT. The message is the error's own text in all languages.",
        rust: &[
            ("core/src/problem/refusal.rs", "impl Refusal"),
            ("core/src/problem/refusal.rs", "impl RefusedAnswers"),
        ],
        javascript: &[(JAVASCRIPT, "class RefusalError")],
        python: &[(PYTHON_ERRORS, "class RefusalError")],
        wit: &[(WIT, "record refusal")],
        elsewhere: &[],
    },
    Thing {
        heading: "Other errors",
        about: "`Unresumable`: a saved walk cannot be taken up. `Unexpected` (`UnexpectedEventError` in JavaScript and Python): an event cannot happen in this state. `UnreadableState` and `UnreadableDesk` \
                (`UnreadableStateError`): what is stored cannot be read. What a host does wrong is `Misuse` in Rust, a `TypeError` in JavaScript, `MisuseError` in Python and `misuse` in WIT.",
        rust: &[
            ("core/src/problem/misuse.rs", "impl Unresumable"),
            ("core/src/conversation/event.rs", "impl Unexpected"),
            ("core/src/conversation/state.rs", "struct UnreadableState"),
            ("core/src/desk/stored.rs", "struct UnreadableDesk"),
        ],
        javascript: &[
            (JAVASCRIPT, "class UnresumableError"),
            (JAVASCRIPT, "class UnexpectedEventError"),
            (JAVASCRIPT, "class UnreadableStateError"),
        ],
        python: &[
            (PYTHON_ERRORS, "class UnresumableError"),
            (PYTHON_ERRORS, "class UnexpectedEventError"),
            (PYTHON_ERRORS, "class UnreadableStateError"),
        ],
        wit: &[(WIT, "record unresumable"), (WIT, "record unexpected")],
        elsewhere: &[],
    },
    Thing {
        heading: "The host's options",
        about: "`Host` in Rust and Python, `Options` in JavaScript. In WIT they are JSON with the names of Rust.",
        rust: &[("core/src/host/mod.rs", "struct Host")],
        javascript: &[(JAVASCRIPT, "interface Options")],
        python: &[(PYTHON_TYPES, "class Host")],
        wit: &[],
        elsewhere: &[],
    },
    Thing {
        heading: "The limits among them",
        about: "`Limits`. In WIT they are JSON with the names of Rust.",
        rust: &[("core/src/host/mod.rs", "struct Limits")],
        javascript: &[(JAVASCRIPT, "interface Limits")],
        python: &[(PYTHON_TYPES, "class Limits")],
        wit: &[],
        elsewhere: &[],
    },
    Thing {
        heading: "What a turn leaves",
        about: "`Turn`. In WIT it is JSON with the names of Rust.",
        rust: &[("core/src/turn.rs", "struct Turn")],
        javascript: &[(JAVASCRIPT, "interface Turn")],
        python: &[(PYTHON_TYPES, "class Turn")],
        wit: &[],
        elsewhere: &[],
    },
];

/// Words of one language that are another word here: the part, the language, its own name as the page shows it, and the word.
pub const SAME: &[(&str, &str, &str, &str)] = &[
    ("Requests, tools and records", "Rust", "Dialect::of", "detect_dialect"),
    ("Requests, tools and records", "Rust", "Dialect::every", "dialects"),
    ("Requests, tools and records", "Rust", "Dialect::from_json", "register_dialect"),
    ("Requests, tools and records", "Rust", "Dialect::from_json_text", "register_dialect"),
    ("Requests, tools and records", "Rust", "ToolDefinition::of", "tool_definitions"),
    ("Requests, tools and records", "Rust", "ToolDefinition::for_agent", "tool_definitions"),
    ("Requests, tools and records", "Rust", "record::mend", "mend_records"),
    ("Requests, tools and records", "Rust", "Stream::read", "read_records"),
    ("Requests, tools and records", "Rust", "Stream::read_text", "read_records"),
    ("Requests, tools and records", "Rust", "record::to_markdown", "records_markdown"),
    ("A form", "JavaScript", "open()", "read"),
    ("A form", "WIT", "open", "read"),
    ("A form", "Rust", "Outline::is_blocking", "blocking"),
    ("A walk", "Rust", "Walk::resume_with", "resume"),
    ("A request that is still being written", "Rust", "Reader::new", "stream"),
    ("A request that is still being written", "JavaScript", "openStream()", "stream"),
    ("A request that is still being written", "Rust", "Reader::feed", "write"),
    ("A request that is still being written", "Rust", "Reader::finish", "end"),
    ("A conversation", "WIT", "read", "from_json"),
    ("A conversation", "WIT", "save", "to_json"),
    ("A desk", "WIT", "read", "from_json"),
    ("A desk", "WIT", "save", "to_json"),
    ("A rejection", "Rust", "Rejection::to_json", "tool_result"),
];

/// Why languages lack words.
pub const LACKS: &[Lack] = &[
    Lack {
        thing: "Requests, tools and records",
        words: "name",
        languages: "JavaScript Python WIT",
        why: "in other languages a dialect is its name",
    },
    Lack {
        thing: "Requests, tools and records",
        words: "asked",
        languages: "JavaScript Python WIT",
        why: "the form says it to a person whom a request cannot be shown to",
    },
    Lack {
        thing: "Requests, tools and records",
        words: "read",
        languages: "JavaScript Python WIT",
        why: "in other languages each function of records reads them itself",
    },
    Lack {
        thing: "Requests, tools and records",
        words: "tool_definition",
        languages: "Rust WIT",
        why: "the first of the definitions",
    },
    Lack {
        thing: "A walk",
        words: "preview",
        languages: "JavaScript Python WIT",
        why: "`page` and `check` say the same",
    },
    Lack { thing: "A form", words: "label", languages: "Rust", why: "`host().label`" },
    Lack { thing: "A form", words: "message", languages: "JavaScript WIT", why: "each step has it" },
    Lack { thing: "A form", words: "review", languages: "JavaScript WIT", why: "the step says when it is reached" },
    Lack {
        thing: "A form",
        words: "blocking",
        languages: "Python",
        why: "not there yet: the host's option says it, unless the request does",
    },
    Lack {
        thing: "A form",
        words: "of",
        languages: "JavaScript Python WIT",
        why: "in other languages a request is a value that is as easy to write",
    },
    Lack {
        thing: "A form",
        words: "question",
        languages: "JavaScript Python WIT",
        why: "in other languages a question is found among `questions`, or in a step",
    },
    Lack {
        thing: "A form",
        words: "host",
        languages: "JavaScript Python WIT",
        why: "in other languages the host has its own options",
    },
    Lack {
        thing: "A form",
        words: "to_json",
        languages: "JavaScript Python WIT",
        why: "it is what `form` of a walk gives in JavaScript and WIT",
    },
    Lack {
        thing: "A form",
        words: "asking_tool names_asker reuse must_block is_over_by",
        languages: "JavaScript Python WIT",
        why: "for front ends and hosts in Rust, which decide with them what they show and ask; a step, `expire` and `Desk` say the same in other languages",
    },
    Lack { thing: "A walk", words: "act", languages: "JavaScript", why: "each action is a method" },
    Lack {
        thing: "A walk",
        words: "answer_text",
        languages: "Rust WIT",
        why: "an answer can be JSON text: `Content::Json` in Rust, `value` in WIT",
    },
    Lack {
        thing: "A walk",
        words: "check_text",
        languages: "Rust Python WIT",
        why: "in Rust and WIT `check` takes JSON text, in Python values have every digit",
    },
    Lack { thing: "A walk", words: "check_for", languages: "JavaScript", why: "`check` with an `id`" },
    Lack {
        thing: "A walk",
        words: "check_for",
        languages: "Python WIT",
        why: "not there yet: `check` is about the open question",
    },
    Lack {
        thing: "A walk",
        words: "no_assistant",
        languages: "JavaScript Python WIT",
        why: "in other languages a verdict that is none",
    },
    Lack { thing: "A walk", words: "records_from", languages: "WIT", why: "`records` takes the place to begin at" },
    Lack {
        thing: "A walk",
        words: "ending",
        languages: "JavaScript Python WIT",
        why: "in other languages `outcome` says it",
    },
    Lack {
        thing: "A walk",
        words: "events",
        languages: "JavaScript Python WIT",
        why: "in other languages the records say what happened",
    },
    Lack {
        thing: "A walk",
        words: "new",
        languages: "JavaScript Python WIT",
        why: "`open` begins a walk in JavaScript and WIT, `Walk(form)` in Python",
    },
    Lack {
        thing: "A walk",
        words: "in_order",
        languages: "JavaScript Python WIT",
        why: "in other languages answers by id are put into order as they are taken",
    },
    Lack {
        thing: "A walk",
        words: "begin stream grow accept accept_or_anew accepted is_checked is_whole",
        languages: "JavaScript Python WIT",
        why: "parts that a reader of a request, or a page that loads its validator later, puts together",
    },
    Lack {
        thing: "A walk",
        words: "anew answered taken_back left_open as_saved drafts_with typed_drafts is_drafted",
        languages: "JavaScript Python WIT",
        why: "for the form, which is written in Rust: what it shows of earlier answers and of what is typed",
    },
    Lack { thing: "A walk", words: "kept reopened", languages: "JavaScript Python WIT", why: "a desk does it" },
    Lack {
        thing: "A request that is still being written",
        words: "stream",
        languages: "Python",
        why: "`Reader(dialect, host)`",
    },
    Lack {
        thing: "A request that is still being written",
        words: "is_anew",
        languages: "Rust WIT",
        why: "the end returns it",
    },
    Lack {
        thing: "A request that is still being written",
        words: "walk",
        languages: "Rust",
        why: "a value beside it: `Walk::stream`",
    },
    Lack {
        thing: "A request that is still being written",
        words: "form",
        languages: "JavaScript Python WIT",
        why: "in other languages the walk has it",
    },
    Lack {
        thing: "A request that is still being written",
        words: "check needs_schemas",
        languages: "JavaScript Python WIT",
        why: "in other languages writing compiles the schemas, as `feed` does",
    },
    Lack {
        thing: "A request that is still being written",
        words: "is_too_long text",
        languages: "JavaScript Python WIT",
        why: "for those who bind the core to a language",
    },
    Lack {
        thing: "A conversation",
        words: "new",
        languages: "JavaScript Python WIT",
        why: "in other languages a constructor",
    },
    Lack {
        thing: "A conversation",
        words: "several_open",
        languages: "JavaScript Python WIT",
        why: "in other languages an option of the constructor",
    },
    Lack { thing: "A conversation", words: "to_json", languages: "Rust", why: "`Serialize`" },
    Lack { thing: "A desk", words: "is_open", languages: "WIT", why: "`closed` is absent" },
    Lack { thing: "A desk", words: "on_at", languages: "JavaScript Python", why: "`on` takes `now`" },
    Lack { thing: "A desk", words: "on_at", languages: "WIT", why: "the input `expired` takes `now`: report it first" },
    Lack {
        thing: "A desk",
        words: "begun",
        languages: "Python",
        why: "not there yet: hosts in Python ask no assistant before the person",
    },
    Lack {
        thing: "A desk",
        words: "input",
        languages: "JavaScript Python WIT",
        why: "in other languages `on` and `secrets_in` read an input themselves",
    },
    Lack {
        thing: "A desk",
        words: "new",
        languages: "JavaScript Python WIT",
        why: "in other languages `ask`, then `begun`",
    },
    Lack {
        thing: "A desk",
        words: "asked expires_at nonce version walk",
        languages: "JavaScript Python WIT",
        why: "in other languages `request` has it",
    },
    Lack {
        thing: "A desk",
        words: "has_taken",
        languages: "JavaScript Python WIT",
        why: "for the host in Rust; in other languages a reply says `taken_before`",
    },
    Lack {
        thing: "A rejection",
        words: "of",
        languages: "JavaScript Python",
        why: "in other languages the package makes it",
    },
    Lack { thing: "A rejection", words: "tool total", languages: "JavaScript Python", why: "the message says it" },
    Lack { thing: "A refusal", words: "message", languages: "Rust JavaScript Python", why: "the error's own text" },
    Lack { thing: "A refusal", words: "details", languages: "Rust", why: "a field of `SchemaMismatch`" },
    Lack { thing: "A refusal", words: "refused", languages: "Rust", why: "a field of `Answers`" },
    Lack { thing: "A refusal", words: "refused", languages: "WIT", why: "in `details`" },
    Lack { thing: "A refusal", words: "total", languages: "WIT", why: "the message says it" },
    Lack {
        thing: "A refusal",
        words: "to_json",
        languages: "JavaScript Python WIT",
        why: "in other languages the error has the fields of it",
    },
    Lack { thing: "Other errors", words: "message", languages: "Rust JavaScript Python", why: "the error's own text" },
    Lack { thing: "Other errors", words: "reason", languages: "WIT", why: "the error is this text" },
    Lack {
        thing: "Other errors",
        words: "is_about_calls",
        languages: "JavaScript Python WIT",
        why: "for the host in Rust; in other languages by `code`",
    },
    Lack {
        thing: "The host's options",
        words: "dialect",
        languages: "Rust Python",
        why: "a parameter beside the options",
    },
];
