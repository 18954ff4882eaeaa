import type { Identity } from "./identity.ts";
import type {
  ChatDestination,
  CommandAnswer,
  CommandRequest,
  CompletionRequest,
  FoundMessage,
  Messages,
  OverviewAnswer,
  ProblemBody,
  ReleaseAnswer,
  ShareAnswer,
  SplitAnswer,
  Start,
  Suggestions,
} from "./protocol.ts";

/** A refused or failed request. `message` is shown to the reader. */
export class ApiError extends Error {
  override readonly name = "ApiError";
}

const REQUEST_TIMEOUT_MS = 30_000;

export function postCommand(
  name: string,
  destination: ChatDestination,
  { line, file }: Pick<CommandRequest, "line" | "file">,
): Promise<CommandAnswer> {
  const request: CommandRequest = { name, line, ...destinationFields(destination), ...(file && { file }) };
  return call("api/command", { method: "POST", body: JSON.stringify(request) });
}

export function postCompletion(
  name: string | null,
  destination: ChatDestination,
  line: string,
  signal: AbortSignal,
): Promise<Suggestions> {
  const request: CompletionRequest = { ...(name !== null && { name }), line, ...destinationFields(destination) };
  return call("api/complete", { method: "POST", body: JSON.stringify(request), signal });
}

export function postShare(name: string, channel: string, line: string): Promise<ShareAnswer> {
  return call("api/share", { method: "POST", body: JSON.stringify({ name, channel, line }) });
}

export function getMessages(identity: Identity): Promise<Messages> {
  return call(`api/messages?${identityQuery(identity)}`);
}

/** Messages and overview in one request. */
export function getStart(identity: Identity): Promise<Start> {
  return call(`api/start?${identityQuery(identity)}`);
}

export function getMessage(id: string, identity: Identity): Promise<FoundMessage> {
  const query = identity.name === null ? "" : `?name=${encodeURIComponent(identity.name)}`;
  return call(`api/messages/${encodeURIComponent(id)}${query}`);
}

export function getOverview(channel: string): Promise<OverviewAnswer> {
  return call(`api/overview?${new URLSearchParams({ channel })}`);
}

export function getSplit(ticker: string, name: string | null): Promise<SplitAnswer> {
  const query = name === null ? "" : `?${new URLSearchParams({ name })}`;
  return call(`api/splits/${encodeURIComponent(ticker)}${query}`);
}

export function getRelease(url: string): Promise<ReleaseAnswer> {
  return call(`api/releases?${new URLSearchParams({ url })}`);
}

export function streamAddress(identity: Identity, after: number): string {
  return `api/stream?${identityQuery(identity)}&after=${after}`;
}

function identityQuery(identity: Identity): string {
  return new URLSearchParams({
    channel: identity.channel,
    ...(identity.name === null ? {} : { name: identity.name }),
  }).toString();
}

function destinationFields({ kind, id }: ChatDestination): Pick<CommandRequest, "channel" | "direct"> {
  return kind === "channel" ? { channel: id } : { direct: true };
}

/** Sends a request to the page's server. Rejects with an ApiError. */
export async function call<T>(address: string, init: RequestInit = {}): Promise<T> {
  const response = await fetchWithTimeout(address, init);
  if (response.status === 401) {
    location.reload();
    throw new ApiError("Your session has ended. Sign in again.");
  }
  if (!response.ok) throw new ApiError(await problemDetail(response));
  return (await response.json()) as T;
}

async function fetchWithTimeout(address: string, init: RequestInit): Promise<Response> {
  const timeout = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  const signal = init.signal ? AbortSignal.any([init.signal, timeout]) : timeout;
  try {
    return await fetch(address, { ...init, signal, headers: { "content-type": "application/json" } });
  } catch (error) {
    throw new ApiError("Can't reach splitwatch. Check that it is running.", { cause: error });
  }
}

async function problemDetail(response: Response): Promise<string> {
  try {
    return ((await response.json()) as ProblemBody).detail;
  } catch {
    return `splitwatch answered ${response.status}.`;
  }
}
