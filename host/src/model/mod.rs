//! An agent whose model is behind OpenAI's chat completions protocol: Ollama, the server of llama.cpp, vLLM, LM Studio, a gateway or OpenAI. A reply
//! is used only once it is complete, so a request that failed on the way can be sent again without running a tool twice.

mod endpoint;
mod failure;
mod reply;
mod request;
mod retry;
mod sse;

pub use endpoint::Limits;
pub use retry::Retry;

use crate::{
    agent::{Agent, Asking, Entry, Execution, Failed, NAME, Reply, Served, Soon},
    telemetry::{Retried, meters},
    tools,
};
use ask_user_core::{Consultation, Outcome, Target, Verdict, conversation::ToolCall};
use endpoint::{Endpoint, Exchange};
use failure::{Failure, Limit, Names};
use reply::Assembly;
use serde_json::Value;
use std::{collections::BTreeSet, sync::Arc, time::Duration};
use tokio::time::{sleep, timeout};
use tracing::warn;

/// The protocol, as OpenTelemetry's conventions call it.
const PROVIDER: &str = "openai";
/// Requests to the model in one turn.
const MOST_ROUNDS: usize = 25;
/// Bytes of a streamed reply, with everything around its text.
const LARGEST_STREAM: usize = 64 * 1024 * 1024;
/// Bytes of one event of a stream, or of a reply that is not streamed.
const LARGEST_BODY: usize = 4 * 1024 * 1024;
/// How long the end of a stream may come after the model has said that it stopped.
const END: Duration = Duration::from_secs(2);

/// How the model is reached.
pub struct Settings {
    /// The base address of the API.
    pub address: String,
    /// The name of the model.
    pub model: String,
    /// The name of the model that answers in the person's place; without it, the person is asked.
    pub assistant: Option<String>,
    /// The environment variable of the key, and the key.
    pub key: (String, Option<String>),
    pub limits: Limits,
    pub retry: Retry,
    /// How long the tools take.
    pub pace: Duration,
}

/// The agent.
pub struct Model {
    server: Arc<Server>,
    model: String,
    assistant: Option<String>,
    pace: Duration,
}

struct Server {
    endpoint: Endpoint,
    variable: String,
    retry: Retry,
}

impl Model {
    /// An agent with a model that is reached like this.
    ///
    /// # Errors
    /// What is wrong with the settings. Neither the address nor the key is repeated.
    pub fn new(Settings { address, model, assistant, key, limits, retry, pace }: Settings) -> Result<Self, String> {
        let (variable, key) = key;
        let endpoint = Endpoint::new(&address, key.as_deref(), limits)?;
        Ok(Self { server: Arc::new(Server { endpoint, variable, retry }), model, assistant, pace })
    }

    /// Where the model is, and whether a key is sent.
    pub fn description(&self) -> String {
        let Server { endpoint, variable, .. } = &*self.server;
        let key = if endpoint.has_key() { format!("with the key in {variable}") } else { "without a key".into() };
        format!("The model is {} at {}, {key}", self.model, endpoint.server())
    }
}

/// Whether nobody on the way to an address can read what is sent.
pub fn is_private(address: &str) -> bool {
    Endpoint::is_private(address)
}

impl Agent for Model {
    fn name(&self) -> &'static str {
        NAME
    }

    fn model(&self) -> Served {
        Served { provider: PROVIDER, model: self.model.clone() }
    }

    fn assistant(&self) -> Option<Served> {
        self.assistant.clone().map(|model| Served { provider: PROVIDER, model })
    }

    fn tool(&self, name: &str) -> Option<&'static str> {
        tools::named(name)
    }

    fn respond(&self, transcript: Vec<Entry>) -> Soon<Result<Reply, Failed>> {
        let (server, model) = (Arc::clone(&self.server), self.model.clone());
        Box::pin(async move {
            let reply = match rounds(&transcript) {
                rounds if rounds >= MOST_ROUNDS => Err(Failure::TooManyRounds(rounds)),
                _ => server.ask(&request::turn(&model, &transcript), ids(&transcript)).await,
            };
            reply.map_err(|failure| {
                let message = server.message(&failure, &model);
                Failed { message, kind: failure.kind(), may_try_again: failure.may_try_again() }
            })
        })
    }

    fn advise(&self, consultation: Consultation) -> Soon<Option<Verdict>> {
        let (server, model) = (Arc::clone(&self.server), self.assistant.clone());
        Box::pin(async move {
            let model = model?;
            match server.ask(&request::advice(&model, &consultation), BTreeSet::new()).await {
                Ok(reply) => {
                    let said: Value = serde_json::from_str(&reply.text).ok()?;
                    let verdict = Verdict::read(&said, consultation.record)?;
                    Some(Verdict { model: Some(model), ..verdict })
                }
                Err(failure) => {
                    warn!("assistant: {} The person is asked.", server.message(&failure, &model));
                    None
                }
            }
        })
    }

    fn execute(&self, call: &ToolCall) -> Soon<Execution> {
        let execution = match (tools::execution(call), &self.assistant) {
            (Execution::Asks(asking), None) => Execution::Asks(Asking { target: Target::User, ..asking }),
            (execution, _) => execution,
        };
        let pace = self.pace;
        Box::pin(async move {
            sleep(pace).await;
            execution
        })
    }

    fn answered(&self, call: &ToolCall, outcome: &Outcome) -> Value {
        tools::answered(call, outcome)
    }
}

