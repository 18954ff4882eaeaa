import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { directReader } from "../../test/support/direct-reader.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { idlePolling } from "../../test/support/polling.ts";
import { aRelease } from "../../test/support/releases.ts";
import { waitUntil } from "../../test/support/wait-until.ts";
import { EmbeddedSource, readsLiveSources } from "../app/embedded-source.ts";
import { startupMessage } from "../cli/startup-message.ts";
import { type Config, ConfigError, readConfig } from "../config/index.ts";
import { wholeNumber } from "../config/value-schemas.ts";
import { pass } from "../lib/check-result.ts";
import { SILENT_LOG } from "../ports/log.ts";
import type { SourceStatus } from "../ports/source-status.ts";
import { SOURCES } from "./index.ts";
import { defineReaders } from "./reading/document-reader.ts";
import type { OpenSource, SourceDefinition, SourceParts } from "./source-definition.ts";
import { initialStatus } from "./source-status.ts";

const here = new URL("./", import.meta.url);
const root = new URL("../../", here);
/** Folders that the sources share. */
const SHARED_FOLDERS: readonly string[] = ["live", "official", "reading", "web"];
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !SHARED_FOLDERS.includes(entry.name))
  .map((entry) => entry.name);

/**
 * The precedence of sources, the source of filings, the exchanges' names in texts, some of which are also names of sources, and a measured
 * journey from one source.
 */
const ALLOWED = [
  "src/catalog/precedence.ts",
  "src/catalog/release.ts",
  "src/extraction/exchange-names.ts",
  "scripts/journeys.mjs",
];

/** Files in which the word has another meaning, such as a column heading, variable or field. */
const OTHER_MEANINGS = ["src/domain/settings/ticker-list.ts", "src/sources/cse/bulletin-page.ts"];

/** The production files and scripts with the folder's name in a path, a string or a property, relative to the repository. */
function filesNaming(folder: string): readonly string[] {
  const files = ["src/", "scripts/"].flatMap((part) =>
    readdirSync(new URL(part, root), { recursive: true, encoding: "utf8" }).map((name) => part + name),
  );
  const production = files.filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith(".test.ts"));
  // A hyphen follows in headers such as sec-fetch-site.
  const namePattern = new RegExp(`[/"'.]${folder}\\b(?!-)`);
  return production.filter(
    (path) => !OTHER_MEANINGS.includes(path) && namePattern.test(readFileSync(new URL(path, root), "utf8")),
  );
}

