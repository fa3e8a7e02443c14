//! Why a model gave no reply: which failures may pass by themselves, and what the person reads. No text of the server is in it, because that may
//! repeat the key or the conversation.

use serde_json::Value;
use std::time::Duration;

/// Why there is no reply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// No connection came about.
    Unreachable,
    /// The server's certificate was refused.
    Untrusted,
    /// A time limit passed.
    TimedOut(Limit),
    /// The connection ended before the reply was complete.
    Interrupted,
    /// The server answered with an error, or reported one in the middle of its reply.
    Refused {
        /// The status; 0 where an error in the middle of a reply named none.
        status: u16,
        /// What the server says was wrong.
        reason: Reason,
        /// How long it asks to wait.
        wait: Option<Duration>,
    },
    /// The server names another address.
    Redirected,
    /// What answered is no model: a page, perhaps.
    NoModel,
    /// The reply is not what the protocol says.
    Unreadable,
    /// The reply is larger than the host takes: what of it.
    TooLarge(&'static str),
    /// A filter of the server stopped the reply.
    Filtered,
    /// The agent has made as many requests in this turn as it may.
    TooManyRounds(usize),
}

/// Which time limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// Until there is a connection.
    Connect(Duration),
    /// From the request to the first byte of the reply.
    FirstByte(Duration),
    /// Between two pieces of the reply.
    Chunk(Duration),
    /// For everything, with all attempts and the pauses between them.
    Whole(Duration),
}

/// What a server says was wrong, by the codes that servers use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The conversation is longer than the model can read.
    TooLong,
    /// The account has no credit left.
    NoCredit,
    /// There is no such model.
    UnknownModel,
    /// The key is missing or wrong.
    Key,
    /// Something else.
    Other,
}

/// Codes and types of error objects: those of OpenAI, and of servers that speak its protocol.
const REASONS: &[(&str, Reason)] = &[
    ("context_length_exceeded", Reason::TooLong),
    ("exceed_context_size_error", Reason::TooLong),
    ("insufficient_quota", Reason::NoCredit),
    ("billing_hard_limit_reached", Reason::NoCredit),
    ("model_not_found", Reason::UnknownModel),
    ("invalid_api_key", Reason::Key),
    ("authentication_error", Reason::Key),
];

impl Reason {
    /// Finds the reason in an error object.
    pub fn of(error: &Value) -> Self {
        let named = |key: &str| error.get(key)?.as_str();
        let known = |name: &str| REASONS.iter().find(|(code, _)| *code == name).map(|(_, reason)| *reason);
        ["code", "type"].into_iter().filter_map(named).find_map(known).unwrap_or(Self::Other)
    }
}

/// What the texts name.
pub struct Names<'a> {
    /// The server: its name and port.
    pub server: &'a str,
    /// The model.
    pub model: &'a str,
    /// The environment variable of the key, and whether a key was sent.
    pub key: (&'a str, bool),
}

impl Failure {
    /// An error object: in the middle of a reply, or instead of one.
    pub fn reported(error: &Value) -> Self {
        let number = |value: &Value| value.as_u64().and_then(|number| u16::try_from(number).ok());
        let status = error.get("code").and_then(number).filter(|status| (400..=599).contains(status)).unwrap_or(0);
        Self::Refused { status, reason: Reason::of(error), wait: None }
    }

    /// What is counted.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Untrusted => "untrusted",
            Self::TimedOut(_) => "timeout",
            Self::Interrupted => "interrupted",
            Self::Refused { .. } => "refused",
            Self::Redirected => "redirected",
            Self::NoModel => "no_model",
            Self::Unreadable => "unreadable",
            Self::TooLarge(_) => "too_large",
            Self::Filtered => "filtered",
            Self::TooManyRounds(_) => "too_many_rounds",
        }
    }

    /// Whether the same request may succeed a moment later.
    pub fn is_transient(&self) -> bool {
        match self {
            Self::Refused { reason: Reason::Other, status, .. } => {
                matches!(status, 0 | 408 | 409 | 425 | 429 | 500..=599)
            }
            Self::Unreachable | Self::Interrupted | Self::Unreadable => true,
            Self::TimedOut(limit) => !matches!(limit, Limit::Whole(_)),
            Self::Refused { .. }
            | Self::Untrusted
            | Self::Redirected
            | Self::NoModel
            | Self::TooLarge(_)
            | Self::Filtered
            | Self::TooManyRounds(_) => false,
        }
    }

    /// Whether the person can try again without changing anything in the conversation.
    pub fn may_try_again(&self) -> bool {
        !matches!(self, Self::TooManyRounds(_) | Self::Refused { reason: Reason::TooLong, .. })
    }

    /// What the person reads.
    pub fn message(&self, Names { server, model, key: (variable, was_sent) }: &Names<'_>) -> String {
        match self {
            Self::Unreachable => format!(
                "The model at {server} could not be reached. Check that its server is running and that --model has its address."
            ),
            Self::Untrusted => format!(
                "The certificate of {server} is not trusted on this machine. Nothing was sent. SSL_CERT_FILE can name a file of certificates to trust."
            ),
            Self::TimedOut(limit) => match limit {
                Limit::Connect(time) => format!("No connection to the model at {server} within {}.", plain(*time)),
                Limit::FirstByte(time) => format!("The model did not begin to reply within {}.", plain(*time)),
                Limit::Chunk(time) => format!(
                    "The model stopped in the middle of its reply: nothing more came for {}. The reply was dropped.",
                    plain(*time)
                ),
                Limit::Whole(time) => format!("The model did not finish its reply within {}.", plain(*time)),
            },
            Self::Interrupted => {
                "The connection to the model ended before its reply was complete. What had arrived was dropped.".into()
            }
            Self::Refused { status, reason, wait } => refused(*status, *reason, *wait, model, variable, *was_sent),
            Self::Redirected => format!(
                "{server} names another address for the model. The host does not follow it, because it would send the key there: give that address with --model."
            ),
            Self::NoModel => format!(
                "{server} answered, but not as a model does. Check that --model has the base address of its API, such as http://127.0.0.1:11434/v1."
            ),
            Self::Unreadable => "The reply of the model could not be read. It was dropped.".into(),
            Self::TooLarge(what) => format!("The reply of the model was dropped: {what}."),
            Self::Filtered => "A content filter of the model's server stopped the reply.".into(),
            Self::TooManyRounds(rounds) => format!(
                "The agent made {rounds} requests to the model in this turn and was not done, so it stopped. Send a message to let it continue."
            ),
        }
    }
}

