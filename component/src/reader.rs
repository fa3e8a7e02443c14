//! The resource `reader`: a request that is still being written.

use crate::{bindings::exports::ask_user::core::forms, walk::Shared};
use ask_user_core::{Reader, Walk, json::text, schema::Validator};
use std::{cell::RefCell, rc::Rc};

/// A request that is still being written, and the walk over its questions.
pub struct Writing {
    walk: Rc<RefCell<Walk>>,
    state: RefCell<State>,
}

enum State {
    Open(Box<Reader>),
    /// What the end said: whether the walk began anew, or the rejection.
    Ended(Result<bool, String>),
}

impl Writing {
    pub fn new(reader: Reader) -> Self {
        let walk = Rc::new(RefCell::new(Walk::stream(reader.form())));
        Self { walk, state: RefCell::new(State::Open(Box::new(reader))) }
    }
}

impl forms::GuestReader for Writing {
    fn walk(&self) -> forms::Walk {
        forms::Walk::new(Shared::new(&self.walk))
    }

    fn write(&self, piece: String) -> Result<(), String> {
        let mut state = self.state.borrow_mut();
        let State::Open(reader) = &mut *state else {
            return Err("The request has ended: nothing more can be written.".to_owned());
        };
        reader.feed(&mut self.walk.borrow_mut(), piece, &Validator::default());
        Ok(())
    }

    fn end(&self) -> Result<bool, String> {
        let mut state = self.state.borrow_mut();
        let said = match std::mem::replace(&mut *state, State::Ended(Ok(false))) {
            State::Open(reader) => {
                let said = reader.finish(&mut self.walk.borrow_mut(), &Validator::default());
                said.map_err(|error| text(&error.to_json()))
            }
            State::Ended(said) => said,
        };
        *state = State::Ended(said.clone());
        said
    }
}
