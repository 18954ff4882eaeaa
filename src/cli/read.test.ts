import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { announcementTexts, SHAPES } from "../../test/newswires/wire-shapes.ts";
import { day, exchange, ticker } from "../../test/support/builders.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { aRelease } from "../../test/support/releases.ts";
import { WIRES } from "../domain/article/wire.ts";
import { nasdaq } from "../sources/nasdaq/index.ts";
import { newswires } from "../sources/newswires/index.ts";
import type { SourceDefinition } from "../sources/source-definition.ts";
import { decodeText } from "../sources/web/decode-text.ts";
import { unreadable } from "../sources/web/fetch-error.ts";
import type { ReadRequest } from "./arguments.ts";
import { read } from "./read.ts";
import { run } from "./run.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-read-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const NOW = Date.parse("2026-03-05T15:00:00Z");
const NOTICE_URL = "https://exchange.example/notices/7";
const SENTENCE = "Quillmere will effect a 1-40 reverse split on March 10, 2026.";

/** Reads documents of one line: its first word decides what the reader makes of it. */
const readDocument: SourceDefinition["readDocument"] = async (answer, { now }) => {
  const text = decodeText(answer.body, answer.header("content-type"));
  if (text.startsWith("NOTICE"))
    return {
      document: "notice",
      statements: [
        {
          id: "7",
          url: answer.url.href,
          kind: "announced",
          listings: [
            { ticker: ticker("QLMR"), exchange: exchange("NASDAQ") },
            { ticker: ticker("QLMRW"), exchange: exchange("NASDAQ") },
          ],
          company: "Quillmere Inc.",
          ratio: { newShares: 1, oldShares: 40 },
          exDate: text.startsWith("NOTICE WITH AN UNCLEAR DATE") ? null : day("2026-03-10"),
          newCusip: null,
          evidence: { ratio: SENTENCE, exDate: SENTENCE, session: "open" },
          publishedAt: now,
        },
      ],
    };
  if (text.startsWith("RELEASE"))
    return { document: "release", releases: [aRelease({ url: answer.url.href, source: "newsfile", heading: "One" })] };
  if (text.startsWith("LIST"))
    return {
      document: "list",
      entries: [
        { id: "https://exchange.example/1", title: "Reverse split of Quillmere", publishedAt: now, isFollowed: true },
        { id: "row 2", title: "Dividend of Orvane", publishedAt: null, isFollowed: false },
      ].slice(text.startsWith("LIST WITHOUT") ? 1 : 0),
      refusals: text.startsWith("LIST WITH A BAD ROW") ? ["row 3: got no symbol"] : [],
    };
  if (text.startsWith("BUG")) throw new TypeError("x is not a function");
  if (text.startsWith("EMPTY")) return { document: "notice" };
  throw unreadable(answer, "expected a notice, got another page");
};
const readType: typeof readDocument = async ({ header }) => ({ document: header("Content-Type") ?? "" });
const sources: readonly SourceDefinition[] = [
  { ...newswires, readDocument },
  { ...nasdaq, readDocument },
];

interface Options extends Partial<ReadRequest> {
  readonly onTerminal?: boolean;
  readonly input?: string;
}

async function readFiles(files: readonly string[], { onTerminal = false, input = "", ...options }: Options = {}) {
  const recorded = anInvocation(folder, {}, [input]);
  const invocation = onTerminal ? { ...recorded, outputIsTerminal: true } : recorded;
  const request = { source: "nasdaq", files, at: null, url: null, type: null, json: false, ...options };
  const code = await read(request, invocation, { sources, clock: { now: () => NOW } });
  return { code, printed: recorded.printed.join("\n"), problems: recorded.problems };
}

function recordsOf(printed: string): readonly Readonly<Record<string, unknown>>[] {
  return printed
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>);
}

function write(name: string, content: string): string {
  writeFileSync(join(folder, name), content);
  return name;
}

function writeFolder(lines: readonly unknown[], name = "index.jsonl"): void {
  mkdirSync(join(folder, "nasdaq"), { recursive: true });
  write(name, lines.map((line) => (typeof line === "string" ? line : JSON.stringify(line))).join("\n"));
}

