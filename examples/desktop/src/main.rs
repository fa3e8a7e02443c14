//! A desktop shell around the form: the system's webview, files by a protocol of the shell's own, and texts over IPC to a host in
//! Rust. Nothing comes from a network, and nothing may go there. `cargo run` in this folder, after `cargo xtask build`.

mod files;
mod host;

use ask_user_core::{Dialect, desk::Asked};
use host::{Heard, Host};
use serde_json::{Value, json};
use std::hash::{BuildHasher as _, RandomState};
use tao::{
    dpi::LogicalSize,
    event::{Event, WindowEvent},
    event_loop::{ControlFlow, EventLoopBuilder},
    window::{Window, WindowBuilder},
};
use wry::{NewWindowResponse, WebView, WebViewBuilder};

/// Where the page is: of the protocol `ask-user`, which Windows has as a host of its own.
const PAGE: &str =
    if cfg!(windows) { "http://ask-user.localhost/index.html" } else { "ask-user://localhost/index.html" };

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // With a nonce, the same answer to the same question in another turn has another key.
    let nonce = format!("{:016x}", RandomState::new().hash_one("nonce"));
    let options = json!({ "tool_call_id": "call_1", "label": "Deploy agent", "nonce": nonce });
    let asked = Asked { call: "call_1".into(), request: request().to_string(), dialect: Dialect::Detect, options };
    let mut host = Host::new(asked)?;

    let events = EventLoopBuilder::<String>::with_user_event().build();
    let proxy = events.create_proxy();
    let window = WindowBuilder::new()
        .with_title("ask-user on the desktop")
        .with_inner_size(LogicalSize::new(720.0, 640.0))
        .build(&events)?;
    let builder = WebViewBuilder::new()
        .with_custom_protocol("ask-user".to_owned(), |_, request| files::answer(request.uri().path()))
        .with_navigation_handler(|address| address == PAGE)
        .with_new_window_req_handler(|_, _| NewWindowResponse::Deny)
        // The handler may not wait: the loop below takes the texts. What another page says is not heard.
        .with_ipc_handler(move |request| {
            if *request.uri() == PAGE {
                drop(proxy.send_event(request.into_body()));
            }
        })
        .with_url(PAGE);
    let webview = shown(&window, builder)?;

    events.run(move |event, _, flow| {
        *flow = ControlFlow::Wait;
        match event {
            Event::UserEvent(text) => match host.hear(&text) {
                Heard::Reply(text) => said(&webview, &text),
                Heard::Nothing => {}
                Heard::Refused(reason) => eprintln!("{reason}"),
                Heard::Ended { reply, result } => {
                    // The agent has it: a host with a store puts it there before it replies.
                    said(&webview, &reply);
                    println!("{}", result.unwrap_or_else(|| "The turn is ended.".to_owned()));
                    *flow = ControlFlow::Exit;
                }
            },
            Event::WindowEvent { event: WindowEvent::CloseRequested, .. } => {
                println!("Nobody answered.");
                *flow = ControlFlow::Exit;
            }
            _ => {}
        }
    })
}

/// What an agent asks.
fn request() -> Value {
    let when = json!({ "question_id": "apply", "equals": true });
    let schema = json!({ "type": "object", "properties": { "cpu": { "type": "integer" } }, "required": ["cpu"] });
    json!({ "questions": [
        { "id": "apply", "text": "Apply the migration?", "answer_type": "boolean" },
        { "id": "environment", "text": "Which environment?", "answer_type": "select", "options": ["staging", "production"], "when": when },
        { "id": "limits", "text": "With which limits?", "answer_type": "schema", "schema": schema, "when": when }
    ] })
}

/// Hands the page a text, as an event.
fn said(webview: &WebView, text: &str) {
    let script = format!("dispatchEvent(new CustomEvent('host', {{ detail: {} }}))", Value::from(text));
    if let Err(error) = webview.evaluate_script(&script) {
        eprintln!("The page could not be spoken to: {error}");
    }
}

#[cfg(not(any(windows, target_os = "macos")))]
fn shown(window: &Window, builder: WebViewBuilder<'_>) -> wry::Result<WebView> {
    use tao::platform::unix::WindowExtUnix as _;
    use wry::WebViewBuilderExtUnix as _;
    match window.default_vbox() {
        Some(place) => builder.build_gtk(place),
        None => builder.build(window),
    }
}

#[cfg(any(windows, target_os = "macos"))]
fn shown(window: &Window, builder: WebViewBuilder<'_>) -> wry::Result<WebView> {
    builder.build(window)
}
