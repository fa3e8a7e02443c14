//! The log's lines with the trace that they belong to.

use opentelemetry::{Context, trace::TraceContextExt};
use std::fmt;
use tracing::{Event, Subscriber};
use tracing_subscriber::{
    fmt::{
        FmtContext,
        format::{FormatEvent, FormatFields, Writer},
    },
    registry::LookupSpan,
};

/// Writes each event as another format does, an object of JSON, with `trace_id` and `span_id` if it happens within a span.
pub struct Traced<F>(pub F);

impl<S, N, F> FormatEvent<S, N> for Traced<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> fmt::Result {
        let current = Context::current();
        let span = current.span().span_context().clone();
        if !span.is_valid() {
            return self.0.format_event(context, writer, event);
        }
        let mut line = String::new();
        self.0.format_event(context, Writer::new(&mut line), event)?;
        match line.strip_prefix('{') {
            Some(rest) => {
                write!(writer, "{{\"trace_id\":\"{}\",\"span_id\":\"{}\",{rest}", span.trace_id(), span.span_id())
            }
            None => writer.write_str(&line),
        }
    }
}
