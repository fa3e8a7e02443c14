//! How a language writes numbers, dates and lists, as the browser's `Intl` says (ECMA-402). Nothing where the browser has none.

use js_sys::{Array, Date, Function, Object, Reflect};
use wasm_bindgen::{JsCast, JsValue};

/// A number, with its groups of digits.
pub fn number(tag: &str, number: &str) -> Option<String> {
    format("NumberFormat", tag, &[], "format", &number.into())
}

/// The category of the plural form for a count.
pub fn plural(tag: &str, count: u64) -> Option<String> {
    format("PluralRules", tag, &[], "select", &JsValue::from_f64(count as f64))
}

pub fn list(tag: &str, texts: &[String]) -> Option<String> {
    let list: Array = texts.iter().map(|text| JsValue::from_str(text)).collect();
    format("ListFormat", tag, &[("style", "narrow".into())], "format", &list)
}

/// A date given as `YYYY-MM-DD`.
pub fn date(tag: &str, date: &str) -> Option<String> {
    let options = [("dateStyle", "medium".into()), ("timeZone", "UTC".into())];
    format("DateTimeFormat", tag, &options, "format", &Date::new(&date.into()))
}

/// A number without groups.
pub fn digits(tag: &str, number: &str) -> Option<String> {
    let options = [("useGrouping", false.into()), ("maximumFractionDigits", 15.into())];
    format("NumberFormat", tag, &options, "format", &number.into())
}

/// What a formatter gives.
fn format(class: &str, tag: &str, options: &[(&str, JsValue)], method: &str, argument: &JsValue) -> Option<String> {
    let intl = Reflect::get(&web_sys::window()?.into(), &"Intl".into()).ok()?;
    let class: Function = Reflect::get(&intl, &class.into()).ok()?.dyn_into().ok()?;
    let chosen = Object::new();
    for (name, value) in options {
        Reflect::set(&chosen, &(*name).into(), value).ok()?;
    }
    let formatter = Reflect::construct(&class, &Array::of2(&tag.into(), &chosen)).ok()?;
    let method: Function = Reflect::get(&formatter, &method.into()).ok()?.dyn_into().ok()?;
    method.call1(&formatter, argument).ok()?.as_string()
}
