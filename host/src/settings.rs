//! The settings: from the command line, from environment variables and from a file, in this order; their defaults, and what is wrong with
//! them.

use crate::{
    host::HostOptions,
    model::{self, Limits, Retry},
    telemetry,
};
use std::{
    collections::BTreeMap,
    net::{IpAddr, Ipv4Addr},
    path::{Path, PathBuf},
    time::Duration,
};

/// The help.
pub const USAGE: &str = "\
ask-user-host [--port N] [--data FILE | --database URL] [--pace MS] [--host NAME]... [--model URL --model-name NAME [more]]

  --port N            where to listen (3000; 0 for any that is free)
  --listen ADDRESS    the IP address to listen on (127.0.0.1: this machine alone)
  --pace MS           how long the scripted model and the tools take, in milliseconds (400)
  --host NAME         a name and port that requests and their pages may come by, beside 127.0.0.1, localhost
                      and [::1] with the port
  --data FILE         the SQLite file, made if it is not there (ask-user-host.sqlite)
  --database URL      a PostgreSQL database in place of the file, such as postgres://USER:PASSWORD@HOST/NAME; any number
                      of hosts can share it
  --connections N     connections to the database (8)
  --lease MS          after how long without a sign of life another host goes on with what this one was doing (10000)
  --keep SECONDS      how long an idle conversation is kept; without it, forever
  --several-open BOOL true: the later calls of a response run while the question of an earlier one is open (false)
  --log FORMAT        text or json: what goes to the standard error output (text)
  --otlp-endpoint URL the collector that traces and metrics are sent to, by OTLP over HTTP, such as http://127.0.0.1:4318;
                      without it, none are
  --otlp-headers LIST, --service-name NAME, --resource-attributes LIST
                      headers for the collector, and what describes this process there: name=value,name=value
  --config FILE       a TOML file with these options, without the dashes: port = 3000

  --model URL         the base address of an API with OpenAI's chat completions, such as http://127.0.0.1:11434/v1;
                      without it, a script plays the model
  --model-name NAME   the model, as its server calls it
  --assistant NAME    the model that is asked before the person for the go-ahead of a tool; without it, the person is asked
  --key-env NAME      the environment variable with the key (OPENAI_API_KEY)
  --connect-limit MS, --first-byte-limit MS, --chunk-limit MS, --whole-limit MS
                      the longest time until there is a connection (10000), then until the reply begins (120000), between
                      two pieces of it (60000), and for everything, with all attempts (600000)
  --retries N         how often a failed request is sent again (3)
  --retry-pause MS    the pause before that; it doubles each time (500)

Each option can be an environment variable, too: ASK_USER_HOST_DATABASE for --database. Those of telemetry can also be
OpenTelemetry's own, such as OTEL_EXPORTER_OTLP_ENDPOINT. The command line counts first, then
the environment, then the file.";

/// Every option; those of a real model stand last.
const NAMES: [&str; 26] = [
    "port",
    "listen",
    "pace",
    "host",
    "data",
    "database",
    "connections",
    "lease",
    "keep",
    "several-open",
    "log",
    "otlp-endpoint",
    "otlp-headers",
    "service-name",
    "resource-attributes",
    "config",
    "model",
    "model-name",
    "assistant",
    "key-env",
    "connect-limit",
    "first-byte-limit",
    "chunk-limit",
    "whole-limit",
    "retries",
    "retry-pause",
];

/// What the process is told.
pub struct Settings {
    pub listen: IpAddr,
    pub port: u16,
    pub store: Kept,
    pub options: HostOptions,
    pub pace: Duration,
    pub hosts: Vec<String>,
    pub log: Log,
    /// What is exported; `None` for nothing.
    pub telemetry: Option<telemetry::Settings>,
    /// How the model is reached; `None` for the script.
    pub model: Option<model::Settings>,
}

/// Where conversations are kept.
#[derive(Debug, PartialEq, Eq)]
pub enum Kept {
    /// A file of SQLite.
    File(PathBuf),
    /// A database of PostgreSQL: its address, and how many connections there are to it.
    Database(String, usize),
}

/// How the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Log {
    /// For people.
    Text,
    /// An object on each line.
    Json,
}

