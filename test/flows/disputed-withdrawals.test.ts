import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { cardText } from "../support/card-text.ts";
import { aDataFolder, type DataFolder } from "../support/data-folder.ts";
import { anArticleRow, aSplitRow } from "../support/upstream.ts";

const ACME = aSplitRow({ ex_date: "2026-03-16", date_announced: "2026-02-27" });

function cancellation(name: string, lead: string) {
  return anArticleRow({
    url: `https://wire.example/${name}`,
    heading: "Update on a Reverse Stock Split",
    content: `${lead} the previously announced 1-for-20 reverse stock split of Acme Robotics Inc. (NASDAQ: ACME) has been cancelled.`,
    date_published: "2026-03-02",
  });
}

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let data: DataFolder;
let app: RunningApp | undefined;

beforeEach(async () => {
  folder = await temporaryFolder();
  data = await aDataFolder(folder.path);
});
afterEach(async () => {
  await app?.stop();
  await folder.remove();
});

async function statusWith(articles: readonly Record<string, unknown>[]): Promise<string> {
  await data.write({ splits: [ACME], articles });
  app = await startApp({ dataDir: join(folder.path, "state"), env: data.env });
  await app.poll(1);
  return (await app.run("bob", "status")).map(cardText).join("\n");
}

it("names in status a withdrawal in a folder of releases that isn't applied, because another company speaks", async () => {
  const text = await statusWith([cancellation("law", "Hollis & Grant LLP today reported that")]);
  expect(text).toContain(
    "ACME: a release of Mon 2 Mar 2026 by Hollis & Grant LLP, which is not known as the issuer, says that the split is cancelled; it is not applied (https://wire.example/law)",
  );
});

it("names in status a withdrawal by the issuer of a split that the folder still lists", async () => {
  const text = await statusWith([cancellation("own", "Acme Robotics Inc. (NASDAQ: ACME) today announced that")]);
  expect(text).toContain(
    "ACME: the issuer cancelled the split on Mon 2 Mar 2026; the list still lists it (https://wire.example/own)",
  );
});

it("names no withdrawal in status if none is disputed", async () => {
  const text = await statusWith([anArticleRow({ content: "Acme Robotics Inc. (NASDAQ: ACME) will split 1-for-20." })]);
  expect(text).not.toMatch(/not applied|still lists/);
});
