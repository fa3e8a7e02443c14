//! A store whose calls are measured and traced. Only the names of the calls are exported, and how they failed.

use super::{Answer, Change, Event, Fault, Store, Stored, Token, Wake};
use crate::telemetry::{Span, meters};
use async_trait::async_trait;
use opentelemetry::{
    Context, KeyValue,
    trace::{SpanKind, TraceContextExt},
};
use serde_json::Value;
use std::time::{Duration, Instant};
use tokio::sync::mpsc;

/// A store, measured.
pub struct Measured(pub Box<dyn Store>);

impl Measured {
    async fn call<T>(&self, name: &'static str, call: impl Future<Output = Result<T, Fault>>) -> Result<T, Fault> {
        let mut attributes =
            vec![KeyValue::new("db.system.name", self.0.system()), KeyValue::new("db.operation.name", name)];
        let begun = Instant::now();
        // What the host does by itself, such as renewing its lease, belongs to no trace.
        let span = Context::current()
            .span()
            .span_context()
            .is_valid()
            .then(|| Span::begin(name, SpanKind::Client, attributes.clone()));
        let result = match &span {
            Some(span) => span.around(call).await,
            None => call.await,
        };
        if let Err(fault) = &result {
            if let Some(span) = &span {
                span.fails(fault.code());
            }
            attributes.push(KeyValue::new("error.type", fault.code()));
        }
        meters().store(&attributes, begun.elapsed());
        result
    }
}

#[async_trait]
impl Store for Measured {
    fn system(&self) -> &'static str {
        self.0.system()
    }

    fn is_shared(&self) -> bool {
        self.0.is_shared()
    }

    async fn create(&self, id: &str, token: &str, state: &Value, lease: &str) -> Result<(), Fault> {
        self.call("create", self.0.create(id, token, state, lease)).await
    }

    async fn token(&self, id: &str) -> Result<Option<String>, Fault> {
        self.call("token", self.0.token(id)).await
    }

    async fn load(&self, id: &str) -> Result<Option<Stored>, Fault> {
        self.call("load", self.0.load(id)).await
    }

    async fn commit(&self, id: &str, token: &Token, change: &Change, patience: Duration) -> Result<i64, Fault> {
        self.call("commit", self.0.commit(id, token, change, patience)).await
    }

    async fn messages(&self, id: &str) -> Result<Vec<Value>, Fault> {
        self.call("messages", self.0.messages(id)).await
    }

    async fn records(&self, id: &str) -> Result<Vec<Value>, Fault> {
        self.call("records", self.0.records(id)).await
    }

    async fn question(&self, id: &str, call: &str) -> Result<Option<Value>, Fault> {
        self.call("question", self.0.question(id, call)).await
    }

    async fn response(&self, id: &str, key: &str) -> Result<Option<Answer>, Fault> {
        self.call("response", self.0.response(id, key)).await
    }

    async fn answers_to(&self, id: &str, call: &str) -> Result<Vec<Answer>, Fault> {
        self.call("answers_to", self.0.answers_to(id, call)).await
    }

    async fn events_after(&self, id: &str, place: i64) -> Result<Vec<Event>, Fault> {
        self.call("events_after", self.0.events_after(id, place)).await
    }

    async fn is_free(&self) -> Result<bool, Fault> {
        self.call("is_free", self.0.is_free()).await
    }

    async fn begin_lease(&self, lease: &str, lasts: Duration) -> Result<(), Fault> {
        self.call("begin_lease", self.0.begin_lease(lease, lasts)).await
    }

    async fn renew_lease(&self, lease: &str, lasts: Duration) -> Result<bool, Fault> {
        self.call("renew_lease", self.0.renew_lease(lease, lasts)).await
    }

    async fn end_lease(&self, lease: &str) -> Result<(), Fault> {
        self.call("end_lease", self.0.end_lease(lease)).await
    }

    async fn abandoned(&self, lease: &str, driven: &[String]) -> Result<Vec<String>, Fault> {
        self.call("abandoned", self.0.abandoned(lease, driven)).await
    }

    async fn fences(&self, ids: &[String]) -> Result<Vec<(String, i64)>, Fault> {
        self.call("fences", self.0.fences(ids)).await
    }

    fn wakes(&self) -> Option<mpsc::Receiver<Wake>> {
        self.0.wakes()
    }

    fn untold(&self) -> u64 {
        self.0.untold()
    }

    async fn asking(&self) -> Result<u64, Fault> {
        self.call("asking", self.0.asking()).await
    }

    async fn forget(&self, idle: Duration) -> Result<u64, Fault> {
        self.call("forget", self.0.forget(idle)).await
    }

    async fn check(&self, lease: &str) -> Result<(), Fault> {
        self.call("check", self.0.check(lease)).await
    }
}
