import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom, type Random } from "../../../support/random.ts";
import { createUser, type Via } from "../users/user.ts";
import { eventCallback } from "./events.ts";
import { createFaults, type Faults, type Misbehaviour } from "./faults.ts";
import { createLimiter, type PostLimits } from "./limits.ts";
import { createOAuth, type SlackOAuth } from "./oauth.ts";
import { createResponseUrls } from "./response-urls.ts";
import { type SignedAnswer, type SignedRequest, sendSigned } from "./signed-request.ts";
import { createSocketMode, type SocketMode } from "./socket-mode.ts";
import { createTeam, type SlackTeam } from "./team.ts";
import { createUploads, type Upload, type Uploads } from "./uploads.ts";
import { createViews } from "./views.ts";
import { ALL_SCOPES, type ApiAnswer, type ApiParts, type Call, callApi } from "./web-api.ts";
import { createWorkspace, type Json } from "./workspace.ts";

export interface SlackOptions {
  /** Names of public channels that the app is in. */
  readonly channels?: readonly string[];
  readonly people?: readonly string[];
  /** Handles of user groups. */
  readonly groups?: readonly string[];
  /** Left out: no limit. */
  readonly limits?: PostLimits;
  /** The time that limits, timestamps and signatures go by, in milliseconds; left out: the real one. */
  readonly now?: () => number;
  readonly random?: Random;
}

/** Slack as an app meets it: the Web API, Socket Mode and signed requests, on one port of this machine. */
export interface Slack extends SlackTeam {
  readonly apiUrl: string;
  /** The token with which the app is in the first workspace without having been installed by anybody. */
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly socket: SocketMode;
  readonly faults: Faults;
  readonly oauth: SlackOAuth;
  /** Every call of the Web API, oldest first. */
  readonly calls: readonly Call[];
  /** What was done against the rules of Slack; a test expects none. */
  readonly violations: readonly string[];
  /** Files that were handed over, or are on their way. */
  readonly uploads: readonly Upload[];
  /** One more workspace. */
  addTeam(options?: Pick<SlackOptions, "channels" | "people">): SlackTeam;
  /** Where the app listens for signed requests: its address, without a path. */
  listensAt(address: string): void;
  /** A signed request as the test makes it: nothing of it is checked here. */
  sendSigned(request: Partial<SignedRequest> & Pick<SignedRequest, "body">): Promise<SignedAnswer>;
  /** Tells the app of an event in a workspace; resolves when it is acknowledged. `at`: when it happened, if not now. */
  tell(team: SlackTeam, event: Json, how?: { readonly via?: Via; readonly at?: number }): Promise<void>;
  /** The variables that point splitwatch here, for the first workspace. */
  env(via: Via): Readonly<Record<string, string>>;
  /** The same for many workspaces. */
  envOfMany(via: Via): Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const { channels = ["general"], people = ["ada", "bob"], groups = [], now = Date.now } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const tickets = new Set<string>();
  const violations: string[] = [];
  const calls: Call[] = [];
  const faults = createFaults(options.random ?? createRandom(1));
  const uploads = createUploads((id) => `http://${origin}/upload/${id}`);
  const oauth = createOAuth(now);
  const tokens = { botToken: `xoxb-${secret()}`, appToken: `xapp-1-${secret()}`, signingSecret: secret() };
  const { signingSecret } = tokens;
  let eventsUrl = "";
  const teams: SlackTeam[] = [];

  function addTeam(start: Pick<SlackOptions, "channels" | "people" | "groups">): SlackTeam {
    const workspace = createWorkspace({ channels, people, groups, now, number: teams.length, ...start });
    const responseUrls = createResponseUrls(workspace, violations, now);
    const views = createViews(workspace, violations, now);
    const team = createTeam({
      workspace,
      scopes: new Set(ALL_SCOPES),
      limiter: createLimiter(options.limits ?? null, now),
      responseUrls,
      views,
      user: (name) =>
        createUser(name, {
          workspace,
          views,
          tell: (event, via) => slack.tell(team, event, { via }),
          socket,
          responseUrls,
          signingSecret,
          eventsUrl: () => eventsUrl,
          responseUrl: (id) => `http://${origin}/response/${id}`,
          now,
        }),
    });
    teams.push(team);
    return team;
  }

  const socket = createSocketMode(server, "A0SPLITS", tickets);
  const first = addTeam({});
  const openSocket = (): string => {
    const ticket = secret();
    tickets.add(ticket);
    return `ws://${origin}/link?ticket=${ticket}`;
  };
  serve(server, { ...tokens, teams, oauth, violations, uploads, openSocket, calls, faults, now });

