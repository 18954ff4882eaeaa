import { describe, expect, it } from "vitest";
import { day } from "../../../test/support/builders.ts";
import type { SplitId } from "../split/split.ts";
import { type DestinationKey, destinationKey } from "./destination.ts";
import { eventIds } from "./event.ts";

const ID = "ACME-x-1" as SplitId;

function key(id: string): DestinationKey {
  return destinationKey({ platform: "web", kind: "channel", id });
}

describe("event ids", () => {
  it("are equal for the same event", () => {
    expect(eventIds.revision(ID, 2)).toBe(eventIds.revision(ID, 2));
    expect(eventIds.reminder(ID, 1, day("2026-03-10"))).toBe(eventIds.reminder(ID, 1, day("2026-03-10")));
    expect(eventIds.article({ url: "https://wire.example/1" })).toBe("https://wire.example/1");
    expect(eventIds.early({ url: "https://wire.example/1" })).not.toBe("https://wire.example/1");
  });

  it("differ by revision, reminder, ex date and split", () => {
    const other = "ACME-x-11" as SplitId;
    const ids = [
      eventIds.revision(ID, 1),
      eventIds.revision(ID, 2),
      eventIds.revision(ID, 11),
      eventIds.revision(other, 1),
      eventIds.reminder(ID, 0, day("2026-03-10")),
      eventIds.reminder(ID, 1, day("2026-03-10")),
      eventIds.reminder(ID, 1, day("2026-03-11")),
      eventIds.reminder(other, 1, day("2026-03-10")),
      eventIds.stated(ID, "round_up"),
      eventIds.stated(ID, "round_down"),
      eventIds.stated(other, "round_up"),
      eventIds.digest(1_772_000_000_000),
      eventIds.digest(1_772_000_000_001),
      eventIds.digestPart(eventIds.digest(1_772_000_000_000), key("splits")),
      eventIds.digestPart(eventIds.digest(1_772_000_000_000), key("desk")),
    ];
    expect(new Set(ids).size).toBe(ids.length);
  });
});
