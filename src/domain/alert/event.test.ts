import { describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import type { SplitId } from "../split/split.ts";
import { type DestinationKey, destinationKey } from "./destination.ts";
import {
  articleEventId,
  digestEventId,
  digestPartEventId,
  earlyEventId,
  reminderEventId,
  revisionEventId,
  statedEventId,
} from "./event.ts";

const ID = "ACME-x-1" as SplitId;

function key(id: string): DestinationKey {
  return destinationKey({ platform: "web", kind: "channel", id });
}

describe("event ids", () => {
  it("are equal for the same event", () => {
    expect(revisionEventId(ID, 2)).toBe(revisionEventId(ID, 2));
    expect(reminderEventId(ID, 1, day("2026-03-10"))).toBe(reminderEventId(ID, 1, day("2026-03-10")));
    expect(articleEventId({ url: "https://wire.example/1" })).toBe("https://wire.example/1");
    expect(earlyEventId({ url: "https://wire.example/1" })).not.toBe("https://wire.example/1");
  });

  it("differ by revision, reminder, ex date and split", () => {
    const other = "ACME-x-11" as SplitId;
    const ids = [
      revisionEventId(ID, 1),
      revisionEventId(ID, 2),
      revisionEventId(ID, 11),
      revisionEventId(other, 1),
      reminderEventId(ID, 0, day("2026-03-10")),
      reminderEventId(ID, 1, day("2026-03-10")),
      reminderEventId(ID, 1, day("2026-03-11")),
      reminderEventId(other, 1, day("2026-03-10")),
      statedEventId(ID, "round_up"),
      statedEventId(ID, "round_down"),
      statedEventId(other, "round_up"),
      digestEventId(1_772_000_000_000),
      digestEventId(1_772_000_000_001),
      digestPartEventId(digestEventId(1_772_000_000_000), key("splits")),
      digestPartEventId(digestEventId(1_772_000_000_000), key("desk")),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
