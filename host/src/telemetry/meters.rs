//! What is counted and measured. The names are those of OpenTelemetry's semantic conventions where there are any, and begin with `ask_user.` otherwise.

use super::SCOPE;
use opentelemetry::{
    KeyValue, global,
    metrics::{Counter, Histogram, UpDownCounter},
};
use std::{sync::LazyLock, time::Duration};

/// Bounds of the histograms, in seconds: those that the conventions recommend for HTTP, for models and for databases; and those of answers, which people
/// give within seconds or weeks.
const HTTP: [f64; 14] = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];
const MODEL: [f64; 14] = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92];
const DATABASE: [f64; 9] = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0];
const ANSWER: [f64; 13] =
    [1.0, 5.0, 15.0, 60.0, 300.0, 900.0, 3_600.0, 14_400.0, 43_200.0, 86_400.0, 259_200.0, 604_800.0, 2_592_000.0];

/// Everything that is counted. Without a collector, counting does nothing.
pub fn meters() -> &'static Meters {
    static METERS: LazyLock<Meters> = LazyLock::new(Meters::new);
    &METERS
}

pub struct Meters {
    requests: Histogram<f64>,
    streams: UpDownCounter<i64>,
    models: Histogram<f64>,
    tools: Histogram<f64>,
    database: Histogram<f64>,
    asked: Counter<u64>,
    answers: Counter<u64>,
    age: Histogram<f64>,
    refused: Counter<u64>,
    retries: Counter<u64>,
    takeovers: Counter<u64>,
    lost_leases: Counter<u64>,
}

/// What is delivered once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Retried {
    /// An answer, by a client that did not hear that it was taken.
    Answer,
    /// A request, to a model that failed.
    Model,
    /// What a model or a tool gave, to a store that failed.
    Result,
}

impl Retried {
    fn name(self) -> &'static str {
        match self {
            Self::Answer => "answer",
            Self::Model => "model_request",
            Self::Result => "result",
        }
    }
}

/// An open stream of events, until this is dropped.
pub struct OpenStream(());

impl Drop for OpenStream {
    fn drop(&mut self) {
        meters().streams.add(-1, &[]);
    }
}

impl Meters {
    fn new() -> Self {
        let meter = global::meter(SCOPE);
        let counter = |name: &'static str, unit: &'static str, about: &'static str| {
            meter.u64_counter(name).with_unit(unit).with_description(about).build()
        };
        let times = |name: &'static str, bounds: &[f64], about: &'static str| {
            let histogram = meter.f64_histogram(name).with_unit("s").with_description(about);
            histogram.with_boundaries(bounds.to_vec()).build()
        };
        let streams = meter.i64_up_down_counter("ask_user.streams.open").with_unit("{stream}");
        Self {
            requests: times("http.server.request.duration", &HTTP, "Duration of HTTP server requests."),
            streams: streams.with_description("Streams of events that are open in this process.").build(),
            models: times("gen_ai.client.operation.duration", &MODEL, "Duration of requests to a model."),
            tools: times("ask_user.tool.duration", &MODEL, "Duration of tool calls, without the time of the person."),
            database: times("db.client.operation.duration", &DATABASE, "Duration of calls of the store."),
            asked: counter("ask_user.questions.asked", "{question}", "Questions that were put to a person."),
            answers: counter("ask_user.answers", "{answer}", "Answers that were taken, by how the form ended."),
            age: times("ask_user.answer.age", &ANSWER, "Time from the question to its answer."),
            refused: counter("ask_user.answers.refused", "{answer}", "Answers that were not taken, by reason."),
            retries: counter("ask_user.delivery.retries", "{retry}", "Deliveries that were made once more."),
            takeovers: counter(
                "ask_user.lease.takeovers",
                "{conversation}",
                "Conversations that no process drove, and that this one took over.",
            ),
            lost_leases: counter("ask_user.lease.lost", "{lease}", "Leases of this process that ended too early."),
        }
    }

    /// A request of HTTP was answered. The method and the route are of those that are known.
    pub fn request(&self, attributes: &[KeyValue], took: Duration) {
        self.requests.record(took.as_secs_f64(), attributes);
    }

    /// A stream of events opens.
    pub fn stream(&self) -> OpenStream {
        self.streams.add(1, &[]);
        OpenStream(())
    }

    /// A model has replied, or not.
    pub fn model(&self, attributes: &[KeyValue], took: Duration) {
        self.models.record(took.as_secs_f64(), attributes);
    }

    /// A tool has run.
    pub fn tool(&self, attributes: &[KeyValue], took: Duration) {
        self.tools.record(took.as_secs_f64(), attributes);
    }

    /// The store has done something, or not.
    pub fn store(&self, attributes: &[KeyValue], took: Duration) {
        self.database.record(took.as_secs_f64(), attributes);
    }

    /// A question is put to the person.
    pub fn asked(&self, dialect: &'static str) {
        self.asked.add(1, &[KeyValue::new("ask_user.dialect", dialect)]);
    }

    /// An answer was taken, so long after the question.
    pub fn answered(&self, outcome: &'static str, age: Option<Duration>) {
        let outcome = [KeyValue::new("ask_user.outcome", outcome)];
        self.answers.add(1, &outcome);
        if let Some(age) = age {
            self.age.record(age.as_secs_f64(), &outcome);
        }
    }

    /// An answer was not taken.
    pub fn refused(&self, code: &'static str) {
        self.refused.add(1, &[KeyValue::new("error.type", code)]);
    }

    /// Something is delivered once more.
    pub fn retried(&self, what: Retried) {
        self.retries.add(1, &[KeyValue::new("ask_user.delivery", what.name())]);
    }

    /// This process takes over a conversation.
    pub fn took_over(&self) {
        self.takeovers.add(1, &[]);
    }

    /// A lease of this process has ended before the process did.
    pub fn lost_lease(&self) {
        self.lost_leases.add(1, &[]);
    }
}
