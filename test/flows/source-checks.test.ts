import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parse } from "yaml";
import { SOURCES } from "../../src/sources/index.ts";
import { createHostQueue } from "../../src/sources/web/host-queue.ts";
import { directReader } from "../support/direct-reader.ts";
import { PolledHosts } from "../support/polled-hosts.ts";
import { SkippingClock } from "../support/skipping-clock.ts";

let clock: SkippingClock;
let hosts: PolledHosts;

beforeEach(() => {
  clock = new SkippingClock();
  hosts = new PolledHosts(() => clock.now());
});

afterEach(() => hosts.close());

/** Lines of the check of each source with the default settings, whose hosts are on loopback. */
async function check(contact: string | null): Promise<readonly string[]> {
  const defaults = parse(readFileSync(new URL("../../config/default.yaml", import.meta.url), "utf8")) as unknown;
  const lines: string[] = [];
  for (const definition of SOURCES) {
    let section: unknown = defaults;
    for (const key of definition.settingsKey.split(".")) section = (section as Readonly<Record<string, unknown>>)[key];
    const settings = definition.section.parse(await hosts.replaceOrigins(section));
    const context = { clock, queue: createHostQueue(clock), reader: directReader, version: "0.0.0", contact };
    const results = definition.offReason(settings, contact) === null ? await definition.check(settings, context) : [];
    lines.push(...results.map(({ status, text }) => `${status} ${text.replace(/127\.0\.0\.1:\d+/g, "HOST")}`));
  }
  return lines;
}

/** Lines of the sources that need no contact, with the origins of the servers removed. */
const LINES = [
  "pass wire prnewswire: OK, 20 items, a page of 175 characters",
  "pass wire businesswire: OK, 20 items, a page of 175 characters",
  "pass wire globenewswire: OK, 20 items, a page of 175 characters",
  "pass wire accesswire: OK, 20 items; a part can't be read (HOST/newsroom answered 403), a page of 175 characters",
  "pass wire newsfile: OK, 20 items, a page of 175 characters",
  "pass Nasdaq corporate actions, feed: OK, 19 items",
  "pass Nasdaq corporate actions, notice ECA2026-119: OK, 1 item",
  "pass FINRA daily list: OK, 45 items",
  "pass NYSE corporate actions: OK, 300 items",
  "pass CSE bulletins, list: OK, 1 item",
  "pass CSE bulletins, bulletin 2026-1: OK, 1 item",
  "pass TSX Venture bulletins, list: OK, 1 item",
  "pass TSX Venture bulletins, bulletin 319314: OK, 1 item",
  "pass Trading halts: OK, 1 item",
  "pass Symbol directories, Nasdaq: OK, 4 items",
];

describe("the check of the sources", () => {
  it("reads the list and a page of each, with a line for each", async () => {
    const sec = ["pass SEC EDGAR, latest filings: OK, 6 filings", "pass SEC EDGAR, full-text search: OK, 0 filings"];
    const lines = await check("ops@example.com");
    expect(lines.toSorted()).toEqual([...LINES, ...sec, "pass Symbol directories, SEC: OK, 5 items"].toSorted());
    const pages = hosts.received.map(({ host }) => host);
    expect(pages).toEqual(
      expect.arrayContaining(["thecse.com", "infoventure.tsx.com", "www.sec.gov", "efts.sec.gov", "api.finra.org"]),
    );
  });

  it("sends nothing to the SEC without a mail address, and names the reason", async () => {
    const lines = await check(null);
    const reason = "off Symbol directories, SEC: off; set SPLITWATCH_CONTACT to a mail address";
    expect(lines.toSorted()).toEqual([...LINES, reason].toSorted());
    expect(hosts.received.filter(({ host }) => host.endsWith("sec.gov"))).toEqual([]);
  });
});
