import { appendFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { anArticleRow, aSplitRow, recordingLog, temporaryFolder } from "../../../test/service/service-under-test.ts";
import { ManualClock } from "../../../test/support/manual-clock.ts";
import { makePipe } from "../../../test/support/pipe.ts";
import { waitUntil } from "../../../test/support/wait-until.ts";
import { systemClock } from "../../lib/clock.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { SourceFolderError, startFolderSource } from "./folder-source.ts";
import { createServedCatalog } from "./served-catalog.ts";

function lines(...rows: readonly unknown[]): string {
  return rows.map((row) => `${JSON.stringify(row)}\n`).join("");
}

/** Opens a source on a folder with these files, with a manual clock. */
async function open(files: { splits?: string; articles?: string } = {}) {
  const folder = await temporaryFolder();
  const paths = { splits: join(folder, "splits.jsonl"), articles: join(folder, "articles.jsonl") };
  await writeFile(paths.splits, files.splits ?? "");
  await writeFile(paths.articles, files.articles ?? "");
  const clock = new ManualClock();
  const { log, lines: logged } = recordingLog();
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  const source = await startFolderSource({ folder, catalog, clock, log });
  onTestFinished(() => source.stop());
  const tickers = () => catalog.splits().map((split) => split.ticker);
  /** Advances the clock until the source has checked its files `times` times. */
  const checks = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      await waitUntil("the source waits", () => clock.sleepers === 1);
      await clock.advance(250);
    }
    await waitUntil("the source waits", () => clock.sleepers === 1);
  };
  return { folder, paths, clock, catalog, source, tickers, checks, logged };
}

describe("a folder source at its start", () => {
  it("fills the catalog with the normalized rows of both files", async () => {
    const { catalog, source, folder } = await open({
      splits: `\uFEFF${lines(aSplitRow({ exchange: "Nasdaq", ratio: "20:1" }))}\r\n\n`,
      articles: lines(anArticleRow()).replace("\n", "\r\n"),
    });
    expect([catalog.ready, catalog.splits(), catalog.articles()]).toEqual([true, [aSplitRow()], [anArticleRow()]]);
    expect([source.id, source.sample, source.problems()]).toEqual([`folder:${folder}`, false, []]);
  });

  it("is rejected for a file that is larger than 256 MiB", async () => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, "splits.jsonl"), "");
    await truncate(join(folder, "splits.jsonl"), 256 * 1024 * 1024 + 1);
    await writeFile(join(folder, "articles.jsonl"), "");
    const parts = { catalog: createServedCatalog({ clock: systemClock, keepAfterExDate: 7 }), log: SILENT_LOG };
    await expect(startFolderSource({ ...parts, folder, clock: systemClock })).rejects.toThrow(
      /^service\.source: got .* \(.*splits\.jsonl is larger than 268435456 bytes\)$/,
    );
  });

  it("quarantines invalid lines, naming file, line, record and reason, and serves the others", async () => {
    const { tickers, source, logged } = await open({
      splits: `${lines(aSplitRow({ ticker: "AAA" }), { ...aSplitRow(), ex_date: "soon" })}nonsense\n${lines(aSplitRow())}`,
      articles: lines({ ...anArticleRow(), source: "reuters" }),
    });
    expect(tickers()).toEqual(["AAA", "ACME"]);
    expect(source.problems()).toEqual([
      'splits.jsonl line 2, ACME: ex_date: got "soon", expected a day as YYYY-MM-DD',
      "splits.jsonl line 3: not JSON, expected an object",
      expect.stringMatching(
        /^articles\.jsonl line 1, "https:[^ ]+": source: got "reuters", expected one of prnewswire/,
      ),
    ]);
    expect(logged[0]).toMatchObject({ level: "warn", event: "source folder read", fields: { problems: 3 } });
  });

  it("reports at most a hundred lines of a file, and the number of further ones", async () => {
    const { source } = await open({ splits: "x\n".repeat(250) });
    expect(source.problems()).toHaveLength(101);
    expect(source.problems().at(-1)).toBe("splits.jsonl: 150 more lines are quarantined");
  });

  it("uses the last line of a repeated article, and identical splits once", async () => {
    const { catalog } = await open({
      splits: lines(aSplitRow(), aSplitRow(), aSplitRow({ exchange: "TSX" })),
      articles: lines(anArticleRow({ heading: "old" }), anArticleRow({ heading: "new" })),
    });
    expect(catalog.splits().map((split) => split.exchange)).toEqual(["NASDAQ", "TSX"]);
    expect(catalog.articles().map((article) => article.heading)).toEqual(["new"]);
  });

  it.each([[["splits.jsonl"]], [["articles.jsonl"]], [[]]])("rejects a folder that contains only %j", async (names) => {
    const folder = await temporaryFolder();
    for (const name of names) await writeFile(join(folder, name), "");
    const clock = new ManualClock();
    const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
    const start = startFolderSource({ folder, catalog, clock, log: recordingLog().log });
    await expect(start).rejects.toThrow(SourceFolderError);
    await expect(start).rejects.toThrow(
      `service.source: got ${JSON.stringify(folder)}, expected a folder with splits.jsonl and articles.jsonl`,
    );
    expect(catalog.ready).toBe(false);
  });
});

