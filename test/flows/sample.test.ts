import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cardsOf, type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";

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
  await app.clock.advance(30_000);
  const alerts = async () => cardsOf(await app.messages("alice", "general"));
  await expect.poll(async () => (await alerts()).length).toBe(1);
  const [announced = ""] = (await alerts()).map(cardText);
  expect(announced).toMatch(/KSTVJ 1-for-40 reverse split/);
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
