//! Reads the conditions of `ask_user`: `when`, and what stands within it.

use super::{
    fields::{Awaited, Fields, Places, Reader},
    mending::{CONDITION, SHORTEST},
    near::{is_near, is_one, is_private, is_same, says_nothing, signs},
};
use crate::{
    answer::can_equal,
    json::{self, Numbers},
    problem::{ConditionPlace, Pointer, ProblemKind, object},
    question::{AnswerType, Choice, Choices, Question, Test, Wanted, When},
    text::{look, shortened},
};
use serde_json::{Map, Value};
use std::sync::Arc;

/// What a condition can say. One of these, and no more.
const OPERATORS: &[&str] = &["equals", "in", "contains", "answered", "all", "any", "not"];
const FIELDS: &[&str] = &["question_id", "equals", "in", "contains", "answered", "all", "any", "not"];
/// The units of work for reading a condition, for one of its values, and for comparing an id with another one.
const PART: usize = 200;
const LABEL: usize = 50;
const VALUE: usize = 50;
const NEAR: usize = 50;

/// What a condition may refer to.
pub(super) struct Earlier<'a> {
    /// The ids of all questions of the list.
    pub ids: &'a Places,
    /// The place of the question that has the condition.
    pub place: usize,
    /// The index of each question before it among those that could be read.
    pub places: &'a [Option<usize>],
}

/// Reads a condition. The depth of the request bounds how deep it nests.
pub(super) fn read(reader: &mut Reader, when: &Value, path: Pointer, earlier: &Earlier<'_>) -> Option<When> {
    reader.charge(PART)?;
    let mut fields = reader.object(when, path, "a condition (an object)")?;
    fields.mend(reader, CONDITION, FIELDS, |_, _| true)?;
    let mut operators: Vec<&'static str> =
        OPERATORS.iter().copied().filter(|name| fields.present(name).is_some()).collect();
    // Null is a value that an answer can equal; beside another operator it is an absent field.
    if operators.is_empty() && fields.value("equals").is_some() {
        operators.push("equals");
    }
    if !fields.map().keys().all(|name| FIELDS.contains(&name.as_str())) && has_unknown(reader, &fields, earlier) {
        return None;
    }
    // What holds of several conditions looks at no question itself.
    if let (["all" | "any" | "not"], Some(_)) = (&operators[..], fields.present("question_id")) {
        let given = fields.sent("question_id").to_owned();
        reader.problem(fields.place("question_id"), ProblemKind::UnknownCondition { given, meant: None });
        return None;
    }
    fields.warn_of_others(reader, &|_| true);
    match operators[..] {
        [name @ ("all" | "any")] => {
            let list = fields.list(reader, name, "a list of conditions")?;
            let place = fields.place(name);
            if list.is_empty() {
                reader.problem(place, ProblemKind::EmptyCondition { operator: name });
                return None;
            }
            let mut all = Vec::with_capacity(list.len());
            for (at, when) in list.iter().enumerate() {
                all.push(read(reader, when, place.item(at), earlier));
            }
            let all = all.into_iter().collect::<Option<Vec<_>>>()?;
            Some(if name == "all" { When::All(all) } else { When::Any(all) })
        }
        ["not"] => {
            let when = read(reader, fields.present("not")?, fields.place("not"), earlier)?;
            Some(When::Not(Box::new(when)))
        }
        [] => {
            target(reader, &fields, earlier);
            reader.missing(&fields, "equals");
            None
        }
        [operator] => {
            let target = target(reader, &fields, earlier);
            let test = read_test(reader, &fields, operator, target.as_ref());
            Some(When::Answer { question: target?.place, is: test? })
        }
        [..] => {
            reader.problem(fields.path.clone(), ProblemKind::SeveralConditions { operators });
            None
        }
    }
}

/// Records a problem for each field that is none of a condition: what it says would be lost.
#[cold]
#[inline(never)]
fn has_unknown(reader: &mut Reader, fields: &Fields<'_>, earlier: &Earlier<'_>) -> bool {
    /// Of so many fields at most it can be told what was meant.
    const FEW: usize = 8;
    let is_read = |name: &str| FIELDS.contains(&name) || fields.renamed.iter().any(|(_, given)| *given == name);
    let unknown: Vec<&String> =
        fields.iter().filter(|(name, value)| !value.is_null() && !is_read(name)).map(|(name, _)| name).collect();
    let is_lost = !unknown.is_empty() && fields.map().len() <= FEW;
    let meant = if is_lost { meant(reader, fields.map(), earlier, false) } else { None };
    let meant = meant.map(|meant| shortened(&json::text(&meant), 400).into_owned());
    for name in &unknown {
        let given = shortened(name, 100).into_owned();
        reader.problem(fields.path.field(name), ProblemKind::UnknownCondition { given, meant: meant.clone() });
    }
    !unknown.is_empty()
}

