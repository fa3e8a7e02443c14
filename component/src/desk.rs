//! The resource `desk`: one open question at a host.

use crate::{
    bindings::exports::ask_user::core::{desks, forms},
    reading,
};
use ask_user_core::{
    desk::{Asked, Desk as CoreDesk, Unasked, UnreadableDesk},
    json::text,
};
use serde_json::json;
use std::cell::RefCell;

/// One open question.
pub struct Desk(RefCell<CoreDesk>);

impl Desk {
    fn handed(desk: CoreDesk) -> desks::Desk {
        desks::Desk::new(Self(RefCell::new(desk)))
    }
}

impl desks::GuestDesk for Desk {
    fn ask(
        call: String,
        request: String,
        dialect: Option<String>,
        options: String,
        earlier: Option<String>,
    ) -> Result<desks::Desk, forms::Unopened> {
        let (dialect, _) = reading::asked(dialect, &options)?;
        let options = reading::value(&options).map_err(forms::Unopened::Misuse)?;
        let earlier = earlier.as_deref().map(read).transpose();
        let earlier = earlier.map_err(|error| forms::Unopened::Misuse(error.to_string()))?;
        CoreDesk::ask(Asked { call, request, dialect, options }, earlier).map(Self::handed).map_err(|error| match error
        {
            Unasked::Rejected(rejection) => reading::rejection(&rejection),
            Unasked::Misused(misuse) => forms::Unopened::Misuse(misuse.to_string()),
        })
    }

    fn read(stored: String) -> Result<desks::Desk, String> {
        read(&stored).map(Self::handed).map_err(|error| error.to_string())
    }

    fn begun(&self, saved: String) -> Result<desks::Desk, forms::Unresumable> {
        let begun = reading::saved(&saved).and_then(|saved| self.0.borrow().clone().begun(&saved));
        begun.map(Self::handed).map_err(|error| reading::unresumable(&error))
    }

    fn save(&self) -> String {
        text(&self.0.borrow().to_json())
    }

    fn request(&self) -> String {
        self.0.borrow().request()
    }

    fn closed(&self) -> Option<String> {
        self.0.borrow().closed().map(|(how, key)| text(&json!({ "how": how, "key": key })))
    }

    fn answer(&self) -> Option<String> {
        self.0.borrow().answer().map(text)
    }

    fn secrets_in(&self, input: String) -> Result<Option<String>, String> {
        let input = reading::input(&input).map_err(|error| error.to_string())?;
        Ok(self.0.borrow().secrets_in(&input))
    }

    fn on(&self, input: String) -> Result<String, String> {
        let input = reading::input(&input).map_err(|error| error.to_string())?;
        Ok(text(&self.0.borrow_mut().on(input)))
    }
}

fn read(stored: &str) -> Result<CoreDesk, UnreadableDesk> {
    let stored = reading::value(stored).map_err(|reason| UnreadableDesk { reason })?;
    CoreDesk::from_json(&stored)
}
