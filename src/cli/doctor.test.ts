import {
  chmodSync,
  chownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { listedSplit, patchOf } from "../../test/contract/store-builders.ts";
import { faults, startFakeWire } from "../../test/newswires/fake-wire.ts";
import { anInvocation } from "../../test/support/recorded-invocation.ts";
import { SETTINGS_FILES } from "../../test/support/settings-files.ts";
import { sourcesOff } from "../../test/support/sources-off.ts";
import { openIn } from "../../test/support/store-folder.ts";
import { addDays, dayInZone } from "../domain/time/day.ts";
import { MARKET_ZONE } from "../domain/time/trading-day.ts";
import { type HttpServer, listen } from "../http/server.ts";
import { systemClock } from "../lib/clock.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { SOURCES } from "../sources/index.ts";
import { configuredStore } from "../store/index.ts";
import { doctor } from "./doctor.ts";

const SPLIT = {
  ticker: "ACME",
  exchange: "NASDAQ",
  company: "Acme Robotics Inc.",
  ratio: "1:20",
  ex_date: "2026-03-10",
  date_announced: null,
};

/** Answer with the fields of all requests. */
const SERVICE_DATA = {
  data: [SPLIT],
  articles: [],
  total_results: 0,
  total_pages: 0,
  page_number: 0,
  page_size: 40,
};

let folder = "";
const servers: HttpServer[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "splitwatch-doctor-"));
});

afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("doctor", () => {
  it("passes in a fresh clone, has a line for every platform, and changes nothing", async () => {
    const { code, lines, platformLines } = await runDoctor();
    expect(code).toBe(0);
    expect(lines).toEqual([
      `ok   configuration: OK (config/default.yaml and ${SETTINGS_FILES.sample})`,
      `ok   DATA_DIR: ${join(folder, "data")} does not exist yet; the first start creates it`,
      "ok   data service: embedded, with sample data (invented companies)",
    ]);
    expect(platformLines).toEqual(PLATFORM_LINES);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("warns about a data folder that other users can write to", async () => {
    const data = join(folder, "data");
    mkdirSync(data);
    chmodSync(data, 0o777);
    const { code, lines } = await runDoctor();
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^warn DATA_DIR: other users can write .* \(mode 777\)/));
    chmodSync(data, 0o755);
    expect((await runDoctor()).lines.join()).not.toContain("other users");
  });

  it("warns about a data folder that another user owns", async () => {
    const data = join(folder, "data");
    mkdirSync(data, { mode: 0o700 });
    if (process.getuid?.() === 0) chownSync(data, 4_242, 4_242);
    vi.spyOn(process, "getuid").mockReturnValue(4_243);
    const { code, lines } = await runDoctor();
    vi.restoreAllMocks();
    expect(code).toBe(0);
    expect(lines).toContainEqual(expect.stringMatching(/^warn DATA_DIR: another user \(\d+\) owns .*: chown 4243 /));
  });

  it("fails for a data folder inside a file, which the first start can't create", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    const { code, lines } = await runDoctor({ DATA_DIR: join(file, "sub/data") });
    expect(code).toBe(1);
    expect(lines).toContain(
      `FAIL DATA_DIR: got ${join(file, "sub/data")}, although ${file} is a file, expected a folder`,
    );
  });

  it("fails for a data folder in a file system that rejects new folders", async () => {
    const { code, lines } = await runDoctor({ DATA_DIR: "/proc/splitwatch/data" });
    expect(code).toBe(1);
    expect(lines).toContainEqual(
      expect.stringMatching(/^FAIL DATA_DIR: \/proc\/splitwatch\/data does not exist; .* to write in \//),
    );
  });

  it("reports all problems of the configuration", async () => {
    const { code, lines } = await runDoctor({ PORT: "x", LOG_LEVEL: "y" });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^FAIL PORT: got "x"/),
      expect.stringMatching(/^FAIL LOG_LEVEL: got "y"/),
    ]);
  });

  it("reports missing variables of a Slack app without contacting Slack", async () => {
    const { code, lines } = await runDoctor({
      SLACK_CLIENT_ID: "1.2",
      SLACK_APP_TOKEN: "xapp-hush",
      ENCRYPTION_KEY: "hush",
    });
    expect(code).toBe(1);
    expect(lines).toEqual([
      expect.stringMatching(/^FAIL ENCRYPTION_KEY: got 4 characters/),
      expect.stringMatching(/^FAIL SLACK_CLIENT_SECRET: got nothing/),
      expect.stringMatching(/^FAIL SLACK_STATE_SECRET: got nothing/),
    ]);
  });

  it("reads the store while a running splitwatch uses it", async () => {
    const store = await configuredStore({ dataDir: join(folder, "data") }).open({
      clock: systemClock,
      log: SILENT_LOG,
    });
    const before = readdirSync(join(folder, "data"));
    const { code, lines } = await runDoctor();
    expect(lines.slice(1, 4)).toEqual([
      `ok   DATA_DIR: OK (${join(folder, "data")})`,
      "ok   store: OK",
      "ok   API keys: 0 active",
    ]);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, "data"))).toEqual(before);
    await store.close();
  });

  it("reports a damaged database", async () => {
    await createStore();
    const path = join(folder, "data", "splitwatch.db");
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0, bytes.length / 2));
    const { code, lines } = await runDoctor();
    expect(code).toBe(1);
    expect(lines.filter((line) => line.startsWith("FAIL"))).toEqual([
      expect.stringMatching(/^FAIL store: .*splitwatch\.db is damaged.* No file was changed\. Move the folder /),
    ]);
  });

  it("fails for a snapshot that is newer than the database, as a start does", async () => {
    const data = join(folder, "data");
    await createStore();
    const before = readFileSync(join(data, "splitwatch.db"));
    const store = await openIn(data);
    await store.snapshot.commit({ patch: patchOf({ splits: [listedSplit("s1")] }), events: [], deliveries: [] });
    await store.close();
    expect((await runDoctor()).lines).toContain("ok   store: OK");
    writeFileSync(join(data, "splitwatch.db"), before);

    const problem = `${join(data, "snapshot.json")} is newer than the database: its version is 3, that of the database 1`;
    await expect(openIn(data)).rejects.toThrow(problem);
    const { code, lines } = await runDoctor();
    expect(code).toBe(1);
    expect(lines).toContainEqual(expect.stringContaining(`FAIL store: ${problem}. No file was changed.`));
  });

  it("reports a DATA_DIR that is a file", async () => {
    writeFileSync(join(folder, "data"), "");
    expect((await runDoctor()).lines[1]).toBe(
      `FAIL DATA_DIR: got ${join(folder, "data")}, which is a file, expected a folder`,
    );
  });

  it("reports a DATA_DIR that is not writable", async () => {
    const { code, lines } = await runDoctor({ DATA_DIR: "/proc/self" });
    expect(code).toBe(1);
    expect(lines[1]).toMatch(
      /^FAIL DATA_DIR: \/proc\/self cannot be written \(.+\); free space or grant splitwatch \(user \d+\) write permission$/,
    );
  });

  it("warns about the unusable lines of a data folder with file, line and field", async () => {
    const undated = JSON.stringify({ ...SPLIT, ex_date: "soon" });
    writeFileSync(join(folder, "splits.jsonl"), `${JSON.stringify(SPLIT)}\n${undated}\n`);
    writeFileSync(join(folder, "articles.jsonl"), "text\n".repeat(6));
    writeFileSync(join(folder, "my.yaml"), "service: { source: . }");
    const { code, lines } = await runDoctor({ SPLITWATCH_CONFIG: "my.yaml" });
    expect(code).toBe(0);
    expect(lines[0]).toBe(`ok   configuration: OK (config/default.yaml and ${join(folder, "my.yaml")})`);
    expect(lines.at(-1)).toMatch(
      /^warn data service: embedded, with 1 split and 0 articles in \/.*; some lines can't be used: splits\.jsonl line 2, [A-Z]+: ex_date: got "soon".*; articles\.jsonl line 1: not JSON, expected an object; .*; and 2 more$/,
    );
  });

  it("warns about withdrawals in the releases of a data folder whose splits it still lists", async () => {
    const today = dayInZone(Date.now(), MARKET_ZONE);
    const split = { ...SPLIT, ex_date: addDays(today, 10), date_announced: addDays(today, -3) };
    const cancellation = (name: string, content: string): object => ({
      source: "globenewswire",
      heading: "Update on the Reverse Stock Split",
      url: `https://wire.example/${name}`,
      content: `${content} the 1-for-20 reverse stock split has been cancelled.`,
      date_published: addDays(today, -1),
    });
    const bolt = { ...split, ticker: "BOLT", company: "Bolt Marine Corp." };
    writeFileSync(join(folder, "splits.jsonl"), `${JSON.stringify(split)}\n${JSON.stringify(bolt)}\n`);
    const articles = [
      cancellation("law", "Hollis & Grant LLP today reported that, for Acme Robotics Inc. (NASDAQ: ACME),"),
      cancellation("bolt", "Bolt Marine Corp. (NASDAQ: BOLT) today announced that"),
    ];
    writeFileSync(join(folder, "articles.jsonl"), articles.map((one) => `${JSON.stringify(one)}\n`).join(""));
    writeFileSync(join(folder, "my.yaml"), "service: { source: . }");
    const { code, lines } = await runDoctor({ SPLITWATCH_CONFIG: "my.yaml" });
    expect(code).toBe(0);
    expect(lines.at(-1)).toMatch(
      /^warn data service: embedded, with 2 splits and 2 articles in .*; ACME: a release of .* by Hollis & Grant LLP, which is not known as the issuer, says that the split is cancelled; it is not applied \(https:\/\/wire\.example\/law\); BOLT: the issuer cancelled the split on .*; the list still lists it \(https:\/\/wire\.example\/bolt\)$/,
    );
  });
});

