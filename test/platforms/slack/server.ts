import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRandom, type Random } from "../../support/random.ts";
import { createFaults, type Faults, type Misbehaviour } from "./faults.ts";
import { createLimiter, type PostLimits } from "./limits.ts";
import { createResponseUrls, type ResponseUrls } from "./response-urls.ts";
import { type SignedAnswer, type SignedRequest, sendSigned } from "./signed-request.ts";
import { createSocketMode, type SocketMode } from "./socket-mode.ts";
import { createUploads, type Upload, type Uploads } from "./uploads.ts";
import { createUser, type SlackUser } from "./user.ts";
import { ALL_SCOPES, type ApiAnswer, type ApiParts, type Call, callApi } from "./web-api.ts";
import { createWorkspace, type Json, type SlackChannel, type SlackMessage, type Workspace } from "./workspace.ts";

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
export interface Slack {
  readonly apiUrl: string;
  readonly botToken: string;
  readonly appToken: string;
  readonly signingSecret: string;
  readonly workspace: Workspace;
  readonly socket: SocketMode;
  readonly faults: Faults;
  /** Every call of the Web API, oldest first. */
  readonly calls: readonly Call[];
  /** What was posted against the rules of Slack; a test expects none. */
  readonly violations: readonly string[];
  /** Files that were handed over, or are on their way. */
  readonly uploads: readonly Upload[];
  readonly responseUrls: ResponseUrls;
  /** Scopes of the bot token: a test takes some away. */
  readonly scopes: Set<string>;
  channel(name: string): SlackChannel;
  /** What stands in a channel and its threads, oldest first, without what only one person sees. */
  messages(channel: string): readonly SlackMessage[];
  /** The direct messages of a person, likewise. */
  directMessages(person: string): readonly SlackMessage[];
  user(name: string): SlackUser;
  /** Where the app listens for signed requests: its address, without a path. */
  listensAt(address: string): void;
  /** A signed request as the test makes it: nothing of it is checked here. */
  sendSigned(request: Partial<SignedRequest> & Pick<SignedRequest, "body">): Promise<SignedAnswer>;
  /** The variables that point splitwatch here. */
  env(via: "socket" | "http"): Readonly<Record<string, string>>;
  stop(): Promise<void>;
}

