import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import { expect, onTestFinished } from "vitest";
import type { ArticleRow, SplitRow } from "../../src/data-service/schema.ts";
import { addKey, generateKey } from "../../src/data-service/server/api-keys.ts";
import { createDataService, type DataServiceOptions } from "../../src/data-service/server/data-service.ts";
import { createKeyring } from "../../src/data-service/server/keyring.ts";
import {
  type Catalog,
  createServedCatalog,
  type WritableCatalog,
} from "../../src/data-service/server/served-catalog.ts";
import { parseDay } from "../../src/domain/time/day.ts";
import type { Log } from "../../src/ports/log.ts";
import { apiKeysIn } from "../../src/store/engines/sqlite/api-keys.ts";
import { ManualClock } from "../support/manual-clock.ts";
import { SPLIT_ROW } from "../support/upstream.ts";

export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly fields: unknown;
}

/** A log that records its lines. */
export function recordingLog(): { log: Log; lines: LogLine[] } {
  const lines: LogLine[] = [];
  const write =
    (level: string) =>
    (event: string, fields?: unknown): void => {
      lines.push({ level, event, fields });
    };
  return { log: { debug: write("debug"), info: write("info"), warn: write("warn"), error: write("error") }, lines };
}

export function aSplitRow(parts: Partial<SplitRow> = {}): SplitRow {
  return { ...SPLIT_ROW, ...parts };
}

export function anArticleRow(parts: Partial<ArticleRow> = {}): ArticleRow {
  return {
    source: "globenewswire",
    heading: "Acme Robotics Announces Reverse Stock Split",
    url: "https://wire.example/acme-1",
    content: "Acme Robotics Inc. (NASDAQ: ACME) will combine\nevery twenty shares into one.",
    date_published: "2026-03-02",
    ...parts,
  };
}

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "splitwatch-service-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Undefined if there is no body. */
  readonly json: unknown;
}

export interface ServiceUnderTest {
  readonly clock: ManualClock;
  readonly catalog: WritableCatalog;
  readonly key: string;
  /** The key of the embedded bot. */
  readonly botKey: string;
  readonly dir: string;
  readonly logged: readonly LogLine[];
  readonly fetch: (request: Request) => Response | Promise<Response>;
  /** Sends a request with the key and validates the answer against /v1/openapi.json. */
  ask(pathAndQuery: string, init?: RequestInit): Promise<Answer>;
  /** As `ask`, without the key. */
  askBare(pathAndQuery: string, init?: RequestInit): Promise<Answer>;
}

export interface Content {
  readonly splits?: readonly SplitRow[];
  readonly articles?: readonly ArticleRow[];
}

/** Starts a service with these rows; with null, its catalog stays unfilled. */
export async function startService(
  content: Content | null = {},
  options: Partial<Pick<DataServiceOptions, "limitPerMinute" | "isSample"> & { catalog: Catalog }> = {},
): Promise<ServiceUnderTest> {
  const clock = new ManualClock();
  const dir = await temporaryFolder();
  const [key, botKey] = [await addKey(apiKeysIn(dir), "tester"), generateKey()];
  const { log, lines } = recordingLog();
  const catalog = createServedCatalog({ clock, keepAfterExDate: 7 });
  if (content) catalog.replace({ splits: content.splits ?? [], articles: content.articles ?? [] });
  const keys = createKeyring({ keys: await apiKeysIn(dir).follow({ clock, log }), botKey });
  const service = createDataService({
    catalog,
    isSample: () => false,
    keys,
    clock,
    log,
    limitPerMinute: 600,
    ...options,
  });
  const askBare = async (pathAndQuery: string, init?: RequestInit): Promise<Answer> => {
    const request = new Request(`http://localhost${pathAndQuery}`, init);
    const answer = await readAnswer(await service.fetch(request));
    await expectDescribed(service.fetch, request, answer);
    return answer;
  };
  const ask = (pathAndQuery: string, init?: RequestInit): Promise<Answer> =>
    askBare(`${pathAndQuery}${pathAndQuery.includes("?") ? "&" : "?"}apiKey=${key}`, init);
  return { clock, catalog, key, botKey, dir, logged: lines, fetch: service.fetch, ask, askBare };
}

async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const compressed = response.headers.has("Content-Encoding");
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: text === "" || compressed ? undefined : JSON.parse(text),
  };
}

interface Description {
  readonly paths: Readonly<Record<string, { readonly get: { readonly responses: Readonly<Record<string, unknown>> } }>>;
}

/** Validates an answer against the description of its path and status in /v1/openapi.json. */
async function expectDescribed(
  fetch: (request: Request) => Response | Promise<Response>,
  request: Request,
  answer: Answer,
): Promise<void> {
  const document = (await (await fetch(new Request("http://localhost/v1/openapi.json"))).json()) as Description;
  const { pathname } = new URL(request.url);
  const path = Object.keys(document.paths).find((known) =>
    new RegExp(`^${known.replace(/\{\w+\}/, "[^/]+").replace(".", "\\.")}$`).test(pathname),
  );
  if (path === undefined) expect(answer.status, `${pathname} is not described`).toBe(404);
  else expect(Object.keys(document.paths[path]?.get.responses ?? {})).toContain(String(answer.status));
  if (answer.json === undefined) return;
  const validate = validatorFor(document, path === undefined ? PROBLEM : schemaPointer(path, answer.status));
  validate(answer.json);
  expect(validate.errors, `${answer.status} of ${pathname}: ${answer.text.slice(0, 300)}`).toBeNull();
}

const PROBLEM = "#/components/schemas/Problem";
const validators = new Map<string, ValidateFunction>();

/** Compiled validators, cached because compiling is slow. */
function validatorFor(document: Description, pointer: string): ValidateFunction {
  const name = `${JSON.stringify(document)}${pointer}`;
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { date: isDay, uri: (text: string) => URL.canParse(text) },
  });
  const validate = validators.get(name) ?? ajv.addSchema(document, "service").compile({ $ref: `service${pointer}` });
  validators.set(name, validate);
  return validate;
}

function schemaPointer(path: string, status: number): string {
  if (status !== 200) return PROBLEM;
  const encoded = encodeURIComponent(path.replaceAll("~", "~0").replaceAll("/", "~1"));
  return `#/paths/${encoded}/get/responses/200/content/application~1json/schema`;
}

function isDay(text: string): boolean {
  return parseDay(text) !== undefined;
}

/** The members of an answer that tests read. */
export function tickersIn(answer: Answer): readonly string[] {
  return (answer.json as { data: SplitRow[] }).data.map((split) => split.ticker);
}

export function urlsIn(answer: Answer): readonly string[] {
  return (answer.json as { articles: ArticleRow[] }).articles.map((article) => article.url);
}