describe("doctor for the live sources", () => {
  it("fails if no source can be reached, with the likely cause, although sample data replaces them", async () => {
    const { code, lines } = await runDoctor({ SPLITWATCH_CONFIG: SETTINGS_FILES.noWireAnswers });
    expect(lines.slice(2)).toEqual([
      "FAIL data service: 0 of 10 split sources can be read; no route, DNS or proxy? HTTPS_PROXY is not set; sample data (invented companies) is shown until one is read for the first time",
      ...["prnewswire", "businesswire", "globenewswire", "accesswire", "newsfile"].map((wire) =>
        expect.stringMatching(
          new RegExp(
            `^FAIL wire ${wire}: unreachable \\(.*127\\.0\\.0\\.\\d+.*\\); set newswires.${wire}.feeds to \\[\\] to disable it$`,
          ),
        ),
      ),
      expect.stringMatching(/^FAIL Nasdaq corporate actions, feed: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      expect.stringMatching(/^FAIL FINRA daily list: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      expect.stringMatching(/^FAIL NYSE corporate actions: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      expect.stringMatching(/^FAIL CSE bulletins, list: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      expect.stringMatching(/^FAIL TSX Venture bulletins, list: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      expect.stringMatching(/^FAIL Trading halts: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      expect.stringMatching(/^FAIL Symbol directories, Nasdaq: unreachable \(.*127\.0\.0\.\d+.*\)$/),
      "off  Symbol directories, SEC: off; set SPLITWATCH_CONTACT to a mail address",
      "off  SEC EDGAR: off; set SPLITWATCH_CONTACT to a mail address",
      "off  OCC memos: off; sources.occ.every is off",
    ]);
    expect(code).toBe(1);
  });

  it.each([
    ["ops@example.com", []],
    [
      "https://example.com/bots",
      [
        "off  Symbol directories, SEC: off; set SPLITWATCH_CONTACT to a mail address",
        "off  SEC EDGAR: off; set SPLITWATCH_CONTACT to a mail address",
      ],
    ],
  ])("names the sources that are off with the contact %s", async (contact, expected) => {
    const { lines } = await runDoctor({
      SPLITWATCH_CONFIG: SETTINGS_FILES.noWireAnswers,
      SPLITWATCH_CONTACT: contact,
    });
    expect(lines.filter((line) => line.includes("SPLITWATCH_CONTACT"))).toEqual(expected);
  });

  it("fails for each unreadable wire", async () => {
    const wire = await startFakeWire("businesswire");
    wire.publish({ id: "1", published: new Date() });
    const refusingWire = await startFakeWire("globenewswire");
    refusingWire.break("feed", faults.status(403));
    const settings = `service: { source: wires }
newswires:
  prnewswire: { feeds: [] }
  businesswire: { feeds: ["${wire.feed}"] }
  accesswire: { feeds: [] }
  globenewswire: { feeds: ["${refusingWire.feed}"] }
  newsfile: { feeds: [] }
`;
    writeFileSync(join(folder, "my.yaml"), settings + sourcesOff());
    const { code, lines } = await runDoctor({ SPLITWATCH_CONFIG: "my.yaml" });
    await Promise.all([wire.close(), refusingWire.close()]);
    expect(lines.slice(2)).toEqual([
      "ok   data service: embedded, 1 of 2 split sources OK",
      expect.stringMatching(/^ok {3}wire businesswire: OK, 1 item, a page of \d{3} characters$/),
      expect.stringMatching(/^FAIL wire globenewswire: requests refused \(.*403.*to disable it$/),
      ...OFF_LINES,
    ]);
    expect(code).toBe(1);
  });
});

describe("doctor for a remote data service", () => {
  it("reports the number of splits", async () => {
    const url = await serve((request) => {
      const key = new URL(request.url).searchParams.get("apiKey");
      return key === "the-key" ? Response.json(SERVICE_DATA) : new Response("no", { status: 401 });
    });
    const accepted = await runDoctor({ SPLITS_API_URL: url, SPLITS_API_KEY: "the-key" });
    expect(accepted.lines.at(-1)).toBe(`ok   data service: ${url} lists 1 split`);
    expect(accepted.code).toBe(0);
    const rejected = await runDoctor({ SPLITS_API_URL: url, SPLITS_API_KEY: "other-key" });
    expect(rejected.lines.at(-1)).toMatch(/^FAIL data service: .*; request a valid key from its operator$/);
    expect(rejected.lines.join("\n")).not.toContain("other-key");
    expect(rejected.code).toBe(1);
  });

  it("warns if the service serves sample data", async () => {
    const url = await serve(() => Response.json(SERVICE_DATA, { headers: { "X-Splitwatch-Data": "sample" } }));
    const { code, lines } = await runDoctor({ SPLITS_API_URL: url, SPLITS_API_KEY: "the-key" });
    expect(lines.at(-1)).toBe(`warn data service: ${url} lists 1 split; they are sample data (invented companies)`);
    expect(code).toBe(0);
  });

  it("reports an unreachable service", async () => {
    const url = await serve(() => new Response());
    await servers.pop()?.close();
    const { code, lines } = await runDoctor({ SPLITS_API_URL: url, SPLITS_API_KEY: "the-key" });
    expect(code).toBe(1);
    expect(lines.at(-1)).toMatch(/^FAIL data service: .*; check that it runs and that SPLITS_API_URL is correct$/);
  });
});

describe("doctor for a running process", () => {
  it.each([
    [() => Response.json({ status: "ready" }), /^ok {3}running: splitwatch at http:\/\/127\.0\.0\.1:\d+ is ready$/],
    [() => new Response("<h1>It works!</h1>"), /^FAIL running: another program answers at .*set PORT to a free port$/],
  ])("reports its readiness (%#)", async (answer, expected) => {
    const url = await serve((request) =>
      new URL(request.url).pathname === "/readyz" ? answer() : new Response("", { status: 404 }),
    );
    const { code, lines } = await runDoctor({ PORT: new URL(url).port });
    expect(lines.at(-1)).toMatch(expected);
    expect(code).toBe(lines.at(-1)?.startsWith("ok") ? 0 : 1);
  });

  it("passes if no process runs", async () => {
    const url = await serve(() => new Response());
    await servers.pop()?.close();
    const { code, lines } = await runDoctor({ PORT: new URL(url).port });
    expect(lines.at(-1)).toBe(`ok   running: nothing listens at ${url}`);
    expect(code).toBe(0);
  });
});

it("accepts a PUBLIC_URL of this machine, at which the page answers without ADMIN_TOKEN", async () => {
  const { code, lines } = await runDoctor({ PUBLIC_URL: "http://127.0.0.1:8080" });
  expect([code, lines.filter((line) => line.startsWith("warn"))]).toEqual([0, []]);
});

/** Lines of the sources that `sourcesOff` disables. */
const OFF_LINES = SOURCES.filter(({ settingsKey, name }) => settingsKey === `sources.${name}`).map(
  ({ label, settingsKey }) => `off  ${label}: off; ${settingsKey}.every is off`,
);

/** Lines of the platforms, none of which is configured here. */
const PLATFORM_LINES = [
  "off  slack: not configured; set SLACK_BOT_TOKEN and SLACK_APP_TOKEN to connect Slack",
  "ok   web: OK, needs no configuration",
  "off  discord: not configured; set DISCORD_TOKEN to connect Discord",
  "off  webhook: not configured; set webhook.endpoints and WEBHOOK_SECRETS to send alerts to other programs",
  "off  feed: not configured; set feed.enabled to publish alerts for feed readers",
];

function isPlatform(line: string): boolean {
  return PLATFORM_LINES.includes(line);
}

interface DoctorResult {
  readonly code: number;
  /** Lines other than the platforms'. */
  readonly lines: readonly string[];
  readonly platformLines: readonly string[];
}

/** PORT 0 disables the check of a running process. */
async function runDoctor(env: Readonly<Record<string, string>> = {}): Promise<DoctorResult> {
  const invocation = anInvocation(folder, { PORT: "0", SPLITWATCH_CONFIG: SETTINGS_FILES.sample, ...env });
  const code = await doctor(invocation);
  const { printed } = invocation;
  return { code, lines: printed.filter((line) => !isPlatform(line)), platformLines: printed.filter(isPlatform) };
}

async function createStore(): Promise<void> {
  const store = await configuredStore({ dataDir: join(folder, "data") }).open({ clock: systemClock, log: SILENT_LOG });
  await store.close();
}

async function serve(answer: (request: Request) => Response): Promise<string> {
  const server = await listen({ app: { fetch: answer }, host: "127.0.0.1", port: 0, log: SILENT_LOG });
  servers.push(server);
  return server.address;
}
