import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";
import type { Metrics } from "../ports/metrics.ts";

/** What is looked up when somebody asks. Null, or a failure: there is no figure now, and none is shown. */
export interface Gauges {
  readonly outboxPending?: LookUp;
  readonly dataAgeSeconds?: LookUp;
  /** By kind of mark: how many listed splits have it. */
  readonly qualityMarks?: () => Promise<Readonly<Record<string, number>>>;
}

type LookUp = () => Promise<number | null> | number | null;

export interface MetricsPage extends Metrics {
  /** All figures in the text form of Prometheus. */
  page(): Promise<{ readonly contentType: string; readonly text: string }>;
}

/** From a delivery at once to one that an outage held up for a day. */
const DELIVERY_SECONDS = [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 3_600, 21_600, 86_400];

/** A set of figures of its own, so that several apps in one process do not count together. */
export function createMetrics(gauges: Gauges = {}): MetricsPage {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const count = createCounters(registry);
  const deliverySeconds = new Histogram({
    name: "splitwatch_delivery_seconds",
    help: "Time from an event being seen to the platform's word that its message is posted",
    labelNames: ["platform"],
    buckets: DELIVERY_SECONDS,
    registers: [registry],
  });
  const { outboxPending, dataAgeSeconds, qualityMarks } = gauges;
  if (outboxPending) {
    addGauge(registry, "splitwatch_outbox_pending", "Deliveries that wait to be sent", outboxPending);
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
      help: "Events seen",
      labelNames: ["kind"],
      registers,
    }),
    deliveries: new Counter({
      name: "splitwatch_deliveries_total",
      help: "Deliveries by what became of them",
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

function addGauge(registry: Registry, name: string, help: string, look: LookUp) {
  const gauge: Gauge = new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const figure = await Promise.resolve()
        .then(look)
        .catch(() => null);
      if (figure === null) gauge.remove();
      else gauge.set(figure);
    },
  });
}

function addMarksGauge(registry: Registry, look: NonNullable<Gauges["qualityMarks"]>): void {
  const gauge: Gauge<"kind"> = new Gauge({
    name: "splitwatch_quality_marks",
    help: "Listed splits about which something is odd, by what it is",
    labelNames: ["kind"],
    registers: [registry],
    async collect() {
      const counts = await look().catch(() => null);
      gauge.reset();
      for (const [kind, count] of Object.entries(counts ?? {})) gauge.set({ kind }, count);
    },
  });
}
