//! The form in the browser, made with Leptos: `AskUser` is a component for any Leptos application. Natively, `html` writes the form as HTML. With the feature `element` the crate is a module
//! for pages instead: `mount` shows a request in an element, and the handle it gives is pulled by the custom element in `pkg/`, which alone knows of
//! events and of the network. The view holds no truth of its own: it shows a step of a walk and sends actions.
//!
//! Features, none of them on by default:
//! - `schema`: questions with a JSON Schema can be asked. Adds about 600 kB gzipped to an application.
//! - `element`: exports `mount` and `Handle` to JavaScript. For the npm package alone: every application that had it would export them too.

// Only the handle of the custom element saves, resumes, holds and delivers.
#![cfg_attr(not(feature = "element"), allow(dead_code))]

mod actions;
mod arguments;
mod card;
mod checker;
mod closed;
#[cfg(page)]
mod component;
mod confirm;
mod dom;
mod element;
mod english;
mod fold;
mod frame;
mod guard;
#[cfg(all(page, feature = "element"))]
mod handle;
#[cfg(not(page))]
pub mod html;
mod keyboard;
mod keys;
mod language;
mod layout;
mod list;
mod next;
mod notice;
mod page;
mod prompt;
mod receipt;
mod rows;
mod session;
mod sight;
#[cfg(page)]
mod tabs;
mod ui;
mod words;

/// Smaller than the allocator of Rust's library for wasm.
#[cfg(all(feature = "element", target_arch = "wasm32"))]
#[global_allocator]
static ALLOCATOR: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

pub use ask_user_core;
#[cfg(page)]
pub use component::{AskUser, AskUserProps, Options, Request, Words};
pub use layout::Layout;