describe("read", () => {
  it("prints a line for each statement with the fields of extract", async () => {
    const { code, printed } = await readFiles([write("a.html", "NOTICE")], { url: NOTICE_URL });
    expect(code).toBe(0);
    expect(recordsOf(printed)).toEqual([
      {
        record: "statement",
        source: "nasdaq",
        document: "notice",
        file: "a.html",
        url: NOTICE_URL,
        id: "7",
        kind: "announced",
        ticker: "QLMR",
        exchange: "NASDAQ",
        company: "Quillmere Inc.",
        ratio: "1:40",
        ex_date: "2026-03-10",
        new_cusip: null,
        tickers: [
          { ticker: "QLMR", exchange: "NASDAQ" },
          { ticker: "QLMRW", exchange: "NASDAQ" },
        ],
        published: "2026-03-05T15:00:00.000Z",
        evidence: { ratio: SENTENCE, ex_date: SENTENCE, session: "open" },
      },
    ]);
  });

  it("prints a release with the wire's name, its heading and the extracted facts", async () => {
    const { printed } = await readFiles([write("a.html", "RELEASE")], { source: "newsfile", url: NOTICE_URL });
    expect(recordsOf(printed)).toMatchObject([
      { record: "release", source: "newsfile", document: "release", url: NOTICE_URL, heading: "One", file: "a.html" },
    ]);
    expect(recordsOf(printed)[0]).toHaveProperty("fractional");
  });

  it("prints the entries of a list and whether a poll would read them", async () => {
    const { code, printed } = await readFiles([write("a.json", "LIST")]);
    const common = { record: "entry", source: "nasdaq", document: "list", file: "a.json" };
    expect(recordsOf(printed)).toEqual([
      {
        ...common,
        id: "https://exchange.example/1",
        url: "https://exchange.example/1",
        title: "Reverse split of Quillmere",
        published: "2026-03-05T15:00:00.000Z",
        followed: true,
      },
      { ...common, id: "row 2", url: null, title: "Dividend of Orvane", published: null, followed: false },
    ]);
    expect(code).toBe(0);
  });

  it.each([
    ["EMPTY", "the notice was read and states no reverse split"],
    ["LIST WITHOUT SPLITS", "the list was read: none of 1 entries concerns a reverse split"],
  ])("says that a document states no split: %s", async (content, reason) => {
    const { code, printed } = await readFiles([write("a", content)]);
    expect(recordsOf(printed).at(-1)).toMatchObject({ record: "nothing", file: "a", url: null, reason });
    expect(code).toBe(0);
  });

  it("says why a notice that was read states no split, and exits with 0", async () => {
    const title = "Information Regarding the Symbol Change for Quillmere Inc. (QLMR)";
    const body = "<p>Quillmere Inc. will change its trading symbol on Tuesday, March 10, 2026.</p>";
    write(
      "a.html",
      `<html><body><h2>Equity Corporate Actions Alert #2026 - 907</h2><h3>${title}</h3>${body}</body></html>`,
    );
    const invocation = anInvocation(folder);
    const url = "https://www.nasdaqtrader.com/TraderNews.aspx?id=ECA2026-907";
    expect(await run(["read", "nasdaq", "a.html", "--url", url], invocation)).toBe(0);
    expect(recordsOf(invocation.printed.join("\n"))).toEqual([
      {
        record: "nothing",
        source: "nasdaq",
        document: "notice",
        file: "a.html",
        url,
        reason: `ECA2026-907 is not about a reverse split: ${title}`,
      },
    ]);
  });

  it.each([
    ["a document that the reader refuses", "OTHER", "expected a notice, got another page"],
    ["an unexpected error of the reader", "BUG", "x is not a function"],
    ["a challenge page", "<html><head><title>Just a moment...</title></head></html>", "answered a challenge page"],
  ])("prints the reason for %s and exits with 1", async (_, content, reason) => {
    const { code, printed } = await readFiles([write("a", content), write("b", "EMPTY")]);
    expect(recordsOf(printed)).toMatchObject([
      { record: "refused", source: "nasdaq", file: "a", url: null, reason },
      { record: "nothing", file: "b" },
    ]);
    expect(code).toBe(1);
  });

  it("prints the reason for a refused part beside what was read", async () => {
    const { code, printed } = await readFiles([write("a", "LIST WITH A BAD ROW")]);
    expect(recordsOf(printed)).toMatchObject([{}, {}, { record: "refused", reason: "row 3: got no symbol" }]);
    expect(code).toBe(1);
  });

  it("names the address in the reason for a refusal if it is known", async () => {
    const { printed } = await readFiles([write("a", "OTHER")], { url: NOTICE_URL });
    expect(recordsOf(printed)).toMatchObject([
      { reason: "exchange.example/notices/7: expected a notice, got another page", url: NOTICE_URL },
    ]);
  });

  it.each([
    ["2026-03-09", "2026-03-09T16:00:00.000Z"],
    ["2026-03-09T19:50-04:00", "2026-03-09T23:50:00.000Z"],
    ["2026-03-09T23:50:00Z", "2026-03-09T23:50:00.000Z"],
  ])("reads as at the time %s, a day at noon in New York", async (at, published) => {
    const { printed } = await readFiles([write("a", "NOTICE")], { at });
    expect(recordsOf(printed)).toMatchObject([{ published }]);
  });

  it("gives the reader an address in the domain of the named wire if none is known", async () => {
    const seen: string[] = [];
    const readHost: typeof readDocument = async ({ url }) => {
      seen.push(url.href);
      return { document: "release", releases: [aRelease({ url: url.href, source: url.hostname })] };
    };
    const invocation = anInvocation(folder);
    const request = { files: [write("a b.html", "")], at: null, url: null, type: null, json: false };
    for (const source of ["newsfile", "newswires"])
      await read({ ...request, source }, invocation, { sources: [{ ...newswires, readDocument: readHost }] });
    expect(seen).toEqual(["https://newsfile.invalid/a%20b.html", "https://newswires.invalid/a%20b.html"]);
    expect(recordsOf(invocation.printed.join("\n"))).toMatchObject([
      { source: "newsfile", url: null },
      { source: "newswires", url: null },
    ]);
  });

  it.each(WIRES)("reads a page and a feed of %s without their addresses", async (wire) => {
    const terms = { company: "Quillmere Inc.", symbol: "Nasdaq: QLMR", ratio: "1-for-40", day: "March 10, 2026" };
    const texts = announcementTexts(terms);
    const release = { id: "9000001", company: terms.company, tag: "Nasdaq:QLMR", published: new Date(NOW), ...texts };
    write("page.html", SHAPES[wire].page(release));
    write("feed", SHAPES[wire].feed([release], "https://wire.example"));
    const invocation = anInvocation(folder);
    expect(await run(["read", wire, "page.html", "feed", "--at", "2026-03-05"], invocation)).toBe(0);
    expect(recordsOf(invocation.printed.join("\n"))).toMatchObject([
      { record: "release", source: wire, url: null, ticker: "QLMR", ratio: "1:40", ex_date: "2026-03-10" },
      { record: "entry", title: texts.heading, followed: true },
    ]);
  });

  it("omits the address of a document without --url", async () => {
    const { printed } = await readFiles([write("a", "NOTICE")]);
    expect(recordsOf(printed)).toMatchObject([{ url: null }]);
  });

  it.each([
    ["application/json", '{"TYPE": 1}'],
    ["text/plain", "TYPE"],
    ["text/html; charset=utf-16", "TYPE", "text/html; charset=utf-16"],
  ])("guesses the content type %s unless --type states it", async (document, content, type: string | null = null) => {
    const invocation = anInvocation(folder);
    const request = { source: "nasdaq", files: [write("a", content)], at: null, url: null, type, json: false };
    await read(request, invocation, { sources: [{ ...nasdaq, readDocument: readType }] });
    expect(recordsOf(invocation.printed.join("\n"))).toMatchObject([{ document }]);
  });

  it("reads standard input", async () => {
    const { code, printed } = await readFiles(["-"], { input: "NOTICE" });
    expect(recordsOf(printed)).toMatchObject([{ file: "-", ticker: "QLMR" }]);
    expect(code).toBe(0);
  });

  it("prints a readable form on a terminal, without the document's control characters", async () => {
    const files = [write("a\u001b[31m", "NOTICE"), write("b", "LIST"), write("c", "OTHER"), write("d", "EMPTY")];
    const { printed } = await readFiles(files, { onTerminal: true });
    expect(printed).toMatch(/^a \[31m\n\nStatement {11}announced\nId {18}7\nCompany {13}Quillmere Inc\.\n/);
    expect(printed).toContain("Ticker              QLMR, NASDAQ:QLMRW\n");
    expect(printed).toContain(`  ratio, ex date: “${SENTENCE}”\n`);
    expect(printed).toContain(
      "b\n\nFollowed: Reverse split of Quillmere\n  2026-03-05T15:00:00.000Z  https://exchange.example/1\n2 entries, 1 followed\n\n",
    );
    expect(printed).toContain("c\n\nRefused: expected a notice, got another page\n\n");
    expect(printed).toContain("d\n\nNothing: the notice was read and states no reverse split\n");
  });

  it("says on a terminal that a term is unclear if its sentence states none, and not stated without a sentence", async () => {
    const { printed } = await readFiles([write("a", "NOTICE WITH AN UNCLEAR DATE")], { onTerminal: true });
    expect(printed).toContain("Ex date             unclear: see the sentence\nNew CUSIP           not stated\n");
    expect(printed).toContain(`  ratio, ex date: “${SENTENCE}”\n`);
  });

  it("prints JSON lines on a terminal with --json", async () => {
    const { printed } = await readFiles([write("a", "NOTICE")], { onTerminal: true, json: true });
    expect(recordsOf(printed)).toHaveLength(1);
  });

  it("reports all invalid arguments together and reads nothing", async () => {
    execFileSync("mkfifo", [join(folder, "pipe")]);
    mkdirSync(join(folder, "empty"));
    const { code, printed, problems } = await readFiles([write("a", "NOTICE"), "missing", "pipe", "empty", "-", "-"], {
      source: "nasdak",
      at: "yesterday",
      url: "exchange.example/7",
      type: "html",
    });
    expect({ code, printed }).toEqual({ code: 2, printed: "" });
    expect(problems).toEqual([
      'splitwatch: SOURCE: got "nasdak", expected newswires, nasdaq, prnewswire, businesswire, globenewswire, accesswire, newsfile or all; did you mean nasdaq?',
      "splitwatch: FILE: got - twice, but standard input can be read only once",
      'splitwatch: --at: got "yesterday", expected a day such as 2026-03-09 or a time such as 2026-03-09T19:50-05:00',
      'splitwatch: --url: got "exchange.example/7", expected an http or https address',
      'splitwatch: --type: got "html", expected a content type such as text/html',
      'splitwatch: FILE: got "missing", which doesn\'t exist, expected a captured document',
      'splitwatch: FILE: got "pipe", which is not a regular file, expected a captured document',
      'splitwatch: FILE: got "empty", a folder without index.jsonl and expected.jsonl, expected a captured document or a folder of "sources record"',
    ]);
  });

  it.each([
    [{ source: "all" }, ["a"], /^splitwatch: SOURCE: got all, expected the source of "a", which is not a folder$/],
    [{ url: NOTICE_URL }, ["a", "b"], /^splitwatch: --url: got ".*" for several documents, expected one FILE: /],
    [{ url: NOTICE_URL }, ["."], /^splitwatch: --url: got ".*" for several documents, expected one FILE: /],
  ])("rejects %j for %j", async (options, files, problem) => {
    for (const file of ["a", "b"]) write(file, "NOTICE");
    write("index.jsonl", "");
    const { code, problems } = await readFiles(files, options);
    expect({ code, problems }).toEqual({ code: 2, problems: [expect.stringMatching(problem)] });
  });

  it("names only the missing index of a folder that was given to all", async () => {
    mkdirSync(join(folder, "captures"));
    const { code, problems } = await readFiles(["captures"], { source: "all" });
    expect({ code, problems }).toEqual({
      code: 2,
      problems: [expect.stringMatching(/^splitwatch: FILE: got "captures", a folder without index.jsonl and /)],
    });
  });

  it("doesn't read a file above the size that the web client accepts", async () => {
    truncateSync(join(folder, write("huge", "")), 32 * 1024 * 1024 + 1);
    const { code, problems } = await readFiles(["huge"]);
    expect(code).toBe(2);
    expect(problems).toEqual([expect.stringContaining("is larger than 33554432 bytes")]);
  });

  it("refuses a page above the size that the web client accepts for pages", async () => {
    write("huge", `<html>${" ".repeat(10 * 1024 * 1024)}`);
    const { code, printed } = await readFiles(["huge"]);
    expect(code).toBe(1);
    expect(recordsOf(printed)).toMatchObject([{ reason: "expected a page of at most 10485760 bytes, got more" }]);
  });

  it("runs with an invalid configuration", async () => {
    write("challenge.html", "<title>Access Denied</title>");
    const invocation = anInvocation(folder, { PORT: "http", SPLITWATCH_CONFIG: "missing.yaml", DATA_DIR: "/dev/null" });
    expect(await run(["read", "nasdaq", "challenge.html"], invocation)).toBe(1);
    expect(recordsOf(invocation.printed.join("\n"))).toMatchObject([{ record: "refused" }]);
  });
});

describe("a folder of captured answers", () => {
  const LINE = { file: "nasdaq/1.html", source: "nasdaq", url: NOTICE_URL };

  it("is read with the sources, addresses, types and times of its index", async () => {
    const at = "2026-03-02T14:00:00.000Z";
    writeFolder([
      { ...LINE, at, type: "text/html", status: 200 },
      { ...LINE, file: "nasdaq/2.html", status: 403, type: "text/html" },
      { ...LINE, file: "nasdaq/3.html", headers: { "cf-mitigated": "challenge" } },
      { ...LINE, file: "nasdaq/4.html", source: "globenewswire", url: "https://wire.example/4" },
    ]);
    for (const name of ["1", "2", "3"]) write(`nasdaq/${name}.html`, "NOTICE");
    write("nasdaq/4.html", "RELEASE");
    const { code, printed } = await readFiles(["."], { source: "all" });
    expect(recordsOf(printed)).toMatchObject([
      { record: "statement", file: "nasdaq/1.html", url: NOTICE_URL, published: at },
      { record: "refused", file: "nasdaq/2.html", reason: "exchange.example/notices/7 answered 403" },
      { record: "refused", file: "nasdaq/3.html", reason: "exchange.example/notices/7 answered a challenge page" },
      { record: "release", file: "nasdaq/4.html", url: "https://wire.example/4" },
    ]);
    expect(code).toBe(1);
    const named = await readFiles(["."], { at: "2026-03-04" });
    expect(recordsOf(named.printed)).toMatchObject([
      { file: "nasdaq/1.html", published: "2026-03-04T17:00:00.000Z" },
      { file: "nasdaq/2.html" },
      { file: "nasdaq/3.html" },
    ]);
  });

  it("needs no index if expected.jsonl names its documents; each is read once", async () => {
    const split = { ticker: "QLMR", ratio: "1:40", ex_date: "2026-03-10", new_cusip: null };
    writeFolder(
      [
        { ...LINE, ...split },
        { ...LINE, ...split },
        { ...LINE, file: "nasdaq/2.html" },
      ],
      "expected.jsonl",
    );
    writeFolder([{ ...LINE, at: "2026-03-02T14:00:00Z" }]);
    for (const name of ["1", "2"]) write(`nasdaq/${name}.html`, "NOTICE");
    const { printed } = await readFiles(["."]);
    expect(recordsOf(printed)).toMatchObject([
      { file: "nasdaq/1.html", published: "2026-03-02T14:00:00.000Z" },
      { file: "nasdaq/2.html", published: "2026-03-05T15:00:00.000Z" },
    ]);
  });

  it("reports unusable lines and missing documents, and reads the others", async () => {
    writeFolder([
      "{",
      { ...LINE, url: "file:///etc/passwd" },
      { ...LINE, file: "../a" },
      { ...LINE, file: "/etc/passwd" },
      { ...LINE, file: "nasdaq/2.html" },
      { ...LINE, file: "nasdaq/link.html" },
      { ...LINE, source: "nasdak", file: "nasdaq/3.html" },
      LINE,
    ]);
    write("nasdaq/1.html", "NOTICE");
    symlinkSync("/etc/passwd", join(folder, "nasdaq/link.html"));
    const { code, printed, problems } = await readFiles(["."], { source: "all" });
    expect(problems.map((problem) => problem.replace(/, expected.*/, ""))).toEqual([
      'splitwatch: .: index.jsonl line 1: got "{"',
      'splitwatch: .: index.jsonl line 2: got {"url":"file:///etc/passwd"}',
      'splitwatch: .: index.jsonl line 3: got {"file":"../a"}',
      'splitwatch: .: index.jsonl line 4: got {"file":"/etc/passwd"}',
    ]);
    expect(recordsOf(printed)).toMatchObject([
      { record: "refused", file: "nasdaq/2.html", reason: "the file doesn't exist" },
      { record: "refused", file: "nasdaq/link.html", reason: "the file can't be read (ELOOP)" },
      { record: "refused", file: "nasdaq/3.html", reason: 'there is no source "nasdak"' },
      { record: "statement", file: "nasdaq/1.html" },
    ]);
    expect(code).toBe(1);
  });
});
