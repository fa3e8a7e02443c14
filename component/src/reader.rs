//! The resource `reader`: a request that is still being written.

use crate::{bindings::exports::ask_user::core::forms, walk::Shared};
use ask_user_core::{Reader, Rejection, Walk, json::text, schema::Validator};
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

    /// Goes on with the whole form. Says whether the walk began anew.
    fn finish(&self, reader: Reader) -> Result<bool, Rejection> {
        let form = reader.end()?.finish(&Validator::default())?;
        let mut walk = self.walk.borrow_mut();
        let is_anew = walk.accept(form.clone()).is_err();
        if is_anew {
            *walk = Walk::anew(form, &walk.drafts());
        }
        Ok(is_anew)
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
        reader.write(piece);
        if reader.needs_schemas() {
            reader.check(&Validator::default());
        }
        self.walk.borrow_mut().grow(reader.form());
        Ok(())
    }

    fn end(&self) -> Result<bool, String> {
        let mut state = self.state.borrow_mut();
        let said = match std::mem::replace(&mut *state, State::Ended(Ok(false))) {
            State::Open(reader) => self.finish(*reader).map_err(|error| text(&error.to_json())),
            State::Ended(said) => said,
        };
        *state = State::Ended(said.clone());
        said
    }
}
