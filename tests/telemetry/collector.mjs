// A collector of OpenTelemetry for tests: it takes traces and metrics by OTLP over HTTP, and reads them with the code that OpenTelemetry's own package
// generates from the protocol's definition. It can also be slow, refuse, or answer with garbage.
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createRequire } from "node:module";
import { until } from "../js/wait.mjs";

const { collector } = createRequire(import.meta.url)("@opentelemetry/otlp-transformer/build/src/generated/root.js").opentelemetry.proto;
const REQUESTS = {
  "/v1/traces": collector.trace.v1.ExportTraceServiceRequest,
  "/v1/metrics": collector.metrics.v1.ExportMetricsServiceRequest,
};

/** What the collector answers, by name. `silent` never does. */
const ANSWERS = {
  take: (response) => response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end(),
  refuse: (response) => response.writeHead(503, { "Retry-After": "0" }).end("no"),
  forbid: (response) => response.writeHead(401).end("no"),
  garbage: (response) => response.writeHead(200, { "Content-Type": "application/x-protobuf" }).end(Buffer.from("\xff\xfe\x00 no protobuf", "latin1")),
  endless: (response) => {
    response.writeHead(200);
    const more = () => response.destroyed || response.write(Buffer.alloc(65_536), () => setImmediate(more));
    more();
  },
  broken: (response) => response.socket.end("no HTTP\r\n\r\n"),
  reset: (response) => response.socket.resetAndDestroy(),
  silent: () => {},
};

/** A value of an attribute. */
const plain = (value) => {
  const [kind] = Object.keys(value ?? {});
  if (kind === "intValue") return Number(value.intValue);
  return kind === "arrayValue" ? value.arrayValue.values.map(plain) : value?.[kind];
};
const attributes = (list = []) => Object.fromEntries(list.map(({ key, value }) => [key, plain(value)]));
const id = (bytes) => Buffer.from(bytes ?? []).toString("hex");

export class Collector {
  #server;
  #port;
  /**
   * The certificate and the key of a server with TLS.
   * @type {{ key: string, cert: string } | undefined}
   */
  secure;
  /** How it answers: one of `ANSWERS`. */
  answers = "take";
  /** Everything that it was sent: the path, the headers, the bytes, and what they say. */
  requests = [];

  /** `secure`: the certificate and the key of a server with TLS. */
  static async start(secure) {
    const collector = new Collector();
    collector.secure = secure;
    await collector.open();
    return collector;
  }

  get url() {
    return `${this.secure ? "https" : "http"}://127.0.0.1:${this.#port}`;
  }

  /** Begins to listen (again), on the same port. */
  async open() {
    const take = (request, response) => void this.#take(request, response);
    this.#server = this.secure ? createSecureServer(this.secure, take) : createServer(take);
    await new Promise((resolve, reject) => this.#server.once("error", reject).listen(this.#port ?? 0, "127.0.0.1", resolve));
    this.#port = /** @type {import("node:net").AddressInfo} */ (this.#server.address()).port;
  }

  close() {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(resolve));
  }

  async #take(request, response) {
    const parts = [];
    for await (const part of request) parts.push(part);
    const bytes = Buffer.concat(parts);
    // What cannot be read fails here, and with it the test.
    const said = REQUESTS[request.url].decode(bytes);
    this.requests.push({ path: request.url, method: request.method, headers: request.headers, bytes, said, answers: this.answers });
    ANSWERS[this.answers](response);
  }

  /** The requests that were taken. */
  get #taken() {
    return this.requests.filter(({ answers }) => answers === "take");
  }

  /** All spans that were taken. */
  get spans() {
    return this.#taken.flatMap(({ said }) => said.resourceSpans ?? []).flatMap(({ resource, scopeSpans }) =>
      scopeSpans.flatMap(({ scope, spans }) =>
        spans.map((span) => ({
          name: span.name,
          kind: span.kind,
          trace: id(span.traceId),
          id: id(span.spanId),
          parent: id(span.parentSpanId),
          begins: BigInt(span.startTimeUnixNano.toString()),
          ends: BigInt(span.endTimeUnixNano.toString()),
          attributes: attributes(span.attributes),
          links: (span.links ?? []).map((link) => ({ trace: id(link.traceId), span: id(link.spanId) })),
          events: span.events ?? [],
          status: span.status?.code ?? 0,
          said: span.status?.message ?? "",
          scope: scope.name,
          resource: attributes(resource.attributes),
        })),
      ),
    );
  }

  /** The last state of each metric: its unit, and its points by their attributes. */
  get metrics() {
    const found = {};
    for (const { said } of this.#taken) {
      for (const { scopeMetrics } of said.resourceMetrics ?? []) {
        for (const metric of scopeMetrics.flatMap(({ metrics }) => metrics)) {
          const data = metric.sum ?? metric.histogram ?? metric.gauge;
          const points = data.dataPoints.map((point) => ({
            attributes: attributes(point.attributes),
            value: Number(point.asInt ?? point.asDouble ?? point.count),
            sum: point.sum,
          }));
          found[metric.name] = { unit: metric.unit, about: metric.description, points };
        }
      }
    }
    return found;
  }

  /** The value of a metric, all points with these attributes together. `undefined` if there is none. */
  value(name, wanted = {}) {
    const fits = ({ attributes }) => Object.entries(wanted).every(([key, value]) => attributes[key] === value);
    const points = this.metrics[name]?.points.filter(fits) ?? [];
    return points.length ? points.reduce((sum, { value }) => sum + value, 0) : undefined;
  }

  /** Everything that was sent, as text in which anything can be searched for. */
  get text() {
    return this.requests.map(({ bytes, headers }) => bytes.toString("latin1") + JSON.stringify(headers)).join("\n");
  }

  /** Waits until something is there, and gives it. */
  async until(find, what = String(find)) {
    const here = () => ({ spans: this.spans.map(({ name }) => name), metrics: this.metrics });
    let found;
    await until(() => ((found = find(this)), here()), what, () => found, 20_000);
    return found;
  }
}
