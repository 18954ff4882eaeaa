import { describe, expect, it } from "vitest";
import {
  announced,
  attemptOf,
  claimAll,
  commitOne,
  deliveryOf,
  listedSplit,
  patchOf,
  REF,
  splitId,
  T0,
} from "../../../../test/contract/store-builders.ts";
import { GENERAL } from "../../../../test/support/builders.ts";
import { freshDatabase } from "../../../../test/support/postgres.ts";
import { expectConsistentAlerts } from "../../../../test/support/postgres-consistency.ts";
import { openBehindProxy, type PostgresProcess } from "../../../../test/support/postgres-process.ts";
import type { ProxyDecision } from "../../../../test/support/tcp-proxy.ts";
import { type Claim, StoreError } from "../../../ports/store.ts";

interface Interrupted extends PostgresProcess {
  readonly url: string;
  /** Runs work while the proxy decides so about bytes that contain the text, once. */
  readonly during: <T>(decision: ProxyDecision, text: string, work: () => Promise<T>) => Promise<T>;
}

/** A process whose connections can be interrupted. */
async function openInterrupted(): Promise<Interrupted> {
  const url = await freshDatabase();
  const { proxy, ...opened } = await openBehindProxy(url);
  return {
    ...opened,
    url,
    async during(decision, text, work) {
      let decided = 0;
      proxy.decide = (bytes) => {
        if (decided > 0 || !bytes.includes(text)) return "forward";
        decided += 1;
        return decision;
      };
      const result = await work().finally(() => {
        proxy.decide = () => "forward";
      });
      expect(decided).toBe(1);
      return result;
    },
  };
}

/** Repeats the claims until they are these: the server may still have the queue of a lost connection. */
async function expectClaims(process: PostgresProcess, expected: readonly Claim[]): Promise<void> {
  await expect.poll(() => claims(process)).toEqual(expected);
}

const CLAIMED: readonly Claim[] = [{ to: GENERAL, attempt: null, slotAt: null }];

function claims({ store }: PostgresProcess): Promise<readonly Claim[]> {
  return claimAll(store);
}

async function resultOf(work: Promise<void>): Promise<"done" | "failed"> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    return "failed";
  }
}

/** The connection is lost before the statement reaches the database, or after it was executed. */
const LOSSES = ["cut", "swallow-answer"] as const;

