//! What is exported, and where to: from the host's options, and from the environment variables that OpenTelemetry defines.

use crate::connection::{self, Wrong};
use hyper::{
    Uri,
    header::{HeaderName, HeaderValue},
};
use percent_encoding::percent_decode_str;
use std::{collections::HashMap, time::Duration};

/// The options that OpenTelemetry has a variable for, which counts after the host's own one.
const VARIABLES: [(&str, &str); 4] = [
    ("otlp-endpoint", "OTEL_EXPORTER_OTLP_ENDPOINT"),
    ("otlp-headers", "OTEL_EXPORTER_OTLP_HEADERS"),
    ("service-name", "OTEL_SERVICE_NAME"),
    ("resource-attributes", "OTEL_RESOURCE_ATTRIBUTES"),
];

/// How long one export may take, in milliseconds.
const TIMEOUT: u64 = 10_000;
/// How often the metrics are exported, in milliseconds.
const INTERVAL: u64 = 60_000;
/// How often the metrics are exported at most, in milliseconds.
const SHORTEST_INTERVAL: u64 = 100;

/// What is exported. At least one of the addresses is there.
#[derive(Debug, PartialEq, Eq)]
pub struct Settings {
    /// Where traces are sent.
    pub traces: Option<Uri>,
    /// Where metrics are sent.
    pub metrics: Option<Uri>,
    /// Headers of each export.
    pub headers: HashMap<String, String>,
    /// How long one export may take.
    pub timeout: Duration,
    /// How often the metrics are exported.
    pub interval: Duration,
    /// What describes this process, with its name as `service.name`.
    pub resource: HashMap<String, String>,
}

/// The variable of OpenTelemetry for an option.
pub fn variable_of(option: &str) -> Option<&'static str> {
    VARIABLES.into_iter().find(|(name, _)| *name == option).map(|(_, variable)| variable)
}

/// Reads the settings. `option` gives an option, and how its source calls it. `None` if nothing is exported.
///
/// # Errors
/// What is wrong, in a sentence that names the option. It never has the value, which can be a password.
pub fn read<'a>(
    option: impl Fn(&str) -> Option<(&'a str, &'a str)>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Settings>, String> {
    let variable = |name: &str| variable(name).filter(|value| !value.trim().is_empty());
    match variable("OTEL_SDK_DISABLED").map(|value| value.trim().to_lowercase()).as_deref() {
        Some("true") => return Ok(None),
        None | Some("false") => {}
        Some(_) => return Err("OTEL_SDK_DISABLED is true or false".into()),
    }
    let base = option("otlp-endpoint");
    let (traces, metrics) = (signal("traces", base, variable)?, signal("metrics", base, variable)?);
    if traces.is_none() && metrics.is_none() {
        return Ok(None);
    }
    read_by_sdk(variable)?;
    let milliseconds = |name: &str, otherwise: u64| match variable(name) {
        Some(value) => value.trim().parse().map_err(|_| format!("{name} needs a whole number of milliseconds")),
        None => Ok(otherwise),
    };
    let timeout = Duration::from_millis(milliseconds("OTEL_EXPORTER_OTLP_TIMEOUT", TIMEOUT)?);
    let interval = milliseconds("OTEL_METRIC_EXPORT_INTERVAL", INTERVAL)?.max(SHORTEST_INTERVAL);
    let mut resource = pairs(option("resource-attributes"))?;
    if let Some((_, name)) = option("service-name") {
        resource.insert("service.name".into(), name.into());
    }
    let headers = headers(option("otlp-headers"))?;
    Ok(Some(Settings { traces, metrics, headers, timeout, interval: Duration::from_millis(interval), resource }))
}

/// The samplers that the SDK knows.
const SAMPLERS: [&str; 6] = [
    "always_on",
    "always_off",
    "traceidratio",
    "parentbased_always_on",
    "parentbased_always_off",
    "parentbased_traceidratio",
];

/// Looks at the variables that the SDK reads by itself: it takes its defaults for what it cannot read, and does not say so.
fn read_by_sdk(variable: impl Fn(&str) -> Option<String>) -> Result<(), String> {
    let is_right = |name: &str, right: &dyn Fn(&str) -> bool| variable(name).is_none_or(|value| right(value.trim()));
    if !is_right("OTEL_TRACES_SAMPLER", &|value| SAMPLERS.contains(&value)) {
        return Err(format!("OTEL_TRACES_SAMPLER is one of {}", SAMPLERS.join(", ")));
    }
    let is_share = |value: &str| value.parse().is_ok_and(|share: f64| (0.0..=1.0).contains(&share));
    if !is_right("OTEL_TRACES_SAMPLER_ARG", &is_share) {
        return Err("OTEL_TRACES_SAMPLER_ARG needs a number from 0 to 1".into());
    }
    let numbers = ["OTEL_BSP_SCHEDULE_DELAY", "OTEL_BSP_MAX_QUEUE_SIZE", "OTEL_BSP_MAX_EXPORT_BATCH_SIZE"];
    match numbers.into_iter().find(|name| !is_right(name, &|value| value.parse::<u32>().is_ok_and(|number| number > 0)))
    {
        Some(name) => Err(format!("{name} needs a whole number above 0")),
        None => Ok(()),
    }
}

