import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { MemoryReleases } from "../../test/newswires/memory-releases.ts";
import { deferred } from "../../test/support/deferred.ts";
import { ManualClock } from "../../test/support/manual-clock.ts";
import { type Closers, type DataSource, openEmbedded, readsLiveSources } from "../app/data-source.ts";
import { startMessage } from "../cli/startup-message.ts";
import { type Config, ConfigError, readConfig } from "../config/index.ts";
import { wholeNumber } from "../config/value-schemas.ts";
import { pass } from "../lib/check-result.ts";
import { SILENT_LOG } from "../ports/log.ts";
import { SOURCES } from "./index.ts";
import type { OpenSource, SourceDefinition } from "./source-definition.ts";

const here = new URL("./", import.meta.url);
const root = new URL("../../", here);
/** Shared by the sources. */
const SHARED_FOLDER = "web";
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== SHARED_FOLDER)
  .map((entry) => entry.name);

/** The production files and scripts with the folder's name in a path, a string or a property, relative to the repository. */
function filesNaming(folder: string): readonly string[] {
  const files = ["src/", "scripts/"].flatMap((part) =>
    readdirSync(new URL(part, root), { recursive: true, encoding: "utf8" }).map((name) => part + name),
  );
  const production = files.filter((path) => /\.(ts|mjs)$/.test(path) && !path.endsWith(".test.ts"));
  const named = new RegExp(`[/"'.]${folder}\\b`);
  return production.filter((path) => named.test(readFileSync(new URL(path, root), "utf8")));
}

describe("the registry of sources", () => {
  it("names every folder and nothing else", () => {
    expect(SOURCES.map(({ name }) => name).toSorted()).toEqual(folders.toSorted());
  });

  it.each(folders)("is the only file outside its folder that names %s", (folder) => {
    const outside = filesNaming(folder).filter((path) => !path.startsWith(`src/sources/${folder}/`));
    expect(outside).toEqual(["src/sources/index.ts"]);
  });
});

const ROW = {
  ticker: "ACME",
  exchange: "NASDAQ",
  company: "Acme Robotics Inc.",
  ratio: "1:20",
  ex_date: "2026-03-10",
  date_announced: null,
} as const;

interface GazetteSettings {
  readonly pages: number;
}

/** A source that can be read from the start, or only once `fill` is called. */
function aGazette({ id = "gazette", reached = true } = {}): {
  readonly definition: SourceDefinition<GazetteSettings>;
  fill(): void;
} {
  const filled = deferred();
  if (reached) filled.resolve();
  const open: OpenSource = {
    reached: Promise.resolve(reached),
    filled: filled.promise,
    problems: () => ["the gazette is late"],
    serve: (catalog) => {
      catalog.replace({ splits: [ROW], articles: [] });
      return {
        id,
        sample: false,
        problems: () => [],
        readError: () => null,
        backfilledRows: () => new Set(),
        stop: () => Promise.resolve(),
      };
    },
    stop: () => Promise.resolve(),
  };
  const definition: SourceDefinition<GazetteSettings> = {
    name: `${id}s`,
    id,
    label: "gazettes",
    section: z.strictObject({ pages: wholeNumber(1, 9).prefault(3) }),
    open: () => Promise.resolve(open),
    check: ({ pages }, { fallback }) => Promise.resolve([pass(`gazettes: ${pages} pages, else ${fallback}`)]),
  };
  return { definition, fill: () => filled.resolve() };
}

describe("a source that is added as one definition", () => {
  let folder = "";
  const closers: Closers = [];

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "splitwatch-source-"));
  });

  afterEach(async () => {
    for (const close of closers.splice(0).toReversed()) await close();
    rmSync(folder, { recursive: true, force: true });
  });

  function read(yaml: string, added: readonly SourceDefinition[] = [aGazette().definition]): Config {
    writeFileSync(join(folder, "my.yaml"), yaml);
    const env = { SPLITWATCH_CONFIG: "my.yaml", PORT: "0" };
    return readConfig({ env, folder, terminal: false }, { sources: [...SOURCES, ...added] });
  }

  function open(config: Config): Promise<DataSource> {
    const parts = { clock: new ManualClock(), log: SILENT_LOG, closers };
    return openEmbedded({ ...parts, config, serviceOnly: false, releases: new MemoryReleases() });
  }

  it("gets its settings from its section", () => {
    expect(read("").sources.at(-1)?.settings).toEqual({ pages: 3 });
    expect(read("gazettes: { pages: 5 }").sources.at(-1)?.settings).toEqual({ pages: 5 });
  });

  it("reports the problems of its section, and is one of the values of service.source", () => {
    const problems = problemsOf(() => read("gazettes: { pages: 0, speed: 1 }\nservice: { source: x }"));
    expect(problems).toEqual([
      "gazettes.pages: got 0, expected a whole number from 1 to 9",
      "gazettes.speed: unknown key",
      expect.stringMatching(/^service\.source: got "x", expected auto, wires, gazette, sample or a folder/),
    ]);
  });

  it("is checked by doctor, with the data that replaces it", async () => {
    const { checkDataService } = await import("../cli/doctor/service.ts");
    expect(await checkDataService(withoutOthers(read("")))).toEqual([pass("gazettes: 3 pages, else sample")]);
    const required = read("service: { source: gazette }");
    expect(await checkDataService(required)).toEqual([pass("gazettes: 3 pages, else null")]);
  });

  it("is served and shown by its name if service.source selects it", async () => {
    const config = read("service: { source: gazette }");
    expect(readsLiveSources(config, false)).toBe(true);
    const source = await open(config);
    expect(source).toMatchObject({ origin: "live", info: { id: "gazette", name: "gazettes", sample: false } });
    expect(source.embedded?.catalog.splits()).toEqual([ROW]);
    const message = startMessage(config, { address: "http://127.0.0.1:1", origin: source.origin });
    expect(message).toContain("Splits from:   the gazettes");
  });

  it("is preferred in the order of the registry among the sources that can be read", async () => {
    const others = ["bulletin", "journal"].map((id) => aGazette({ id, reached: id === "journal" }).definition);
    const source = await open(withoutOthers(read("", [...others, aGazette().definition])));
    expect(source.info.id).toBe("journal");
  });

  it("replaces the sample as soon as it has data", async () => {
    const gazette = aGazette({ reached: false });
    const source = await open(withoutOthers(read("", [gazette.definition])));
    expect(source).toMatchObject({ origin: "sample-until-live", info: { name: "built-in sample" } });
    gazette.fill();
    await source.takeover?.due;
    await source.takeover?.run();
    expect(source.info.name).toBe("gazettes");
    expect(source.embedded?.catalog.splits()).toEqual([ROW]);
  });
});

/** The configuration without the sources of the registry, which would be contacted. */
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
