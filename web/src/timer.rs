//! Timers of the page: what is done later, once.

use wasm_bindgen::{JsCast, JsValue, closure::Closure};
use web_sys::Window;

/// Does something once, after so many milliseconds.
pub fn later(milliseconds: i32, act: impl FnOnce() + 'static) {
    let act: JsValue = Closure::once_into_js(act);
    let window = web_sys::window();
    // Every page has a timer.
    drop(
        window.map(|window| {
            window.set_timeout_with_callback_and_timeout_and_arguments_0(act.unchecked_ref(), milliseconds)
        }),
    );
}

/// Does something once, before the next frame is painted.
pub fn next_frame(act: impl FnOnce() + 'static) {
    if let Some(window) = web_sys::window() {
        frame(&window, act);
    }
}

/// The same, in a window.
pub fn frame(window: &Window, act: impl FnOnce() + 'static) {
    let act: JsValue = Closure::once_into_js(act);
    drop(window.request_animation_frame(act.unchecked_ref()));
}