/// Where a signal is sent: to its own address, or to its place below the common one. `None` if it is not exported.
fn signal(
    name: &str,
    base: Option<(&str, &str)>,
    variable: impl Fn(&str) -> Option<String>,
) -> Result<Option<Uri>, String> {
    let upper = name.to_uppercase();
    let exporter = format!("OTEL_{upper}_EXPORTER");
    match variable(&exporter).as_deref().map(str::trim) {
        None | Some("otlp") => {}
        Some("none") => return Ok(None),
        Some(_) => return Err(format!("{exporter} is otlp or none")),
    }
    let own = format!("OTEL_EXPORTER_OTLP_{upper}_ENDPOINT");
    let uri = match (variable(&own), base) {
        (Some(url), _) => address(&own, &url)?,
        (None, Some((shown, url))) => {
            address(shown, url)?;
            address(shown, &format!("{}/v1/{name}", url.trim_end_matches('/')))?
        }
        (None, None) => return Ok(None),
    };
    for protocol in [format!("OTEL_EXPORTER_OTLP_{upper}_PROTOCOL"), "OTEL_EXPORTER_OTLP_PROTOCOL".into()] {
        if let Some(value) = variable(&protocol) {
            if value.trim() != "http/protobuf" {
                return Err(format!("{protocol} must be http/protobuf: this program speaks no other protocol"));
            }
            break;
        }
    }
    Ok(Some(uri))
}

fn address(shown: &str, url: &str) -> Result<Uri, String> {
    connection::address(url.trim()).map_err(|wrong| match wrong {
        Wrong::Address => format!("{shown} needs the address of a collector, such as http://127.0.0.1:4318"),
        Wrong::Password => format!("{shown} must not have a name and a password: use --otlp-headers"),
    })
}

fn headers(option: Option<(&str, &str)>) -> Result<HashMap<String, String>, String> {
    let headers = pairs(option)?;
    for (name, value) in &headers {
        if HeaderName::try_from(name).is_err() || HeaderValue::try_from(value).is_err() {
            let shown = option.map_or("--otlp-headers", |(shown, _)| shown);
            return Err(format!("{shown} has a name or a value that no header can have"));
        }
    }
    Ok(headers)
}

/// Reads `name=value,name=value`, where a value may have characters as `%20`.
fn pairs(option: Option<(&str, &str)>) -> Result<HashMap<String, String>, String> {
    let Some((shown, list)) = option else { return Ok(HashMap::new()) };
    let pair = |pair: &str| {
        let (name, value) = pair.split_once('=').filter(|(name, _)| !name.trim().is_empty())?;
        let value = percent_decode_str(value.trim()).decode_utf8().ok()?;
        Some((name.trim().to_owned(), value.into_owned()))
    };
    let pairs = list.split(',').filter(|part| !part.trim().is_empty()).map(pair).collect::<Option<_>>();
    pairs.ok_or_else(|| format!("{shown} needs pairs with commas between them: name=value,name=value"))
}

#[cfg(test)]
mod tests {
    use super::{Settings, read};
    use std::time::Duration;

    fn given(options: &[(&str, &str)], variables: &[(&str, &str)]) -> Result<Option<Settings>, String> {
        let find = |list: &[(&str, &str)], name: &str| {
            list.iter().find(|(key, _)| *key == name).map(|(_, value)| (*value).to_owned())
        };
        let option = |name: &str| options.iter().find(|(key, _)| *key == name).map(|(key, value)| (*key, *value));
        read(option, |name| find(variables, name))
    }

    fn addresses(settings: Result<Option<Settings>, String>) -> (Option<String>, Option<String>) {
        let settings = settings.expect("these are settings").expect("something is exported");
        let shown = |uri: Option<hyper::Uri>| uri.map(|uri| uri.to_string());
        (shown(settings.traces), shown(settings.metrics))
    }

    #[test]
    fn without_an_address_nothing_is_exported() {
        assert_eq!(given(&[], &[]), Ok(None));
        assert_eq!(given(&[("service-name", "x")], &[("OTEL_TRACES_EXPORTER", "otlp")]), Ok(None));
        let url = ("otlp-endpoint", "http://127.0.0.1:4318");
        assert_eq!(given(&[url], &[("OTEL_SDK_DISABLED", "TRUE")]), Ok(None));
        assert_eq!(given(&[url], &[("OTEL_TRACES_EXPORTER", "none"), ("OTEL_METRICS_EXPORTER", "none")]), Ok(None));
    }