export async function startSlack(options: SlackOptions = {}): Promise<Slack> {
  const { channels = ["general"], people = ["ada", "bob"], groups = [], now = Date.now } = options;
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const workspace = createWorkspace({ channels, people, groups, now });
  const tickets = new Set<string>();
  const socket = createSocketMode(server, workspace.bot.appId, tickets);
  const violations: string[] = [];
  const calls: Call[] = [];
  const faults = createFaults(options.random ?? createRandom(1));
  const responseUrls = createResponseUrls(workspace, violations, now);
  const uploads = createUploads((id) => `http://${origin}/upload/${id}`);
  const tokens = { botToken: `xoxb-${secret()}`, appToken: `xapp-1-${secret()}`, signingSecret: secret() };
  const api: ApiParts = {
    workspace,
    limiter: createLimiter(options.limits ?? null, now),
    violations,
    uploads,
    scopes: new Set(ALL_SCOPES),
    openSocket: () => {
      const ticket = secret();
      tickets.add(ticket);
      return `ws://${origin}/link?ticket=${ticket}`;
    },
  };
  let eventsUrl = "";
  const { signingSecret } = tokens;
  serve(server, { ...tokens, api, calls, faults, responseUrls, uploads, now });

  const slack: Slack = {
    ...tokens,
    apiUrl: `http://${origin}/api/`,
    workspace,
    socket,
    faults,
    calls,
    violations,
    uploads: uploads.all,
    responseUrls,
    scopes: api.scopes,
    channel(name) {
      const channel = [...workspace.channels.values()].find((candidate) => candidate.name === name);
      if (!channel) throw new Error(`the test's workspace has no #${name}`);
      return channel;
    },
    messages: (name) => publicMessages(workspace, slack.channel(name)),
    directMessages: (name) => publicMessages(workspace, workspace.directChannel(slack.user(name).id)),
    user: (name) =>
      createUser(name, {
        workspace,
        socket,
        responseUrls,
        signingSecret,
        eventsUrl: () => eventsUrl,
        responseUrl: (id) => `http://${origin}/response/${id}`,
        now,
      }),
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
    env: (via) => ({
      SLACK_API_URL: slack.apiUrl,
      SLACK_BOT_TOKEN: tokens.botToken,
      ...(via === "socket" ? { SLACK_APP_TOKEN: tokens.appToken } : { SLACK_SIGNING_SECRET: signingSecret }),
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

function publicMessages(workspace: Workspace, { id }: SlackChannel): readonly SlackMessage[] {
  return workspace.messages.filter(({ channel, onlyFor }) => channel === id && onlyFor === null);
}

function secret(): string {
  return randomBytes(16).toString("hex");
}

interface Serving {
  readonly botToken: string;
  readonly appToken: string;
  readonly api: ApiParts;
  readonly calls: Call[];
  readonly faults: ReturnType<typeof createFaults>;
  readonly responseUrls: ResponseUrls;
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

function answerUse(id: string, body: string, response: ServerResponse, { responseUrls, calls, now }: Serving): void {
  const args = JSON.parse(body) as Json;
  const { status, text } = responseUrls.use(id, args);
  calls.push({ at: now(), method: "response_url", args, outcome: status === 200 ? "ok" : text });
  response.writeHead(status, { "content-type": "text/plain" }).end(text);
}

interface Asked {
  readonly request: IncomingMessage;
  readonly body: string;
  readonly response: ServerResponse;
}

function answerCall(method: string, { request, body, response }: Asked, serving: Serving): void {
  const args = readArgs(body, request.headers["content-type"] ?? "");
  const call: Call = { at: serving.now(), method, args, outcome: "" };
  serving.calls.push(call);
  const refusal = refuseToken(method, request.headers.authorization ?? "", serving);
  if (refusal !== null) {
    respond(response, call, { body: { ok: false, error: refusal } }, serving);
    return;
  }
  const channel = serving.api.workspace.findChannel(String(args.channel))?.id;
  const fault = serving.faults.meet(method, channel);
  if (fault === null) respond(response, call, callApi(method, args, serving.api), serving);
  else misbehave(fault, response, call, serving);
}

/** Each kind of token opens its own doors. */
function refuseToken(method: string, authorization: string, { botToken, appToken }: Serving): string | null {
  const token = authorization.replace(/^Bearer /, "");
  if (token === "") return "not_authed";
  const forApps = method === "apps.connections.open";
  if (token === (forApps ? appToken : botToken)) return null;
  if (token === botToken || token === appToken) return "not_allowed_token_type";
  return "invalid_auth";
}

type StoredThen = Misbehaviour & { readonly kind: "stored-then" };

function misbehave(fault: Misbehaviour, response: ServerResponse, call: Call, serving: Serving): void {
  switch (fault.kind) {
    case "error":
      respond(response, call, { body: { ok: false, error: fault.code, ...fault.extra } }, serving);
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
      callApi(call.method, call.args, serving.api);
      breakDown(fault.end, response);
      call.outcome = `stored, then ${fault.end}`;
      return;
    case "latency": {
      const answer = callApi(call.method, call.args, serving.api);
      setTimeout(() => respond(response, call, answer, serving), fault.ms);
    }
  }
}

/** After `fatal_error`, Slack says, some of it may have been done. */
function breakDown(end: StoredThen["end"], response: ServerResponse): void {
  if (end === "reset") response.socket?.resetAndDestroy();
  if (end === "500") response.writeHead(500).end("Server Error");
  if (end === "fatal_error") response.end(JSON.stringify({ ok: false, error: end }));
}

function respond(response: ServerResponse, call: Call, answer: ApiAnswer, { api }: Serving): void {
  if ("retryAfter" in answer) {
    rateLimited(response, call, answer.retryAfter);
    return;
  }
  call.outcome = answer.body.ok === true ? "ok" : String(answer.body.error);
  response.writeHead(200, {
    "content-type": "application/json; charset=utf-8",
    "x-oauth-scopes": [...api.scopes].join(","),
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
    args[name] = ["blocks", "attachments", "metadata"].includes(name) ? parsed(value) : value;
  return args;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
