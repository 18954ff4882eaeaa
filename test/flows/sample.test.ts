import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cardsOf, type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { waitForStory } from "../support/sample-story.ts";

/** Demo mode as a new user sees it. */
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let app: RunningApp;

beforeEach(async () => {
  folder = await temporaryFolder();
  app = await startApp({ dataDir: join(folder.path, "state") });
});

afterEach(async () => {
  await app.stop();
  await folder.remove();
});

it("sends the first announcement within half a minute, with a quote of its release", async () => {
  await app.run("alice", "subscribe");
  await waitForStory(app.clock, [app.log]);
  await app.clock.advance(30_000);
  const announcement = async (): Promise<string | undefined> =>
    cardsOf(await app.messages("alice", "general"))
      .map(cardText)
      .find((text) => text.includes("KSTVJ 1-for-40 reverse split"));
  await expect.poll(announcement).toBeDefined();
  const announced = await announcement();
  expect(announced).toContain("rounded up to the nearest whole share");
  expect(announced).not.toContain("Fractional shares: not stated");
});

it("answers the example of each command", async () => {
  const [help] = await app.run("alice", "help");
  const examples = (help?.rows ?? []).map(({ title }) => title.replace("/splits ", ""));
  expect(examples.length).toBeGreaterThan(15);
  for (const line of examples) {
    const [answer] = await app.run("alice", line, { channel: "general" });
    expect({ line, tone: answer?.tone, title: answer?.title }).toEqual({
      line,
      tone: expect.not.stringMatching("bad"),
      title: expect.not.stringMatching(/no (reverse )?split|not listed|nothing/i),
    });
  }
});