/// The values of an option, and how its source calls it, for errors.
type Given = BTreeMap<&'static str, (String, Vec<String>)>;

/// Reads the settings. `variable` gives an environment variable, if it is set and is text; `names` are those of all that are set.
///
/// # Errors
/// What is wrong, in a sentence that names the option. It never has the value of an option, which can be a password.
pub fn read(
    arguments: &[String],
    names: impl IntoIterator<Item = String>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Settings, String> {
    known(names, &variable)?;
    let given = given(arguments, &variable)?;
    let one = |name: &str| given.get(name).and_then(|(shown, values)| Some((shown.as_str(), values.last()?.as_str())));
    let text = |name: &str| one(name).map(|(_, value)| value.to_owned());
    let parsed = |name: &str, otherwise: u64| match one(name) {
        Some((shown, value)) => value.parse().map_err(|_| format!("{shown} needs a whole number")),
        None => Ok(otherwise),
    };
    let time = |name: &str, otherwise: u64| parsed(name, otherwise).map(milliseconds);
    let port = match one("port") {
        Some((shown, value)) => value.parse().map_err(|_| format!("{shown} needs a number from 0 to 65535"))?,
        None => 3000,
    };
    let listen = match one("listen") {
        Some((shown, value)) => value.parse().map_err(|_| format!("{shown} needs an IP address, such as 0.0.0.0"))?,
        None => IpAddr::V4(Ipv4Addr::LOCALHOST),
    };
    let log = match one("log") {
        None | Some((_, "text")) => Log::Text,
        Some((_, "json")) => Log::Json,
        Some((shown, _)) => return Err(format!("{shown} is text or json")),
    };
    let lease = time("lease", 10_000)?;
    if lease < milliseconds(SHORTEST_LEASE) {
        return Err(format!("{} needs at least {SHORTEST_LEASE} milliseconds", shown(&given, "lease")));
    }
    let keep = if given.contains_key("keep") { Some(Duration::from_secs(parsed("keep", 0)?)) } else { None };
    let several_open = match one("several-open") {
        None | Some((_, "false")) => false,
        Some((_, "true")) => true,
        Some((shown, _)) => return Err(format!("{shown} is true or false")),
    };
    Ok(Settings {
        listen,
        port,
        store: store(&given)?,
        options: HostOptions { lease, keep, several_open },
        pace: time("pace", 400)?,
        hosts: given.get("host").map(|(_, values)| values.clone()).unwrap_or_default(),
        log,
        telemetry: telemetry::read(one, &variable)?,
        model: model(&given, text, parsed, time, variable)?,
    })
}

/// The shortest lease, in milliseconds: one that a busy machine can still renew.
const SHORTEST_LEASE: u64 = 500;

/// Where conversations are kept.
fn store(given: &Given) -> Result<Kept, String> {
    let value = |name: &str| given.get(name).and_then(|(_, values)| values.last());
    let connections = match value("connections") {
        Some(number) => number.parse().ok().filter(|number| (1..=1_000).contains(number)),
        None => Some(8),
    };
    let connections =
        connections.ok_or_else(|| format!("{} needs a number from 1 to 1000", shown(given, "connections")))?;
    match (value("data"), value("database")) {
        (Some(_), Some(_)) => {
            Err(format!("{} and {} exclude each other", shown(given, "data"), shown(given, "database")))
        }
        (_, Some(url)) => Ok(Kept::Database(url.clone(), connections)),
        (_, None) if given.contains_key("connections") => {
            Err(format!("{} needs --database", shown(given, "connections")))
        }
        (file, None) => Ok(Kept::File(file.map_or("ask-user-host.sqlite", String::as_str).into())),
    }
}

/// How the model is reached.
fn model(
    given: &Given,
    text: impl Fn(&str) -> Option<String>,
    parsed: impl Fn(&str, u64) -> Result<u64, String>,
    time: impl Fn(&str, u64) -> Result<Duration, String>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<model::Settings>, String> {
    let limits = Limits {
        connect: time("connect-limit", 10_000)?,
        first_byte: time("first-byte-limit", 120_000)?,
        chunk: time("chunk-limit", 60_000)?,
        whole: time("whole-limit", 600_000)?,
    };
    let times = u32::try_from(parsed("retries", 3)?).map_err(|_| "--retries needs a smaller number")?;
    let retry = Retry { times, pause: time("retry-pause", 500)? };
    let Some(address) = text("model") else {
        let of_models = NAMES.iter().skip_while(|name| **name != "model").find(|name| given.contains_key(**name));
        return match of_models {
            Some(name) => Err(format!("{} needs --model: the address of the model's API", shown(given, name))),
            None => Ok(None),
        };
    };
    let Some(model) = text("model-name") else {
        return Err(format!("{} needs --model-name: the model, as its server calls it", shown(given, "model")));
    };
    let (assistant, pace) = (text("assistant"), time("pace", 400)?);
    let key = key_of(text("key-env"), &address, variable)?;
    Ok(Some(model::Settings { address, model, assistant, key, limits, retry, pace }))
}

/// How the source of an option calls it.
fn shown(given: &Given, name: &str) -> String {
    given.get(name).map_or_else(|| format!("--{name}"), |(shown, _)| shown.clone())
}

/// How an option is called as an environment variable.
fn variable_of(name: &str) -> String {
    format!("{PREFIX}{}", name.replace('-', "_").to_uppercase())
}

/// What the variables of this program begin with.
const PREFIX: &str = "ASK_USER_HOST_";

/// Refuses variables of this program that it does not know, or that say nothing: they were meant to do something.
fn known(names: impl IntoIterator<Item = String>, variable: impl Fn(&str) -> Option<String>) -> Result<(), String> {
    for name in names.into_iter().filter(|name| name.starts_with(PREFIX)) {
        let own = NAMES.map(variable_of);
        if !own.contains(&name) {
            return Err(format!("there is no environment variable {name}: there are {}", own.join(", ")));
        }
        if variable(&name).is_none_or(|value| value.trim().is_empty()) {
            return Err(format!("the environment variable {name} is empty or no text: set it to a value, or unset it"));
        }
    }
    Ok(())
}

/// What says where conversations are kept.
const STORES: [&str; 2] = ["data", "database"];

/// Whether an option of a later source counts no more: it is there already, or an earlier one names another store. `connections` are those of a database.
fn is_settled(given: &Given, name: &str) -> bool {
    let is_store = STORES.contains(&name) && STORES.iter().any(|store| given.contains_key(store));
    given.contains_key(name) || is_store || name == "connections" && given.contains_key("data")
}

/// All options that are given, from their sources.
fn given(arguments: &[String], variable: impl Fn(&str) -> Option<String>) -> Result<Given, String> {
    let mut given = Given::new();
    for pair in arguments.chunks(2) {
        let [flag, value] = pair else { return Err(format!("{} needs a value", pair.concat())) };
        let name = flag.strip_prefix("--").and_then(|flag| NAMES.into_iter().find(|name| *name == flag));
        let name = name.ok_or_else(|| format!("there is no option {flag}"))?;
        let (_, values) = given.entry(name).or_insert_with(|| (flag.clone(), Vec::new()));
        if name != "host" && !values.is_empty() {
            return Err(format!("{flag} is there twice"));
        }
        values.push(value.clone());
    }
    let mut variables = Vec::new();
    for name in NAMES {
        let names = [Some(variable_of(name)), telemetry::variable_of(name).map(str::to_owned)];
        let value = |named: String| variable(&named).filter(|value| !value.is_empty()).map(|value| (named, value));
        if let Some((named, value)) = names.into_iter().flatten().find_map(value) {
            // Several names stand in one variable.
            let values =
                if name == "host" { value.split(',').map(|one| one.trim().to_owned()).collect() } else { vec![value] };
            variables.push((name, named, values));
        }
    }
    add(&mut given, variables);
    let file = given.get("config").and_then(|(_, values)| values.last()).map(PathBuf::from);
    if let Some(file) = file {
        let options = options_of(&file)?.into_iter();
        add(
            &mut given,
            options.map(|(name, values)| (name, format!("{name} in {}", file.display()), values)).collect(),
        );
    }
    Ok(given)
}

/// Adds the options of a source to those of the earlier ones, which count first. A source that names two stores is not settled by itself.
fn add(given: &mut Given, options: Vec<(&'static str, String, Vec<String>)>) {
    let options: Vec<_> = options.into_iter().filter(|(name, ..)| !is_settled(given, name)).collect();
    given.extend(options.into_iter().map(|(name, shown, values)| (name, (shown, values))));
}

/// The options in a file.
fn options_of(file: &Path) -> Result<Vec<(&'static str, Vec<String>)>, String> {
    let shown = file.display();
    let text = std::fs::read_to_string(file).map_err(|error| format!("{shown}: {error}"))?;
    // The error of the library repeats the line, which can have a password.
    let table: toml::Table = toml::from_str(&text).map_err(|error| {
        let line = error.span().and_then(|span| text.get(..span.start)).map(|before| before.lines().count().max(1));
        let place = line.map_or(String::new(), |line| format!(", at line {line}"));
        format!("{shown}: this is not TOML{place}: {}", error.message())
    })?;
    let value = |name: &str, value: &toml::Value| match value {
        toml::Value::String(text) => Ok(text.clone()),
        toml::Value::Integer(number) => Ok(number.to_string()),
        toml::Value::Boolean(value) => Ok(value.to_string()),
        _ => Err(format!("{shown}: {name} must be a string, a whole number, true or false")),
    };
    let mut options = Vec::new();
    for (key, values) in &table {
        let name = NAMES.into_iter().find(|name| name == key && *name != "config");
        let name = name.ok_or_else(|| format!("{shown}: there is no option {key}"))?;
        let values = match values {
            toml::Value::Array(list) if name == "host" => {
                list.iter().map(|one| value(name, one)).collect::<Result<_, _>>()?
            }
            one => vec![value(name, one)?],
        };
        options.push((name, values));
    }
    Ok(options)
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
    use super::{Kept, Log, Settings, read};
    use std::sync::atomic::{AtomicUsize, Ordering};

    fn given(line: &str) -> Result<Settings, String> {
        let arguments: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        read(&arguments, [], |name| match name {
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
    fn the_command_line_counts_before_the_environment_and_that_before_the_file() {
        let file = std::env::temp_dir().join(format!("ask-user-host-settings-{}.toml", std::process::id()));
        let text = "port = 1\npace = 1\nlease = 600\nlog = \"json\"\nhost = [\"a:1\", \"b:2\"]\ndata = \"file\"";
        std::fs::write(&file, text).expect("a file is written");
        let arguments = ["--config", &file.to_string_lossy(), "--port", "3"].map(str::to_owned);
        let settings = read(&arguments, [], |name| match name {
            "ASK_USER_HOST_PORT" | "ASK_USER_HOST_PACE" => Some("2".into()),
            "ASK_USER_HOST_DATABASE" => Some("postgres://a/b".into()),
            _ => None,
        });
        drop(std::fs::remove_file(&file));
        let settings = settings.expect("these are settings");
        assert_eq!((settings.port, settings.pace.as_millis(), settings.options.lease.as_millis()), (3, 2, 600));
        assert_eq!((settings.log, settings.hosts), (Log::Json, vec!["a:1".to_owned(), "b:2".into()]));
        assert_eq!(settings.store, Kept::Database("postgres://a/b".into(), 8));
    }

    /// The settings with these variables and a file with this text.
    fn from(variables: &[(&str, &str)], text: &str, line: &str) -> Result<Settings, String> {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let file = std::env::temp_dir().join(format!("ask-user-host-sources-{}-{number}.toml", std::process::id()));
        std::fs::write(&file, text).expect("a file is written");
        let arguments: Vec<String> =
            line.split_whitespace().chain(["--config", &file.to_string_lossy()]).map(str::to_owned).collect();
        let names = variables.iter().map(|(name, _)| (*name).to_owned());
        let settings = read(&arguments, names, |name| {
            variables.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        });
        drop(std::fs::remove_file(&file));
        settings
    }

    #[test]
    fn a_source_names_one_store_and_an_earlier_source_counts() {
        let database = |connections| Kept::Database("postgres://a/b".into(), connections);
        let (data, url) = (("ASK_USER_HOST_DATA", "mine"), ("ASK_USER_HOST_DATABASE", "postgres://a/b"));
        let in_file = "database = 'postgres://a/b'\nconnections = 3";
        for (variables, text, line, store) in [
            (vec![], in_file, "", database(3)),
            (vec![], in_file, "--data mine", Kept::File("mine".into())),
            (vec![data], in_file, "", Kept::File("mine".into())),
            (vec![url], "data = 'mine'", "", database(8)),
            (vec![url], "", "--data mine", Kept::File("mine".into())),
            (vec![data], "", "--database postgres://a/b", database(8)),
            (vec![("ASK_USER_HOST_CONNECTIONS", "2")], in_file, "", database(2)),
        ] {
            let settings = from(&variables, text, line).expect(text);
            assert_eq!(settings.store, store, "{variables:?} {text} {line}");
        }
        for (variables, text, words) in [
            (vec![], "data = 'mine'\ndatabase = 'postgres://a/secret'", "exclude each other"),
            (vec![data, url], "", "ASK_USER_HOST_DATA and ASK_USER_HOST_DATABASE exclude each other"),
            (vec![], "connections = 3", "needs --database"),
            (vec![("ASK_USER_HOST_CONNECTIONS", "2")], "", "ASK_USER_HOST_CONNECTIONS needs --database"),
        ] {
            let error = from(&variables, text, "").map(drop).expect_err(words);
            assert!(error.contains(words) && !error.contains("secret"), "{error}");
        }
    }

    #[test]
    fn variables_of_this_program_that_it_does_not_know_or_that_say_nothing_are_refused() {
        for (variables, words) in [
            (
                vec![("ASK_USER_HOST_DATABSE", "postgres://a/secret")],
                "no environment variable ASK_USER_HOST_DATABSE: there are",
            ),
            (vec![("ASK_USER_HOST_DATABSE", "x")], "ASK_USER_HOST_DATABASE, "),
            (vec![("ASK_USER_HOST_DATABASE", "")], "ASK_USER_HOST_DATABASE is empty"),
            (vec![("ASK_USER_HOST_KEEP", " ")], "ASK_USER_HOST_KEEP is empty"),
        ] {
            let error = from(&variables, "", "").map(drop).expect_err(words);
            assert!(error.contains(words) && !error.contains("secret"), "{error}");
        }
        // This one is no option: tests name the program with it.
        assert!(from(&[("AGENT_HOST", "x"), ("OTEL_EXPORTER_OTLP_ENDPOINT", "")], "", "").is_ok());
        assert!(read(&[], ["ASK_USER_HOST_KEEP".to_owned()], |_| None).is_err_and(|error| error.contains("no text")));
    }

    #[test]
    fn what_is_wrong_with_a_file_names_it_and_repeats_no_value() {
        for (number, (text, words)) in [
            ("database = 'secret", "this is not TOML"),
            ("novel = 'secret'", "there is no option novel"),
            ("config = 'secret'", "there is no option config"),
            ("database = ['secret']", "database must be a string"),
            ("port = 'secret'", "port in "),
            ("pace = -1", "pace in "),
        ]
        .into_iter()
        .enumerate()
        {
            let file = std::env::temp_dir().join(format!("ask-user-host-fault-{}-{number}.toml", std::process::id()));
            std::fs::write(&file, text).expect("a file is written");
            let error = given(&format!("--config {}", file.display())).map(drop).expect_err(text);
            drop(std::fs::remove_file(&file));
            assert!(
                error.contains(words) && error.contains("ask-user-host-fault") && !error.contains("secret"),
                "{error}"
            );
        }
        assert!(given("--config /nowhere.toml").is_err_and(|error| error.contains("/nowhere.toml")));
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
            ("--listen here", "--listen needs an IP address"),
            ("--log xml", "--log is text or json"),
            ("--lease 1", "--lease needs at least 500"),
            ("--keep never", "--keep needs a whole number"),
            ("--data a --database postgres://b", "--data and --database exclude each other"),
            ("--database postgres://b --connections 0", "--connections needs a number from 1"),
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