    #[test]
    fn each_signal_has_a_place_below_the_address_or_an_address_of_its_own() {
        let (traces, metrics) = ("http://a:4318/v1/traces".to_owned(), "http://a:4318/v1/metrics".to_owned());
        for url in ["http://a:4318", "http://a:4318/"] {
            assert_eq!(addresses(given(&[("otlp-endpoint", url)], &[])), (Some(traces.clone()), Some(metrics.clone())));
        }
        let own = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "https://b/traces?tenant=1");
        assert_eq!(addresses(given(&[], &[own])), (Some(own.1.into()), None));
        assert_eq!(
            addresses(given(&[("otlp-endpoint", "http://a:4318")], &[own])),
            (Some(own.1.into()), Some(metrics))
        );
    }

    #[test]
    fn headers_and_attributes_are_pairs_whose_values_are_decoded() {
        let options = [
            ("otlp-endpoint", "http://a"),
            ("otlp-headers", "authorization=Bearer%20abc , x-tenant=7,"),
            ("resource-attributes", "service.name=other,deployment.environment.name=a=b"),
            ("service-name", "host"),
        ];
        let variables = [("OTEL_EXPORTER_OTLP_TIMEOUT", "250"), ("OTEL_METRIC_EXPORT_INTERVAL", "1")];
        let settings = given(&options, &variables).expect("these are settings").expect("something is exported");
        assert_eq!(settings.headers["authorization"], "Bearer abc");
        assert_eq!(settings.headers["x-tenant"], "7");
        assert_eq!(settings.resource["deployment.environment.name"], "a=b");
        assert_eq!(settings.resource["service.name"], "host");
        assert_eq!((settings.timeout, settings.interval), (Duration::from_millis(250), Duration::from_millis(100)));
    }

    #[test]
    fn what_is_wrong_names_the_option_and_repeats_no_value() {
        let url = ("otlp-endpoint", "http://a:4318");
        for (options, variables, words) in [
            (vec![("otlp-endpoint", "hunter2")], vec![], "otlp-endpoint needs the address of a collector"),
            (vec![("otlp-endpoint", "ftp://hunter2")], vec![], "otlp-endpoint needs the address of a collector"),
            (
                vec![("otlp-endpoint", "http://me:hunter2@a")],
                vec![],
                "otlp-endpoint must not have a name and a password",
            ),
            (vec![url, ("otlp-headers", "hunter2")], vec![], "otlp-headers needs pairs"),
            (vec![url, ("otlp-headers", "a b=hunter2")], vec![], "otlp-headers has a name"),
            (vec![url, ("otlp-headers", "a=hunter2%0a")], vec![], "otlp-headers has a name or a value"),
            (vec![url, ("resource-attributes", "=hunter2")], vec![], "resource-attributes needs pairs"),
            (
                vec![url],
                vec![("OTEL_EXPORTER_OTLP_PROTOCOL", "grpc")],
                "OTEL_EXPORTER_OTLP_PROTOCOL must be http/protobuf",
            ),
            (
                vec![url],
                vec![("OTEL_EXPORTER_OTLP_TIMEOUT", "soon")],
                "OTEL_EXPORTER_OTLP_TIMEOUT needs a whole number",
            ),
            (vec![url], vec![("OTEL_TRACES_EXPORTER", "console")], "OTEL_TRACES_EXPORTER is otlp or none"),
            (vec![url], vec![("OTEL_SDK_DISABLED", "hunter2")], "OTEL_SDK_DISABLED is true or false"),
            (vec![url], vec![("OTEL_TRACES_SAMPLER", "hunter2")], "OTEL_TRACES_SAMPLER is one of always_on, "),
            (vec![url], vec![("OTEL_TRACES_SAMPLER_ARG", "50")], "OTEL_TRACES_SAMPLER_ARG needs a number from 0 to 1"),
            (vec![url], vec![("OTEL_BSP_SCHEDULE_DELAY", "hunter2")], "OTEL_BSP_SCHEDULE_DELAY needs a whole number"),
            (vec![url], vec![("OTEL_BSP_MAX_QUEUE_SIZE", "-1")], "OTEL_BSP_MAX_QUEUE_SIZE needs a whole number"),
            (
                vec![],
                vec![("OTEL_EXPORTER_OTLP_METRICS_ENDPOINT", "hunter2")],
                "OTEL_EXPORTER_OTLP_METRICS_ENDPOINT needs",
            ),
        ] {
            let error = given(&options, &variables).expect_err(words);
            assert!(error.contains(words) && !error.contains("hunter2"), "{error}");
        }
    }
}
