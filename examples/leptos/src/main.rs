//! A Leptos application with a form for an agent's questions in its view. What the person answers comes into its own signals.

use ask_user_web::{
    AskUser, Layout,
    ask_user_core::{Outcome, Rejection, Step},
};
use leptos::{mount::mount_to_body, prelude::*};
use serde_json::{Value, json};

fn main() {
    mount_to_body(App);
}

#[component]
fn App() -> impl IntoView {
    let request = RwSignal::new(Some(deployment()));
    let result = RwSignal::new(String::new());
    let question = RwSignal::new(String::new());

    let heard = move |outcome: Outcome| result.set(outcome.result.unwrap_or_default().to_string());
    let rejected = move |rejection: Rejection| result.set(rejection.to_string());
    let shown = move |step: Step| match step {
        Step::Asking(asking) => question.set(asking.question.id.clone()),
        Step::Review(_) | Step::Checking | Step::Waiting { .. } | Step::Done { .. } => question.set(String::new()),
    };
    let form = move || {
        let request = request.get()?;
        let host = json!({ "label": "Deploy agent" });
        Some(view! { <AskUser request host layout=Layout::Auto on_result=heard on_step=shown on_rejected=rejected /> })
    };

    view! {
        <h1>"ask-user in Leptos"</h1>
        {form}
        <p>
            <button id="deploy" on:click=move |_| request.set(Some(deployment()))>"Ask about the deployment"</button>
            <button id="settings" on:click=move |_| request.set(Some(settings()))>"Ask for settings"</button>
            <button id="booking" on:click=move |_| request.set(Some(booking()))>"Ask about a booking"</button>
            <button id="unknown" on:click=move |_| request.set(Some(json!({ "nothing": true })))>"Ask wrongly"</button>
            <button id="remove" on:click=move |_| request.set(None)>"Remove the form"</button>
        </p>
        <p>"Open question: " <output id="question">{question}</output></p>
        <p>"Result: " <output id="result">{result}</output></p>
    }
}

/// Two questions, the second only after a yes.
fn deployment() -> Value {
    json!({ "questions": [
        { "id": "apply", "text": "Apply the migration?", "answer_type": "boolean" },
        { "id": "env", "text": "Which environment?", "answer_type": "select",
          "options": ["staging", "production"], "when": { "question_id": "apply", "equals": true } }
    ] })
}

/// Two short questions, which stand on one page.
fn booking() -> Value {
    json!({ "questions": [
        { "id": "name", "text": "Who travels?", "answer_type": "text" },
        { "id": "train", "text": "By train?", "answer_type": "boolean" }
    ] })
}

/// A question whose answer a JSON Schema describes.
fn settings() -> Value {
    let replicas = json!({ "type": "integer", "minimum": 1 });
    let schema = json!({ "type": "object", "properties": { "replicas": replicas }, "required": ["replicas"] });
    json!({ "questions": [{ "id": "settings", "text": "Which settings?", "answer_type": "schema", "schema": schema }] })
}
