import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "../ports/metrics.ts";

/** Gauges that are read when the metrics are requested. A null or a failure omits the gauge. */
export interface Gauges {
  readonly outboxPending?: ReadGauge;
  readonly dataAgeSeconds?: ReadGauge;
  /** Listed splits per kind of quality mark. */
  readonly qualityMarks?: () => Promise<Readonly<Record<string, number>>>;
}

type ReadGauge = () => Promise<number | null> | number | null;

export interface MetricsPage extends Metrics {
  /** All metrics in the Prometheus text format. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** Histogram buckets: from an immediate delivery to one delayed for a day. */
const DELIVERY_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400];

/** Metrics with a registry of their own, so that several apps in one process are counted separately. */
export function createMetrics(gauges: Gauges = {}): MetricsPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const count = createCounters(registry);
  const deliverySeconds = new Histogram({
    name: "splitwatch_delivery_seconds",
    help: "Time from the detection of an event until the platform accepted its message",
    labelNames: ["platform"],
    buckets: DELIVERY_SECONDS,
    registers: [registry],
  });
  const { outboxPending, dataAgeSeconds, qualityMarks } = gauges;
  if (outboxPending) {
    addGauge(registry, "splitwatch_outbox_pending", "Deliveries waiting to be sent", outboxPending);
  }
  if (dataAgeSeconds) {
    addGauge(registry, "splitwatch_data_age_seconds", "Age of the last complete list of splits", dataAgeSeconds);
  }
  if (qualityMarks) addMarksGauge(registry, qualityMarks);
  return {
    polled: (resource, outcome) => count.polls.inc({ resource, outcome }),
    eventSeen: (kind) => count.events.inc({ kind }),
    delivered: (platform, outcome) => count.deliveries.inc({ platform, outcome }),
    deliveryTook: (platform, ms) => deliverySeconds.observe({ platform }, ms / 1_000),
    commandRan: (name, outcome) => count.commands.inc({ name, outcome }),
    page: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
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
      const figure = await Promise.resolve()
        .then(read)
        .catch(() => null);
      if (figure === null) gauge.remove();
      else gauge.set(figure);
    },
  });
}

function addMarksGauge(registry: Registry, read: NonNullable<Gauges["qualityMarks"]>): void {
  const gauge: Gauge<"kind"> = new Gauge({
    name: "splitwatch_quality_marks",
    help: "Listed splits with inconsistent data, by kind",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      const counts = await read().catch(() => null);
      gauge.reset();
      for (const [kind, count] of Object.entries(counts ?? {})) gauge.set({ kind }, count);
    },
  });
}
