// Extraction: time for ordinary releases, and for hostile texts, which must stay linear in their length.
import { readFile } from "node:fs/promises";
import { importModules } from "./parts/bundle.mjs";

const RELEASES = 1_000;
const HOSTILE_TEXT = "one-for-one-for-";

export async function measure() {
  const [{ extractFacts }] = await importModules("extraction", ["extraction/extract"]);
  const jsonLines = await readFile(new URL("../../test/fixtures/releases/fresh.jsonl", import.meta.url), "utf8");
  const releases = jsonLines
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  const extract = (count) => {
    for (let index = 0; index < count; index += 1) extractFacts(releases[index % releases.length]);
  };
  extract(releases.length);
  const quarterMegabyte = HOSTILE_TEXT.repeat(2 ** 18 / HOSTILE_TEXT.length);
  return [
    { name: "extract 1,000 releases", unit: "ms", value: timeMs(() => extract(RELEASES)) },
    {
      name: "extract a hostile text of 256 kB",
      unit: "ms",
      value: timeMs(() => extractFacts({ heading: "", content: quarterMegabyte })),
    },
    {
      name: "extract a hostile text of 1 MB",
      unit: "ms",
      value: timeMs(() => extractFacts({ heading: "", content: quarterMegabyte.repeat(4) })),
    },
  ];
}

function timeMs(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}
