import { describe, expect, it } from "vitest";
import { pageWithEveryMetric } from "../../test/support/metrics-page.ts";
import { metricProblems } from "../../test/support/promlint.ts";
import { createLog } from "./log.ts";
import { createMetrics } from "./metrics.ts";

async function loggedLines(): Promise<readonly number[]> {
  const { text } = await createMetrics().page();
  return ["info", "error"].map((level) =>
    Number(new RegExp(`^splitwatch_log_lines_total\\{level="${level}"\\} (\\d+)$`, "m").exec(text)?.[1]),
  );
}

describe("createMetrics", () => {
  it("counts polls, events, deliveries and commands under their names", async () => {
    const metrics = createMetrics();
    metrics.countPoll("splits", "complete");
    metrics.countPoll("splits", "complete");
    metrics.countPoll("articles", "failed");
    metrics.countEvent("announced");
    metrics.countDelivery("web", "sent");
    metrics.countCommand("watch", "ok", 20);
    metrics.countCommand("unknown", "usage", null);
    metrics.countRequest({ area: "v1", status: 200, ms: 3 });
    metrics.countRequest({ area: "api", status: 200, ms: null });
    const { text } = await metrics.page();
    expect(text).toContain('splitwatch_polls_total{resource="splits",outcome="complete"} 2\n');
    expect(text).toContain('splitwatch_polls_total{resource="articles",outcome="failed"} 1\n');
    expect(text).toContain('splitwatch_events_total{kind="announced"} 1\n');
    expect(text).toContain('splitwatch_deliveries_total{platform="web",outcome="sent"} 1\n');
    expect(text).toContain('splitwatch_commands_total{name="watch",outcome="ok"} 1\n');
    expect(text).toContain("splitwatch_command_seconds_count 1\n");
    expect(text).toContain('splitwatch_http_requests_total{area="api",code="200"} 1\n');
    expect(text).toMatch(/^splitwatch_http_request_seconds_count\{area="v1"\} 1$/m);
    expect(text).not.toContain('splitwatch_http_request_seconds_count{area="api"}');
  });

  it("shows counts that are known to be possible as 0 before they happen", async () => {
    const metrics = createMetrics({}, { platforms: ["slack"], eventKinds: ["announced"], commands: ["watch"] });
    const { text } = await metrics.page();
    for (const series of [
      'polls_total{resource="articles",outcome="suspicious"}',
      'events_total{kind="announced"}',
      'deliveries_total{platform="slack",outcome="sent_blind"}',
      'commands_total{name="watch",outcome="failed"}',
      'delivery_seconds_count{platform="slack"}',
      "collection_errors_total",
    ])
      expect(text).toContain(`splitwatch_${series} 0\n`);
  });

  it("shows when a poll was last complete and a message was last sent", async () => {
    const metrics = createMetrics();
    const before = Date.now() / 1_000;
    metrics.countPoll("splits", "complete");
    metrics.countPoll("articles", "failed");
    metrics.observeDeliveryMs("web", 1);
    const { text } = await metrics.page();
    for (const series of [
      'last_complete_poll_timestamp_seconds{resource="splits"}',
      'last_delivery_timestamp_seconds{platform="web"}',
    ]) {
      const line = text.split("\n").find((one) => one.startsWith(`splitwatch_${series}`));
      expect(Number(line?.split(" ")[1])).toBeGreaterThanOrEqual(Math.floor(before));
    }
    expect(text).not.toContain('timestamp_seconds{resource="articles"}');
  });

  it("counts figures that can't be read, measures the page, and names the version", async () => {
    const metrics = createMetrics({
      outboxPending: () => Promise.reject(new Error("the store is closed")),
      dataAgeSeconds: () => null,
    });
    await metrics.page();
    const { text } = await metrics.page();
    expect(text).toMatch(/^splitwatch_collection_errors_total [12]$/m);
    expect(text).toMatch(/^splitwatch_collection_seconds 0\.\d+/m);
    expect(text).toMatch(/^splitwatch_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
  });

  it("counts the lines of the log by level", async () => {
    const [info = Number.NaN, error = Number.NaN] = await loggedLines();
    const log = createLog({ level: "warn", format: "json", secrets: [], destination: { write: () => true } });
    log.info("below the level");
    log.error("delivery failed");
    expect(await loggedLines()).toEqual([info, error + 1]);
  });

  it("measures deliveries in seconds", async () => {
    const metrics = createMetrics();
    metrics.observeDeliveryMs("web", 1_500);
    const { text } = await metrics.page();
    expect(text).toContain('splitwatch_delivery_seconds_sum{platform="web"} 1.5\n');
    expect(text).toContain('splitwatch_delivery_seconds_bucket{le="1",platform="web"} 0\n');
    expect(text).toContain('splitwatch_delivery_seconds_bucket{le="2.5",platform="web"} 1\n');
  });

  it("reads the gauges on each request", async () => {
    let pending = 3;
    const metrics = createMetrics({ outboxPending: () => pending, dataAgeSeconds: () => Promise.resolve(12.5) });
    expect((await metrics.page()).text).toContain("splitwatch_outbox_pending 3\n");
    pending = 4;
    const { text } = await metrics.page();
    expect(text).toContain("splitwatch_outbox_pending 4\n");
    expect(text).toContain("splitwatch_data_age_seconds 12.5\n");
  });

  it("omits a gauge without a value and shows all others", async () => {
    let age: number | null = 7;
    const metrics = createMetrics({
      outboxPending: () => Promise.reject(new Error("the store is closed")),
      dataAgeSeconds: () => age,
    });
    await metrics.page();
    age = null;
    const { text } = await metrics.page();
    expect(text).not.toMatch(/^splitwatch_data_age_seconds /m);
    expect(text).not.toMatch(/^splitwatch_outbox_pending /m);
    expect(text).toContain("# TYPE splitwatch_outbox_pending gauge\n");
  });

  it("shows the figures of each source, and omits what is unknown", async () => {
    const read = { verdict: "up", requests: 12, faults: { refused: 2 }, newItemCount: 40, gaps: 1, lastNewAt: 1_500 };
    const unread = { verdict: "waiting", requests: 0, faults: {}, newItemCount: 0, gaps: 0, lastNewAt: null };
    const sources = [
      { name: "newsfile", ...read },
      { name: "nyse", ...unread, verdict: "down" },
      { name: "finra", ...unread },
    ];
    const metrics = createMetrics({ sources: () => sources });
    await metrics.page();
    const { text } = await metrics.page();
    expect(text.split("\n").filter((line) => line.startsWith("splitwatch_source_"))).toEqual([
      'splitwatch_source_up{source="newsfile"} 1',
      'splitwatch_source_up{source="nyse"} 0',
      'splitwatch_source_requests_total{source="newsfile"} 12',
      'splitwatch_source_requests_total{source="nyse"} 0',
      'splitwatch_source_requests_total{source="finra"} 0',
      'splitwatch_source_items_total{source="newsfile"} 40',
      'splitwatch_source_items_total{source="nyse"} 0',
      'splitwatch_source_items_total{source="finra"} 0',
      'splitwatch_source_gaps_total{source="newsfile"} 1',
      'splitwatch_source_gaps_total{source="nyse"} 0',
      'splitwatch_source_gaps_total{source="finra"} 0',
      'splitwatch_source_last_new_item_timestamp_seconds{source="newsfile"} 1.5',
      'splitwatch_source_faults_total{source="newsfile",kind="refused"} 2',
    ]);
  });

  it("counts splits per quality mark, and omits the counts if unknown", async () => {
    let warnings: Promise<Record<string, number>> = Promise.resolve({ "two-rows": 2, "ratio-equal": 0 });
    const metrics = createMetrics({ qualityWarnings: () => warnings });
    const { text } = await metrics.page();
    expect(text).toContain('splitwatch_quality_marks{kind="two-rows"} 2\n');
    expect(text).toContain('splitwatch_quality_marks{kind="ratio-equal"} 0\n');
    warnings = Promise.reject(new Error("the store is closed"));
    expect((await metrics.page()).text).not.toContain("splitwatch_quality_marks{");
  });

  it("includes process metrics in the Prometheus text format", async () => {
    const { text, contentType } = await createMetrics().page();
    expect(text).toMatch(/^process_cpu_seconds_total \d/m);
    expect(text).toMatch(/^nodejs_version_info\{/m);
    expect(contentType).toBe("text/plain; version=0.0.4; charset=utf-8");
  });

  it("counts separately from other instances, and shares the metrics of the process", async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.countEvent("missing");
    expect((await other.page()).text).not.toContain('kind="missing"');
    for (const metrics of [one, other]) expect((await metrics.page()).text).toMatch(/^process_cpu_seconds_total \d/m);
  });
});

describe("the metrics page", () => {
  it("follows the rules of promtool", async () => {
    const page = await pageWithEveryMetric();
    expect(page.match(/^# TYPE /gm)?.length).toBeGreaterThan(30);
    expect(metricProblems(page)).toEqual([]);
  });

  it.each([
    [
      "# HELP a_total Handles.\n# TYPE a_total gauge\na_total 1\n",
      'a_total: non-counter metrics should not have "_total" suffix',
    ],
    ["# HELP a Polls.\n# TYPE a counter\na 1\n", 'a: counter metrics should have "_total" suffix'],
    ["# HELP a \n# TYPE a gauge\na 1\n", "a: no help text"],
    ["# HELP a_ms Age.\n# TYPE a_ms gauge\na_ms 1\n", "a_ms: names should use base units, unabbreviated"],
    [
      "# HELP a_count Rules.\n# TYPE a_count gauge\na_count 1\n",
      "a_count: only histograms and summaries should have a suffix of theirs",
    ],
    ['# HELP a Age.\n# TYPE a gauge\na{sourceName="x"} 1\n', "a: names should not be in camelCase"],
    ['# HELP a Age.\n# TYPE a gauge\na{le="1"} 1\n', "a: only histograms should have the label le"],
  ])("would break them with %j", (page, problem) => {
    expect(metricProblems(page)).toEqual([problem]);
  });
});
