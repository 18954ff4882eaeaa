import { execFile } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it, onTestFinished } from "vitest";
import { parse } from "yaml";
import { readConfig } from "../../src/config/index.ts";
import { errorMessage } from "../../src/lib/error-text.ts";
import { type Block, blocksOf, DOCUMENTS, ROOT, readDocument } from "../support/documentation.ts";
import { emptyDatabase } from "../support/postgres.ts";
import { COMPILED, DIST } from "../support/process.ts";
import { SETTINGS_FILES } from "../support/settings-files.ts";

/** Time after which the blocks of a page count as hanging. */
const HANG_MS = 220_000;

/** Answers to the questions of `splitwatch init`: the default of each. */
const ANSWERS = "\n".repeat(20);

/** Programs that replace those of the documentation. */
const COMMANDS = join(ROOT, "test/support/documented-commands");

/** A command that tests can't run, with the reason and a check of its arguments. */
interface NotRun {
  readonly command: RegExp;
  readonly reason: string;
  /** Paths that have to exist, and texts that have to occur in a file. */
  readonly check: (words: readonly string[]) => boolean;
}

const manifest = JSON.parse(readDocument("package.json")) as Readonly<
  Record<"scripts" | "dependencies" | "devDependencies", Readonly<Record<string, string>>>
>;
const pipeline = readDocument(".ci/run");

const NOT_RUN: readonly NotRun[] = [
  {
    command: /^npm (?:ci|run check)$/,
    reason: ".ci/run runs it on a clean clone",
    check: (words) => pipeline.includes(`step ${words.join(" ")}\n`),
  },
  {
    command: /^npm test -- /,
    reason: "runs tests",
    check: (words) => words.slice(3).every((path) => path.startsWith("-") || existsSync(join(ROOT, path))),
  },
  {
    command: /^npm (?:test|run soak)\b/,
    reason: "takes minutes; .ci/run runs it",
    check: (words) => pipeline.includes(`log ${words.slice(0, words[1] === "test" ? 2 : 3).join(" ")}\n`),
  },
  {
    command: /^npm run build$/,
    reason: "the test uses a build of its own",
    check: () => manifest.scripts.build === "node bin/with-node.js scripts/build.mjs",
  },
  {
    command: /^npm install /,
    reason: "needs the network; npm ci has installed the packages",
    check: (words) => words.slice(2).every((name) => name.startsWith("--") || name in manifest.devDependencies),
  },
  {
    command: /^docker (?:compose --file|stop|rm) /,
    reason: "needs Docker",
    check: (words) =>
      words.every((word, index) => words[index - 1] !== "--file" || existsSync(join(ROOT, "deploy", word))),
  },
  { command: /^createuser --pwprompt \w+$/, reason: "needs PostgreSQL's client programs", check: () => true },
  {
    command: /^createdb --owner \w+ --encoding UTF8 --template template0 \w+$/,
    reason: "needs PostgreSQL's client programs; the test creates such a database",
    check: () => true,
  },
];

const RECORDED_PROGRAMS = ["docker", "createuser", "createdb"];

/** What a page assumes. */
interface Conditions {
  /** Commands before its first block. */
  readonly before: string;
  /** Paths and addresses of its blocks, with those of the test. */
  readonly replaced: (folder: string) => Promise<Readonly<Record<string, string>>>;
}

const CONDITIONS: Readonly<Record<string, Conditions>> = {
  "docs/operating.md": {
    before: "splitwatch start; end-process",
    replaced: async (folder) => {
      mkdirSync(join(folder, "backup"));
      return {
        "/srv/splitwatch": folder,
        "/srv/restored": join(folder, "restored"),
        "/backup": join(folder, "backup"),
        "postgres://splitwatch:PASSWORD@127.0.0.1:5432/splitwatch": await emptyDatabase(),
      };
    },
  },
};

/** Pages whose blocks another test executes, on its own servers. */
const EXECUTED_ELSEWHERE: Readonly<Record<string, string>> = {
  "src/chat/feed/README.md": "test/flows/feeds.test.ts",
  "src/chat/webhook/README.md": "test/platforms/webhook/alerts.test.ts",
};

/** Variables that settings in the documentation need. */
const VARIABLES = {
  PUBLIC_URL: "https://splitwatch.example.com",
  WEBHOOK_SECRETS: `crm=whsec_${Buffer.alloc(32).toString("base64")}`,
};

const pages = DOCUMENTS.filter(
  (path) => EXECUTED_ELSEWHERE[path] === undefined && blocksOf(path).some(({ language }) => language === "sh"),
);

describe("the command blocks", () => {
  it.each(pages)("of %s run as documented", async (path) => {
    const page = await openPage(path);
    const outputs = await page.run();
    const blocks = blocksOf(path);
    // A block after a command block shows what the commands print.
    const shown = blocks.filter(
      (block, index) => ["json", "text"].includes(block.language) && blocks[index - 1]?.language === "sh",
    );
    const printed = shown.map((block) =>
      printedAs(block, outputs.get(blocks[blocks.indexOf(block) - 1]?.line ?? 0) ?? ""),
    );
    expect(printed).toEqual(shown.map((block) => printedAs(block, block.text)));
    expect(page.recorded().filter((line) => !isChecked(line))).toEqual([]);
  });
});

it.each(Object.entries(EXECUTED_ELSEWHERE))("the blocks of %s are executed by %s", (path, test) => {
  expect(readDocument(test)).toContain(path);
});

