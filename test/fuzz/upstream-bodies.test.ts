import { gzipSync } from "node:zlib";
import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createSplitsClient, type SplitsClient } from "../../src/data-service/client/client.ts";
import { readArticlePage, readSplitList } from "../../src/data-service/client/records.ts";
import { SILENT_LOG } from "../../src/ports/log.ts";
import { SourceError } from "../../src/ports/split-source.ts";
import { aRecord, day } from "../support/builders.ts";
import { anyMutations, fuzz, mutateAll, mutated } from "../support/fuzz.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { PolledSource } from "../support/polled-source.ts";
import { anArticleRow, aSplitRow, startUpstream, type Upstream } from "../support/upstream.ts";

const MAX_REASON_LENGTH = 1_000;

const value = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1e308,
    Number.MAX_SAFE_INTEGER,
    "",
    " ",
    "1:20",
    "2026-03-10",
    "9999-12-31",
    "0000-01-03",
  ),
  fc.string({ maxLength: 20 }),
  fc.jsonValue({ maxDepth: 4 }),
);
const fields = ["ticker", "exchange", "company", "ratio", "ex_date", "date_announced", "source", "url", "content"];
const changes = fc.dictionary(fc.constantFrom(...fields, "__proto__", "constructor", "heading", "extra"), value, {
  maxKeys: 3,
});
const rows = (row: (parts: Readonly<Record<string, unknown>>) => unknown): fc.Arbitrary<readonly unknown[]> =>
  fc.array(fc.oneof({ weight: 6, arbitrary: changes.map(row) }, { weight: 1, arbitrary: value }), { maxLength: 6 });

const splitLists = rows(aSplitRow).map((data) => JSON.stringify({ data }));
const articlePages = rows(anArticleRow).map((articles) =>
  JSON.stringify({ articles, total_results: 6, total_pages: 1, page_number: 0, page_size: 40 }),
);

/** Resolves with the result, or with undefined for text that is not JSON; rejects on any other error. */
async function unlessSyntaxError<T>(reading: Promise<T>): Promise<T | undefined> {
  return reading.catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined;
  });
}

const excerpt = (text: string): string => text.slice(0, 80);

it("any list of splits is read or rejected, and makes a valid snapshot", async () => {
  const lists = mutated(splitLists, (text) => Buffer.from(text));
  await fuzz("lists of splits", lists, { short: 500, full: 60_000 }, async ({ bytes }) => {
    const parsed = await unlessSyntaxError(readSplitList(bytes, excerpt));
    if (parsed === undefined || !parsed.ok) return;
    for (const { reason } of parsed.value.quarantined) expect(reason.length).toBeLessThan(MAX_REASON_LENGTH);
    const source = PolledSource.settled([aRecord()]);
    source.poll(parsed.value.records, 4);
    expect(source.splits.length).toBeLessThanOrEqual(parsed.value.records.length + 1);
  });
});

it("any page of articles is read or rejected", async () => {
  const pages = mutated(articlePages, (text) => Buffer.from(text));
  await fuzz("pages of articles", pages, { short: 500, full: 38_000 }, async ({ bytes }) => {
    const parsed = await unlessSyntaxError(readArticlePage(bytes, excerpt));
    const quarantined = parsed?.ok ? parsed.value.quarantined : [];
    for (const { reason } of quarantined) expect(reason.length).toBeLessThan(MAX_REASON_LENGTH);
  });
});

let upstream: Upstream;
let client: SplitsClient;

beforeAll(async () => {
  upstream = await startUpstream();
  const clock = new ManualClock();
  client = createSplitsClient({
    baseUrl: upstream.url,
    apiKey: upstream.key,
    id: "fuzz",
    sample: false,
    clock,
    log: SILENT_LOG,
    limits: { retries: 0, totalTimeoutMs: 5_000, maxBodyBytes: 200_000, maxPages: 3 },
  });
});

afterAll(async () => {
  await client.close();
  await upstream.stop();
});

const anyAnswer = fc.record({
  body: fc.oneof(splitLists, articlePages),
  mutations: anyMutations,
  status: fc.oneof(
    { weight: 9, arbitrary: fc.constant(200) },
    fc.constantFrom(201, 204, 206, 302, 304, 400, 401, 404, 429, 500, 503),
  ),
  type: fc.constantFrom(
    "application/json",
    "text/html",
    "application/json; charset=utf-16",
    "text/plain; charset=x",
    "",
  ),
  encoding: fc.constantFrom("", "", "", "gzip", "packed", "br", "deflate", "gzip, gzip, gzip", "x"),
  manner: fc.constantFrom("whole", "whole", "whole", "cut", "endless", "reset"),
});

it("any answer over HTTP is read or fails with a reason, and the next poll succeeds", async () => {
  await fuzz("answers over HTTP", anyAnswer, { short: 60, full: 2_000 }, async ({ body, mutations, ...rest }) => {
    const bytes = mutateAll(Buffer.from(body), mutations);
    const { status, type, encoding, manner } = rest;
    const isPacked = encoding === "packed";
    const headers = {
      ...(type === "" ? {} : { "content-type": type }),
      ...(encoding === "" ? {} : { "content-encoding": isPacked ? "gzip" : encoding }),
    };
    upstream.injectFault(() => ({ status, headers, manner, body: isPacked ? gzipSync(bytes) : bytes }));
    const { signal } = new AbortController();
    const readings = [client.listSplits(signal), client.searchArticles(day("2026-03-01"), signal)];
    const results = await Promise.allSettled(readings);
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(reasons.filter((reason) => !(reason instanceof SourceError))).toEqual([]);
  });
  upstream.clearFault();
  upstream.splits = [aSplitRow()];
  expect((await client.listSplits(new AbortController().signal)).records).toHaveLength(1);
});
