import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { announced, deliveryOf, REF, T0 } from "../../../../test/contract/store-builders.ts";
import { ticker } from "../../../../test/support/builders.ts";
import { channel } from "../../../../test/support/store-folder.ts";
import type { SettledMessage } from "../../../ports/state-records.ts";
import { Tables } from "../rows/tables.ts";
import { Archive, settledDelivery } from "./archive.ts";

const SPLITS = ["s1", "s2"];
const CHANNELS = ["a", "b"];

const messages = fc.record({
  split: fc.constantFrom(...SPLITS),
  to: fc.constantFrom(...CHANNELS),
  isSent: fc.boolean(),
  isRemoved: fc.boolean(),
});

function messageOf({ split, to, isSent }: { split: string; to: string; isSent: boolean }, n: number): SettledMessage {
  const event = { ...announced(split), id: `${split}.${n}` as never };
  const end = isSent
    ? ({ kind: "sent", ref: { ...REF, id: `ref-${n}` }, blindResends: 0 } as const)
    : ({ kind: "failed", reason: `reason ${n}` } as const);
  const deliveries = [settledDelivery(deliveryOf(event, channel(to)))];
  return { messageId: `m${n}`, to: channel(to), at: T0 + n, end, deliveries };
}

function answersOf(archive: Archive): unknown {
  return {
    firsts: SPLITS.flatMap((split) => CHANNELS.map((to) => archive.firstMessage(channel(to), split as never))),
    failures: [archive.failureCount, archive.failures(3)],
    events: [archive.eventsOfTicker(ticker("ACME")), ...SPLITS.map((split) => archive.eventsOfSplit(split as never))],
  };
}

describe("the archive", () => {
  it("answers after any removals and redactions as after a restart", () => {
    fc.assert(
      fc.property(fc.array(messages, { maxLength: 12 }), fc.nat(3), (all, keptEvents) => {
        const tables = new Tables();
        const archive = new Archive(tables);
        for (const [n, one] of all.entries()) {
          const event = { ...announced(one.split, { at: T0 + n }), id: `${one.split}.${n}` as never };
          tables.events.put(event.id, event);
          tables.messages.put(`m${n}`, messageOf(one, n));
        }
        for (const [n, one] of all.entries()) {
          const message = tables.messages.get(`m${n}`);
          if (one.isRemoved) tables.messages.remove(`m${n}`);
          else if (message) tables.messages.put(`m${n}`, { ...message });
          if (one.isRemoved && n % 4 > keptEvents) tables.events.remove(`${one.split}.${n}`);
        }
        expect(answersOf(archive)).toEqual(answersOf(new Archive(tables)));
      }),
    );
  });
});
