//! Traces and metrics, which OpenTelemetry's SDK exports over OTLP if a collector is named. Only what is named in `spans.rs` and `meters.rs`, and by their
//! callers, is exported: no text of a person, a model or a client. Nothing waits for an export; what does not fit into the SDK's bounded queue is dropped.

mod client;
mod log;
mod meters;
mod settings;
mod spans;

pub use log::Traced;
pub use meters::{Retried, meters};
pub use settings::{Settings, read, variable_of};
pub use spans::{Span, parent_of, traceparent, with_current};

use client::Client;
use hyper::Uri;
use opentelemetry::{KeyValue, global};
use opentelemetry_otlp::{MetricExporter, Protocol, SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::{
    Resource,
    metrics::{PeriodicReader, SdkMeterProvider},
    resource::TelemetryResourceDetector,
    trace::SdkTracerProvider,
};
use std::{collections::HashMap, thread, time::Duration};
use tokio::sync::oneshot;
use tracing::{info, warn};

/// How long the last export may take when the process ends.
const LAST: Duration = Duration::from_secs(5);

/// The name of what makes the spans and metrics.
pub const SCOPE: &str = "ask-user-host";

/// Which conversation a span is of.
pub fn conversation(id: &str) -> KeyValue {
    KeyValue::new("gen_ai.conversation.id", id.to_owned())
}

/// What exports, until [`Telemetry::end`].
pub struct Telemetry {
    traces: Option<SdkTracerProvider>,
    metrics: Option<SdkMeterProvider>,
    /// How often the metrics are exported.
    pub interval: Duration,
}

impl Telemetry {
    /// Begins to export. Called once, before anything is measured.
    ///
    /// # Errors
    /// If the settings of the SDK in the environment are wrong, or there are no certificates.
    pub fn begin(settings: Settings, instance: String) -> Result<Self, String> {
        let Settings { traces, metrics, headers, timeout, interval, resource } = settings;
        let resource = described(resource, instance);
        let traces = match traces {
            Some(uri) => Some(tracing_to(&uri, &headers, timeout, resource.clone())?),
            None => None,
        };
        let metrics = match metrics {
            Some(uri) => Some(metering_to(&uri, &headers, timeout, interval, resource)?),
            None => None,
        };
        if let Some(traces) = &traces {
            global::set_tracer_provider(traces.clone());
        }
        if let Some(metrics) = &metrics {
            global::set_meter_provider(metrics.clone());
        }
        info!(traces = traces.is_some(), metrics = metrics.is_some(), "telemetry is exported");
        Ok(Self { traces, metrics, interval })
    }

    /// Exports what is left, within a time limit.
    pub async fn end(self) {
        let (ended, end) = oneshot::channel();
        // Both wait for what runs in this runtime, so they have threads of their own. Those that take too long end with the process.
        thread::spawn(move || {
            let metrics = self.metrics.map(|metrics| thread::spawn(move || metrics.shutdown()));
            let traced = self.traces.is_none_or(|traces| traces.shutdown_with_timeout(LAST).is_ok());
            let measured = metrics.is_none_or(|metrics| metrics.join().is_ok_and(|result| result.is_ok()));
            let (Ok(()) | Err(_)) = ended.send(traced && measured);
        });
        if !matches!(tokio::time::timeout(LAST, end).await, Ok(Ok(true))) {
            warn!("the last traces and metrics could not be exported");
        }
    }
}

/// What describes this process.
fn described(given: HashMap<String, String>, instance: String) -> Resource {
    let own = [
        KeyValue::new("service.name", SCOPE),
        KeyValue::new("service.version", env!("CARGO_PKG_VERSION")),
        KeyValue::new("service.instance.id", instance),
    ];
    let given = given.into_iter().map(|(name, value)| KeyValue::new(name, value));
    let builder = Resource::builder_empty().with_detector(Box::new(TelemetryResourceDetector));
    builder.with_attributes(own).with_attributes(given).build()
}

fn tracing_to(
    uri: &Uri,
    headers: &HashMap<String, String>,
    timeout: Duration,
    resource: Resource,
) -> Result<SdkTracerProvider, String> {
    let builder = sending(SpanExporter::builder().with_http(), "traces", uri, headers, timeout)?;
    let exporter = builder.build().map_err(|error| error.to_string())?;
    Ok(SdkTracerProvider::builder().with_batch_exporter(exporter).with_resource(resource).build())
}

fn metering_to(
    uri: &Uri,
    headers: &HashMap<String, String>,
    timeout: Duration,
    interval: Duration,
    resource: Resource,
) -> Result<SdkMeterProvider, String> {
    let builder = sending(MetricExporter::builder().with_http(), "metrics", uri, headers, timeout)?;
    let exporter = builder.build().map_err(|error| error.to_string())?;
    let reader = PeriodicReader::builder(exporter).with_interval(interval).build();
    Ok(SdkMeterProvider::builder().with_reader(reader).with_resource(resource).build())
}

/// How an exporter sends, whatever it exports.
fn sending<B: WithExportConfig + WithHttpConfig>(
    builder: B,
    what: &'static str,
    uri: &Uri,
    headers: &HashMap<String, String>,
    timeout: Duration,
) -> Result<B, String> {
    let builder = builder.with_http_client(Client::new(what, uri, timeout)?).with_headers(headers.clone());
    Ok(builder.with_endpoint(uri.to_string()).with_timeout(timeout).with_protocol(Protocol::HttpBinary))
}
