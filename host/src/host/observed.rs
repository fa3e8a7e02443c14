//! What is traced and counted of conversations: requests to models, tools, questions, and what this process drives. Nothing of what anybody says is
//! exported, and no name that a model has made up.

use super::{Host, Live};
use crate::{
    agent::{Execution, Failed, Reply, Served},
    question::Question,
    telemetry::{SCOPE, Span, conversation, meters, parent_of},
};
use ask_user_core::{Ends, Verdict};
use opentelemetry::{
    Context, KeyValue, global,
    trace::{SpanKind, TraceContextExt},
};
use std::{
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use tracing::warn;

/// A name of a tool that the host does not have.
const OTHER: &str = "_OTHER";

fn operation(name: &'static str) -> KeyValue {
    KeyValue::new("gen_ai.operation.name", name)
}

/// Requests a model.
pub async fn model(
    id: &str,
    served: &Served,
    request: impl Future<Output = Result<Reply, Failed>>,
) -> Result<Reply, Failed> {
    asked(id, served, request, |reply| reply.as_ref().err().map(|failed| failed.kind)).await
}

/// Asks an assistant in the person's place.
pub async fn assistant(id: &str, served: &Served, request: impl Future<Output = Option<Verdict>>) -> Option<Verdict> {
    asked(id, served, request, |verdict| verdict.is_none().then_some("no_verdict")).await
}

async fn asked<T>(
    id: &str,
    served: &Served,
    request: impl Future<Output = T>,
    error: impl FnOnce(&T) -> Option<&'static str>,
) -> T {
    let mut attributes = vec![
        operation("chat"),
        KeyValue::new("gen_ai.provider.name", served.provider),
        KeyValue::new("gen_ai.request.model", served.model.clone()),
    ];
    let (name, begun) = (format!("chat {}", served.model), Instant::now());
    let span = Span::begin(name, SpanKind::Client, attributes.iter().cloned().chain([conversation(id)]));
    let came = span.around(request).await;
    if let Some(error) = error(&came) {
        span.fails(error);
        attributes.push(KeyValue::new("error.type", error));
    }
    meters().model(&attributes, begun.elapsed());
    came
}

/// A call of a tool, until it is done or asks.
pub struct Tool {
    span: Span,
    name: &'static str,
    begun: Instant,
}

impl Tool {
    /// Begins a call. `name` is `None` if there is no such tool.
    pub fn begin(id: &str, name: Option<&'static str>) -> Self {
        let name = name.unwrap_or(OTHER);
        let attributes = [operation("execute_tool"), KeyValue::new("gen_ai.tool.name", name), conversation(id)];
        let span = Span::begin(format!("execute_tool {name}"), SpanKind::Internal, attributes);
        Self { span, name, begun: Instant::now() }
    }

    /// Does something within the call.
    pub async fn around<F: Future>(&self, future: F) -> F::Output {
        self.span.around(future).await
    }

    /// What a question of the call is below.
    pub fn context(&self) -> &Context {
        self.span.context()
    }

    /// It is done.
    pub fn end(self, executed: &Execution) {
        let mut attributes = vec![KeyValue::new("gen_ai.tool.name", self.name)];
        match executed {
            Execution::Done(_) => {}
            Execution::Asks(_) => self.span.set(KeyValue::new("ask_user.asks", true)),
            Execution::Failed(_) => {
                self.span.fails("tool_failed");
                attributes.push(KeyValue::new("error.type", "tool_failed"));
            }
        }
        meters().tool(&attributes, self.begun.elapsed());
    }
}

/// A question was answered, within the current span. Its own span lies below the call that asked, in the trace of that time, and each of the two
/// requests leads to it.
pub fn answered(id: &str, question: &Question, tool: Option<&'static str>, ends: Ends) {
    let outcome = ends.name();
    let asked = question.asked();
    meters().answered(outcome, asked.map(|asked| asked.elapsed().unwrap_or_default()));
    let (Some(asked), Some(trace)) = (asked, question.trace()) else { return };
    let attributes = [
        conversation(id),
        KeyValue::new("gen_ai.tool.name", tool.unwrap_or(OTHER)),
        KeyValue::new("ask_user.dialect", question.desk.asked().dialect.name()),
        KeyValue::new("ask_user.outcome", outcome),
    ];
    let current = Context::current();
    let span = Span::past("ask_user.question", asked, &parent_of(trace), current.span().span_context(), attributes);
    if span.is_valid() {
        current.span().add_link(span, Vec::new());
    }
}

impl Host {
    /// Measures how much there is to do, from now on. `interval` is how often that is exported.
    pub fn observe(self: &Arc<Self>, interval: Duration) {
        let meter = global::meter(SCOPE);
        let gauge = |name: &'static str, unit: &'static str, about: &'static str, value: fn(&Self) -> u64| {
            let host = Arc::downgrade(self);
            let gauge = meter.u64_observable_gauge(name).with_unit(unit).with_description(about);
            gauge.with_callback(move |observer| {
                if let Some(host) = host.upgrade() {
                    observer.observe(value(&host), &[]);
                }
            })
        };
        let driven = "Conversations whose model or tool this process waits for.";
        gauge("ask_user.conversations.driven", "{conversation}", driven, |host| {
            count(host.known(Live::is_driven).len())
        })
        .build();
        let untold = "Changes that the other processes are still to be told of.";
        gauge("ask_user.outbox.length", "{change}", untold, |host| host.store.untold()).build();

        let (asking, counted) = (Arc::new(AtomicU64::new(UNKNOWN)), Arc::clone(self));
        let open = meter.u64_observable_gauge("ask_user.questions.open").with_unit("{question}");
        let open = open.with_description("Questions that wait for a person, in the whole store.");
        let known = Arc::clone(&asking);
        open.with_callback(move |observer| match known.load(Ordering::Relaxed) {
            UNKNOWN => {}
            number => observer.observe(number, &[]),
        })
        .build();
        tokio::spawn(counted.count_open(asking, interval));
    }

    /// Counts the open questions until the process ends.
    async fn count_open(self: Arc<Self>, asking: Arc<AtomicU64>, interval: Duration) {
        loop {
            match self.store.asking().await {
                Ok(number) => asking.store(number, Ordering::Relaxed),
                Err(error) => {
                    // An old number would be taken for a new one.
                    asking.store(UNKNOWN, Ordering::Relaxed);
                    warn!(%error, "the open questions could not be counted");
                }
            }
            if !self.pauses(interval).await {
                return;
            }
        }
    }
}

/// The number is not known.
const UNKNOWN: u64 = u64::MAX;

fn count(number: usize) -> u64 {
    u64::try_from(number).unwrap_or(UNKNOWN)
}
