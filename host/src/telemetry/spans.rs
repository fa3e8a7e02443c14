//! Spans: what is traced, and how one leads to another.

use super::SCOPE;
use opentelemetry::{
    Context, KeyValue,
    context::{FutureExt, WithContext},
    global::{self, BoxedTracer},
    propagation::{Extractor, TextMapPropagator},
    trace::{Link, SpanBuilder, SpanContext, SpanKind, Status, TraceContextExt, Tracer},
};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use std::{borrow::Cow, collections::HashMap, sync::LazyLock, time::SystemTime};

static TRACER: LazyLock<BoxedTracer> = LazyLock::new(|| global::tracer(SCOPE));

/// The name of a trace context, in headers and where it is stored.
const TRACEPARENT: &str = "traceparent";

/// Something that takes a while. It ends when this is dropped, whatever goes on with [`Span::context`] then.
pub struct Span(Context);

impl Span {
    /// Begins a span below the current one.
    pub fn begin(
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
        attributes: impl IntoIterator<Item = KeyValue>,
    ) -> Self {
        Self::below(&Context::current(), name, kind, attributes)
    }

    /// Begins a span below another one, which can be of another process.
    pub fn below(
        parent: &Context,
        name: impl Into<Cow<'static, str>>,
        kind: SpanKind,
        attributes: impl IntoIterator<Item = KeyValue>,
    ) -> Self {
        let builder = SpanBuilder::from_name(name).with_kind(kind).with_attributes(attributes);
        Self(parent.with_span(TRACER.build_with_context(builder, parent)))
    }

    /// A span of something that is over. `from` leads to where it began, `to` to where it ended.
    pub fn past(
        name: &'static str,
        began: SystemTime,
        from: &Context,
        to: &SpanContext,
        attributes: impl IntoIterator<Item = KeyValue>,
    ) -> SpanContext {
        let links = if to.is_valid() { vec![Link::new(to.clone(), Vec::new(), 0)] } else { Vec::new() };
        let builder = SpanBuilder::from_name(name).with_kind(SpanKind::Internal).with_attributes(attributes);
        let builder = builder.with_start_time(began.min(SystemTime::now())).with_links(links);
        Self(from.with_span(TRACER.build_with_context(builder, from))).0.span().span_context().clone()
    }

    /// Does something within the span.
    pub fn around<F: Future>(&self, future: F) -> WithContext<F> {
        future.with_context(self.0.clone())
    }

    /// What is below this span is begun with this.
    pub fn context(&self) -> &Context {
        &self.0
    }

    /// Adds an attribute.
    pub fn set(&self, attribute: KeyValue) {
        self.0.span().set_attribute(attribute);
    }

    /// It has failed: with an error of a few that are known, or a status of HTTP.
    pub fn fails(&self, error: impl Into<opentelemetry::Value>) {
        self.set(KeyValue::new("error.type", error));
        self.0.span().set_status(Status::error(""));
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        self.0.span().end();
    }
}

/// Goes on within the current span, in another task.
pub fn with_current<F: Future>(future: F) -> WithContext<F> {
    future.with_current_context()
}

/// The context that the `traceparent` of a client, or of a stored question, leads to. One without a span if there is none.
pub fn parent_of(carrier: &dyn Extractor) -> Context {
    TraceContextPropagator::new().extract_with_context(&Context::new(), carrier)
}

/// The `traceparent` of a context, to be stored. `None` if nothing is traced.
pub fn traceparent(context: &Context) -> Option<HashMap<String, String>> {
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(context, &mut carrier);
    carrier.retain(|name, _| name == TRACEPARENT);
    (!carrier.is_empty()).then_some(carrier)
}
