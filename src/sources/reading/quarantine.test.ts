import { expect, it } from "vitest";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { sharedDocuments } from "../../../test/support/shared-documents.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { createQuarantine } from "./quarantine.ts";

const READER = "shared.readText";
const REASON = "took more than 5 s of CPU time";
const now = new ManualClock().now();

function textOf(content: string) {
  return { url: "https://wire.example/1", heading: "Orvane splits", content };
}

it("contains the documents that another process has quarantined", async () => {
  const [adding, following] = [createQuarantine(), createQuarantine()];
  const { documents } = sharedDocuments();
  await Promise.all([adding.follow(documents[0]), following.follow(documents[1])]);
  adding.add(READER, textOf("slow"), REASON, now);
  await adding.save();
  await waitUntil("the other process has the document", () => following.find(READER, textOf("slow")) !== null);
  expect(following.find("shared.readFeedItem", textOf("slow"))).toBeNull();
});

it("keeps its documents while the copy of another process can't be read", async () => {
  const [adding, following] = [createQuarantine(), createQuarantine()];
  const shared = sharedDocuments();
  await Promise.all([adding.follow(shared.documents[0]), following.follow(shared.documents[1])]);
  following.add(READER, textOf("slow"), REASON, now);
  shared.isUnavailable = true;
  await adding.save();
  expect(following.find(READER, textOf("slow"))).toMatchObject({ reason: REASON });
});

it("releases a document whose content has changed", () => {
  const quarantine = createQuarantine();
  quarantine.add(READER, textOf("slow"), REASON, now);
  expect(quarantine.find(READER, textOf("corrected"))).toBeNull();
  expect(quarantine.all()).toEqual([]);
});
