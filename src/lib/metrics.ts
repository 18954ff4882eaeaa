import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { AnsweredRequest, CountedCommand, CountedDelivery, Metrics } from "../ports/metrics.ts";
import type { PollReport, Resource } from "../ports/store.ts";
import { settleWithin, systemClock } from "./clock.ts";
import { loggedLines } from "./log-counts.ts";
import { readVersion } from "./package.ts";

/** Gauges that are read when the metrics are requested. A null, a failure or a delay of two seconds omits the gauge. */
export interface Gauges {
  readonly outboxPending?: ReadGauge;
  readonly dataAgeSeconds?: ReadGauge;
  readonly quarantinedDocuments?: ReadGauge;
  readonly queuedDocuments?: ReadGauge;
  /** Number of destinations by state. */
  readonly destinations?: ReadFigures;
  /** 1 for each platform that can be used, 0 for others. */
  readonly platforms?: ReadFigures;
  /** Number of listed splits by quality warning. */
  readonly qualityWarnings?: ReadFigures;
  /** Live sources, with counts since startup. */
  readonly sources?: () => readonly SourceFigures[];
}

export interface SourceFigures {
  readonly name: string;
  readonly verdict: string;
  readonly requests: number;
  /** Number of failed reads by kind. */
  readonly faults: Readonly<Partial<Record<string, number>>>;
  /** Number of new items. */
  readonly newItemCount: number;
  /** Number of times that items may have been missed. */
  readonly gaps: number;
  /** Milliseconds since 1970. */
  readonly lastNewAt: number | null;
}

type ReadGauge = () => Promise<number | null> | number | null;

/** Reads numbers by the value of their label. */
type ReadFigures = () => Promise<Readonly<Record<string, number>>> | Readonly<Record<string, number>>;

/** Time for reading a gauge: a database that doesn't answer omits its gauges, and the other metrics are served. */
const READ_TIMEOUT_MS = 2_000;

/** Label values that are known at the start: their counts are 0 instead of missing. */
export interface KnownLabels {
  readonly platforms: readonly string[];
  readonly eventKinds: readonly string[];
  readonly commands: readonly string[];
}

export interface MetricsPage extends Metrics {
  countRequest(request: AnsweredRequest): void;
  /** All metrics in the Prometheus text format. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Histogram buckets: from an immediate delivery to one delayed for a day. */
const DELIVERY_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400];

/** Histogram buckets: from a cached answer to one that takes as long as the chat platforms wait. */
const ANSWER_SECONDS = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

const POLL_OUTCOMES = Object.keys({
  complete: true,
  suspicious: true,
  incomplete: true,
  failed: true,
} satisfies Record<PollReport["outcome"], true>);

const RESOURCES = Object.keys({ splits: true, articles: true } satisfies Record<Resource, true>);

const DELIVERY_OUTCOMES = Object.keys({
  sent: true,
  sent_blind: true,
  failed: true,
  retry: true,
  intercepted: true,
  "unknown-outcome": true,
  gone: true,
  "not-allowed": true,
  "broken-credentials": true,
  refused: true,
  unrecognized: true,
} satisfies Record<CountedDelivery, true>);

const COMMAND_OUTCOMES = Object.keys({ ok: true, usage: true, failed: true } satisfies Record<CountedCommand, true>);

/** Gauges of prom-client with names of counters, which `promtool check metrics` rejects. Others have the same values by kind. */
const MISNAMED_GAUGES = [
  "nodejs_active_handles_total",
  "nodejs_active_requests_total",
  "nodejs_active_resources_total",
];

let processRegistry: Registry | undefined;

/** Metrics of the process. Created once: their timers and observers run until the process ends. */
function processMetrics(): Registry {
  if (processRegistry === undefined) {
    processRegistry = new Registry();
    collectDefaultMetrics({ register: processRegistry });
    for (const name of MISNAMED_GAUGES) processRegistry.removeSingleMetric(name);
    addLogCounter(processRegistry);
    new Gauge({
      name: "splitwatch_build_info",
      help: "1, with the version of splitwatch",
      labelNames: ["version"],
      registers: [processRegistry],
    }).set({ version: readVersion() }, 1);
  }
  return processRegistry;
}

function addLogCounter(registry: Registry): void {
  const counter: Counter<"level"> = new Counter({
    name: "splitwatch_log_lines_total",
    help: "Written lines of the log",
    labelNames: ["level"],
    registers: [registry],
    collect() {
      counter.reset();
      for (const [level, count] of Object.entries(loggedLines)) counter.inc({ level }, count);
    },
  });
}

