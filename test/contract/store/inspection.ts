import { describe, expect, it } from "vitest";
import type { Destination } from "../../../src/domain/alert/destination.ts";
import { DEFAULT_FILTER } from "../../../src/domain/settings/rule.ts";
import type { Ticker } from "../../../src/domain/split/ticker.ts";
import { MINUTE_MS } from "../../../src/domain/time/day.ts";
import type { DeliveriesRequest, Page } from "../../../src/ports/inspection.ts";
import type { Store } from "../../../src/ports/store.ts";
import { ALICE, GENERAL } from "../../support/builders.ts";
import {
  acrossRestart,
  announced,
  attemptOf,
  type CurrentStore,
  commitOne,
  NEWS,
  REF,
  type Restart,
  type Second,
  T0,
} from "../store-builders.ts";

const ALL: DeliveriesRequest = { destination: null, ticker: null, after: null, limit: 50 };
const ACME = "ACME" as Ticker;
const BOLT = "BOLT" as Ticker;

function channel(id: string): Destination {
  return { ...GENERAL, id };
}

async function send(
  store: Store,
  messageId: string,
  parts: { split?: string; ticker?: string; to?: Destination; at: number; sends?: number },
) {
  const event = announced(parts.split ?? messageId, { ticker: parts.ticker ?? "ACME", at: parts.at });
  const delivery = await commitOne(store, event, parts.to ?? GENERAL);
  await store.outbox.saveAttempt(attemptOf(messageId, [delivery], { sends: parts.sends ?? 1 }));
  return event;
}

/** Ids of the items on all pages of this size. */
async function walk<T>(
  read: (after: string | null) => Promise<Page<T>>,
  idOf: (item: T) => string,
): Promise<readonly (readonly string[])[]> {
  const pages: (readonly string[])[] = [];
  let after: string | null = null;
  do {
    const { items, next }: Page<T> = await read(after);
    pages.push(items.map(idOf));
    after = next;
  } while (after !== null);
  return pages;
}

/** Ids of the paused destinations that a search finds. */
async function pausedNamed({ inspection }: Store, destination: string): Promise<readonly string[]> {
  return (await inspection.queues({ ...ALL, destination, state: "paused" })).items.map(({ to }) => to.id);
}