describe("the registry of sources", () => {
  it("names every folder and nothing else", () => {
    expect(SOURCES.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  });

  it.each(folders)("and the allowed files are the only files outside its folder that name %s", (folder) => {
    const outside = filesNaming(folder).filter((path) => !path.startsWith(`src/sources/${folder}/`));
    expect(outside.filter((path) => !ALLOWED.includes(path))).toEqual(["src/sources/index.ts"]);
  });
});

const ROW = {
  ticker: "ACME",
  exchange: "NASDAQ",
  company: "Acme Robotics Inc.",
  ratio: "1:20",
  ex_date: "2026-03-10",
  date_announced: "2026-03-02",
} as const;

interface GazetteSettings {
  readonly pages: number;
}

/** A source that can be read from the start, or only once `publish` is called. */
function aGazette({ reached = true } = {}): {
  readonly definition: SourceDefinition<GazetteSettings>;
  publish(): Promise<void>;
} {
  const listeners = new Set<() => void>();
  let shared: SourceParts | undefined;
  let status: SourceStatus = {
    ...initialStatus("gazette", 0),
    verdict: "down",
    condition: "unreachable",
    lastReadAt: 1,
  };
  const publish = async (): Promise<void> => {
    await shared?.releases.put([aRelease({ source: "gazette" })]);
    status = { ...status, verdict: "up", condition: "ok", lastReadAt: 1, lastOkAt: 1, itemCount: 1 };
    for (const listener of listeners) listener();
  };
  const open: OpenSource = {
    statuses: () => [status],
    hasUntriedPages: () => false,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    stop: () => Promise.resolve(),
  };
  const definition: SourceDefinition<GazetteSettings> = {
    name: "gazette",
    settingsKey: "sources.gazette",
    label: "gazette",
    section: z.strictObject({ pages: wholeNumber(0, 9).prefault(3) }),
    offReason: ({ pages }) => (pages === 0 ? "it has no pages" : null),
    open: async (_, parts) => {
      shared = parts;
      if (reached) await publish();
      return open;
    },
    readers: defineReaders("gazette", {}),
    check: ({ pages }) =>
      Promise.resolve([
        { ...pass(`gazette: ${pages} pages`), source: { name: "gazette", isRead: true, isUnreachable: false } },
      ]),
    readDocument: async () => ({ document: "page" }),
  };
  return { definition, publish };
}

describe("a source that is added as one definition", () => {
  let folder = "";
  let opened = new AsyncDisposableStack();

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "splitwatch-source-"));
    opened = new AsyncDisposableStack();
  });

  afterEach(async () => {
    await opened.disposeAsync();
    rmSync(folder, { recursive: true, force: true });
  });

  function read(yaml: string, added: readonly SourceDefinition[] = [aGazette().definition]): Config {
    writeFileSync(join(folder, "my.yaml"), yaml);
    const env = { SPLITWATCH_CONFIG: "my.yaml", PORT: "0" };
    return readConfig({ env, folder, isTerminal: false }, { sources: [...SOURCES, ...added] });
  }

  async function open(config: Config): Promise<EmbeddedSource> {
    const parts = { clock: new ManualClock(), log: SILENT_LOG };
    const store = await config.store.open(parts);
    opened.defer(() => store.close());
    const source = await EmbeddedSource.open({ ...parts, reader: directReader, config, serviceOnly: false, store });
    opened.defer(() => source.close());
    return source;
  }

  it("gets its settings from its section", () => {
    expect(read("").sources.at(-1)?.settings).toEqual({ pages: 3 });
    expect(read("sources: { gazette: { pages: 5 } }").sources.at(-1)?.settings).toEqual({ pages: 5 });
  });

  it("reports the problems of its section, and sections of unknown sources", () => {
    const problems = problemsOf(() => read("sources: { gazette: { pages: 10, speed: 1 }, gazete: { pages: 1 } }"));
    expect(problems).toEqual([
      "sources.gazette.pages: got 10, expected a whole number from 0 to 9",
      "sources.gazette.speed: unknown key",
      expect.stringMatching(/^sources\.gazete: unknown key/),
    ]);
  });

  it("is checked by doctor", async () => {
    const { checkDataService } = await import("../cli/doctor.ts");
    expect(await checkDataService(withoutOthers(read("")))).toMatchObject([
      pass("data service: embedded, 1 of 1 split source OK"),
      pass("gazette: 3 pages"),
    ]);
  });

  it("is served and shown by its name", async () => {
    const config = withoutOthers(read("service: { source: wires }"));
    expect(readsLiveSources(config, false)).toBe(true);
    const source = await open(config);
    expect(source).toMatchObject({ kind: "live", id: "wires", name: "live sources", sample: false });
    await waitUntil("the catalog is filled", () => source.catalog.ready);
    expect(source.catalog.splits()).toEqual([ROW]);
    const message = startupMessage(config, { address: "http://127.0.0.1:1", sourceKind: source.kind });
    expect(message).toContain("Splits from:   live sources: gazette");
  });

  it("is not opened if its settings disable it", () => {
    const config = withoutOthers(read("sources: { gazette: { pages: 0 } }"));
    expect(readsLiveSources(config, false)).toBe(false);
  });

  it("replaces the sample data as soon as it has data", async () => {
    const gazette = aGazette({ reached: false });
    const source = await open(withoutOthers(read("", [gazette.definition])));
    expect(source).toMatchObject({ kind: "sample-until-live", name: "built-in sample" });
    source.start(idlePolling());
    await gazette.publish();
    await waitUntil("the sample is replaced", () => source.name === "live sources");
    expect(source.catalog.splits()).toEqual([ROW]);
  });
});

/** Removes the sources of the registry from the configuration, because they would be contacted. */
function withoutOthers(config: Config): Config {
  const others = new Set(SOURCES.map(({ name }) => name));
  return { ...config, sources: config.sources.filter(({ definition }) => !others.has(definition.name)) };
}

function problemsOf(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error instanceof ConfigError ? error.problems : error;
  }
}
