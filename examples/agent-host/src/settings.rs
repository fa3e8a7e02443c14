//! The command line: its options, their defaults, and what is wrong with them.

use crate::model::{self, Limits, Retry};
use std::{collections::BTreeSet, path::PathBuf, time::Duration};

/// The help.
pub const USAGE: &str = "\
agent-host [--port N] [--data FILE] [--pace MS] [--host NAME]... [--model URL --model-name NAME [more]]

  --port N            where to listen on this machine (3000; 0 for any that is free)
  --data FILE         the SQLite file, made if it is not there (agent-host.sqlite)
  --pace MS           how long the scripted model and the tools take, in milliseconds (400)
  --host NAME         a name and port that requests and their pages may come by, beside 127.0.0.1, localhost
                      and [::1] with the port

  --model URL         the base address of an API with OpenAI's chat completions, such as http://127.0.0.1:11434/v1;
                      without it, a script plays the model
  --model-name NAME   the model, as its server calls it
  --assistant NAME    the model that is asked before the person for the go-ahead of a tool; without it, the person is asked
  --key-env NAME      the environment variable with the key (OPENAI_API_KEY)
  --connect-limit MS, --first-byte-limit MS, --chunk-limit MS, --whole-limit MS
                      the longest time until there is a connection (10000), then until the reply begins (120000), between
                      two pieces of it (60000), and for everything, with all attempts (600000)
  --retries N         how often a failed request is sent again (3)
  --retry-pause MS    the pause before that; it doubles each time (500)";

/// What the command line says.
pub struct Settings {
    pub port: u16,
    pub data: PathBuf,
    pub pace: Duration,
    pub hosts: Vec<String>,
    /// How the model is reached; `None` for the script.
    pub model: Option<model::Settings>,
}

/// Reads the command line. `variable` gives an environment variable, if it is set.
///
/// # Errors
/// What is wrong, in a sentence that names the option.
pub fn read(arguments: &[String], variable: impl Fn(&str) -> Option<String>) -> Result<Settings, String> {
    let mut settings = Settings {
        port: 3000,
        data: "agent-host.sqlite".into(),
        pace: milliseconds(400),
        hosts: Vec::new(),
        model: None,
    };
    let (mut address, mut model, mut assistant, mut key) = (None, None, None, None);
    let mut limits = Limits {
        connect: milliseconds(10_000),
        first_byte: milliseconds(120_000),
        chunk: milliseconds(60_000),
        whole: milliseconds(600_000),
    };
    let mut retry = Retry { times: 3, pause: milliseconds(500) };
    let mut seen = BTreeSet::new();
    let mut needs_model = None;
    for pair in arguments.chunks(2) {
        let [name, value] = pair else { return Err(format!("{} needs a value", pair.concat())) };
        let number = || value.parse::<u64>().map_err(|_| format!("{name} needs a whole number"));
        let time = || number().map(milliseconds);
        if name != "--host" && !seen.insert(name) {
            return Err(format!("{name} is there twice"));
        }
        match name.as_str() {
            "--port" => settings.port = value.parse().map_err(|_| "--port needs a number from 0 to 65535")?,
            "--data" => settings.data = value.into(),
            "--pace" => settings.pace = time()?,
            "--host" => settings.hosts.push(value.clone()),
            "--model" => address = Some(value.clone()),
            _ => {
                needs_model = Some(name);
                match name.as_str() {
                    "--model-name" => model = Some(value.clone()),
                    "--assistant" => assistant = Some(value.clone()),
                    "--key-env" => key = Some(value.clone()),
                    "--connect-limit" => limits.connect = time()?,
                    "--first-byte-limit" => limits.first_byte = time()?,
                    "--chunk-limit" => limits.chunk = time()?,
                    "--whole-limit" => limits.whole = time()?,
                    "--retries" => retry.times = value.parse().map_err(|_| "--retries needs a whole number")?,
                    "--retry-pause" => retry.pause = time()?,
                    _ => return Err(format!("there is no option {name}")),
                }
            }
        }
    }
    match (address, model) {
        (Some(address), Some(model)) => {
            let key = key_of(key, &address, variable)?;
            let pace = settings.pace;
            settings.model = Some(model::Settings { address, model, assistant, key, limits, retry, pace });
        }
        (Some(_), None) => return Err("--model needs --model-name: the model, as its server calls it".into()),
        (None, _) => {
            if let Some(name) = needs_model {
                return Err(format!("{name} needs --model: the address of the model's API"));
            }
        }
    }
    Ok(settings)
}

/// The environment variable of the key, and the key.
fn key_of(
    named: Option<String>,
    address: &str,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<(String, Option<String>), String> {
    let value = |name: &str| variable(name).filter(|key| !key.is_empty());
    match named {
        Some(name) => match value(&name) {
            Some(key) => Ok((name, Some(key))),
            None => Err(format!("the environment variable {name} of --key-env is not set, or is no text")),
        },
        None => {
            let name = "OPENAI_API_KEY".to_owned();
            // A key that was set for something else is not sent where others can read it.
            let key = value(&name).filter(|_| model::is_private(address));
            Ok((name, key))
        }
    }
}

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number)
}

#[cfg(test)]
mod tests {
    use super::{Settings, read};

    fn given(line: &str) -> Result<Settings, String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&arguments, |name| match name {
            "OPENAI_API_KEY" => Some("sk-default".into()),
            "OTHER" => Some("sk-other".into()),
            "EMPTY" => Some(String::new()),
            _ => None,
        })
    }

    #[test]
    fn without_a_model_there_is_the_script() {
        assert!(given("").is_ok_and(|settings| settings.model.is_none() && settings.port == 3000));
        assert!(given("--port 0 --host a:1 --host b:2").is_ok_and(|settings| settings.hosts == ["a:1", "b:2"]));
    }

    #[test]
    fn the_key_goes_where_nobody_else_reads_it_unless_it_is_named() {
        for (line, variable, key) in [
            ("--model http://127.0.0.1:1/v1 --model-name m", "OPENAI_API_KEY", Some("sk-default")),
            ("--model https://example.com/v1 --model-name m", "OPENAI_API_KEY", Some("sk-default")),
            ("--model http://example.com/v1 --model-name m", "OPENAI_API_KEY", None),
            ("--model http://example.com/v1 --model-name m --key-env OTHER", "OTHER", Some("sk-other")),
        ] {
            let model = given(line).ok().and_then(|settings| settings.model).expect("a model");
            assert_eq!((model.key.0.as_str(), model.key.1.as_deref()), (variable, key), "{line}");
        }
    }

    #[test]
    fn what_is_wrong_names_the_option() {
        for (line, words) in [
            ("--port", "--port needs a value"),
            ("--port x", "--port needs a number"),
            ("--port 1 --port 2", "--port is there twice"),
            ("--pace -1", "--pace needs a whole number"),
            ("--novel 1", "there is no option --novel"),
            ("--model http://127.0.0.1:1/v1", "--model needs --model-name"),
            ("--model-name m", "--model-name needs --model"),
            ("--retries 1", "--retries needs --model"),
            ("--model http://127.0.0.1:1 --model-name m --retries -1", "--retries needs a whole number"),
            ("--model http://127.0.0.1:1 --model-name m --key-env NONE", "NONE of --key-env is not set"),
            ("--model http://127.0.0.1:1 --model-name m --key-env EMPTY", "EMPTY of --key-env is not set"),
        ] {
            let error = given(line).map(drop).expect_err(line);
            assert!(error.contains(words), "{line}: {error}");
        }
    }
}