export function describeInspection(use: CurrentStore, restart: Restart, second: Second | undefined): void {
  it("finds destinations by their names and those of their servers, literally and in any case", async () => {
    const names = { c1: ['Trading "desk"', "Acme"], c2: ["100%_news", null], c3: ["name", "Bolt \\ Sons"] } as const;
    for (const [id, [name, place]] of Object.entries(names)) {
      await use().names.put({ to: channel(id), name, place });
      await use().pauses.pause(channel(id), "archived", T0);
    }
    expect(await pausedNamed(use(), 'trading "D')).toEqual(["c1"]);
    expect(await pausedNamed(use(), "acme")).toEqual(["c1"]);
    expect(await pausedNamed(use(), "0%_N")).toEqual(["c2"]);
    expect(await pausedNamed(use(), "%")).toEqual(["c2"]);
    expect(await pausedNamed(use(), "\\ s")).toEqual(["c3"]);
    expect(await pausedNamed(use(), "name")).toEqual(["c3"]);
    expect(await pausedNamed(use(), "place")).toEqual([]);
    expect(await pausedNamed(use(), "C2")).toEqual(["c2"]);
  });

  describe("of settled messages", () => {
    it("returns them newest first, with attempts, outcome and events", async () => {
      const event = await send(use(), "m1", { at: T0, sends: 1 });
      await use().outbox.markSent("m1", REF, T0 + 1);
      const other = await send(use(), "m2", { at: T0, ticker: "BOLT", to: ALICE, sends: 2 });
      await use().outbox.markFailed("m2", "refused", T0 + 2);

      for await (const { inspection } of acrossRestart(use, restart)) {
        expect((await inspection.messages({ ...ALL, failedOnly: false })).items).toEqual([
          {
            messageId: "m2",
            to: ALICE,
            at: T0 + 2,
            end: { kind: "failed", reason: "refused", sends: 2 },
            deliveries: 1,
            events: [other],
          },
          {
            messageId: "m1",
            to: GENERAL,
            at: T0 + 1,
            end: { kind: "sent", ref: REF, sends: 1, blindResends: 0 },
            deliveries: 1,
            events: [event],
          },
        ]);
        const { items: failed } = await inspection.messages({ ...ALL, failedOnly: true });
        expect(failed.map(({ messageId }) => messageId)).toEqual(["m2"]);
      }
    });

    it("returns each once on pages, also if others are added meanwhile", async () => {
      for (let n = 0; n < 7; n += 1) {
        await send(use(), `m${n}`, { at: T0, to: channel(`c${n}`) });
        // Two have the same time.
        await use().outbox.markSent(`m${n}`, REF, T0 + Math.floor(n / 2));
      }
      let added = 0;
      const pages = await walk(
        async (after) => {
          const page = await use().inspection.messages({ ...ALL, failedOnly: false, after, limit: 3 });
          await send(use(), `later${added}`, { at: T0, to: channel(`later${added}`) });
          await use().outbox.markSent(`later${added}`, REF, T0 + 100);
          added += 1;
          return page;
        },
        ({ messageId }) => messageId,
      );
      expect(pages.flat()).toEqual(["m6", "m5", "m4", "m3", "m2", "m1", "m0"]);
      expect(Math.max(...pages.map(({ length }) => length))).toBe(3);
    });

    it("finds those of a destination by a part of its key, and those of a ticker", async () => {
      await send(use(), "m1", { at: T0, to: channel("Desk_1%") });
      await send(use(), "m2", { at: T0, ticker: "BOLT", to: channel("Desk_1%X") });
      await send(use(), "m3", { at: T0, ticker: "BOLT", to: NEWS });
      for (const id of ["m1", "m2", "m3"]) await use().outbox.markFailed(id, "no", T0);
      const found = async (request: Partial<DeliveriesRequest>): Promise<readonly string[]> => {
        const both = await Promise.all(
          [true, false].map((failedOnly) =>
            walk(
              (after) => use().inspection.messages({ ...ALL, ...request, failedOnly, after }),
              ({ messageId }) => messageId,
            ),
          ),
        );
        expect(both[0]).toEqual(both[1]);
        return (both[0] ?? []).flat();
      };
      expect(await found({ destination: "desk_1%" })).toEqual(["m2", "m1"]);
      expect(await found({ destination: "web:channel:NEWS" })).toEqual(["m3"]);
      expect(await found({ destination: "desk", ticker: BOLT })).toEqual(["m2"]);
      expect(await found({ ticker: ACME })).toEqual(["m1"]);
      expect(await found({ destination: "sk.1" })).toEqual([]);
      expect(await found({ ticker: "NONE" as Ticker })).toEqual([]);
    });

    it.each(["nothing", "1:", "-1:2", "99999999999999999999:1", "'; drop table messages"])(
      "returns nothing after the unknown position %s",
      async (after) => {
        await send(use(), "m1", { at: T0 });
        await use().outbox.markSent("m1", REF, T0);
        expect(await use().inspection.messages({ ...ALL, failedOnly: false, after })).toEqual({
          items: [],
          next: null,
        });
      },
    );
  });

  describe("of queues", () => {
    it("returns destinations with waiting deliveries or a pause, with their attempts", async () => {
      const event = await send(use(), "m1", { at: T0, to: channel("b") });
      await use().outbox.saveAttempt(
        attemptOf("m1", [await commitOne(use(), event, channel("b"))], {
          state: "uncertain",
          sends: 2,
          problem: "timeout",
          notBefore: T0 + 5,
        }),
      );
      await use().pauses.pause(channel("a"), "no permission", T0);
      await commitOne(use(), event, channel("c"));
      await use().pauses.pause(channel("c"), "gone", T0, "gone");

      for await (const { inspection } of acrossRestart(use, restart)) {
        const { items: waiting } = await inspection.queues({ ...ALL, state: "waiting" });
        expect(waiting).toEqual([
          {
            to: channel("b"),
            waiting: 1,
            events: [event],
            attempt: { state: "uncertain", sends: 2, notBefore: T0 + 5, problem: "timeout" },
            deferral: null,
            pause: null,
          },
          {
            to: channel("c"),
            waiting: 1,
            events: [event],
            attempt: null,
            deferral: null,
            pause: expect.objectContaining({ reason: "gone" }),
          },
        ]);
        const { items: paused } = await inspection.queues({ ...ALL, state: "paused" });
        expect(paused.map(({ to, waiting: count, pause }) => [to.id, count, pause?.reason, pause?.retryAt])).toEqual([
          ["a", 0, "no permission", T0 + 5 * MINUTE_MS],
          ["c", 1, "gone", T0 + 60 * MINUTE_MS],
        ]);
      }
    });

    it("returns them in pages by key, and finds them by destination and ticker", async () => {
      for (let n = 8; n >= 0; n -= 1) {
        const to = channel(`desk${n}`);
        await commitOne(use(), announced(`s${n}`, { ticker: n % 3 === 0 ? "BOLT" : "ACME" }), to);
        if (n % 2 === 0) await use().pauses.pause(to, "no", T0);
      }
      const { inspection } = use();
      const pages = (request: Partial<DeliveriesRequest>, state: "waiting" | "paused") =>
        walk(
          (after) => inspection.queues({ ...ALL, ...request, state, after, limit: 2 }),
          ({ to }) => to.id.slice(4),
        );
      expect(await pages({}, "waiting")).toEqual([["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"], ["8"]]);
      expect(await pages({}, "paused")).toEqual([["0", "2"], ["4", "6"], ["8"]]);
      expect(await pages({ ticker: BOLT }, "waiting")).toEqual([["0", "3"], ["6"]]);
      expect(await pages({ ticker: BOLT }, "paused")).toEqual([["0", "6"]]);
      expect(await pages({ destination: "DESK5" }, "waiting")).toEqual([["5"]]);
    });
  });

  it("returns the rules of channels in pages by key", async () => {
    const rule = { ...DEFAULT_FILTER, createdBy: ALICE, createdAt: T0, mention: null };
    for (const id of ["c", "b", "a"]) await use().rules.add({ ...rule, destination: channel(id) });
    await use().rules.add({ ...rule, destination: channel("b"), minRatio: 20 });
    await use().rules.add({ ...rule, destination: ALICE });
    await use().rules.remove(channel("c"), [1]);

    for await (const { inspection } of acrossRestart(use, restart)) {
      const first = await inspection.channelRules({ ...ALL, limit: 1 });
      expect(first.items.map(({ to, rules }) => [to, rules.length])).toEqual([[channel("a"), 1]]);
      const { items } = await inspection.channelRules({ ...ALL, after: first.next });
      expect(items.map(({ to, rules }) => [to, rules.map(({ number, minRatio }) => [number, minRatio])])).toEqual([
        [
          channel("b"),
          [
            [1, null],
            [2, 20],
          ],
        ],
      ]);
      expect((await inspection.channelRules({ ...ALL, destination: "channel:B" })).items).toEqual(items);
    }
  });

  it("returns the processes with their roles and jobs", async () => {
    const other = await second?.();
    const stop = use().jobs.lead("poll", async () => ({ stop: () => Promise.resolve() }));
    await expect
      .poll(() =>
        use()
          .inspection.processes()
          .then(([first]) => first?.jobs),
      )
      .toEqual(["poll"]);
    const processes = await use().inspection.processes();
    expect(processes.map(({ isThis, roles, jobs }) => [isThis, roles, jobs])).toEqual([
      [true, ["poll", "deliver"], ["poll"]],
      ...(other ? [[false, null, []]] : []),
    ]);
    expect(processes[0]?.holder).toMatch(/\w/);
    await stop();
    await expect
      .poll(() =>
        use()
          .inspection.processes()
          .then(([first]) => first?.jobs),
      )
      .toEqual([]);
  });
}
