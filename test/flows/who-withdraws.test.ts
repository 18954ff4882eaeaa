import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningApp, titlesOf } from "../support/app.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";

const ACME = aSplitRow({ ex_date: "2026-03-16", date_announced: "2026-03-03" });
const PLAN = "the previously announced 1-for-20 reverse stock split";

let established: EstablishedUpstream;
let app: RunningApp;
beforeEach(async () => {
  established = await anEstablishedUpstream();
  established.upstream.splits = [...ESTABLISHED, ACME];
  app = await established.start();
  await app.run("alice", "subscribe tickers:ACME events:cancelled,postponed");
  await app.poll(2);
});
afterEach(() => established.end());

/** The alerts about a withdrawal after a release with this heading and text. */
async function alertsAfter(heading: string, content: string): Promise<readonly string[]> {
  const release = anArticleRow({ url: "https://wire.example/one", heading, content, date_published: "2026-03-03" });
  established.upstream.articles = [release, ...established.upstream.articles];
  await app.poll(2);
  return titlesOf(await app.messages("alice", "general"));
}

it.each([
  [
    "under its name",
    "Acme Robotics Cancels Reverse Stock Split",
    `Acme Robotics Inc. (NASDAQ: ACME) today announced that its board has cancelled ${PLAN}.`,
  ],
  [
    "in capitals",
    "ACME ROBOTICS CANCELS REVERSE STOCK SPLIT",
    `ACME ROBOTICS INC. (NASDAQ: ACME) TODAY ANNOUNCED THAT ITS BOARD HAS CANCELLED ${PLAN.toUpperCase()}.`,
  ],
  [
    "under a new name, with the former one in the text",
    "Nova Robotics Cancels Reverse Stock Split",
    `Nova Robotics, Inc. (NASDAQ: ACME) (formerly known as Acme Robotics Inc.) today announced that it has cancelled ${PLAN}.`,
  ],
  [
    "after another company's name and symbol",
    "Acme Robotics Cancels Reverse Stock Split",
    `Bolt Marine Corp. (NASDAQ: BOLT) and Acme Robotics Inc. (NASDAQ: ACME) ended their merger. Acme Robotics has cancelled ${PLAN}.`,
  ],
  [
    "as the Company",
    "Acme Robotics Provides Update",
    `Acme Robotics Inc. (NASDAQ: ACME) (the "Company") today provided an update. The Company has determined not to proceed with ${PLAN}.`,
  ],
])("a withdrawal by the issuer %s is applied", async (_, heading, content) => {
  expect(await alertsAfter(heading, content)).toEqual([
    expect.stringMatching(/^ACME 1-for-20 reverse split cancelled/),
  ]);
});

it.each([
  ["Zed Corp. Cancels Reverse Stock Split", `Zed Corp. (NASDAQ: ACME) today announced that it has cancelled ${PLAN}.`],
  [
    "Acme Roofing Cancels Reverse Stock Split",
    `Acme Roofing Inc. (NASDAQ: ACME) today announced that it has cancelled ${PLAN}.`,
  ],
  [
    "Acme Robotics Split Cancelled",
    `Evil Research LLC today reported that ${PLAN} of Acme Robotics (NASDAQ: ACME) has been cancelled.`,
  ],
  [
    "Investors Alert: Acme Robotics Inc.",
    `Hollis & Grant LLP announces an investigation of Acme Robotics Inc. (NASDAQ: ACME) after ${PLAN} was cancelled.`,
  ],
  [
    "Bolt Marine Comments on Partner",
    `Bolt Marine Corp. (NASDAQ: BOLT) today announced that its partner Acme Robotics Inc. (NASDAQ: ACME) has cancelled ${PLAN}.`,
  ],
  [
    "Shareholder Urges Acme Robotics to Cancel Split",
    "John Doe, a shareholder of Acme Robotics Inc. (NASDAQ: ACME), today announced that he urges the company to cancel the reverse stock split.",
  ],
  [
    "Acme Robotics Denies Cancellation of Reverse Split",
    `Acme Robotics Inc. (NASDAQ: ACME) today denied reports that ${PLAN} has been cancelled. The split will proceed as planned.`,
  ],
  [
    "Acme Robotics Statement",
    "Acme Robotics Inc. (NASDAQ: ACME) today confirmed that it has not cancelled its 1-for-20 reverse stock split.",
  ],
  [
    "Acme Robotics Update",
    `Acme Robotics Inc. (NASDAQ: ACME) today announced that its board may cancel ${PLAN} at any time before it is effective.`,
  ],
  [
    "Acme Robotics Cancels Offering",
    "Acme Robotics Inc. (NASDAQ: ACME) today announced that it has cancelled its previously announced public offering.",
  ],
  [
    "Acme Robotics Cancels Reverse Stock Split",
    `Acme Robotics Inc. (TSX: ACME) today announced that its board has cancelled ${PLAN}.`,
  ],
])(
  "a release that isn't the issuer's, or withdraws nothing, makes no alert of a withdrawal: %s",
  async (heading, content) => {
    expect(await alertsAfter(heading, content)).toEqual([]);
  },
);

it("a release that is corrected in place into a withdrawal is applied", async () => {
  const reminder =
    "Acme Robotics Inc. (NASDAQ: ACME) reminds stockholders of its 1-for-20 reverse stock split of March 16, 2026.";
  expect(await alertsAfter("Acme Robotics Reminds", reminder)).toEqual([]);
  established.upstream.articles = established.upstream.articles.slice(1);
  const corrected = `Acme Robotics Inc. (NASDAQ: ACME) today announced that its board has cancelled ${PLAN}.`;
  expect(await alertsAfter("Acme Robotics Cancels Reverse Stock Split", corrected)).toEqual([
    expect.stringMatching(/^ACME 1-for-20 reverse split cancelled/),
  ]);
});

it("a withdrawal concerns the company with the symbol on the exchange of the release only", async () => {
  const forest = { ticker: "ACME", exchange: "TSX", company: "Acme Forest Ltd.", ratio: "1:6", ex_date: "2026-03-20" };
  established.upstream.splits = [...ESTABLISHED, ACME, aSplitRow(forest)];
  await app.poll();
  const text =
    "Acme Forest Ltd. (TSX: ACME) today announced that it has cancelled its previously announced 1-for-6 share consolidation.";
  expect(await alertsAfter("Acme Forest Cancels Share Consolidation", text)).toEqual([
    expect.stringMatching(/^ACME 1-for-6 reverse split cancelled/),
  ]);
});

it("a withdrawal under the former symbol of a split is applied", async () => {
  established.upstream.splits = [...ESTABLISHED, { ...ACME, ticker: "NEWA" }];
  await app.poll();
  const text = `Acme Robotics Inc. (NASDAQ: ACME) today announced that its board has cancelled ${PLAN}.`;
  expect(await alertsAfter("Acme Robotics Cancels Reverse Stock Split", text)).toEqual([
    expect.stringMatching(/^NEWA 1-for-20 reverse split cancelled/),
  ]);
});
