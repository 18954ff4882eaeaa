import { readFileSync } from "node:fs";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { anyEvents } from "../../../test/support/any-event.ts";
import { aRecord, day } from "../../../test/support/builders.ts";
import type { Announced, EventId } from "../../domain/alert/event.ts";
import { NO_EVIDENCE } from "../../domain/alert/event.ts";
import type { SplitId } from "../../domain/split/split.ts";
import { eventCard } from "../../messages/alerts/event-card.ts";
import { renderMessage, webhookBodySchema } from "./message.ts";
import { destinationOf } from "./settings.ts";

const CONTEXT = {
  now: Date.parse("2026-03-02T14:00:00Z"),
  today: day("2026-03-02"),
  timezone: "America/New_York",
  expireAfterMs: 86_400_000,
};

function announced(parts: Parameters<typeof aRecord>[0] = {}): Announced {
  const record = aRecord(parts);
  const id = `${record.ticker}.1` as EventId;
  const splitId = record.ticker as string as SplitId;
  return {
    kind: "announced",
    id,
    at: CONTEXT.now,
    sample: false,
    splitId,
    record,
    ...NO_EVIDENCE,
    alreadyEffective: false,
  };
}

function render(...events: Parameters<typeof eventCard>[0][]): ReturnType<typeof renderMessage> {
  const cards = events.map((event) => eventCard(event, CONTEXT));
  return renderMessage({ messageId: "m-1", to: destinationOf("crm"), cards, events, mentions: [] });
}

describe("the body of a webhook message", () => {
  it("is described by docs/webhook.schema.json", async () => {
    const schema = z.toJSONSchema(webhookBodySchema, { target: "draft-2020-12" });
    await expect(`${JSON.stringify(schema, null, 2)}\n`).toMatchFileSnapshot("../../../docs/webhook.schema.json");
  });

  it("contains every term of a split", () => {
    const { body, cardCount } = render(announced({ ratio: "10:77" }));
    expect(cardCount).toBe(1);
    expect(body).toMatchObject({ type: "alerts", version: 1, id: "m-1", timestamp: "2026-03-02T14:00:00.000Z" });
    expect(body.data.alerts[0]).toMatchObject({
      id: "ACME.1",
      kind: "announced",
      test: false,
      tickers: ["ACME"],
      exchanges: ["NASDAQ"],
      splits: [
        {
          ticker: "ACME",
          exchange: "NASDAQ",
          company: "Acme Robotics Inc.",
          ratio: "10:77",
          ratio_name: "1-for-7.7",
          old_per_new: 7.7,
          ratio_as_received: "10:77",
          ex_date: "2026-03-10",
          last_trading_day: "2026-03-09",
          date_announced: "2026-02-27",
        },
      ],
      fractional: null,
      release: null,
    });
  });

  it("states nothing about a ratio that can't be read, except its text", () => {
    const [split] = render(announced({ ratio: "one for two" })).body.data.alerts[0]?.splits ?? [];
    expect(split).toMatchObject({ ratio: null, ratio_name: null, old_per_new: null, ratio_as_received: "one for two" });
  });

  it("marks tests", () => {
    const test = { kind: "test", id: "t" as EventId, at: CONTEXT.now, sample: false, askedBy: "ada" } as const;
    expect(render(test).body.data.alerts).toMatchObject([{ kind: "test", test: true, labels: ["TEST"], splits: [] }]);
  });

  it("has the documented form for events of every kind", () => {
    fc.assert(
      fc.property(anyEvents, (events) => {
        const { body, cardCount } = render(...events);
        expect(cardCount).toBe(events.length);
        expect(webhookBodySchema.parse(JSON.parse(JSON.stringify(body)))).toEqual(body);
        expect(body.data.alerts.map(({ kind }) => kind)).toEqual(events.map(({ kind }) => kind));
      }),
      { numRuns: 30 },
    );
  });

  it("has the form of the example in the README", () => {
    const readme = readFileSync(new URL("README.md", import.meta.url), "utf8");
    const example = JSON.parse(/```json\n([\s\S]*?)```/.exec(readme)?.[1] ?? "") as z.infer<typeof webhookBodySchema>;
    const full = render(announced()).body;
    const [alert] = full.data.alerts;
    const [split] = alert?.splits ?? [];
    const [shortened] = example.data.alerts;
    const completed = { ...alert, ...shortened, splits: [{ ...split, ...shortened?.splits[0] }] };
    expect(webhookBodySchema.parse({ ...full, ...example, data: { alerts: [completed] } })).toBeDefined();
    expect(shortened?.title).toBe(alert?.title);
  });

  it("ends before a hundred kilobytes more than its limit, and leaves the other alerts to the next message", () => {
    const events = Array.from({ length: 100 }, (_, index) =>
      announced({ ticker: `T${String.fromCharCode(65 + (index % 26))}`, company: `${index} ${"é".repeat(4_000)}` }),
    );
    const cards = events.map((event) => ({ ...eventCard(event, CONTEXT), lines: Array(20).fill("x".repeat(3_000)) }));
    const { body, cardCount } = renderMessage({
      messageId: "m-1",
      to: destinationOf("crm"),
      cards,
      events,
      mentions: [],
    });
    expect(cardCount).toBeGreaterThan(1);
    expect(cardCount).toBeLessThan(100);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThan(300_000);
  });
});