fn refused(status: u16, reason: Reason, wait: Option<Duration>, model: &str, variable: &str, was_sent: bool) -> String {
    let number = if status == 0 { String::new() } else { format!(" ({status})") };
    match (reason, status) {
        (Reason::TooLong, _) => {
            format!("This conversation is too long for the model{number}. Start a new one.")
        }
        (Reason::NoCredit, _) => format!("The account at the model's server has no credit left{number}."),
        (Reason::Key, _) | (Reason::Other, 401 | 403) if was_sent => format!(
            "The model's server refused the key{number}. Put another one into the environment variable {variable} and start the agent host again."
        ),
        (Reason::Key, _) | (Reason::Other, 401 | 403) => format!(
            "The model's server wants a key{number}. Put it into the environment variable {variable} and start the agent host again."
        ),
        (Reason::UnknownModel, _) | (Reason::Other, 404) => format!(
            "The model's server does not know the model {model:?}, or not this address{number}. Check --model and --model-name."
        ),
        (Reason::Other, 429) => match wait {
            Some(wait) => format!("The model is busy{number}. Its server asks to wait {}.", plain(wait)),
            None => format!("The model is busy{number}. Try again in a moment."),
        },
        (Reason::Other, 0 | 408 | 409 | 425 | 500..=599) => {
            format!("The model's server has a problem{number}. Try again in a moment.")
        }
        (Reason::Other, _) => format!("The model's server refused the request{number}. Its own log says why."),
    }
}

/// A time as people write it.
fn plain(time: Duration) -> String {
    match time.as_millis() {
        short @ ..1000 => format!("{short} milliseconds"),
        1000..2000 => "1 second".into(),
        _ if time.as_secs() < 120 => format!("{} seconds", time.as_secs()),
        _ => format!("{} minutes", time.as_secs() / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::{Failure, Reason};
    use serde_json::json;

    #[test]
    fn an_error_object_says_whether_to_try_again() {
        for (error, status, reason, transient) in [
            (json!({ "message": "x", "type": "server_error", "code": null }), 0, Reason::Other, true),
            (json!("model runner has unexpectedly stopped"), 0, Reason::Other, true),
            (json!({ "code": 502, "message": "x" }), 502, Reason::Other, true),
            (json!({ "code": 400, "message": "x" }), 400, Reason::Other, false),
            (json!({ "code": 400, "type": "exceed_context_size_error" }), 400, Reason::TooLong, false),
            (json!({ "code": "insufficient_quota", "type": "insufficient_quota" }), 0, Reason::NoCredit, false),
            (json!({ "code": "model_not_found", "type": "invalid_request_error" }), 0, Reason::UnknownModel, false),
            (json!({ "code": "invalid_api_key" }), 0, Reason::Key, false),
            (json!({ "code": 99_999_999 }), 0, Reason::Other, true),
            (json!({ "code": ["x"], "type": {} }), 0, Reason::Other, true),
        ] {
            let failure = Failure::reported(&error);
            assert_eq!(failure, Failure::Refused { status, reason, wait: None }, "{error}");
            assert_eq!(failure.is_transient(), transient, "{error}");
        }
    }

    #[test]
    fn a_status_says_whether_to_try_again() {
        let is_transient =
            |status: &u16| Failure::Refused { status: *status, reason: Reason::Other, wait: None }.is_transient();
        let statuses = [400, 401, 403, 404, 408, 409, 413, 422, 425, 429, 500, 501, 502, 503, 504, 529];
        let transient: Vec<u16> = statuses.into_iter().filter(is_transient).collect();
        assert_eq!(transient, [408, 409, 425, 429, 500, 501, 502, 503, 504, 529]);
    }
}