/// Words for comparisons in other languages, the operator of each, and whether they deny it.
const COMPARISONS: &[(&str, &str, bool)] = &[
    ("== = eq equals is", "equals", false),
    ("!= <> ne neq notEquals notEqual isNot", "equals", true),
    ("in oneOf", "in", false),
    ("notIn", "in", true),
    ("contains includes", "contains", false),
    ("notContains", "contains", true),
];

/// The condition that was probably meant by one in the words of another language, if it can be read. `None` where that cannot be told: one field that is not
/// understood may say the opposite.
fn meant(reader: &mut Reader, given: &Map<String, Value>, earlier: &Earlier<'_>, is_denied: bool) -> Option<Value> {
    let mut understood = 0_usize;
    let mut called = |names: &str| {
        let mut found = given.iter().filter(|(name, _)| is_one(name, names));
        let (_, value) = found.next().filter(|_| found.next().is_none())?;
        understood = understood.saturating_add(usize::from(!value.is_null()));
        Some(value)
    };
    let comparison = |word: &str| {
        // Signs are all the same where letters alone are compared.
        let letters = word.bytes().any(|byte| byte.is_ascii_alphabetic());
        let is_it = |name: &str| name == word || letters && is_same(name, word);
        COMPARISONS.iter().find(|(names, ..)| names.split(' ').any(is_it))
    };
    let id = called("question_id id question field")?;
    let is_negated = match called("negate negated invert inverted") {
        None => false,
        Some(Value::Bool(is_negated)) => *is_negated,
        Some(_) => return None,
    };
    let (operator, denies, value) = match called("operator op comparator comparison") {
        Some(word) => {
            let (_, operator, denies) = comparison(word.as_str()?)?;
            (*operator, *denies, called("value values equals")?)
        }
        None => {
            let mut operators = given.iter().filter_map(|(name, value)| Some((comparison(name)?, value)));
            let ((_, operator, denies), value) = operators.next().filter(|_| operators.next().is_none())?;
            understood = understood.saturating_add(usize::from(!value.is_null()));
            (*operator, *denies, value)
        }
    };
    if understood != given.values().filter(|value| !value.is_null()).count() {
        return None;
    }
    let is_denied = [denies, is_negated, is_denied].iter().filter(|is| **is).count() % 2 == 1;
    // "Does not contain a and b" may mean neither of them, or not both.
    if denies && operator == "contains" && value.as_array().is_some_and(|list| list.len() > 1) {
        return None;
    }
    let plain = written(reader, id, operator, value, earlier)?;
    Some(if is_denied { Value::Object(object([("not", plain)])) } else { plain })
}

/// A condition of these words that can be read: in other languages, one operator compares with one value or with several, and with an answer or a part of it.
fn written(reader: &mut Reader, id: &Value, operator: &str, value: &Value, earlier: &Earlier<'_>) -> Option<Value> {
    let one =
        |operator: &str, value: &Value| Value::Object(object([("question_id", id.clone()), (operator, value.clone())]));
    let each = |around: &str, list: &[Value]| {
        let all = list.iter().map(|value| one("contains", value)).collect();
        Value::Object(object([(around, Value::Array(all))]))
    };
    let ways: Vec<Value> = match (operator, value) {
        ("equals", Value::Array(_)) => vec![one("equals", value), one("in", value)],
        ("equals", _) => vec![one("equals", value), one("contains", value)],
        ("in", Value::Array(list)) => vec![one("in", value), each("any", list)],
        ("contains", Value::Array(list)) => vec![each("all", list), one("in", value)],
        // Of a text, another language may mean a part.
        ("in" | "contains", _) => vec![one("contains", value)],
        _ => Vec::new(),
    };
    ways.into_iter().find(|when| can_be_read(reader, when, earlier))
}

/// Whether a condition is one of ours, and can be true.
fn can_be_read(reader: &mut Reader, when: &Value, earlier: &Earlier<'_>) -> bool {
    reader.tries(&mut |reader| read(reader, when, Pointer::root(), earlier).is_some())
}

