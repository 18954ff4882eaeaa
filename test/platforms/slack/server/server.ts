import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { KEEP_IDLE_CONNECTIONS } from "../../../support/idle-connections.ts";
import { createRandom, type Random } from "../../../support/random.ts";
import { createUser, type Via } from "../users/user.ts";
import { eventCallback, isSent } from "./events.ts";
import { createFaults, type FaultEffect, type Faults } from "./faults.ts";
import { createLimiter, createReadLimiter, type PostLimits, type ReadLimit } from "./limits.ts";
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
  /** Names of public channels with the app as a member. */
  readonly channels?: readonly string[];
  readonly people?: readonly string[];
  /** Handles of user groups. */
  readonly groups?: readonly string[];
  /** Default: no limits. */
  readonly limits?: PostLimits;
  /** Default: no limit, as for an app that was created for its own workspace. */
  readonly readLimit?: ReadLimit;
  /** Clock for limits, timestamps and signatures, in milliseconds. Default: real time. */
  readonly now?: () => number;
  readonly random?: Random;
}

/** Slack's protocols on one local port: Web API, Socket Mode and signed requests. */
export interface Slack extends SlackTeam {
  readonly apiUrl: string;
  /** Token for the first workspace, valid without an installation. */
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly socket: SocketMode;
  readonly faults: Faults;
  readonly oauth: SlackOAuth;
  /** All Web API calls, oldest first. */
  readonly calls: readonly Call[];
  /** Violations of Slack's rules by the app; tests expect none. */
  readonly violations: readonly string[];
  /** Complete and incomplete uploads. */
  readonly uploads: readonly Upload[];
  /** Adds a workspace. */
  addTeam(options?: Pick<SlackOptions, "channels" | "people">): SlackTeam;
  /** Sets the base URL to which signed requests are sent. */
  setAppAddress(address: string): void;
  /** Sends a signed request without checking its content. */
  sendSigned(request: Partial<SignedRequest> & Pick<SignedRequest, "body">): Promise<SignedAnswer>;
  /**
   * Sends an event of a workspace if the app receives such events; resolves when it is acknowledged. `at`: time of the event, by
   * default now.
   */
  sendEvent(team: SlackTeam, event: Json, how?: EventOptions): Promise<void>;
  /** Environment variables for a single workspace, the first. */
  env(via: Via): Readonly<Record<string, string>>;
  /** Environment variables for many workspaces. */
  envForManyWorkspaces(via: Via): Readonly<Record<string, string>>;
  /** Closes the connections of requests; those of Socket Mode stay. */
  dropConnections(): void;
  stop(): Promise<void>;
}

interface EventOptions {
  readonly via?: Via;
  readonly at?: number;
  /** Overrides fields around the event, such as the workspaces that it concerns. */
  readonly envelope?: Json;
}

