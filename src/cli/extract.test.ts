import { createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { ventureBlock } from "../../test/support/venture-bulletins.ts";
import { run } from "./run.ts";

const SPLIT = {
  source: "prnewswire",
  heading: "Harbor Mills Announces 1-for-12 Reverse Stock Split",
  url: "https://wire.example/harbor",
  content: [
    "BOISE, Idaho, May 4, 2026 /PRNewswire/ -- Harbor Mills, Inc. (NASDAQ: HMIL, HMILW) today announced a 1-for-12 reverse stock split.",
    "The common stock will begin trading on a split-adjusted basis on May 11, 2026, under the new CUSIP number 41150T207.",
    "Stockholders who would hold a fractional share will be rounded up to the next whole share.",
  ].join("\n\n"),
  date_published: "2026-05-05",
};
const [OPENING = "", TRADING = "", FRACTION = ""] = SPLIT.content.split("\n\n");
const RECORD = {
  url: "https://wire.example/harbor",
  kind: "reverse_split",
  ticker: "HMIL",
  exchange: "NASDAQ",
  company: "Harbor Mills, Inc.",
  ratio: "1:12",
  ex_date: "2026-05-11",
  ex_date_basis: "trading",
  date_announced: "2026-05-04",
  fractional: "round_up",
  fractional_level: "holder",
  new_cusip: "41150T207",
  evidence: {
    kind: OPENING,
    ticker: OPENING,
    exchange: OPENING,
    company: OPENING,
    ratio: OPENING,
    ex_date: TRADING,
    date_announced: OPENING,
    fractional: FRACTION,
    fractional_level: FRACTION,
    new_cusip: TRADING,
  },
};
/** Lines of at most 50 characters. */
const wrapped = (text: string): string => text.replaceAll(/(.{1,50})(?: |$)/gm, "$1\n");
const PLANT = { heading: "Harbor Mills Opens Plant", content: "It opened today.", url: "https://wire.example/plant" };
const NO_FACTS = {
  url: "https://wire.example/plant",
  kind: "other",
  ticker: null,
  exchange: null,
  company: null,
  ratio: null,
  ex_date: null,
  ex_date_basis: null,
  date_announced: null,
  fractional: null,
  fractional_level: null,
  new_cusip: null,
  evidence: {},
};

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-extract-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("extract", () => {
  it("prints the facts of each article in a file, with null for missing facts", async () => {
    writeFileSync(join(folder, "articles.jsonl"), jsonLines(SPLIT, PLANT));
    const { code, records, problems } = await extract(["articles.jsonl"]);
    expect(records).toEqual([RECORD, NO_FACTS]);
    expect(Object.keys(records[0] ?? {})).toEqual(Object.keys(RECORD));
    expect({ code, problems }).toEqual({ code: 0, problems: [] });
  });

  it.each([[[]], [["-"]]])("reads standard input in any chunks with %j", async (args) => {
    const bytes = Buffer.from(jsonLines(SPLIT, PLANT).trimEnd());
    const { code, records } = await extract(
      args,
      Array.from(bytes, (byte) => Uint8Array.of(byte)),
    );
    expect(records).toEqual([RECORD, NO_FACTS]);
    expect(code).toBe(0);
  });

  it("prints one line per split of an article", async () => {
    const { records } = await extract([], [jsonLines(FUNDS)]);
    expect(records).toMatchObject([
      { ticker: "PKBR", ratio: "1:10", ex_date: "2026-05-11", new_cusip: "25460G807" },
      { ticker: "PKBL", ratio: "1:20", ex_date: "2026-05-11", new_cusip: "35460G804" },
    ]);
  });

  it("marks an ex date that only an effective date states", async () => {
    const content = `${OPENING} The reverse split will become effective at 5:00 p.m. New York time on May 8, 2026.`;
    const { records } = await extract([], [jsonLines({ ...SPLIT, content })]);
    expect(records).toMatchObject([{ ex_date: "2026-05-11", ex_date_basis: "effective" }]);
  });

  it("lists the fields on which an article contradicts itself", async () => {
    const content = `${SPLIT.content}\n\nThe reverse stock split will be at a ratio of 1-for-15.`;
    const { records } = await extract([], [jsonLines({ ...SPLIT, content })]);
    expect(records).toMatchObject([{ ratio: null, ex_date: "2026-05-11", contradictions: ["ratio"] }]);
  });

  it("copies the ID and ignores unknown fields", async () => {
    const { records } = await extract([], [jsonLines({ id: "a-1", ...PLANT, colour: "red", url: null })]);
    expect(records).toEqual([{ id: "a-1", ...NO_FACTS, url: null }]);
  });

  it.each([
    ["a missing heading", { ...PLANT, heading: undefined }],
    ["a heading that is null", { ...PLANT, heading: null }],
    ["a missing text", { ...PLANT, content: undefined }],
    ["empty texts", { ...PLANT, heading: "", content: "" }],
  ])("accepts %s", async (_, article) => {
    expect(await extract([], [jsonLines(article)])).toMatchObject({ code: 0, records: [NO_FACTS] });
  });

  it("accepts a byte order mark, blank lines and any line breaks in a text", async () => {
    const text = `\ufeff${JSON.stringify(PLANT)}\r\n\r\n  \n${JSON.stringify({ ...PLANT, content: "It\u2028opened." })}`;
    expect(await extract([], [text])).toMatchObject({ code: 0, records: [NO_FACTS, NO_FACTS], problems: [] });
  });

  it("accepts empty input", async () => {
    expect(await extract([], [])).toEqual({ code: 0, records: [], problems: [] });
  });

  it.each([
    ["no JSON", "{", 'got "{", expected an article record'],
    ["a list", "[]", 'got "[]", expected an article record'],
    ["another record", '{"ticker":"HMIL"}', "got neither heading nor content, expected an article record"],
    ["a number for a text", '{"heading":"x","content":5}', "content: got 5, expected text"],
  ])("reports a line that is %s, processes the others and fails", async (_, invalidLine, problem) => {
    writeFileSync(join(folder, "articles.jsonl"), `${jsonLines(PLANT)}${invalidLine}\n${jsonLines(PLANT)}`);
    const { code, records, problems } = await extract(["articles.jsonl"]);
    expect(records).toEqual([NO_FACTS, NO_FACTS]);
    expect(problems).toEqual([expect.stringContaining(`splitwatch: articles.jsonl line 2: ${problem}`)]);
    expect(code).toBe(1);
  });

  it("names standard input in problems", async () => {
    const { code, problems } = await extract([], ["{nonsense\n"]);
    expect(problems).toEqual([expect.stringMatching(/^splitwatch: standard input line 1: got "{nonsense", expected/)]);
    expect(code).toBe(1);
  });

  it.each([
    ["a missing file", "missing.jsonl", "which doesn't exist"],
    ["a device without an end", "/dev/zero", "which is not a regular file"],
    ["a folder", "sub", "which is a folder"],
  ])("rejects %s with one line", async (_, name, reason) => {
    mkdirSync(join(folder, "sub"));
    const { code, records, problems } = await extract([name]);
    expect(problems).toEqual([
      `splitwatch: FILE: got "${name}", ${reason}, expected a file of article records or the text of a release`,
    ]);
    expect({ code, records }).toEqual({ code: 2, records: [] });
  });

  describe("with a release as text", () => {
    it.each([
      ["heading and body", `${SPLIT.heading}\n\n${SPLIT.content}\n`],
      ["blank lines before it", `\ufeff\r\n\r\n${SPLIT.heading}\r\n${SPLIT.content.replaceAll("\n", "\r\n")}`],
      ["no heading", SPLIT.content],
    ])("prints its facts: %s", async (_, text) => {
      const { code, records, problems } = await extract([], [text]);
      expect(records).toEqual([{ ...RECORD, url: null }]);
      expect({ code, problems }).toEqual({ code: 0, problems: [] });
    });

    it.each([
      ["with a heading", `${SPLIT.heading}\n\n${wrapped(SPLIT.content)}`],
      ["without a heading", wrapped(SPLIT.content)],
      ["without a heading, starting with a wire's name", wrapped(SPLIT.content.replace("May 4, 2026 ", ""))],
      ["without a heading and a dateline", wrapped(SPLIT.content.replace(/^.*-- /, ""))],
    ])("reads lines that are wrapped within sentences: %s", async (_, text) => {
      const { records } = await extract([], [text]);
      const { kind, ticker, company, ratio, ex_date } = RECORD;
      expect(records).toMatchObject([{ kind, ticker, company, ratio, ex_date }]);
    });

    it("reads a release from a file", async () => {
      writeFileSync(join(folder, "release.txt"), `${SPLIT.heading}\n\n${SPLIT.content}`);
      expect(await extract(["release.txt"])).toMatchObject({ code: 0, records: [{ ticker: "HMIL", ratio: "1:12" }] });
    });

    it("rejects a text that is too long", async () => {
      const { code, problems } = await extract([], ["word\n".repeat(500_000)]);
      expect(problems).toEqual([
        "splitwatch: standard input: got more than 2000000 characters, expected the text of one release",
      ]);
      expect(code).toBe(1);
    });

    it("rejects endless input", async () => {
      const invocation = { ...anInvocation(folder), input: () => createReadStream("/dev/zero") };
      const code = await run(["extract"], invocation);
      expect(invocation.problems).toEqual([
        expect.stringMatching(
          /^splitwatch: standard input line 1: got a line that is too long, expected an article record/,
        ),
      ]);
      expect(code).toBe(1);
    });
  });

  describe("on a terminal", () => {
    const text = `${SPLIT.heading}\n\n${SPLIT.content}`;

    it("prints the facts and their sentences in a readable form", async () => {
      const invocation = { ...anInvocation(folder, {}, [text]), outputIsTerminal: true };
      expect(await run(["extract"], invocation)).toBe(0);
      const lines = invocation.printed.join("\n").split("\n");
      expect(lines).toEqual(
        expect.arrayContaining([
          "Kind                reverse split",
          "Company             Harbor Mills, Inc.",
          "Ratio (new:old)     1:12",
          "Ex date             2026-05-11",
          "Fractional shares   round up, per holder",
          `  fractional, fractional level: “${FRACTION}”`,
        ]),
      );
    });

    it("marks missing and contradictory facts", async () => {
      const content = `${text}\n\nThe reverse stock split will be at a ratio of 1-for-15.`;
      const invocation = { ...anInvocation(folder, {}, [content]), outputIsTerminal: true };
      await run(["extract"], invocation);
      expect(invocation.printed.join("\n")).toMatch(/Ratio \(new:old\) {5}not stated$.*^Contradictory {7}ratio$/ms);
    });

    it("removes control characters", async () => {
      const invocation = {
        ...anInvocation(folder, {}, [text.replace("Harbor", "Har\u001b[31mbor")]),
        outputIsTerminal: true,
      };
      await run(["extract"], invocation);
      expect(invocation.printed.join("")).not.toContain("\u001b");
    });

    it("prints JSON with --json", async () => {
      const invocation = { ...anInvocation(folder, {}, [text]), outputIsTerminal: true };
      expect(await run(["extract", "--json"], invocation)).toBe(0);
      expect(invocation.printed.map((line) => JSON.parse(line))).toEqual([{ ...RECORD, url: null }]);
    });
  });

  it("prints a record for each consolidation of a collective bulletin", async () => {
    const second = { company: "SALTBURN ENERGY LTD.", symbol: "SBE", formerly: null, labels: [] };
    const blocks = [ventureBlock(), ventureBlock({ ...second, type: "Halt", sentences: [] }), ventureBlock(second)];
    const text = ["TSX Venture Exchange Stock Maintenance Bulletins", ...blocks.map((block) => block.join("\n"))];
    const { records } = await extract([], [text.join(`\n\n${"_".repeat(40)}\n`)]);
    const terms = { kind: "reverse_split", exchange: "TSXV", ratio: "1:10", ex_date: "2026-03-06" };
    expect(records).toMatchObject([
      { ...terms, ticker: "WMG", company: "Harrow Lithium Corp.", new_cusip: "41550X104" },
      { ...terms, ticker: "SBE", company: "SALTBURN ENERGY LTD.", new_cusip: null },
    ]);
  });

  it("ignores the configuration", async () => {
    const invocation = anInvocation(folder, { PORT: "x", DATA_DIR: "/proc/self/nowhere" }, [jsonLines(PLANT)]);
    expect(await run(["extract"], invocation)).toBe(0);
    expect(invocation.printed).toHaveLength(1);
  });
});

const FUNDS = {
  heading: "Peak Funds Announces Reverse Splits of Two ETFs",
  url: "https://wire.example/funds",
  content: [
    "NEW YORK, May 4, 2026 /PRNewswire/ -- Peak Funds will execute reverse splits of the shares of two funds after the close on May 8, 2026.",
    "| Fund | Ticker | Reverse Split Ratio | New CUSIP |",
    "| Peak Bear | PKBR | 1 for 10 | 25460G807 |",
    "| Peak Bull | PKBL | 1 for 20 | 35460G804 |",
    "The shares will begin trading on a split-adjusted basis on May 11, 2026.",
  ].join("\n"),
};

function jsonLines(...articles: readonly object[]): string {
  return articles.map((article) => `${JSON.stringify(article)}\n`).join("");
}

interface Outcome {
  readonly code: number;
  readonly records: readonly Record<string, unknown>[];
  readonly problems: readonly string[];
}

async function extract(args: readonly string[], input: readonly (string | Uint8Array)[] = []): Promise<Outcome> {
  const invocation = anInvocation(folder, {}, input);
  const code = await run(["extract", ...args], invocation);
  return { code, records: invocation.printed.map((text) => JSON.parse(text)), problems: invocation.problems };
}
