//! The resource `conversation`: the state machine for a host that runs tools.

use crate::{bindings::exports::ask_user::core::conversations, reading};
use ask_user_core::{
    conversation::{Conversation as CoreConversation, Unexpected, UnreadableState},
    json::text,
};
use std::cell::RefCell;

/// A conversation with an agent that calls tools.
pub struct Conversation(RefCell<CoreConversation>);

impl Conversation {
    fn of(conversation: CoreConversation) -> Self {
        Self(RefCell::new(conversation))
    }
}

impl conversations::GuestConversation for Conversation {
    fn new(attended: bool, several_open: bool) -> Self {
        Self::of(CoreConversation::new(attended).several_open(several_open))
    }

    fn read(stored: String) -> Result<conversations::Conversation, String> {
        let read = reading::value(&stored).map_err(|reason| UnreadableState { reason });
        let read = read.and_then(|stored| CoreConversation::from_json(&stored));
        read.map(|read| conversations::Conversation::new(Self::of(read))).map_err(|error| error.to_string())
    }

    fn save(&self) -> String {
        text(&*self.0.borrow())
    }

    fn state(&self) -> String {
        text(self.0.borrow().state())
    }

    fn open(&self) -> String {
        text(&self.0.borrow().open().collect::<Vec<_>>())
    }

    fn notice(&self) -> String {
        text(&self.0.borrow().notice())
    }

    fn ended_by(&self, event: String) -> Result<String, String> {
        let event = reading::event(&event).map_err(|error| error.to_string())?;
        Ok(text(&self.0.borrow().ended_by(&event)))
    }

    fn on(&self, event: String) -> Result<String, conversations::Untaken> {
        let event = reading::event(&event).map_err(|error| conversations::Untaken::Misuse(error.to_string()))?;
        let effects = self.0.borrow_mut().on(event);
        effects.map(|effects| text(&effects)).map_err(|error| conversations::Untaken::Unexpected(unexpected(&error)))
    }
}

fn unexpected(error: &Unexpected) -> conversations::Unexpected {
    conversations::Unexpected {
        code: error.code().to_owned(),
        message: error.to_string(),
        call_id: error.call_id().map(str::to_owned),
    }
}
