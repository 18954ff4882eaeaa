import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { ReleaseAnswer, SplitAnswer } from "../../src/chat/web/page/protocol.ts";
import { startApp, temporaryFolder } from "../support/app.ts";

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

/** The split of the sample and its release, as the page reads them. */
async function readViews(env: Readonly<Record<string, string>> = {}) {
  const app = await startApp({ dataDir: folder.path, env });
  try {
    const split = (await app.get("/api/splits/ZRVNK?name=alice")).json as SplitAnswer;
    const link = split.cards.flatMap(({ rows }) => rows).find(({ isRelease }) => isRelease)?.link ?? "";
    const { release } = (await app.get(`/api/releases?url=${encodeURIComponent(link)}`)).json as ReleaseAnswer;
    return { split, release };
  } finally {
    await app.stop();
  }
}

function textOf(release: ReleaseAnswer["release"]): string {
  return (release?.paragraphs ?? []).map((parts) => parts.map(({ text }) => text).join("")).join("\n\n");
}

it("shows a split with its timeline, and its stored release with the quoted sentence", async () => {
  const { split, release } = await readViews();
  expect(split.sections[0]?.steps.map(({ label }) => label)).toEqual([
    "Announced",
    "Last trading day before",
    "Ex date",
  ]);
  const quote = split.sections[0]?.cards[0]?.quotes[0]?.text ?? "no quote";
  expect(release).toMatchObject({ heading: "Zorvane Robotics Announces 1-for-20 Reverse Stock Split", isSample: true });
  const quoted = (release?.paragraphs ?? []).flat().filter(({ isQuoted }) => isQuoted);
  expect(quoted.map(({ text }) => text)).toContain(quote);
});

it("shows as much of a release as the settings allow the data service to serve", async () => {
  const whole = textOf((await readViews()).release);
  const settings = join(folder.path, "excerpt.yaml");
  await writeFile(settings, "service: { source: sample, articleTexts: { serve: excerpt } }\n");
  const excerpt = textOf((await readViews({ SPLITWATCH_CONFIG: settings })).release);
  expect(whole.length).toBeGreaterThan(450);
  expect(excerpt.length).toBeLessThanOrEqual(401);
  expect(whole.startsWith(excerpt.replace(/…$/, ""))).toBe(true);
});
