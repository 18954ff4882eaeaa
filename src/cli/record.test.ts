import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { countingQueue } from "../../test/support/counting-queue.ts";
import { directReader } from "../../test/support/direct-reader.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { PolledHosts } from "../../test/support/polled-hosts.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { startSourceServer } from "../../test/support/source-server.ts";
import { sourcesOff } from "../../test/support/sources-off.ts";
import { WIRES } from "../domain/article/wire.ts";
import { SOURCES } from "../sources/index.ts";
import { createHostQueue } from "../sources/web/host-queue.ts";
import type { Invocation } from "./invocation.ts";
import { record } from "./record.ts";
import { run } from "./run.ts";

let folder = "";
let clock: ManualClock;
let hosts: PolledHosts;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-record-"));
  clock = new ManualClock();
  hosts = new PolledHosts(() => clock.now());
});

afterEach(async () => {
  await hosts.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Writes the default settings with the hosts of the sources on loopback, and returns an invocation that uses them. */
async function anOperator(changes: (settings: Record<string, unknown>) => void = () => undefined) {
  const defaults = parse(readFileSync(new URL("../../config/default.yaml", import.meta.url), "utf8")) as Record<
    string,
    unknown
  >;
  const { newswires, sources } = await hosts.replaceOrigins(defaults);
  const settings: Record<string, unknown> = { newswires, sources };
  changes(settings);
  writeFileSync(join(folder, "settings.yaml"), stringify(settings));
  return anInvocation(folder, {
    SPLITWATCH_CONFIG: "settings.yaml",
    SPLITWATCH_CONTACT: "ops@example.com",
    DATA_DIR: "/dev/null/no-state",
  });
}

const NO_WIRES = Object.fromEntries(WIRES.map((wire) => [wire, { feeds: [] }]));

/** Settings that disable every source that can be disabled. */
function allOff(): Readonly<Record<string, unknown>> {
  return (parse(sourcesOff()) as { readonly sources: Readonly<Record<string, unknown>> }).sources;
}

interface IndexLine {
  readonly file: string;
  readonly source: string;
  readonly url: string;
  readonly status: number;
  readonly type: string | null;
  readonly at: string;
  readonly headers?: Readonly<Record<string, string>>;
}

function indexOf(name: string): readonly IndexLine[] {
  const lines = readFileSync(join(folder, name, "index.jsonl"), "utf8").split("\n");
  return lines.filter((line) => line !== "").map((line) => JSON.parse(line) as IndexLine);
}

/** Files of the recorded folder, without its index. */
function filesIn(name: string): readonly string[] {
  const files = readdirSync(join(folder, name), { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.map((entry) => join(entry.parentPath, entry.name).slice(join(folder, name).length + 1));
}

function modeOf(path: string): number {
  return statSync(join(folder, path)).mode & 0o777;
}

/**
 * Records on the moved clock: whenever neither a request is in flight nor a file is written, the time until the next wake
 * passes.
 */
async function recordIn(name: string, invocation: Invocation): Promise<number> {
  const queue = countingQueue(createHostQueue(clock));
  const ended = new AbortController();
  const recorded = record(name, invocation, { clock, queue, reader: directReader }).finally(() => ended.abort());
  while (!ended.signal.aborted) {
    await queue.settled(isWriting);
    if (clock.nextWake !== null) await clock.advance(clock.nextWake - clock.now());
  }
  return recorded;
}

function isWriting(): boolean {
  return process.getActiveResourcesInfo().some((resource) => resource.startsWith("FSReq"));
}

/** Loads the modules of the sources, which takes real time that the moved clock doesn't know. */
beforeAll(async () => {
  const folderOfSources = new URL("../sources/", import.meta.url);
  const modules = readdirSync(folderOfSources, { recursive: true, encoding: "utf8" });
  for (const path of modules.filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts")))
    await import(new URL(path, folderOfSources).href);
});

/** Kinds of records that the answers of the servers have, by source. */
const EXPECTED_RECORDS = [
  "cse entry",
  "cse statement",
  "finra nothing",
  "halts entry",
  "halts statement",
  "nasdaq entry",
  "nasdaq statement",
  "newswires entry",
  "newswires refused",
  "newswires release",
  "nyse nothing",
  "sec entry",
  "sec nothing",
  "sec release",
  "symbols entry",
  "symbols nothing",
  "tsxv entry",
  "tsxv statement",
];

/** A line of `splitwatch read`. */
interface ReadRecord {
  readonly record: string;
  readonly file: string;
  readonly url: string | null;
}

describe("sources record", () => {
  it("stores the answers of every source, with address, status, type and time, without a state", async () => {
    const invocation = await anOperator();
    expect(await recordIn("captures", invocation)).toBe(0);
    const lines = indexOf("captures");
    const off = SOURCES.filter(({ label }) => invocation.problems.some((line) => line.startsWith(`${label}: off; `)));
    expect(off.map(({ name }) => name)).toEqual(["occ"]);
    const followed = SOURCES.filter((source) => !off.includes(source));
    expect(new Set(lines.map(({ source }) => source))).toEqual(new Set(followed.map(({ name }) => name)));
    const notice = lines.find(({ url }) => url.endsWith("/TraderNews.aspx?id=ECA2026-119"));
    expect(notice).toMatchObject({ source: "nasdaq", status: 200, type: "text/html; charset=utf-8" });
    expect(readFileSync(join(folder, "captures", notice?.file ?? ""), "utf8")).toContain(
      "will effect a (1-40) reverse split",
    );
    for (const { file, at } of lines) {
      expect(statSync(join(folder, "captures", file)).size).toBeGreaterThanOrEqual(0);
      expect(Date.parse(at)).toBeGreaterThan(Date.parse("2026-03-02T14:00:00Z"));
    }
    expect(filesIn("captures").toSorted()).toEqual([...lines.map(({ file }) => file), "index.jsonl"].toSorted());
    expect([modeOf("captures"), modeOf("captures/nasdaq"), modeOf(`captures/${notice?.file}`)]).toEqual([
      0o700, 0o700, 0o600,
    ]);
    expect(invocation.printed).toEqual([`Stored ${lines.length} answers in ${join(folder, "captures")}`]);
    expect(invocation.problems).toContain("To read them: splitwatch read all captures");
  });

  it("stores refused answers with the header that announces a challenge, and names the refusal", async () => {
    const invocation = await anOperator();
    await recordIn("captures", invocation);
    const refused = indexOf("captures").filter(({ status }) => status === 403);
    expect(refused).toMatchObject([{ source: "newswires", headers: { "cf-mitigated": "challenge" } }]);
    expect(invocation.problems).toContainEqual(
      expect.stringMatching(/^newswires: \d+ answers; accesswire: .* answered 403$/),
    );
  });

  it("stores neither keys in addresses nor an answer twice, and only what read needs of the headers", async () => {
    const invocation = await anOperator((settings) => {
      const newswires = settings.newswires as Record<string, unknown>;
      const [feed = ""] = (newswires.businesswire as { feeds: string[] }).feeds;
      const url = `${feed.replace("//", "//ops:hushhush@")}&api_key=hush-1&accessToken=hush-2`;
      newswires.feeds = [{ name: "house", url, every: "10s" }];
    });
    await recordIn("captures", invocation);
    const index = readFileSync(join(folder, "captures/index.jsonl"), "utf8");
    expect(index).not.toContain("hush");
    expect(index).toContain("api_key=***&accessToken=***");
    const contents = indexOf("captures").map(
      ({ url, file }) => url + readFileSync(join(folder, "captures", file), "utf8"),
    );
    expect(new Set(contents).size).toBe(contents.length);
    expect(new Set(indexOf("captures").flatMap((line) => Object.keys(line)))).toEqual(
      new Set(["file", "source", "url", "status", "type", "at", "headers"]),
    );
    expect(invocation.problems.join("\n")).not.toContain("hush");
  });

  it("requests at most 20 pages of a host", async () => {
    const items = Array.from(
      { length: 30 },
      (_, n) => `<item><title>Quillmere ${n} Announces Reverse Stock Split</title><link>/release/${n}</link></item>`,
    );
    const feed = `<rss version="2.0"><channel><title>House</title>${items.join("")}</channel></rss>`;
    const server = await startSourceServer(({ path }) =>
      path === "/feed" ? { type: "text/xml", body: feed } : { type: "text/html", body: `<article>${path}</article>` },
    );
    try {
      const invocation = await anOperator((settings) => {
        settings.newswires = { ...NO_WIRES, feeds: [{ name: "house", url: `${server.origin}/feed` }] };
        settings.sources = allOff();
      });
      expect(await recordIn("captures", invocation)).toBe(0);
      expect(indexOf("captures").map(({ url }) => new URL(url).pathname)).toEqual([
        "/feed",
        ...Array.from({ length: 20 }, () => expect.stringMatching(/^\/release\/\d+$/)),
      ]);
      expect(server.received).toHaveLength(21);
    } finally {
      await server.close();
    }
  });

  it("keeps what was stored when it is stopped", async () => {
    const invocation = await anOperator();
    const stopping: Invocation = {
      ...invocation,
      err: (line) => {
        if (line.includes("ECA2026-11")) invocation.stop({ kind: "signal", signal: "SIGINT" });
        invocation.err(line);
      },
    };
    expect(await recordIn("captures", stopping)).toBe(130);
    const lines = indexOf("captures");
    expect(lines.some(({ source }) => source === "nasdaq")).toBe(true);
    expect(filesIn("captures").toSorted()).toEqual([...lines.map(({ file }) => file), "index.jsonl"].toSorted());
  });

  it("adds to a recorded folder, and leaves any other folder alone", async () => {
    const invocation = await anOperator((settings) => {
      settings.sources = allOff();
    });
    await recordIn("captures", invocation);
    const before = indexOf("captures");
    await recordIn("captures", invocation);
    expect(indexOf("captures").slice(0, before.length)).toEqual(before);
    expect(indexOf("captures").length).toBeGreaterThan(before.length);
    expect(await recordIn(".", invocation)).toBe(2);
    expect(invocation.problems.at(-1)).toBe(
      'splitwatch: DIR: got ".", which contains other files, expected a new or empty folder, or one of "sources record"',
    );
    expect(await recordIn("settings.yaml", invocation)).toBe(2);
    expect(invocation.problems.at(-1)).toMatch(/^splitwatch: DIR: got "settings.yaml", which doesn't exist/);
  });

  it("fails if no answer was received, and names each reason", async () => {
    const invocation = await anOperator();
    await hosts.close();
    expect(await recordIn("captures", invocation)).toBe(1);
    expect(invocation.printed).toEqual([`Stored 0 answers in ${join(folder, "captures")}`]);
    expect(invocation.problems).toContainEqual(expect.stringMatching(/^nyse: 0 answers; nyse: .*: no connection/));
  });

  it("ends when an answer can't be stored", async () => {
    const invocation = await anOperator();
    mkdirSync(join(folder, "captures"));
    for (const name of ["index.jsonl", ...SOURCES.map((source) => source.name)])
      writeFileSync(join(folder, "captures", name), "");
    expect(await recordIn("captures", invocation)).toBe(1);
    expect(invocation.problems).toContainEqual(expect.stringMatching(/^splitwatch: an answer can't be stored: EEXIST/));
    expect(invocation.printed).toEqual([`Stored 0 answers in ${join(folder, "captures")}`]);
  });

  it("names the sources that are off", async () => {
    const invocation = await anOperator((settings) => {
      settings.sources = allOff();
    });
    await recordIn("captures", invocation);
    expect(invocation.problems).toContain("NYSE corporate actions: off; sources.nyse.every is off");
  });

  it("needs a valid configuration", async () => {
    const invocation = anInvocation(folder, { PORT: "http" });
    expect(await run(["sources", "record", "captures"], invocation)).toBe(2);
    expect(invocation.problems).toEqual([expect.stringMatching(/^splitwatch: PORT: got "http"/)]);
  });
});

describe("a recorded folder", () => {
  it("is read by the readers of all sources, which refuse only what the source refused", async () => {
    await recordIn("captures", await anOperator());
    const lines = indexOf("captures");
    const invocation = anInvocation(folder);
    await run(["read", "all", "captures"], invocation);
    const read = invocation.printed
      .join("\n")
      .split("\n")
      .map((line) => JSON.parse(line) as ReadRecord);
    expect(new Set(read.map(({ file }) => file))).toEqual(new Set(lines.map(({ file }) => file)));
    expect(read.filter(({ record: kind }) => kind === "refused").map(({ url }) => url)).toEqual(
      lines.filter(({ status }) => status === 403).map(({ url }) => url),
    );
    const sourceOf = new Map(lines.map(({ file, source }) => [file, source]));
    const kinds = new Set(read.map(({ file, record: kind }) => `${sourceOf.get(file)} ${kind}`));
    expect([...kinds].toSorted()).toEqual(EXPECTED_RECORDS);
  });
});