/** Metrics in a separate registry, so that several apps in one process are counted separately. */
export function createMetrics(
  gauges: Gauges = {},
  { platforms, eventKinds, commands }: KnownLabels = { platforms: [], eventKinds: [], commands: [] },
): MetricsPage {
  const registry = new Registry();
  const registries = [processMetrics(), registry];
  const counters = createCounters(registry);
  const timings = createTimings(registry);
  const collection = createCollectionMetrics(registry);
  for (const resource of RESOURCES) for (const outcome of POLL_OUTCOMES) counters.polls.inc({ resource, outcome }, 0);
  for (const kind of eventKinds) counters.events.inc({ kind }, 0);
  for (const name of commands) for (const outcome of COMMAND_OUTCOMES) counters.commands.inc({ name, outcome }, 0);
  for (const platform of platforms) {
    for (const outcome of DELIVERY_OUTCOMES) counters.deliveries.inc({ platform, outcome }, 0);
    timings.delivery.zero({ platform });
  }
  addGauges(registry, gauges, () => collection.errors.inc());
  return {
    countPoll(resource, outcome) {
      counters.polls.inc({ resource, outcome });
      if (outcome === "complete") timings.lastCompletePoll.setToCurrentTime({ resource });
    },
    countEvent: (kind) => counters.events.inc({ kind }),
    countDelivery: (platform, outcome) => counters.deliveries.inc({ platform, outcome }),
    observeDeliveryMs(platform, ms) {
      timings.delivery.observe({ platform }, ms / 1_000);
      timings.lastDelivery.setToCurrentTime({ platform });
    },
    countCommand(name, outcome, ms) {
      counters.commands.inc({ name, outcome });
      if (ms !== null) timings.command.observe(ms / 1_000);
    },
    countRequest({ area, status, ms }) {
      counters.requests.inc({ area, code: String(status) });
      if (ms !== null) timings.request.observe({ area }, ms / 1_000);
    },
    page: async () => {
      const all = Registry.merge(registries);
      const startedAt = systemClock.monotonic();
      const text = await all.metrics();
      // Shown by the next page: this one is complete.
      collection.seconds.set((systemClock.monotonic() - startedAt) / 1_000);
      return { contentType: all.contentType, text };
    },
  };
}

interface CollectionMetrics {
  readonly seconds: Gauge;
  readonly errors: Counter;
}

function createCollectionMetrics(registry: Registry): CollectionMetrics {
  const registers = [registry];
  const seconds = new Gauge({
    name: "splitwatch_collection_seconds",
    help: "Time that the previous page of metrics took",
    registers,
  });
  // The first page has none before it.
  seconds.remove();
  return {
    seconds,
    errors: new Counter({
      name: "splitwatch_collection_errors_total",
      help: "Figures that could not be read for a page of metrics",
      registers,
    }),
  };
}

function addGauges(registry: Registry, gauges: Gauges, onError: () => void): void {
  const { outboxPending, dataAgeSeconds, quarantinedDocuments, queuedDocuments, sources } = gauges;
  const add = (name: string, help: string, read: ReadGauge | undefined): void => {
    if (read) addGauge(registry, { name: `splitwatch_${name}`, help, read, onError });
  };
  add("outbox_pending", "Deliveries waiting to be sent", outboxPending);
  add(
    "quarantined_documents",
    "Documents that are not read until they change, because reading them took too much time or memory",
    quarantinedDocuments,
  );
  add("queued_documents", "Documents that wait for the thread that reads them, or are being read", queuedDocuments);
  add("data_age_seconds", "Time since a list of splits was complete and a live source was read", dataAgeSeconds);
  addFigures(registry, {
    name: "splitwatch_destinations",
    help: "Destinations by state: due (deliveries can be sent now) or paused",
    label: "state",
    read: gauges.destinations,
    onError,
  });
  addFigures(registry, {
    name: "splitwatch_platform_up",
    help: "0 if the process can't use the chat platform, for example because its token is rejected; else 1",
    label: "platform",
    read: gauges.platforms,
    onError,
  });
  addFigures(registry, {
    name: "splitwatch_quality_marks",
    help: "Listed splits with inconsistent data, by kind",
    label: "kind",
    read: gauges.qualityWarnings,
    onError,
  });
  if (sources) addSourceMetrics(registry, sources);
}

interface Timings {
  readonly delivery: Histogram<"platform">;
  readonly command: Histogram;
  readonly request: Histogram<"area">;
  readonly lastDelivery: Gauge<"platform">;
  readonly lastCompletePoll: Gauge<"resource">;
}

function createTimings(registry: Registry): Timings {
  const registers = [registry];
  return {
    delivery: new Histogram({
      name: "splitwatch_delivery_seconds",
      help: "Time from the detection of an event until the platform accepted its message",
      labelNames: ["platform"],
      buckets: DELIVERY_SECONDS,
      registers,
    }),
    command: new Histogram({
      name: "splitwatch_command_seconds",
      help: "Time until the answer to a command was made",
      buckets: ANSWER_SECONDS,
      registers,
    }),
    request: new Histogram({
      name: "splitwatch_http_request_seconds",
      help: "Time until an HTTP request was answered, without streams",
      labelNames: ["area"],
      buckets: ANSWER_SECONDS,
      registers,
    }),
    lastDelivery: new Gauge({
      name: "splitwatch_last_delivery_timestamp_seconds",
      help: "Time of the last message that the platform accepted, in seconds since 1970",
      labelNames: ["platform"],
      registers,
    }),
    lastCompletePoll: new Gauge({
      name: "splitwatch_last_complete_poll_timestamp_seconds",
      help: "Time of the last complete poll of this process, in seconds since 1970",
      labelNames: ["resource"],
      registers,
    }),
  };
}

