//! What a host says of tool calls: what is risky about them, and what the button that approves them is called.

use super::{AnswerType, Question, Risk, RiskKind};
use crate::{
    json::{FromJson, ToJson, serialize},
    problem::collected,
};
use serde_json::Value;
use std::sync::Arc;

/// What a host says of tool calls. It adds warnings to those that the core finds, and takes none back. In JSON: `{"question": …, "tool": …, "text": …, "action": …}`.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct HostRisk {
    /// The id of the question whose call it is about. `None`: any.
    pub question: Option<String>,
    /// The name of the tool whose calls it is about, as the question has it. `None`: any.
    pub tool: Option<String>,
    /// What is risky, as a line that the person reads: `Deletes 14 branches for good`. At most [`HostRisks::LONGEST_TEXT`] characters. `None`: nothing is.
    pub text: Option<String>,
    /// What approving does, as its button says: `Delete 14 branches`. At most [`HostRisks::LONGEST_ACTION`] characters in one line. `None`: "Approve".
    pub action: Option<String>,
}

impl HostRisk {
    /// What is said of any call: that it is risky, what its button says, or both. `None`: a text is blank, too long, or there is none.
    pub fn new(text: Option<&str>, action: Option<&str>) -> Option<Self> {
        let is_said = |text: Option<&str>, longest: usize| {
            text.is_none_or(|text| !text.trim().is_empty() && text.chars().count() <= longest)
        };
        let is_line = action.is_none_or(|action| !action.contains(char::is_control));
        let is_valid = is_said(text, HostRisks::LONGEST_TEXT) && is_said(action, HostRisks::LONGEST_ACTION) && is_line;
        (is_valid && (text.is_some() || action.is_some())).then(|| Self {
            question: None,
            tool: None,
            text: text.map(str::to_owned),
            action: action.map(str::to_owned),
        })
    }
}

/// What a host says of tool calls. At most [`HostRisks::MOST`].
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HostRisks(Option<Arc<[HostRisk]>>);

impl HostRisks {
    /// How many there may be.
    pub const MOST: usize = 100;
    /// How many characters a warning may have.
    pub const LONGEST_TEXT: usize = 500;
    /// How many characters a button may have.
    pub const LONGEST_ACTION: usize = 60;

    /// What is said, in its order.
    pub fn as_slice(&self) -> &[HostRisk] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Adds what is said of a question's call: what names the question before what is said of all calls. Of several names for its button, the first counts.
    #[cold]
    #[inline(never)]
    pub(crate) fn add_to(&self, question: &mut Question) {
        let AnswerType::Approval(approval) = &mut question.answer_type else { return };
        let (own, all): (Vec<_>, Vec<_>) = self.as_slice().iter().partition(|said| said.question.is_some());
        for said in own.into_iter().chain(all) {
            let is_of = |wanted: &Option<String>, is: &str| wanted.as_ref().is_none_or(|wanted| wanted == is);
            if !is_of(&said.question, &question.id) || !is_of(&said.tool, &approval.tool) {
                continue;
            }
            let stated = said.text.clone().map(|found| Risk { kind: RiskKind::Stated, found });
            approval.stated.extend(stated.filter(|_| approval.stated.len() < Risk::MOST));
            if approval.action.is_none() {
                approval.action.clone_from(&said.action);
            }
        }
    }
}

impl FromIterator<HostRisk> for HostRisks {
    fn from_iter<T: IntoIterator<Item = HostRisk>>(risks: T) -> Self {
        let all: Vec<HostRisk> = risks.into_iter().take(Self::MOST).collect();
        Self((!all.is_empty()).then(|| all.into()))
    }
}

impl ToJson for HostRisks {
    fn to_json(&self) -> Value {
        let said = |HostRisk { question, tool, text, action }: &HostRisk| {
            let fields = [("question", question), ("tool", tool), ("text", text), ("action", action)];
            Value::Object(collected(&mut fields.map(|(name, text)| (name, text.as_deref().map(Value::from)))))
        };
        self.as_slice().iter().map(said).collect()
    }
}

impl FromJson for HostRisks {
    fn from_json(value: &Value) -> Option<Self> {
        const FIELDS: &[&str] = &["question", "tool", "text", "action"];
        let read = |value: &Value| {
            let fields = value.as_object()?;
            let is_text = |(name, value): (&String, &Value)| FIELDS.contains(&name.as_str()) && value.is_string();
            if !fields.iter().all(is_text) {
                return None;
            }
            let text = |name: &str| fields.get(name).and_then(Value::as_str);
            let risk = HostRisk::new(text("text"), text("action"))?;
            let owned = |name: &str| text(name).map(str::to_owned);
            Some(HostRisk { question: owned("question"), tool: owned("tool"), ..risk })
        };
        let risks: Vec<HostRisk> = value.as_array()?.iter().map(read).collect::<Option<_>>()?;
        (risks.len() <= Self::MOST).then(|| risks.into_iter().collect())
    }
}

serialize!(HostRisks);
