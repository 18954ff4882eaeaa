import { afterEach, beforeEach, expect, it } from "vitest";
import { WIRES } from "../../src/domain/article/wire.ts";
import { HOUR_MS } from "../../src/domain/time/day.ts";
import { splitRelease, WiresHarness } from "../newswires/wires-harness.ts";
import { faults } from "../support/http-faults.ts";
import { readMetric } from "../support/web-chat-client.ts";

const NO_SOURCE = "0 of 5 split sources can be read; no route, DNS or proxy? HTTPS_PROXY is not set";

let app: WiresHarness;

beforeEach(async () => {
  app = await WiresHarness.open("auto");
});

afterEach(() => app.close());

function breakAll(): void {
  for (const wire of WIRES) app.wires[wire].break("feed", faults.breaksOff());
}

async function serviceReadiness(): Promise<{ readonly status: number; readonly problems: readonly string[] }> {
  const response = await fetch(`${app.address}/readyz`);
  const { problems } = (await response.json()) as { readonly problems: readonly string[] };
  return { status: response.status, problems };
}

it("the data service alone isn't ready while no source can be read, and is ready as soon as one can", async () => {
  breakAll();
  await app.start({}, "service");
  await app.until("the problem is known", async () => (await serviceReadiness()).problems.join().includes(NO_SOURCE));
  expect((await serviceReadiness()).status).toBe(503);
  expect((await fetch(`${app.address}/healthz`)).status).toBe(200);
  app.clock.skip(HOUR_MS);
  expect(await readMetric(app.address, "splitwatch_data_age_seconds")).toBeGreaterThan(3_600);

  app.wires.newsfile.publish(splitRelease("ALON", { id: "9000" }));
  app.wires.newsfile.break("feed", null);
  await app.until("the service is ready", async () => {
    app.clock.skip(60_000);
    return (await serviceReadiness()).status === 200;
  });
  expect(await readMetric(app.address, "splitwatch_data_age_seconds")).toBeLessThan(600);
});

it("hours after a good start, the last readable source goes down: nothing is ready, each answer says so, until one recovers", async () => {
  app.wires.prnewswire.publish(splitRelease("GOOD", { id: "100" }));
  await app.start();
  await app.waitForPoll();
  await app.until("the split is listed", async () => (await app.runCommand("list when:all")).rows.length === 1);
  expect((await app.readiness()).checks.source?.ok).toBe(true);

  breakAll();
  app.clock.skip(HOUR_MS);
  await app.until("no source can be read", async () => (await app.readiness()).checks.source?.ok === false);
  const { ready, checks } = await app.readiness();
  expect({ ready, detail: checks.source?.detail }).toEqual({
    ready: false,
    detail: expect.stringMatching(
      /^0 of 5 split sources can be read; no route, .*; last read at 2026-03-02 \d\d:\d\d UTC$/,
    ),
  });
  expect(checks.sources?.detail).toMatch(/^5 of 5 sources are down: PR Newswire, /);
  const list = await app.runCommand("list when:all");
  expect([list.tone, list.rows.length, list.lines.at(-1)]).toEqual(["warning", 1, expect.stringContaining(NO_SOURCE)]);
  expect((await app.runCommand("show NONE")).lines.join(" ")).not.toContain("doesn't list one");
  expect(await app.runCommand("status")).toMatchObject({ tone: "bad" });

  for (const wire of WIRES) app.wires[wire].break("feed", null);
  app.clock.skip(HOUR_MS);
  await app.until("a source can be read", async () => (await app.readiness()).checks.source?.ok === true);
  expect((await app.runCommand("list when:all")).lines.join(" ")).not.toContain("can't be read");
});
