import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createApp } from "../../src/app/app.ts";
import type { Card, Overview } from "../../src/chat/web/page/protocol.ts";
import { readConfig } from "../../src/config/index.ts";
import type { ArticleRow, SplitRow } from "../../src/data-service/schema.ts";
import { addKey } from "../../src/data-service/server/api-keys.ts";
import { WIRES, type Wire } from "../../src/domain/article/wire.ts";
import { apiKeysIn } from "../../src/store/engines/sqlite/api-keys.ts";
import { temporaryFolder } from "../support/app.ts";
import { directReader } from "../support/direct-reader.ts";
import { ManualScheduler } from "../support/manual-scheduler.ts";
import { type RecordedLog, recordedLog } from "../support/recorded-log.ts";
import { RunningClock } from "../support/running-clock.ts";
import { sourcesOff } from "../support/sources-off.ts";
import { waitUntil } from "../support/wait-until.ts";
import { ask, readMessages, readMetric, readReadiness } from "../support/web-chat-client.ts";
import { type FakeWire, type StandInRelease, startFakeWire } from "./fake-wire.ts";
import { announcementTexts } from "./wire-shapes.ts";

/** Speed of the clock: ten seconds, the shortest poll interval, take half a second. */
export const SPEED = 20;

/** The whole app with fake servers for all five wires. */
export class WiresHarness {
  readonly wires: Readonly<Record<Wire, FakeWire>>;
  readonly clock = new RunningClock({ speed: SPEED });
  log: RecordedLog = recordedLog();
  address = "";
  /** Data source at the last start. */
  origin = "";
  readonly dataDir: string;
  readonly #folder: Awaited<ReturnType<typeof temporaryFolder>>;
  /** Value of `service.source` for the next start. */
  source: "auto" | "wires";
  /** Section of the other sources for the next start. */
  otherSources = sourcesOff();
  #app: ReturnType<typeof createApp> | null = null;

  private constructor(
    wires: WiresHarness["wires"],
    folder: Awaited<ReturnType<typeof temporaryFolder>>,
    source: "auto" | "wires",
  ) {
    this.wires = wires;
    this.#folder = folder;
    this.source = source;
    this.dataDir = join(folder.path, "data");
  }

  /** Starts the wires, but not the app. */
  static async open(source: "auto" | "wires" = "wires"): Promise<WiresHarness> {
    const started = await Promise.all(WIRES.map(async (wire) => [wire, await startFakeWire(wire)] as const));
    const wires = Object.fromEntries(started) as WiresHarness["wires"];
    return new WiresHarness(wires, await temporaryFolder(), source);
  }

  async start(
    env: Readonly<Record<string, string>> = {},
    mode: "everything" | "service" = "everything",
  ): Promise<void> {
    const settings = join(this.#folder.path, "settings.yaml");
    const feeds = WIRES.map((wire) => `  ${wire}: { every: 10s, feeds: ["${this.wires[wire].feed}"] }\n`).join("");
    await writeFile(settings, `service: { source: ${this.source} }\nnewswires:\n${feeds}${this.otherSources}`);
    const config = readConfig({
      env: { DATA_DIR: this.dataDir, PORT: "0", LOG_LEVEL: "silent", SPLITWATCH_CONFIG: settings, ...env },
      folder: this.#folder.path,
      isTerminal: false,
    });
    this.log = recordedLog();
    this.#app = createApp(config, {
      clock: this.clock,
      log: this.log,
      scheduler: new ManualScheduler(),
      mode,
      reader: directReader,
    });
    const { address, sourceKind: origin } = await this.#app.start();
    this.address = address;
    this.origin = origin;
  }

  /** Resolves when the list of splits has been polled for the first time. */
  async waitForPoll(): Promise<void> {
    await this.until("the list was read", async () => (await this.#complete()) > 0);
  }

  async stop(): Promise<void> {
    await this.#app?.stop();
    this.#app = null;
  }

  async close(): Promise<void> {
    await this.stop();
    await Promise.all(WIRES.map((wire) => this.wires[wire].close()));
    await this.#folder.remove();
  }

  /** All cards of the answer. */
  runCommandForCards(line: string): Promise<readonly Card[]> {
    return ask(this.address, "ada", line, { channel: "general" });
  }

  /** The first card of the answer. */
  async runCommand(line: string): Promise<Card> {
    const [card] = await this.runCommandForCards(line);
    if (!card) throw new Error(`${line} was not answered`);
    return card;
  }

  /** Titles of the alerts in the channel, oldest first. */
  async alertTitles(): Promise<readonly string[]> {
    return (await this.cards()).map(({ title }) => title);
  }

  async cards(): Promise<readonly Card[]> {
    return (await readMessages(this.address, { channel: "general" })).flatMap(({ body }) => body.cards);
  }

  /** Resolves with the first alert whose title matches. */
  async waitForAlert(title: RegExp): Promise<Card> {
    let heard: Card | undefined;
    await this.until(`an alert matches ${title.source}`, async () => {
      heard = (await this.cards()).find((card) => title.test(card.title));
      return heard !== undefined;
    });
    return heard as Card;
  }

  /** Source in the side panel of the page. */
  async sourceState(name: string): Promise<Overview["sources"][number] | undefined> {
    const answer = await fetch(`${this.address}/api/overview`);
    return ((await answer.json()) as Overview).sources.find((source) => source.name === name);
  }

  readiness(): ReturnType<typeof readReadiness> {
    return readReadiness(this.address);
  }

  async splits(): Promise<readonly SplitRow[]> {
    return ((await this.#get("/v1/splits")) as { data: readonly SplitRow[] }).data;
  }

  async articles(): Promise<readonly ArticleRow[]> {
    return ((await this.#get("/v1/articles")) as { articles: readonly ArticleRow[] }).articles;
  }

  /** Answer of the data service. */
  async request(path: string): Promise<Response> {
    this.#key ??= await addKey(apiKeysIn(this.dataDir), "test");
    // A new key is accepted within a second.
    let answer = await fetch(`${this.address}${path}?apiKey=${this.#key}`);
    for (let tries = 0; answer.status === 401 && tries < 100; tries += 1) {
      await pause(20);
      answer = await fetch(`${this.address}${path}?apiKey=${this.#key}`);
    }
    return answer;
  }
  #key: string | null = null;

  async until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
    await waitUntil(what, isSo).catch((error: Error) => {
      throw new Error(`${error.message}:\n${this.log.text()}`);
    });
  }

  async #get(path: string): Promise<unknown> {
    return (await this.request(path)).json();
  }

  #complete(): Promise<number> {
    return readMetric(this.address, 'splitwatch_polls_total{resource="splits",outcome="complete"}').catch(() => 0);
  }
}

/** A release about the split of a company that is named after its ticker. */
export function splitRelease(
  ticker: string,
  parts: Partial<StandInRelease> & { readonly id: string; readonly ratio?: string; readonly day?: string },
): Partial<StandInRelease> & { readonly id: string } {
  const { ratio = "1-for-20", day = "March 12, 2026", ...others } = parts;
  const company = `${ticker[0]}${ticker.slice(1).toLowerCase()} Robotics, Inc.`;
  return {
    company,
    tag: `Nasdaq:${ticker}`,
    ...announcementTexts({ company, symbol: `Nasdaq: ${ticker}`, ratio, day }),
    published: new Date("2026-03-02T13:30:00Z"),
    ...others,
  };
}