  const slack: Slack = {
    ...first,
    ...tokens,
    apiUrl: `http://${origin}/api/`,
    socket,
    faults,
    oauth,
    calls,
    violations,
    uploads: uploads.all,
    addTeam: (start = {}) => addTeam(start),
    listensAt(address) {
      eventsUrl = `${address}/slack/events`;
    },
    sendSigned: (request) =>
      sendSigned({
        url: eventsUrl,
        secret: signingSecret,
        contentType: "application/x-www-form-urlencoded",
        at: now(),
        ...request,
      }),
    async tell({ workspace }, event, { via = "socket", at = now() } = {}) {
      const payload = eventCallback(event, workspace, at);
      if (via === "socket") {
        await socket.deliver({ envelopeId: `envelope-${String(payload.event_id)}`, type: "events_api", payload });
        return;
      }
      const contentType = "application/json";
      const { status } = await slack.sendSigned({ body: JSON.stringify(payload), contentType });
      if (status !== 200) throw new Error(`the event was answered with status ${status}`);
    },
    env: (via) => ({
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: tokens.botToken,
      ...(via === "socket" ? { SLACK_APP_TOKEN: tokens.appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    }),
    envOfMany: (via) => ({
      SLACK_API_URL: slack.apiUrl,
      SLACK_CLIENT_ID: oauth.clientId,
      SLACK_CLIENT_SECRET: oauth.clientSecret,
      SLACK_STATE_SECRET: "a state secret of the test, long enough".replaceAll(" ", "-"),
      SLACK_SIGNING_SECRET: signingSecret,
      ENCRYPTION_KEY: "an encryption key of the test, of more than 32 characters",
      ...(via === "socket" ? { SLACK_APP_TOKEN: tokens.appToken } : {}),
    }),
    async stop() {
      socket.stop();
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
  return slack;
}

function secret(): string {
  return randomBytes(16).toString("hex");
}

interface Serving extends Pick<ApiParts, "violations" | "openSocket"> {
  /** The first is the one that `botToken` is for. */
  readonly teams: readonly SlackTeam[];
  readonly oauth: SlackOAuth;
  readonly botToken: string;
  readonly appToken: string;
  readonly calls: Call[];
  readonly faults: ReturnType<typeof createFaults>;
  readonly uploads: Uploads;
  readonly now: () => number;
}

function serve(server: Server, serving: Serving): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // A request that breaks off half-way, as with a process that is killed, has asked for nothing.
    answerRequest(request, response, serving).catch(() => response.destroy());
  });
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, serving: Serving): Promise<void> {
  const path = new URL(request.url ?? "/", "http://slack").pathname;
  const [, root, name = ""] = path.split("/");
  const bytes = await readBody(request);
  const body = bytes.toString("utf8");
  if (root === "upload") response.writeHead(serving.uploads.take(name, bytes)).end();
  else if (root === "api") answerCall(name, { request, body, response }, serving);
  else if (root === "response") answerUse(name, body, response, serving);
  else response.writeHead(404).end();
}

function answerUse(id: string, body: string, response: ServerResponse, { teams, calls, now }: Serving): void {
  const args = JSON.parse(body) as Json;
  const team = teams.find(({ responseUrls }) => responseUrls.has(id));
  const { status, text } = team?.responseUrls.use(id, args) ?? { status: 404, text: "no_such_url" };
  const outcome = status === 200 ? "ok" : text;
  calls.push({ at: now(), method: "response_url", args, team: team?.workspace.team.id ?? null, outcome });
  response.writeHead(status, { "content-type": "text/plain" }).end(text);
}

interface Asked {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly response: ServerResponse;
}

function answerCall(method: string, { request, body, response }: Asked, serving: Serving): void {
  const args = readArgs(body, request.headers["content-type"] ?? "");
  const authorization = request.headers.authorization ?? "";
  const opened = openedBy(method, authorization, serving);
  const team = "team" in opened ? opened.team : null;
  const call: Call = { at: serving.now(), method, args, team: team?.workspace.team.id ?? null, outcome: "" };
  serving.calls.push(call);
  const asked: AskedCall = { call, team, authorization, response };
  if ("refused" in opened) {
    respond(asked, { body: { ok: false, error: opened.refused } });
    return;
  }
  if (team !== null) serving.violations.push(...strangersIn(call, team, serving));
  const channel = team?.workspace.findChannel(String(args.channel))?.id;
  const fault = serving.faults.meet(method, channel);
  if (fault === null) respond(asked, carryOut(asked, serving));
  else misbehave(fault, asked, serving);
}

interface AskedCall {
  readonly call: Call;
  /** Null: the call is the app's own. */
  readonly team: SlackTeam | null;
  readonly authorization: string;
  readonly response: ServerResponse;
}

/** Each kind of token opens its own doors. */
function openedBy(
  method: string,
  authorization: string,
  { botToken, appToken, teams, oauth }: Serving,
): { readonly team: SlackTeam | null } | { readonly refused: string } {
  if (method === "oauth.v2.access") return { team: null };
  const token = authorization.replace(/^Bearer /, "");
  if (token === "") return { refused: "not_authed" };
  const isApps = token === appToken;
  const isBots = token === botToken ? { team: teams[0] ?? null } : oauth.check(token);
  if (!isApps && isBots === null) return { refused: "invalid_auth" };
  if (isApps !== (method === "apps.connections.open")) return { refused: "not_allowed_token_type" };
  return isBots ?? { team: null };
}

/** What a call names that is another workspace's: whatever is answered, it should not have been asked. */
function strangersIn({ method, args }: Call, team: SlackTeam, { teams }: Serving): readonly string[] {
  const named = [args.channel, args.channel_id, args.user, args.users, args.user_id].filter(
    (id) => typeof id === "string",
  );
  const others = teams.filter(({ workspace }) => workspace !== team.workspace);
  return named
    .filter((id) => others.some(({ workspace }) => workspace.channels.has(id) || workspace.people.has(id)))
    .map((id) => `${method}: ${id} belongs to another workspace than the token`);
}

function carryOut({ call, team, authorization }: AskedCall, serving: Serving): ApiAnswer {
  const { method, args } = call;
  const { teams, oauth, violations, uploads, openSocket } = serving;
  if (method === "oauth.v2.access") return { body: oauth.access(args, authorization) };
  const of = team ?? teams[0];
  if (of === undefined) throw new Error("the server has no workspace");
  const { workspace, limiter, scopes, views } = of;
  return callApi(method, args, { workspace, limiter, scopes, views, violations, uploads, openSocket });
}

type StoredThen = Misbehaviour & { readonly kind: "stored-then" };

function misbehave(fault: Misbehaviour, asked: AskedCall, serving: Serving): void {
  const { call, response } = asked;
  switch (fault.kind) {
    case "error":
      respond(asked, { body: { ok: false, error: fault.code, ...fault.extra } });
      return;
    case "status":
      call.outcome = String(fault.status);
      response.writeHead(fault.status, { "content-type": "text/html" }).end("<html>Server Error</html>");
      return;
    case "rate-limited":
      rateLimited(response, call, fault.retryAfter);
      return;
    case "hang":
      call.outcome = "hang";
      return;
    case "reset":
      call.outcome = "reset";
      response.socket?.resetAndDestroy();
      return;
    case "stored-then":
      carryOut(asked, serving);
      breakDown(fault.end, response);
      call.outcome = `stored, then ${fault.end}`;
      return;
    case "latency": {
      const answer = carryOut(asked, serving);
      setTimeout(() => respond(asked, answer), fault.ms);
    }
  }
}

/** After `fatal_error`, Slack says, some of it may have been done. */
function breakDown(end: StoredThen["end"], response: ServerResponse): void {
  if (end === "reset") response.socket?.resetAndDestroy();
  if (end === "500") response.writeHead(500).end("Server Error");
  if (end === "fatal_error") response.end(JSON.stringify({ ok: false, error: end }));
}

function respond({ response, call, team }: AskedCall, answer: ApiAnswer): void {
  if ("retryAfter" in answer) {
    rateLimited(response, call, answer.retryAfter);
    return;
  }
  call.outcome = answer.body.ok === true ? "ok" : String(answer.body.error);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    ...(team === null ? {} : { "x-oauth-scopes": [...team.scopes].join(",") }),
  });
  response.end(JSON.stringify(answer.body));
}

function rateLimited(response: ServerResponse, call: Call, retryAfter: number | null): void {
  call.outcome = "429";
  const wait = retryAfter === null ? {} : { "retry-after": String(retryAfter) };
  response.writeHead(429, { "content-type": "application/json", ...wait });
  response.end(JSON.stringify({ ok: false, error: "ratelimited" }));
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

/** In a form, lists and objects stand as JSON. */
function readArgs(body: string, contentType: string): Json {
  if (contentType.startsWith("application/json")) return JSON.parse(body === "" ? "{}" : body) as Json;
  const args: Record<string, unknown> = {};
  for (const [name, value] of new URLSearchParams(body))
    args[name] = ["blocks", "attachments", "metadata", "view"].includes(name) ? parsed(value) : value;
  return args;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
