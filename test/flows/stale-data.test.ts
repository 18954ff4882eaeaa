import { afterEach, beforeEach, expect, it } from "vitest";
import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { cardsOf } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { anEstablishedUpstream, ESTABLISHED, type EstablishedUpstream } from "../support/established-upstream.ts";
import { aSplitRow, lies } from "../support/upstream.ts";

let established: EstablishedUpstream;

beforeEach(async () => {
  established = await anEstablishedUpstream();
});

afterEach(() => established.end());

it("alerts subscribed channels once that the data is stale, and once that it has recovered; also across a restart", async () => {
  const { upstream, clock } = established;
  let app = await established.startFollowing();
  await app.run("bob", "subscribe events:stale exchange:CSE", { channel: "desk" });
  await app.run("bob", "subscribe", { channel: "usual" });
  const read = async (channel: string): Promise<readonly string[]> =>
    cardsOf(await app.messages("bob", channel)).map((card) => cardText(card));

  upstream.injectFault(lies.status(500));
  clock.skip(40 * MINUTE_MS);
  await app.poll(3);
  const [begun, ...more] = await read("desk");
  expect(more).toEqual([]);
  expect(begun).toContain("The data is outdated since Tue 3 Mar 2026, 10:08 EST");
  expect(begun).toContain("Alerts may be late");
  expect(begun).toMatch(/Last problem: splits: .*500/);

  await established.stop(app);
  app = await established.start();
  await app.poll(2);
  expect(await read("desk")).toHaveLength(1);

  upstream.clearFault();
  upstream.splits = [...ESTABLISHED, aSplitRow({ ticker: "NEWC", company: "Newcomer Ltd.", ex_date: "2026-04-02" })];
  await app.poll(3);
  const [, over, ...rest] = await read("desk");
  expect(rest).toEqual([]);
  expect(over).toContain("The data is up to date again after");
  expect(over).toContain("It had been outdated since Tue 3 Mar 2026, 10:08 EST.");
  expect(over).toContain("1 event happened in the meantime");
  expect((await read("usual")).map((text) => text.slice(0, 4))).toEqual(["NEWC"]);
  expect(await app.metric("splitwatch_events_total", 'kind="stale"')).toBe(1);
});
