//! Forms as HTML, for JavaScript hosts: JSON texts in, JSON texts out. What a form looks like, and what a posted one means, `ask_user_web::html` says.

use ask_user_core::{
    Dialect, Host, Misuse, Rejection, UnknownDialect,
    json::{ToJson, parse},
};
use ask_user_web::{
    Layout,
    html::{Html, Posted},
};
use serde_json::{Map, Value};
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(target_arch = "wasm32")]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Writes a form. `asked` is a JSON object: `request` (JSON text), `host` (the options of the core), and `dialect`, `layout`, `lang`, `words`, `saved`,
/// `secrets`, `action`, `styleNonce` and `now` (milliseconds since the beginning of 1970), each of which may be missing.
///
/// # Errors
/// The message of a misuse, where the host's options are wrong.
#[wasm_bindgen]
pub fn shadow(asked: &str) -> Result<String, String> {
    with(asked, |html| html.shadow())
}

/// Takes what a form has posted: `fields` is a JSON list of pairs. Gives [`Posted`] as JSON text.
///
/// # Errors
/// As [`shadow`].
#[wasm_bindgen]
pub fn post(asked: &str, fields: &str) -> Result<String, String> {
    let fields = parse(fields).unwrap_or_default();
    let text = |value: Option<&Value>| value.and_then(Value::as_str).unwrap_or_default().to_owned();
    let pairs = fields.as_array().map(Vec::as_slice).unwrap_or_default();
    let pairs: Vec<_> = pairs.iter().map(|pair| (text(pair.get(0)), text(pair.get(1)))).collect();
    with(asked, |html| {
        let Posted { shadow, saved, secrets, outcome, is_behind, is_answer } = html.post(&pairs);
        let fields = [
            ("shadow", shadow.into()),
            ("walk", saved.unwrap_or_default()),
            ("secrets", Value::Object(secrets)),
            ("outcome", outcome.map(|outcome| outcome.to_json()).unwrap_or_default()),
            ("isBehind", is_behind.into()),
            ("isAnswer", is_answer.into()),
        ];
        let fields: Map<String, Value> = fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
        Value::Object(fields).to_string()
    })
}

fn with<T>(asked: &str, act: impl FnOnce(Html<'_>) -> T) -> Result<T, String> {
    let asked = parse(asked).unwrap_or_default();
    let said = |error: Misuse| error.to_string();
    let host = asked.get("host").map_or_else(|| Ok(Host::default()), Host::from_json).map_err(said)?;
    let text = |name: &str| asked.get(name).and_then(Value::as_str);
    let dialect = text("dialect").map_or(Ok(Dialect::Detect), str::parse);
    let dialect = dialect.map_err(|unknown: UnknownDialect| Rejection::from(unknown).to_string())?;
    let mut html = Html::new(text("request").unwrap_or_default(), dialect, &host).layout(Layout::named(text("layout")));
    if let Some(words) = asked.get("words") {
        html = html.words(text("lang").unwrap_or_default(), words.clone());
    }
    if let Some(saved) = asked.get("saved") {
        let secrets = asked.get("secrets").and_then(Value::as_object).cloned().unwrap_or_default();
        html = html.resume(saved, secrets);
    }
    if let Some(action) = text("action") {
        html = html.action(action);
    }
    if let Some(nonce) = text("styleNonce") {
        html = html.nonce(nonce);
    }
    // A number of JavaScript may have a fraction.
    if let Some(now) = asked.get("now").and_then(Value::as_f64) {
        html = html.at(now as i64);
    }
    Ok(act(html))
}