impl Server {
    /// Asks a model, as often as the rules say.
    async fn ask(&self, request: &Value, taken: BTreeSet<String>) -> Result<Reply, Failure> {
        let attempts = async {
            let mut failed = 0;
            loop {
                let failure = match self.attempt(request, &taken).await {
                    Ok(reply) => return Ok(reply),
                    Err(failure) => failure,
                };
                failed += 1;
                let Some(pause) = self.retry.after(&failure, failed) else { return Err(failure) };
                let model = request["model"].as_str().unwrap_or_default();
                let message = self.message(&failure, model);
                meters().retried(Retried::Model);
                warn!("model: attempt {failed} failed: {message} The next one is in {} ms.", pause.as_millis());
                sleep(pause).await;
            }
        };
        let whole = self.endpoint.limits.whole;
        timeout(whole, attempts).await.unwrap_or(Err(Failure::TimedOut(Limit::Whole(whole))))
    }

    async fn attempt(&self, request: &Value, taken: &BTreeSet<String>) -> Result<Reply, Failure> {
        let exchange = self.endpoint.send(request).await?;
        let assembly = if exchange.is_stream { self.stream(exchange).await? } else { self.whole(exchange).await? };
        assembly.finish(taken.clone())
    }

    /// Reads a streamed reply.
    async fn stream(&self, mut exchange: Exchange) -> Result<Assembly, Failure> {
        let mut assembly = Assembly::default();
        let mut reader = sse::Reader::new(LARGEST_BODY);
        let mut bytes = 0;
        while !assembly.is_over() {
            let limit = self.endpoint.limits.chunk;
            let limit = if assembly.is_finished() { limit.min(END) } else { limit };
            let piece = match exchange.next(limit).await {
                Ok(Some(piece)) => piece,
                Ok(None) => {
                    if let Some(event) = reader.end() {
                        // The connection ended in the middle of this event, perhaps.
                        let taken = assembly.event(&event.name, &event.data);
                        taken.map_err(
                            |failure| if failure == Failure::Unreadable { Failure::Interrupted } else { failure },
                        )?;
                    }
                    break;
                }
                // The reply is complete. What was still to come says nothing of it.
                Err(_) if assembly.is_finished() => break,
                Err(failure) => return Err(failure),
            };
            bytes += piece.len();
            if bytes > LARGEST_STREAM {
                return Err(Failure::TooLarge("its stream has more than 64 MiB"));
            }
            let events =
                reader.read(&piece).map_err(|sse::TooLarge| Failure::TooLarge("a part of it has more than 4 MiB"))?;
            for event in events {
                assembly.event(&event.name, &event.data)?;
                if assembly.is_over() {
                    break;
                }
            }
        }
        Ok(assembly)
    }

    /// Reads the reply of a server that does not stream.
    async fn whole(&self, mut exchange: Exchange) -> Result<Assembly, Failure> {
        let mut body = Vec::new();
        while let Some(piece) = exchange.next(self.endpoint.limits.chunk).await? {
            body.extend_from_slice(&piece);
            if body.len() > LARGEST_BODY {
                return Err(Failure::TooLarge("it has more than 4 MiB"));
            }
        }
        Assembly::default().body(&serde_json::from_slice(&body).map_err(|_| Failure::Unreadable)?)
    }

    fn message(&self, failure: &Failure, model: &str) -> String {
        let key = (self.variable.as_str(), self.endpoint.has_key());
        failure.message(&Names { server: self.endpoint.server(), model, key })
    }
}

/// How often the model was asked since the person said something.
fn rounds(transcript: &[Entry]) -> usize {
    let turn = transcript.iter().rev().take_while(|entry| !matches!(entry, Entry::User(_) | Entry::Answer { .. }));
    turn.filter(|entry| matches!(entry, Entry::Model(_))).count()
}

/// The ids of all calls of a conversation.
fn ids(transcript: &[Entry]) -> BTreeSet<String> {
    let calls = transcript.iter().filter_map(|entry| match entry {
        Entry::Model(reply) => Some(&reply.calls),
        Entry::User(_) | Entry::Result { .. } | Entry::Answer { .. } => None,
    });
    calls.flatten().map(|call| call.id.clone()).collect()
}