/// Fields that say in other tools when a question is asked, or when it is not.
const ELSEWHERE: &str = "when depends_on condition conditions if show_if show_when only_if visible_if visible_when enabled_if enabled_when display_if ask_if ask_when only_when applies_if \
     unless skip_if skip_when hide_if hidden_if hide_when skip_unless hide_unless show_unless hidden_when not_if not_when disabled_if omit_if exclude_if ignore_if";
/// Words with which the name of a field ends, or begins, that says on what a question depends. A rule of the words closes what a list of names cannot.
const LAST: &str = "if iff when unless condition conditions conditional precondition preconditions depends logic";
const FIRST: &str = "unless depends depending";
/// Words at the beginning of a name that say when a question is not asked.
const DENYING: &str = "not never no hide hidden skip skipped omit omitted exclude excluded ignore ignored except disable disabled dont suppress suppressed inactive";
/// Names that a condition is mistyped from.
const MISTYPED: &[&str] = &["condition", "dependsOn"];
/// Fields that say by a yes or a no whether a question is asked, and by any other value when.
const STATES: &str = "show skip visible enabled ask";
/// Fields that say by the id of a question alone what comes before or after it.
const LEADING: &str = "after before next parent requires needs follows followUpOf goto skipTo jumpTo branch branching trigger triggers prerequisite prerequisites relevant dependency dependencies";
/// What an object calls the id of a question that a condition looks at.
const IDS: &str = "question_id questionId id question field key name on ref var variable source";

/// Records a problem for each field that says when a question is asked, but for `when` where it belongs: a field by its name, or one that nobody knows and that
/// has the id of a question in it. `known` are the fields that are read here, `earlier` are the questions where there are conditions.
#[cold]
#[inline(never)]
pub(super) fn refuse_others(
    reader: &mut Reader,
    fields: &Fields<'_>,
    known: &[&str],
    place: ConditionPlace,
    earlier: Option<&Earlier<'_>>,
) {
    let is_read = |name: &str| known.contains(&name) || fields.renamed.iter().any(|(_, given)| *given == name);
    for (name, value) in fields.iter() {
        if is_private(name) || says_nothing(value) || is_read(name) && (name != "when" || place == ConditionPlace::Here)
        {
            continue;
        }
        if reader.charge(NEAR).is_none() {
            return;
        }
        let is_listed = is_one(name, ELSEWHERE);
        let [first, last] = ends(name);
        // An option may say when it is best.
        let is_not = is_one(first, "if when") && is_one(last, "not");
        let is_ending = place != ConditionPlace::InOption && (is_one(last, LAST) || is_one(first, FIRST) || is_not);
        let is_mistyped = || MISTYPED.iter().any(|meant| name.get(..1) == meant.get(..1) && is_near(name, meant));
        let is_state = || !value.is_boolean() && is_one(name, STATES);
        let names = |earlier: &Earlier<'_>| {
            is_named(name, first, earlier) || names_another(value, is_one(name, LEADING), earlier, DEPTH)
        };
        let is_called = is_listed || is_ending || place != ConditionPlace::InOption && (is_mistyped() || is_state());
        if !is_called && !earlier.map_or_else(|| is_condition(value), names) {
            continue;
        }
        // `skip_unless` denies twice. What a sign says is not known, and what it stands before does not hold.
        let is_denied = is_one(first, DENYING) != is_one(last, "unless");
        let is_denied = is_denied || is_not || signs(name).next().is_some() || is_denying(value);
        let meant = earlier.filter(|_| is_listed).and_then(|earlier| when_of(reader, value, earlier, is_denied));
        // What stands in `when` already holds, too.
        let meant = match (meant, fields.present("when").filter(|_| name != "when")) {
            (Some(meant), Some(when)) => {
                Some(Value::Object(object([("all", Value::Array(vec![when.clone(), meant]))])))
            }
            (meant, _) => meant,
        };
        let meant = meant.map(|when| shortened(&json::text(&when), 400).into_owned());
        let given = shortened(name, 100).into_owned();
        let kind = ProblemKind::ConditionElsewhere { given, place, meant, is_denied };
        reader.problem(fields.path.field(name), kind);
    }
}

/// Whether a condition says itself that its question is not asked then: `{"effect": "HIDE", …}`.
fn is_denying(value: &Value) -> bool {
    let effect = |map: &Map<String, Value>| {
        ["effect", "then", "action"]
            .iter()
            .any(|name| map.get(*name).and_then(Value::as_str).is_some_and(|word| is_one(word, DENYING)))
    };
    value.as_object().is_some_and(effect)
}