interface Counters {
  readonly polls: Counter<"resource" | "outcome">;
  readonly events: Counter<"kind">;
  readonly deliveries: Counter<"platform" | "outcome">;
  readonly commands: Counter<"name" | "outcome">;
  readonly requests: Counter<"area" | "code">;
}

function createCounters(registry: Registry): Counters {
  const registers = [registry];
  return {
    polls: new Counter({
      name: "splitwatch_polls_total",
      help: "Polls of the data service",
      labelNames: ["resource", "outcome"],
      registers,
    }),
    events: new Counter({
      name: "splitwatch_events_total",
      help: "Detected events",
      labelNames: ["kind"],
      registers,
    }),
    deliveries: new Counter({
      name: "splitwatch_deliveries_total",
      help: "Messages by the outcome of each attempt; those that are given up are counted as failed in addition",
      labelNames: ["platform", "outcome"],
      registers,
    }),
    commands: new Counter({
      name: "splitwatch_commands_total",
      help: "Commands run",
      labelNames: ["name", "outcome"],
      registers,
    }),
    requests: new Counter({
      name: "splitwatch_http_requests_total",
      help: "Answered HTTP requests",
      labelNames: ["area", "code"],
      registers,
    }),
  };
}

interface GaugeParts {
  readonly name: string;
  readonly help: string;
  readonly read: ReadGauge;
  readonly onError: () => void;
}

function addGauge(registry: Registry, { name, help, read, onError }: GaugeParts): void {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await readInTime(read, onError);
      if (value === null) gauge.remove();
      else gauge.set(value);
    },
  });
}

/** Null if the gauge has no value, or can't be read in time. */
async function readInTime<T>(read: () => Promise<T | null> | T | null, onError: () => void): Promise<T | null> {
  const value = Promise.resolve()
    .then(async () => ({ value: await read() }))
    .catch(() => null);
  const result = await settleWithin(value, READ_TIMEOUT_MS, systemClock);
  if (result === null) onError();
  return result?.value ?? null;
}

interface FigureParts {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  readonly read: ReadFigures | undefined;
  readonly onError: () => void;
}

/** Adds a gauge with a label. */
function addFigures(registry: Registry, { name, help, label, read, onError }: FigureParts): void {
  if (read === undefined) return;
  const gauge: Gauge = new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const figures = await readInTime(read, onError);
      gauge.reset();
      for (const [value, figure] of Object.entries(figures ?? {})) gauge.set({ [label]: value }, figure);
    },
  });
}

/** Figures of each source, copied from its status when the metrics are requested. */
function addSourceMetrics(registry: Registry, read: NonNullable<Gauges["sources"]>): void {
  const add = (
    metricClass: typeof Counter | typeof Gauge,
    [name, help]: readonly [string, string],
    readValue: (source: SourceFigures) => number | null,
  ): void => {
    const metric: Counter<"source"> | Gauge<"source"> = new metricClass({
      name: `splitwatch_source_${name}`,
      help,
      labelNames: ["source"],
      registers: [registry],
      collect() {
        metric.reset();
        for (const source of read()) {
          const value = readValue(source);
          if (value !== null) metric.inc({ source: source.name }, value);
        }
      },
    });
  };
  add(Gauge, ["up", "0 if the source is down: its list or its documents can't be read; else 1"], ({ verdict }) =>
    verdict === "waiting" ? null : Number(verdict !== "down"),
  );
  add(
    Counter,
    ["requests_total", "Requests to a source, including those for robots rules"],
    ({ requests }) => requests,
  );
  add(Counter, ["items_total", "New items of a source"], ({ newItemCount }) => newItemCount);
  add(Counter, ["gaps_total", "Number of times that items of a source may have been missed"], ({ gaps }) => gaps);
  add(Gauge, ["last_new_item_timestamp_seconds", "Time of the newest item, in seconds since 1970"], ({ lastNewAt }) =>
    lastNewAt === null ? null : lastNewAt / 1_000,
  );
  addFaultCounter(registry, read);
}

function addFaultCounter(registry: Registry, read: NonNullable<Gauges["sources"]>): void {
  const counter: Counter<"source" | "kind"> = new Counter({
    name: "splitwatch_source_faults_total",
    help: "Failed reads of a source's lists and pages, by kind",
    labelNames: ["source", "kind"],
    registers: [registry],
    collect() {
      counter.reset();
      for (const { name, faults } of read())
        for (const [kind, count = 0] of Object.entries(faults)) counter.inc({ source: name, kind }, count);
    },
  });
}
