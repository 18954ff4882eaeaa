import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { cardsOf, type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";

/** What somebody sees who has just started the sample. */
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

it("the first announcement comes within half a minute, and quotes its release", async () => {
  await app.run("alice", "subscribe");
  await app.clock.advance(30_000);
  const alerts = async () => cardsOf(await app.messages("alice", "general"));
  await expect.poll(async () => (await alerts()).length).toBe(1);
  const [announced = ""] = (await alerts()).map(cardText);
  expect(announced).toMatch(/KSTVJ 1-for-40 reverse split/);
  expect(announced).toContain("rounded up to the nearest whole share");
  expect(announced).not.toContain("Fractional shares: not stated");
});

it("each command's example is answered with something", async () => {
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