/// The first and the last word of a name, in any notation.
fn ends(name: &str) -> [&str; 2] {
    let bytes = name.as_bytes();
    let begins = |place: usize| match bytes.get(place.saturating_sub(1)..=place) {
        Some([before, here]) => {
            here.is_ascii_uppercase() && !before.is_ascii_uppercase() || !before.is_ascii_alphanumeric()
        }
        _ => false,
    };
    let places = 1..bytes.len();
    let first = places.clone().find(|place| begins(*place)).and_then(|place| name.get(..place));
    let last = places.rev().find(|place| begins(*place)).and_then(|place| name.get(place..));
    [first.unwrap_or(name), last.unwrap_or(name)]
}

/// Whether a value is a condition, whatever its field is called: an object that compares what it names as a question.
fn is_condition(value: &Value) -> bool {
    /// Of so many fields at most: more are data.
    const FEW: usize = 8;
    let Some(map) = value.as_object().filter(|map| map.len() <= FEW) else { return false };
    let has = |is_it: &dyn Fn(&str) -> bool| map.iter().any(|(name, value)| !value.is_null() && is_it(name));
    let compares = |name: &str| {
        let is_word = |words: &str| words.split(' ').any(|word| word.len() > 2 && is_same(name, word));
        OPERATORS.contains(&name)
            || COMPARISONS.iter().any(|(words, ..)| is_word(words))
            || is_one(name, "operator value")
    };
    has(&|name| is_one(name, "question_id questionId question id field")) && has(&compares)
}

/// How deep a condition under a name that nobody knows is looked for.
const DEPTH: usize = 8;

/// Whether a text is the id of another question.
fn is_another(id: &str, earlier: &Earlier<'_>) -> bool {
    earlier.ids.first(id).is_some_and(|place| place != earlier.place)
}

/// Whether a name says itself on which question it depends: `if_deploy`.
fn is_named(name: &str, first: &str, earlier: &Earlier<'_>) -> bool {
    let rest = name.get(first.len()..).map(|rest| rest.trim_start_matches(['_', '-']));
    is_one(first, "if when") && rest.is_some_and(|id| is_another(id, earlier))
}