describe("a running folder source", () => {
  it("serves appended lines within a second, and notifies listeners once", async () => {
    const { paths, catalog, tickers, checks } = await open({ splits: lines(aSplitRow({ ticker: "AAA" })) });
    let notified = 0;
    catalog.onChange(() => {
      notified += 1;
    });
    await appendFile(paths.splits, lines(aSplitRow()));
    await checks(4);
    expect([tickers(), notified]).toEqual([["AAA", "ACME"], 1]);
    await appendFile(paths.articles, lines(anArticleRow()));
    await checks(4);
    expect([catalog.articles(), notified]).toEqual([[anArticleRow()], 2]);
    await checks(8);
    expect(notified).toBe(2);
  });

  it("serves a file that replaces the old one", async () => {
    const { paths, tickers, checks } = await open({ splits: lines(aSplitRow({ ticker: "AAA" })) });
    await writeFile(`${paths.splits}.new`, lines(aSplitRow({ ticker: "BBB" })));
    await rename(`${paths.splits}.new`, paths.splits);
    await checks(4);
    expect(tickers()).toEqual(["BBB"]);
  });

  it("ignores a file that is being rewritten until it has settled", async () => {
    const rows = ["AAA", "BBB", "CCC"].map((ticker) => aSplitRow({ ticker }));
    const { paths, catalog, tickers, checks } = await open({ splits: lines(...rows) });
    const seen: string[] = [];
    catalog.onChange(() => seen.push(tickers().join()));
    await writeFile(paths.splits, "");
    for (const row of [...rows, aSplitRow({ ticker: "DDD" })]) {
      await checks(1);
      await appendFile(paths.splits, lines(row));
    }
    await checks(4);
    expect(seen).toEqual(["AAA,BBB,CCC,DDD"]);
  });

  it("waits for the rest of an incomplete last line", async () => {
    const { paths, tickers, source, checks } = await open({ splits: lines(aSplitRow({ ticker: "AAA" })) });
    const line = lines(aSplitRow());
    await appendFile(paths.splits, line.slice(0, 40));
    await checks(4);
    expect([tickers(), source.problems()]).toEqual([["AAA"], []]);
    await appendFile(paths.splits, line.slice(40));
    await checks(4);
    expect([tickers(), source.problems()]).toEqual([["AAA", "ACME"], []]);
  });

  it("quarantines a last line that stays incomplete, and uses it once it is complete", async () => {
    const { paths, tickers, source, checks } = await open({ splits: lines(aSplitRow({ ticker: "AAA" })) });
    const line = lines(aSplitRow());
    await appendFile(paths.splits, line.slice(0, 40));
    await checks(12);
    expect(tickers()).toEqual(["AAA"]);
    expect(source.problems()).toEqual(["splits.jsonl line 2: incomplete, expected a complete JSON object"]);
    await appendFile(paths.splits, line.slice(40));
    await checks(4);
    expect([tickers(), source.problems()]).toEqual([["AAA", "ACME"], []]);
  });

  it("reads a file that never settles after two seconds", async () => {
    const { paths, tickers, checks } = await open();
    for (let n = 0; n < 12; n += 1) {
      await appendFile(paths.splits, lines(aSplitRow({ ticker: `T${n}A` })));
      await checks(1);
    }
    expect(tickers().length).toBeGreaterThan(5);
  });

  it("serves the last valid content of a missing file, reports it, and recovers when it is back", async () => {
    const { paths, tickers, source, checks } = await open({ splits: lines(aSplitRow()) });
    await rm(paths.splits);
    await checks(4);
    expect(tickers()).toEqual(["ACME"]);
    expect(source.problems()).toEqual([
      expect.stringMatching(/^splits\.jsonl: cannot be read \(ENOENT.*; its last valid content is served$/),
    ]);
    expect(source.readError()).toBe(source.problems()[0]);
    await writeFile(paths.splits, lines(aSplitRow({ ticker: "BBB" })));
    await checks(4);
    expect([tickers(), source.problems(), source.readError()]).toEqual([["BBB"], [], null]);
  });

  it("serves the last valid content of a file that is replaced by a pipe, and reports it", async () => {
    const { paths, source, tickers, checks } = await open({ splits: lines(aSplitRow()) });
    await rm(paths.splits);
    makePipe(paths.splits);
    await checks(2);
    expect(tickers()).toEqual([aSplitRow().ticker]);
    expect(source.problems()).toEqual([
      expect.stringMatching(/^splits\.jsonl: cannot be read .* is not a regular file/),
    ]);
  });

  it("serves an empty list once the file is empty and has settled", async () => {
    const { paths, tickers, checks } = await open({ splits: lines(aSplitRow()) });
    await writeFile(paths.splits, "");
    await checks(4);
    expect(tickers()).toEqual([]);
  });

  it("stops checking the files when it is stopped", async () => {
    const { paths, source, tickers, clock } = await open();
    await source.stop();
    await writeFile(paths.splits, lines(aSplitRow()));
    await clock.advance(10_000);
    expect([tickers(), clock.sleepers]).toEqual([[], 0]);
  });
});