export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const { channels = ["general"], people = ["ada", "bob"], groups = [], now = Date.now } = options;
  const server = createServer(KEEP_IDLE_CONNECTIONS);
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
      readLimiter: createReadLimiter(options.readLimit ?? null, now),
      responseUrls,
      views,
      user: (name) =>
        createUser(name, {
          workspace,
          views,
          sendEvent: (event, via) => slack.sendEvent(team, event, { via }),
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
    setAppAddress(address) {
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
    async sendEvent(team, event, { via = "socket", at = now(), envelope = {} } = {}) {
      if (!isSent(event, team)) return;
      const { workspace } = team;
      const payload: Json = { ...eventCallback(event, workspace, at), ...envelope };
      if (via === "socket") {
        await socket.deliver({ envelopeId: `envelope-${String(payload.event_id)}`, type: "events_api", payload });
        return;
      }
      const contentType = "application/json";
      const { status } = await slack.sendSigned({ body: JSON.stringify(payload), contentType });
      if (status !== 200) throw new Error(`event refused: status ${status}`);
    },
    env: (via) => ({
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: tokens.botToken,
      ...(via === "socket" ? { SLACK_APP_TOKEN: tokens.appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
    }),
    envForManyWorkspaces: (via) => ({
      SLACK_API_URL: slack.apiUrl,
      SLACK_CLIENT_ID: oauth.clientId,
      SLACK_CLIENT_SECRET: oauth.clientSecret,
      SLACK_STATE_SECRET: "a state secret of the test, long enough".replaceAll(" ", "-"),
      SLACK_SIGNING_SECRET: signingSecret,
      ENCRYPTION_KEY: "an encryption key of the test, of more than 32 characters",
      ...(via === "socket" ? { SLACK_APP_TOKEN: tokens.appToken } : {}),
    }),
    dropConnections: () => server.closeAllConnections(),
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

interface ServerState extends Pick<ApiParts, "violations" | "openSocket"> {
  /** `botToken` is for the first. */
  readonly teams: readonly SlackTeam[];
  readonly oauth: SlackOAuth;
  readonly botToken: string;
  readonly appToken: string;
  readonly calls: Call[];
  readonly faults: ReturnType<typeof createFaults>;
  readonly uploads: Uploads;
  readonly now: () => number;
}

function serve(server: Server, serving: ServerState): void {
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    // A request may be incomplete because the process that sent it was killed.
    answerRequest(request, response, serving).catch(() => response.destroy());
  });
}

async function answerRequest(request: IncomingMessage, response: ServerResponse, serving: ServerState): Promise<void> {
  const path = new URL(request.url ?? "/", "http://slack").pathname;
  const [, root, name = ""] = path.split("/");
  const bytes = await readBody(request);
  const body = bytes.toString("utf8");
  if (root === "upload") response.writeHead(serving.uploads.receive(name, bytes)).end();
  else if (root === "api") answerCall(name, { request, body, response }, serving);
  else if (root === "response") answerResponseUrl(name, body, response, serving);
  else response.writeHead(404).end();
}

function answerResponseUrl(
  id: string,
  body: string,
  response: ServerResponse,
  { teams, calls, now }: ServerState,
): void {
  const args = JSON.parse(body) as Json;
  const team = teams.find(({ responseUrls }) => responseUrls.has(id));
  const { status, text } = team?.responseUrls.use(id, args) ?? { status: 404, text: "no_such_url" };
  const outcome = status === 200 ? "ok" : text;
  calls.push({ at: now(), method: "response_url", args, team: team?.workspace.team.id ?? null, outcome });
  response.writeHead(status, { "content-type": "text/plain" }).end(text);
}

interface HttpExchange {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly response: ServerResponse;
}

function answerCall(method: string, { request, body, response }: HttpExchange, serving: ServerState): void {
  const args = readArgs(body, request.headers["content-type"] ?? "");
  const authorization = request.headers.authorization ?? "";
  const opened = authenticate(method, authorization, serving);
  const team = "team" in opened ? opened.team : null;
  const call: Call = { at: serving.now(), method, args, team: team?.workspace.team.id ?? null, outcome: "" };
  serving.calls.push(call);
  const asked: ApiRequest = { call, team, authorization, response };
  if ("refused" in opened) {
    respond(asked, { body: { ok: false, error: opened.refused } });
    return;
  }
  if (team !== null) serving.violations.push(...findForeignIds(call, team, serving));
  const channel = team?.workspace.findChannel(String(args.channel))?.id;
  const fault = serving.faults.next(method, channel, args);
  if (fault === null) respond(asked, execute(asked, serving));
  else applyFault(fault, asked, serving);
}

interface ApiRequest {
  readonly call: Call;
  /** Null if the call is not for a workspace. */
  readonly team: SlackTeam | null;
  readonly authorization: string;
  readonly response: ServerResponse;
}

/** Checks the token: bot and app-level tokens are for different methods. */
function authenticate(
  method: string,
  authorization: string,
  { botToken, appToken, teams, oauth }: ServerState,
): { readonly team: SlackTeam | null } | { readonly refused: string } {
  if (method === "oauth.v2.access") return { team: null };
  const token = authorization.replace(/^Bearer /, "");
  if (token === "") return { refused: "not_authed" };
  const isApps = token === appToken;
  const isBots = token === botToken ? { team: teams[0] ?? null } : oauth.authenticate(token);
  if (!isApps && isBots === null) return { refused: "invalid_auth" };
  if (isApps !== (method === "apps.connections.open")) return { refused: "not_allowed_token_type" };
  return isBots ?? { team: null };
}

/** Violations by arguments that belong to another workspace than the token. */
function findForeignIds({ method, args }: Call, team: SlackTeam, { teams }: ServerState): readonly string[] {
  const named = [args.channel, args.channel_id, args.user, args.users, args.user_id].filter(
    (id) => typeof id === "string",
  );
  const others = teams.filter(({ workspace }) => workspace !== team.workspace);
  // A shared channel has the same id in each of its workspaces.
  return named
    .filter((id) => !team.workspace.channels.has(id))
    .filter((id) => others.some(({ workspace }) => workspace.channels.has(id) || workspace.people.has(id)))
    .map((id) => `${method}: ${id} belongs to another workspace than the token`);
}

function execute({ call, team, authorization }: ApiRequest, serving: ServerState): ApiAnswer {
  const { method, args } = call;
  const { teams, oauth, violations, uploads, openSocket } = serving;
  if (method === "oauth.v2.access") return { body: oauth.access(args, authorization) };
  const of = team ?? teams[0];
  if (of === undefined) throw new Error("the server has no workspace");
  const { workspace, limiter, readLimiter, scopes, views } = of;
  return callApi(method, args, { workspace, limiter, readLimiter, scopes, views, violations, uploads, openSocket });
}

type StoredThen = FaultEffect & { readonly kind: "stored-then" };

function applyFault(fault: FaultEffect, asked: ApiRequest, serving: ServerState): void {
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
      respondRateLimited(response, call, fault.retryAfter);
      return;
    case "hang":
      call.outcome = "hang";
      return;
    case "reset":
      call.outcome = "reset";
      response.socket?.resetAndDestroy();
      return;
    case "stored-then":
      execute(asked, serving);
      endResponse(fault.end, response);
      call.outcome = `stored, then ${fault.end}`;
      return;
    case "stored-later": {
      const dueAt = serving.now() + fault.ms;
      const timer = setInterval(() => {
        if (serving.now() < dueAt) return;
        clearInterval(timer);
        execute(asked, serving);
      }, 2);
      call.outcome = "504";
      response.writeHead(504, { "content-type": "text/html" }).end("<html>Gateway Timeout</html>");
      return;
    }
    case "latency": {
      const answer = execute(asked, serving);
      setTimeout(() => respond(asked, answer), fault.ms);
    }
  }
}

/** Ends the response of an executed call. After `fatal_error`, Slack documents, a call may have been executed. */
function endResponse(end: StoredThen["end"], response: ServerResponse): void {
  if (end === "reset") response.socket?.resetAndDestroy();
  if (end === "500") response.writeHead(500).end("Server Error");
  if (end === "fatal_error") response.end(JSON.stringify({ ok: false, error: end }));
}

function respond({ response, call, team }: ApiRequest, answer: ApiAnswer): void {
  if ("retryAfter" in answer) {
    respondRateLimited(response, call, answer.retryAfter);
    return;
  }
  call.outcome = answer.body.ok === true ? "ok" : String(answer.body.error);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    ...(team === null ? {} : { "x-oauth-scopes": [...team.scopes].join(",") }),
  });
  response.end(JSON.stringify(answer.body));
}

function respondRateLimited(response: ServerResponse, call: Call, retryAfter: number | null): void {
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

/** Form-encoded requests contain lists and objects as JSON. */
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
