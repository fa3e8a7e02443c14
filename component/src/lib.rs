//! The core as a WebAssembly component: the interfaces of `wit/ask-user.wit` over the core's own types. It decides nothing.

mod conversation;
mod desk;
mod reader;
mod reading;
mod walk;

use ask_user_core::{
    Dialect, Reader, ToolDefinition, Walk,
    json::text,
    record::{Stream, mend, to_markdown},
    route::permission,
};
use bindings::exports::ask_user::core::{conversations, desks, forms};

mod bindings {
    //! Made of `wit/ask-user.wit`.

    wit_bindgen::generate!({ path: "../wit", world: "ask-user" });
}

struct Component;

impl conversations::Guest for Component {
    type Conversation = conversation::Conversation;
}

impl desks::Guest for Component {
    type Desk = desk::Desk;
}

impl forms::Guest for Component {
    type Walk = walk::Shared;
    type Reader = reader::Writing;

    fn open(request: String, dialect: Option<String>, options: String) -> Result<forms::Walk, forms::Unopened> {
        let form = reading::form(&request, dialect, &options)?;
        Ok(walk::handed(Walk::new(form)))
    }

    fn stream(dialect: Option<String>, options: String) -> Result<forms::Reader, forms::Unopened> {
        let (dialect, host) = reading::asked(dialect, &options)?;
        Ok(forms::Reader::new(reader::Writing::new(Reader::new(dialect, &host))))
    }

    fn resume(
        request: String,
        saved: String,
        dialect: Option<String>,
        options: String,
        secrets: Option<String>,
    ) -> Result<forms::Walk, forms::Unopened> {
        let form = reading::form(&request, dialect, &options)?;
        let secrets = secrets.map(|secrets| reading::secrets(&secrets)).transpose()?.unwrap_or_default();
        let saved = reading::saved(&saved);
        let walk = saved.and_then(|saved| Walk::resume_with(form, &saved, &secrets));
        walk.map(walk::handed).map_err(|error| forms::Unopened::Unresumable(reading::unresumable(&error)))
    }

    fn detect_dialect(request: String, options: String) -> Result<String, forms::Unopened> {
        let (_, host) = reading::asked(None, &options)?;
        Dialect::of(&request, &host)
            .map(|dialect| dialect.name().to_owned())
            .map_err(|error| reading::rejection(&error))
    }

    fn tool_definitions(dialect: String, sub_agent: bool) -> String {
        let definitions = dialect.parse().map(ToolDefinition::of).unwrap_or_default();
        text(&if sub_agent { Vec::new() } else { definitions })
    }

    fn dialects() -> Vec<String> {
        Dialect::every().map(|dialect| dialect.name().to_owned()).collect()
    }

    fn register_dialect(declaration: String) -> Result<String, String> {
        Dialect::from_json_text(&declaration).map(|own| own.name().to_owned()).map_err(|error| error.to_string())
    }

    fn permission(tool: String, kind: forms::PromptKind, options: String) -> Result<String, String> {
        let host = reading::host(&options)?;
        Ok(text(&permission(&host, &host.turn, &tool, reading::prompt_kind(kind))))
    }

    fn mend_records(records: String) -> Result<String, String> {
        Ok(text(&mend(reading::records(&records)?)))
    }

    fn read_records(lines: String, turns: Vec<u32>) -> Result<String, String> {
        let turns = turns.into_iter().filter_map(|place| usize::try_from(place).ok()).collect();
        Stream::read_text(reading::lines(&lines)?, &turns)
            .map(|stream| text(&stream))
            .map_err(|error| error.to_string())
    }

    fn records_markdown(records: String) -> Result<String, String> {
        Ok(to_markdown(&reading::records(&records)?))
    }
}

bindings::export!(Component with_types_in bindings);
