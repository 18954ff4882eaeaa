import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "../ports/metrics.ts";
import { settleWithin, systemClock } from "./clock.ts";

/** Gauges that are read when the metrics are requested. A null, a failure or a delay of two seconds omits the gauge. */
export interface Gauges {
  readonly outboxPending?: ReadGauge;
  readonly dataAgeSeconds?: ReadGauge;
  readonly quarantinedDocuments?: ReadGauge;
  /** Number of listed splits by quality warning. */
  readonly qualityWarnings?: () => Promise<Readonly<Record<string, number>>>;
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

/** Time for reading a gauge: a database that doesn't answer omits its gauges, and the other metrics are served. */
const READ_TIMEOUT_MS = 2_000;

export interface MetricsPage extends Metrics {
  /** All metrics in the Prometheus text format. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Histogram buckets: from an immediate delivery to one delayed for a day. */
const DELIVERY_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400];

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
  }
  return processRegistry;
}

/** Metrics in a separate registry, so that several apps in one process are counted separately. */
export function createMetrics(gauges: Gauges = {}): MetricsPage {
  const registry = new Registry();
  const registries = [processMetrics(), registry];
  const counters = createCounters(registry);
  const deliverySeconds = new Histogram({
    name: "splitwatch_delivery_seconds",
    help: "Time from the detection of an event until the platform accepted its message",
    labelNames: ["platform"],
    buckets: DELIVERY_SECONDS,
    registers: [registry],
  });
  const { outboxPending, dataAgeSeconds, quarantinedDocuments, qualityWarnings, sources } = gauges;
  if (outboxPending) {
    addGauge(registry, "splitwatch_outbox_pending", "Deliveries waiting to be sent", outboxPending);
  }
  if (quarantinedDocuments) {
    const help = "Documents that are not read until they change, because reading them took too much time or memory";
    addGauge(registry, "splitwatch_quarantined_documents", help, quarantinedDocuments);
  }
  if (dataAgeSeconds) {
    addGauge(
      registry,
      "splitwatch_data_age_seconds",
      "Time since a list of splits was complete and a live source was read",
      dataAgeSeconds,
    );
  }
  if (qualityWarnings) addWarningsGauge(registry, qualityWarnings);
  if (sources) addSourceMetrics(registry, sources);
  return {
    countPoll: (resource, outcome) => counters.polls.inc({ resource, outcome }),
    countEvent: (kind) => counters.events.inc({ kind }),
    countDelivery: (platform, outcome) => counters.deliveries.inc({ platform, outcome }),
    observeDeliveryMs: (platform, ms) => deliverySeconds.observe({ platform }, ms / 1_000),
    countCommand: (name, outcome) => counters.commands.inc({ name, outcome }),
    page: async () => {
      const all = Registry.merge(registries);
      return { contentType: all.contentType, text: await all.metrics() };
    },
  };
}

interface Counters {
  readonly polls: Counter<"resource" | "outcome">;
  readonly events: Counter<"kind">;
  readonly deliveries: Counter<"platform" | "outcome">;
  readonly commands: Counter<"name" | "outcome">;
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
      help: "Deliveries by outcome",
      labelNames: ["platform", "outcome"],
      registers,
    }),
    commands: new Counter({
      name: "splitwatch_commands_total",
      help: "Commands run",
      labelNames: ["name", "outcome"],
      registers,
    }),
  };
}

function addGauge(registry: Registry, name: string, help: string, read: ReadGauge) {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await readInTime(read);
      if (value === null) gauge.remove();
      else gauge.set(value);
    },
  });
}

/** Null if the gauge can't be read in time. */
function readInTime<T>(read: () => Promise<T | null> | T | null): Promise<T | null> {
  const value = Promise.resolve()
    .then(read)
    .catch(() => null);
  return settleWithin(value, READ_TIMEOUT_MS, systemClock);
}

function addWarningsGauge(registry: Registry, read: NonNullable<Gauges["qualityWarnings"]>): void {
  const gauge: Gauge<"kind"> = new Gauge({
    name: "splitwatch_quality_marks",
    help: "Listed splits with inconsistent data, by kind",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      const counts = await readInTime(read);
      gauge.reset();
      for (const [kind, count] of Object.entries(counts ?? {})) gauge.set({ kind }, count);
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