describe.each(LOSSES)("when the connection is lost (%s)", (loss) => {
  /** A commit whose answer is lost is looked up; what was interrupted before is rolled back. */
  const committed = loss === "cut" ? "failed" : "done";

  it("a claim is made again", async () => {
    const one = await openInterrupted();
    await commitOne(one.store, announced("s1"));
    await expect(one.during(loss, 'set "holder"', () => claims(one))).rejects.toThrow(StoreError);
    await expectClaims(one, CLAIMED);
    expect(await claims(one)).toEqual([]);
  });

  it("a claim is made or not when it is being committed", async () => {
    const one = await openInterrupted();
    await commitOne(one.store, announced("s1"));
    let made: readonly Claim[] = [];
    const result = await resultOf(
      one.during(loss, "commit", async () => {
        made = await claims(one);
      }),
    );
    expect([result, made.length]).toEqual([committed, result === "done" ? 1 : 0]);
    await expectClaims(one, result === "done" ? [] : CLAIMED);
  });

  it.each(['set "holder"', "commit"])(
    "a destination whose release is interrupted at %s is claimed again",
    async (text) => {
      const one = await openInterrupted();
      await commitOne(one.store, announced("s1"));
      await claims(one);
      const result = await resultOf(one.during(loss, text, () => one.store.claims.release(GENERAL)));
      expect(result).toBe(text === "commit" ? committed : "failed");
      await expectClaims(one, CLAIMED);
    },
  );

  it.each([
    { saving: 'insert into "attempts"', settling: 'insert into "messages"', expected: "failed" },
    { saving: "commit", settling: "commit", expected: committed },
  ])("an attempt is saved whole or not at all at $saving, and can be saved and settled again", async (points) => {
    const one = await openInterrupted();
    const { outbox } = one.store;
    const event = announced("s1");
    const delivery = await commitOne(one.store, event);
    const attempt = attemptOf("m1", [delivery], { state: "sending", sends: 1 });
    const saved = await resultOf(one.during(loss, points.saving, () => outbox.saveAttempt(attempt)));
    expect(saved).toBe(points.expected);
    expect(await outbox.waiting([GENERAL])).toMatchObject([{ attemptState: saved === "failed" ? null : "sending" }]);
    await outbox.saveAttempt(attempt);

    const settled = await resultOf(
      one.during(loss, points.settling, async () => {
        await outbox.markSent("m1", REF, T0);
      }),
    );
    expect(settled).toBe(points.expected);
    expect(await outbox.waitingCount()).toBe(settled === "failed" ? 1 : 0);
    expect(await outbox.markSent("m1", REF, T0)).toEqual([event]);
    await expectConsistentAlerts(one.url);
  });

  it("a commit fails without a trace, or succeeds", async () => {
    const one = await openInterrupted();
    const event = announced("s1");
    const change = {
      patch: patchOf({ splits: [listedSplit("s1")] }),
      events: [event],
      deliveries: [deliveryOf(event)],
    };
    const result = await resultOf(one.during(loss, "commit", () => one.store.snapshot.commit(change)));
    const { splits } = await one.store.snapshot.read();
    expect([result, splits.size]).toEqual(loss === "cut" ? ["failed", 0] : ["done", 1]);
    if (result === "failed") await one.store.snapshot.commit(change);
    expect((await one.store.snapshot.read()).splits.size).toBe(1);
    expect(await one.store.history.forSplit(splitId("s1"))).toEqual([event]);
    expect(await one.store.outbox.waitingCount()).toBe(1);
    await one.store.snapshot.commit({ ...change, patch: patchOf({ removedSplits: [splitId("s1")] }) });
    expect(await one.store.outbox.waitingCount()).toBe(1);
  });

  it("a refusal counts once", async () => {
    const one = await openInterrupted();
    const result = await resultOf(one.during(loss, "commit", () => one.store.pauses.pause(GENERAL, "no", T0)));
    const pause = await one.store.pauses.of(GENERAL);
    expect([result, pause?.refusals]).toEqual(loss === "cut" ? ["failed", undefined] : ["done", 1]);
  });
});

it("a commit whose answer is lost is looked up again if the look-up is interrupted too", async () => {
  const { store, proxy } = await openBehindProxy(await freshDatabase());
  const decisions: [text: string, decision: ProxyDecision][] = [
    ["commit", "swallow-answer"],
    ["pg_xact_status", "cut"],
    ["pg_xact_status", "swallow-answer"],
  ];
  proxy.decide = (bytes) => {
    const [next] = decisions;
    if (next === undefined || !bytes.includes(next[0])) return "forward";
    decisions.shift();
    return next[1];
  };
  await store.snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] });
  expect(decisions).toEqual([]);
  expect((await store.snapshot.read()).splits.size).toBe(1);
});

/** More than the messages that an alert takes from its commit to its release. */
const STEPS = 40;

it.each(LOSSES)(
  "an interruption (%s) at any step of an alert ends no process, loses and doubles nothing",
  async (loss) => {
    const url = await freshDatabase();
    const { store, proxy } = await openBehindProxy(url);
    let interrupted = 0;
    for (let step = 1; step <= STEPS; step += 1) {
      let messages = 0;
      proxy.decide = () => {
        messages += 1;
        if (messages !== step) return "forward";
        interrupted += 1;
        return loss;
      };
      const event = announced(`s${step}`);
      const delivery = deliveryOf(event);
      const attempt = attemptOf(`m${step}`, [delivery], { state: "sending", sends: 1 });
      await untilDone(() => store.snapshot.commit({ patch: null, events: [event], deliveries: [delivery] }));
      await untilDone(async () => void (await store.claims.claim(GENERAL)));
      await untilDone(() => store.outbox.saveAttempt(attempt));
      await untilDone(async () => void (await store.outbox.markSent(attempt.messageId, REF, T0)));
      await untilDone(() => store.claims.release(GENERAL));
    }
    expect(interrupted).toBeGreaterThan(STEPS / 2);
    expect(await store.outbox.waitingCount()).toBe(0);
    await expectConsistentAlerts(url);
  },
);

/** Repeats a write as a caller does. */
async function untilDone(work: () => Promise<void>): Promise<void> {
  for (let tries = 1; (await resultOf(work())) === "failed"; tries += 1) expect(tries).toBeLessThan(5);
}
