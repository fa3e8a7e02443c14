//! The files of the page, which are in the program itself. Knows no message.

use std::borrow::Cow;
use wry::http::{Response, StatusCode, header};

/// What the page may do: show the form, and nothing else.
const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; connect-src 'self'; \
                      base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";
const WASM: &str = "application/wasm";

macro_rules! files {
    ($($path:literal: $kind:ident = $file:literal,)*) => {
        &[$(($path, $kind, include_bytes!($file)),)*]
    };
}

/// Path, type and content.
const FILES: &[(&str, &str, &[u8])] = files! {
    "/index.html": HTML = "../page/index.html",
    "/page.css": CSS = "../page/page.css",
    "/page.js": SCRIPT = "../page/page.js",
    "/ask-user/ask-user.js": SCRIPT = "../../../pkg/dist/ask-user.js",
    "/ask-user/channel.js": SCRIPT = "../../../pkg/dist/channel.js",
    "/ask-user/date-time.js": SCRIPT = "../../../pkg/dist/date-time.js",
    "/ask-user/deadline.js": SCRIPT = "../../../pkg/dist/deadline.js",
    "/ask-user/editor.js": SCRIPT = "../../../pkg/dist/editor.js",
    "/ask-user/fields.js": SCRIPT = "../../../pkg/dist/fields.js",
    "/ask-user/fields.worker.js": SCRIPT = "../../../pkg/dist/fields.worker.js",
    "/ask-user/fold.js": SCRIPT = "../../../pkg/dist/fold.js",
    "/ask-user/form.first.wasm": WASM = "../../../pkg/dist/form.first.wasm",
    "/ask-user/form.rest.wasm": WASM = "../../../pkg/dist/form.rest.wasm",
    "/ask-user/history.js": SCRIPT = "../../../pkg/dist/history.js",
    "/ask-user/hosted.js": SCRIPT = "../../../pkg/dist/hosted.js",
    "/ask-user/locales/ar.js": SCRIPT = "../../../pkg/dist/locales/ar.js",
    "/ask-user/locales/de.js": SCRIPT = "../../../pkg/dist/locales/de.js",
    "/ask-user/locales/es.js": SCRIPT = "../../../pkg/dist/locales/es.js",
    "/ask-user/locales/fr.js": SCRIPT = "../../../pkg/dist/locales/fr.js",
    "/ask-user/locales/he.js": SCRIPT = "../../../pkg/dist/locales/he.js",
    "/ask-user/locales/ja.js": SCRIPT = "../../../pkg/dist/locales/ja.js",
    "/ask-user/locales/pt-BR.js": SCRIPT = "../../../pkg/dist/locales/pt-BR.js",
    "/ask-user/locales/zh-Hans.js": SCRIPT = "../../../pkg/dist/locales/zh-Hans.js",
    "/ask-user/markdown.js": SCRIPT = "../../../pkg/dist/markdown.js",
    "/ask-user/overrides.js": SCRIPT = "../../../pkg/dist/overrides.js",
    "/ask-user/rendered.js": SCRIPT = "../../../pkg/dist/rendered.js",
    "/ask-user/validator.js": SCRIPT = "../../../pkg/dist/validator.js",
    "/ask-user/validator.first.wasm": WASM = "../../../pkg/dist/validator.first.wasm",
    "/ask-user/validator.rest.wasm": WASM = "../../../pkg/dist/validator.rest.wasm",
    "/ask-user/writing.js": SCRIPT = "../../../pkg/dist/writing.js",
};

/// The answer to a request for a path.
pub fn answer(path: &str) -> Response<Cow<'static, [u8]>> {
    let found = FILES.iter().find(|(name, ..)| *name == path);
    let (status, kind, content): (_, _, &'static [u8]) = match found {
        Some((_, kind, content)) => (StatusCode::OK, *kind, content),
        None => (StatusCode::NOT_FOUND, "text/plain", b"There is nothing here."),
    };
    let mut response = Response::new(Cow::Borrowed(content));
    *response.status_mut() = status;
    for (name, value) in [(header::CONTENT_TYPE, kind), (header::CONTENT_SECURITY_POLICY, POLICY)] {
        response.headers_mut().insert(name, header::HeaderValue::from_static(value));
    }
    response
}
