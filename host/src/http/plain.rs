//! The page of a conversation's open question, for a browser that runs no script. `GET` shows it, `POST` takes what its form has posted and leads back
//! to `GET`, so that reloading the page posts nothing again (303, RFC 9110, section 15.4.4).

use super::{Shared, cookie};
use crate::{
    host::{Looks, Refused, Shown},
    store,
};
use ask_user_web::Layout;
use axum::{
    extract::{Form, Path, Query, State, rejection::FormRejection},
    http::{StatusCode, Uri, header},
    response::{Html, IntoResponse, Redirect, Response},
};
use std::collections::HashMap;

/// The name of the token in a link, which is replaced by the cookie at once.
const TOKEN: &str = "token";

/// How long, in seconds, a page waits until it asks again whether there is a question: while the agent works, and while it does nothing.
const WORKING: u8 = 1;
const IDLE: u8 = 3;

/// The token in the address of a form.
pub fn token(uri: &Uri) -> Option<String> {
    let query: Query<HashMap<String, String>> = Query::try_from_uri(uri).ok()?;
    query.get(TOKEN).filter(|_| uri.path().ends_with("/form")).cloned()
}

pub async fn show(
    State(host): Shared,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
) -> Result<Response, Refused> {
    let (action, nonce) = (address(&query), store::random()?);
    if let Some(token) = query.get(TOKEN) {
        // Another token would take the place of the one that opens the conversation.
        host.opens(&id, &[token]).await?;
        let cookie = [(header::SET_COOKIE, cookie(&id, token)), (header::REFERRER_POLICY, "no-referrer".to_owned())];
        // The page leads on by itself: to a redirect of a link from another site, a browser would not send the cookie (`SameSite=Strict`).
        let body = format!("<p><a href=\"{action}\">Continue to the question</a></p>");
        return Ok((cookie, document(StatusCode::OK, Some(0), &body, &action, &nonce)).into_response());
    }
    let shown = host.form(&id, &looks(&query, &action, &nonce)).await?;
    Ok(page(shown, &action, &nonce))
}

pub async fn take(
    State(host): Shared,
    Path(id): Path<String>,
    Query(query): Query<HashMap<String, String>>,
    fields: Result<Form<Vec<(String, String)>>, FormRejection>,
) -> Result<Response, Refused> {
    let Form(fields) = fields?;
    let (action, nonce) = (address(&query), store::random()?);
    let shown = host.post(&id, &fields, &looks(&query, &action, &nonce)).await?;
    Ok(page(shown, &action, &nonce))
}

fn looks<'a>(query: &HashMap<String, String>, action: &'a str, nonce: &'a str) -> Looks<'a> {
    Looks { action, layout: Layout::named(query.get("layout").map(String::as_str)), nonce }
}

/// The address of the form, relative to itself.
fn address(query: &HashMap<String, String>) -> String {
    match query.get("layout").map(String::as_str) {
        Some("steps") => "form?layout=steps".to_owned(),
        Some("page") => "form?layout=page".to_owned(),
        _ => "form".to_owned(),
    }
}

/// A page of the form's address. It asks for that address again after some seconds, if it says how many.
fn document(status: StatusCode, again: Option<u8>, body: &str, action: &str, nonce: &str) -> Response {
    let again = again
        .map_or(String::new(), |seconds| format!("<meta http-equiv=\"refresh\" content=\"{seconds};url={action}\">"));
    let html = format!(
        "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">{again}\
         <title>A question of the agent</title><style nonce=\"{nonce}\">:root{{color-scheme:light dark;font-family:system-ui}}\
         body{{max-width:40rem;margin:2rem auto;padding:0 1rem}}ask-user{{display:block}}</style><main>{body}</main></html>"
    );
    let policy = format!(
        "default-src 'none'; style-src 'nonce-{nonce}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    );
    let headers = [(header::CONTENT_SECURITY_POLICY, policy), (header::CACHE_CONTROL, "no-store".to_owned())];
    (status, headers, Html(html)).into_response()
}

fn page(shown: Shown, action: &str, nonce: &str) -> Response {
    let (status, again, body) = match shown {
        Shown::Taken => return Redirect::to(action).into_response(),
        Shown::Form { shadow, is_behind } => {
            let behind = "<p role=\"alert\">This question has changed since you opened it. Your last answer was not sent. Check it here and send it again.</p>";
            let (status, said) = if is_behind { (StatusCode::CONFLICT, behind) } else { (StatusCode::OK, "") };
            (status, None, format!("{said}<ask-user>{shadow}</ask-user>"))
        }
        Shown::Working => (StatusCode::OK, Some(WORKING), "<p role=\"status\">The agent is working.</p>".to_owned()),
        Shown::Idle => (StatusCode::OK, Some(IDLE), "<p role=\"status\">No question is open.</p>".to_owned()),
    };
    document(status, again, &body, action, nonce)
}