/// Whether a value has the id of another question where a condition has it: in an object, or in a list of objects, as a name or where an id stands, or in an
/// expression. `leads`: whether the field leads to a question by its id alone.
fn names_another(value: &Value, leads: bool, earlier: &Earlier<'_>, depth: usize) -> bool {
    /// Of so many fields at most: more are data.
    const FEW: usize = 8;
    let Some(deeper) = depth.checked_sub(1) else { return false };
    match value {
        Value::Object(map) => {
            map.len() <= FEW
                && map.iter().any(|(name, value)| {
                    is_another(name, earlier) || names_another(value, leads || is_one(name, IDS), earlier, deeper)
                })
        }
        Value::Array(list) => list.iter().take(FEW).any(|one| names_another(one, leads, earlier, deeper)),
        Value::String(text) => leads && is_another(text, earlier) || is_expression(text, earlier),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Whether a text compares the answer of another question: `deploy == true`, `{{deploy}}`, `if deploy is no`.
fn is_expression(text: &str, earlier: &Earlier<'_>) -> bool {
    /// A longer text is prose, in bytes.
    const LONG: usize = 120;
    if text.len() > LONG {
        return false;
    }
    let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '-');
    let mut words = text.split(|letter| !is_part(letter)).filter(|word| !word.is_empty());
    let compares = text.contains(['=', '<', '>', '{', '$'])
        || words.clone().next().is_some_and(|word| is_one(word, "if when unless"));
    compares && words.any(|word| is_another(word, earlier))
}

/// A condition of another tool in our words, if it can be read: one of ours, one with other operators, or the one answer that a question must have.
fn when_of(reader: &mut Reader, value: &Value, earlier: &Earlier<'_>, is_denied: bool) -> Option<Value> {
    let given = value.as_object()?;
    let is_whole = given.len() > 1 || given.keys().all(|name| matches!(&**name, "all" | "any" | "not"));
    let plain = if is_whole && given.keys().all(|name| FIELDS.contains(&&**name)) {
        Some(value.clone()).filter(|when| can_be_read(reader, when, earlier))
    } else if let (1, Some(id)) =
        (given.len(), ["question_id", "question", "id"].iter().find_map(|name| given.get(*name)))
    {
        let when = |operator, value: Value| Value::Object(object([("question_id", id.clone()), (operator, value)]));
        // An answer that is never null is always there.
        let mut can = |when: &Value| can_be_read(reader, when, earlier);
        match can(&when("equals", true.into())) {
            true => Some(when("equals", true.into())),
            false => Some(when("answered", true.into())).filter(|_| can(&when("equals", Value::Null))),
        }
    } else if let Some(meant) = meant(reader, given, earlier, is_denied) {
        return Some(meant);
    } else {
        let (id, equals) = given.iter().next().filter(|(_, value)| given.len() == 1 && !value.is_object())?;
        written(reader, &id.as_str().into(), "equals", equals, earlier)
    }?;
    Some(if is_denied { Value::Object(object([("not", plain)])) } else { plain })
}

/// The question that a condition looks at: its place in the list, and what could be read of it.
struct Target {
    place: usize,
    /// The question, and its index among those that could be read.
    question: Option<(usize, Arc<Question>)>,
}

impl Target {
    fn answer_type(&self) -> Option<&AnswerType> {
        self.question.as_ref().map(|(_, question)| &question.answer_type)
    }
}

fn target(reader: &mut Reader, fields: &Fields<'_>, earlier: &Earlier<'_>) -> Option<Target> {
    let id = fields.required_text(reader, "question_id")?;
    let kind = match earlier.ids.first(id) {
        None => ProblemKind::UnknownQuestion { id: id.to_owned(), near: nearest(reader, id) },
        Some(target) if target >= earlier.place => {
            ProblemKind::ForwardReference { id: id.to_owned(), itself: target == earlier.place }
        }
        Some(place) => {
            let found = earlier.places.get(place).copied().flatten();
            let question = found.and_then(|found| Some((found, Arc::clone(reader.questions.get(found)?))));
            let target = Target { place, question };
            match target.answer_type() {
                Some(AnswerType::Secret) => ProblemKind::SecretReference { id: id.to_owned() },
                _ => return Some(target),
            }
        }
    };
    reader.problem(fields.place("question_id"), kind);
    None
}

/// The id of an earlier question that was probably meant.
fn nearest(reader: &mut Reader, id: &str) -> Option<String> {
    reader.charge(reader.questions.len().saturating_mul(NEAR))?;
    // Of fewer letters, anything is near.
    if id.bytes().filter(u8::is_ascii_alphanumeric).count() < SHORTEST {
        return None;
    }
    let near = reader.questions.iter().map(|question| &question.id).find(|known| is_near(id, known));
    near.map(|near| shortened(near, 100).into_owned())
}

/// Reads what an answer must be. `target` is `None` if it is wrong itself.
fn read_test(reader: &mut Reader, fields: &Fields<'_>, operator: &str, target: Option<&Target>) -> Option<Test> {
    let answer_type = target.and_then(Target::answer_type);
    let place = fields.place(operator);
    match operator {
        "equals" => {
            let wanted = wanted(reader, target, fields.value("equals")?)?;
            check(reader, target, &wanted, place);
            Some(Test::Equals(wanted))
        }
        "in" => {
            let list = fields.list(reader, "in", "a list of values")?;
            if list.is_empty() {
                reader.problem(place, ProblemKind::EmptyCondition { operator: "in" });
                return None;
            }
            let mut all = Vec::with_capacity(list.len());
            for value in list {
                all.push(wanted(reader, target, value)?);
            }
            let spare = spare(reader, target, &all)?;
            let none_is_left = spare.iter().all(|spare| *spare);
            for (at, wanted) in all.iter().enumerate() {
                if none_is_left || spare.get(at) == Some(&false) {
                    check(reader, target, wanted, place.item(at));
                }
            }
            Some(Test::In(all))
        }
        "contains" => {
            if let Some(other) = answer_type.filter(|found| !matches!(found, AnswerType::MultiSelect { .. })) {
                let kind = ProblemKind::NotSeveral { answer_type: other.name() };
                reader.problem(place, kind);
                return None;
            }
            let wanted = Wanted::among(answer_type, fields.present("contains")?.clone());
            check(reader, target, &wanted, place);
            Some(Test::Contains(wanted))
        }
        _ => match fields.present("answered")? {
            Value::Bool(answered) => Some(Test::Answered(*answered)),
            other => {
                reader.wrong_type(place, "true or false", other);
                None
            }
        },
    }
}

fn wanted(reader: &mut Reader, target: Option<&Target>, value: &Value) -> Option<Wanted> {
    let answer_type = target.and_then(Target::answer_type);
    // A list is compared with the options.
    let options = answer_type.and_then(AnswerType::choices).filter(|_| value.is_array());
    reader.charge(VALUE.saturating_add(options.map_or(0, |choices| choices.as_slice().len() / 8)))?;
    Some(Wanted::new(answer_type, value.clone()))
}

/// Which values of a list are of no option, and of no label of one: a list may have more values than this question has options.
fn spare(reader: &mut Reader, target: Option<&Target>, all: &[Wanted]) -> Option<Vec<bool>> {
    let question = target.and_then(|target| target.question.as_ref()).map(|(_, question)| question);
    let Some((question, AnswerType::Select(choices))) = question.map(|question| (question, &question.answer_type))
    else {
        return Some(vec![false; all.len()]);
    };
    let is_option = |wanted: &Wanted| choices.place(&wanted.value).is_some() || wanted.value.is_null();
    if all.iter().all(is_option) {
        return Some(vec![false; all.len()]);
    }
    reader.charge(choices.as_slice().len().saturating_mul(LABEL))?;
    let mut looks = Numbers::default();
    for choice in choices.as_slice() {
        looks.set(look(&choice.label), 1);
    }
    let is_label = |value: &Value| value.as_str().is_some_and(|text| looks.get(&look(text)).is_some());
    let mut can = |wanted: &Wanted| can_equal(question, wanted, &reader.limits, &mut reader.budget);
    Some(all.iter().map(|wanted| !is_option(wanted) && !is_label(&wanted.value) && !can(wanted)).collect())
}

/// Records a problem if the question can never have this answer. Whoever wrote that meant something else.
fn check(reader: &mut Reader, target: Option<&Target>, wanted: &Wanted, path: Pointer) {
    let Some((index, question)) = target.and_then(|target| target.question.as_ref()) else { return };
    if question.answer_type.awaits_schema() {
        reader.values.push(Awaited { question: *index, wanted: wanted.clone(), path });
    } else if !can_equal(question, wanted, &reader.limits, &mut reader.budget) {
        // Telling what was meant compares the labels of all options.
        let options = question.answer_type.choices().map_or(0, |choices| choices.as_slice().len());
        if reader.charge(options.saturating_mul(LABEL)).is_some() {
            reader.problem(path, never_true(question, &wanted.value));
        }
    }
}

/// How many values a hint lists, and how many bytes each may have.
const LISTED: (usize, usize) = (10, 60);

/// What is wrong with a value in a condition that the question can never have as its answer.
#[cold]
#[inline(never)]
pub(super) fn never_true(question: &Question, value: &Value) -> ProblemKind {
    let several = matches!(question.answer_type, AnswerType::MultiSelect { .. });
    let written = |value: &Value| shortened(&json::text(value), LISTED.1).into_owned();
    let choices = question.answer_type.choices();
    let meant = choices.and_then(|choices| labelled(choices, value)).map(|choice| &choice.value);
    let option = choices.filter(|_| several).and_then(|choices| choices.get(value)).map(|choice| &choice.value);
    let hint = match (meant.or(option), choices, &question.answer_type) {
        _ if value.is_null() => {
            "This question is always asked and must be answered, so its answer is never null: compare it with another value, or make that question \"optional\".".into()
        }
        (Some(meant), ..) if several => {
            format!("Write \"contains\": {}, in a condition of its own for each option.", written(meant))
        }
        (Some(meant), ..) => format!("Write {}, the value of that option.", written(meant)),
        (None, Some(_), AnswerType::Select(_)) if value.is_array() => "Write \"in\" in place of \"equals\".".into(),
        (None, Some(choices), _) => {
            let values = choices.as_slice().iter().take(LISTED.0).map(|choice| written(&choice.value));
            format!("The values of its options are {}.", values.collect::<Vec<_>>().join(", "))
        }
        (None, None, AnswerType::Boolean) => "Use true or false.".into(),
        (None, None, _) => "Use a value that the question takes as its answer.".into(),
    };
    ProblemKind::WhenNeverTrue { id: question.id.clone(), value: json::shown(value), hint }
}

/// The option with this label.
fn labelled<'a>(choices: &'a Choices, label: &Value) -> Option<&'a Choice> {
    let label = look(label.as_str()?);
    choices.as_slice().iter().find(|choice| look(&choice.label) == label)
}