describe("the other blocks", () => {
  const blocks = DOCUMENTS.flatMap((path) => blocksOf(path).map((block) => ({ ...block, path })));
  const inLanguage = (language: string): typeof blocks => blocks.filter((block) => block.language === language);

  it("state their language", () => {
    const known = ["sh", "ts", "js", "json", "yaml", "http", "nginx", "ini", "text"];
    const unknown = blocks.filter(({ language }) => !known.includes(language));
    expect(unknown.map(({ path, line }) => `${path}:${line}`)).toEqual([]);
  });

  it.each(inLanguage("json"))("of $path, line $line, are JSON", ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(inLanguage("yaml"))("of $path, line $line, are valid settings", ({ text }) => {
    const folder = temporaryFolder();
    const content = text.replaceAll("/srv/splits", folder);
    for (const name of ["splits.jsonl", "articles.jsonl", "settings.yaml"])
      writeFileSync(join(folder, name), name.endsWith(".yaml") ? content : "");
    const config = readConfig({
      env: { ...VARIABLES, SPLITWATCH_CONFIG: join(folder, "settings.yaml") },
      folder,
      isTerminal: false,
    });
    expect(config.overlay).not.toBeNull();
    expect(parse(content)).not.toBeNull();
  });

  it.each([...inLanguage("nginx"), ...inLanguage("ini")])(
    "of $path, line $line, consist of complete lines",
    ({ language, text }) => {
      const line =
        language === "nginx" ? /^\s*(?:[^;{}]+ \{(?: (?:[^;{}]+; )+\})?|[^;{}]+;|\})$/ : /^(?:\[\w+\]|\w+=.*)$/;
      expect(text.split("\n").filter((written) => written !== "" && !line.test(written))).toEqual([]);
      expect(text.split("{")).toHaveLength(text.split("}").length);
    },
  );
});

/** The blocks of a page in a folder of their own. */
interface Page {
  /** Runs the `sh` blocks in one shell, and returns what each printed, by its line. Fails if a command fails. */
  run(): Promise<ReadonlyMap<number, string>>;
  /** Commands that were not run. */
  recorded(): readonly string[];
}

async function openPage(path: string): Promise<Page> {
  const folder = temporaryFolder();
  const state = temporaryFolder();
  const port = await freePort();
  const replaced = { "127.0.0.1:8080": `127.0.0.1:${port}`, ...(await CONDITIONS[path]?.replaced(folder)) };
  const adapted = (text: string): string => {
    let result = text;
    for (const [from, to] of Object.entries(replaced)) result = result.replaceAll(from, to);
    return result;
  };
  const blocks = blocksOf(path);
  for (const name of RECORDED_PROGRAMS) symlinkSync(join(COMMANDS, "record"), join(state, name));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
  const typescript = blocks.filter(({ language }) => language === "ts");
  const script = [
    "set -euo pipefail",
    "trap end-process EXIT",
    CONDITIONS[path]?.before ?? "",
    ...blocks
      .filter(({ language }) => language === "sh")
      .map(({ text, line }) => `printf '\n::${line}\n'\n${adapted(text)}`),
  ].join("\n");
  writeFileSync(join(state, "script"), script);
  // `init` changes the file.
  copyFileSync(SETTINGS_FILES.sample, join(state, "settings.yaml"));
  if (typescript[0] !== undefined) writeFileSync(join(folder, "example.ts"), adapted(typescript[0].text));
  return {
    async run() {
      const running = promisify(execFile)("bash", [join(state, "script")], {
        cwd: folder,
        env: {
          ...COMPILED,
          PATH: [COMMANDS, state, process.env.PATH].join(delimiter),
          HOME: folder,
          PORT: String(port),
          SPLITWATCH_CONFIG: join(state, "settings.yaml"),
          NODE: process.execPath,
          PROGRAM: join(DIST, "main.js"),
          PAGE_STATE: state,
          ROOT,
        },
        maxBuffer: 16 * 1024 * 1024,
        timeout: HANG_MS,
      });
      // Most scripts read no answers, and a short one may end before they are written.
      running.child.stdin?.on("error", () => undefined).end(ANSWERS);
      const { stdout } = await running.catch((error: unknown) => {
        // Compilers print errors to standard output.
        throw new Error(`${errorMessage(error)}\n${(error as { readonly stdout?: string }).stdout}`);
      });
      const parts = stdout.split(/^::(\d+)\n/m).slice(1);
      return new Map(parts.flatMap((part, index) => (index % 2 === 0 ? [[Number(part), parts[index + 1] ?? ""]] : [])));
    },
    recorded() {
      const file = join(state, "not-run");
      return existsSync(file) ? readFileSync(file, "utf8").trim().split("\n") : [];
    },
  };
}

/** The part of an output that the block shows: all of it as JSON, or some of its lines. */
function printedAs({ language, text }: Block, output: string): unknown {
  if (language === "json") return JSON.parse(output);
  const lines = text.split("\n");
  return output.split(/\r?\n/).filter((line) => line !== "" && lines.includes(line));
}

function isChecked(line: string): boolean {
  return NOT_RUN.some(({ command, check }) => command.test(line) && check(line.split(" ")));
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "splitwatch-docs-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A free port below those that the system gives to other tests. */
async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 10_000);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once("error", () => resolve(false));
      server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
    });
    if (isFree) return port;
  }
}
