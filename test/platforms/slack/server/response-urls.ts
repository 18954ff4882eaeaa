import { checkMessage } from "./message-checks.ts";
import { isTrue, partsOf, threadOf } from "./shapes.ts";
import type { Json, SlackMessage, Workspace } from "./workspace.ts";

const MAX_USES = 5;
const LIFETIME_MS = 30 * 60_000;

/** Response URL of one interaction. */
export interface ResponseUrl {
  readonly id: string;
  readonly person: string;
  readonly channel: string;
  readonly threadTs: string | null;
  readonly createdAt: number;
  /** Message of the pressed button; null for a command. */
  source: SlackMessage | null;
  uses: number;
  /** Messages posted through this URL. */
  readonly posted: SlackMessage[];
}

export interface ResponseUrls {
  has(id: string): boolean;
  create(parts: Pick<ResponseUrl, "person" | "channel" | "threadTs" | "source">): ResponseUrl;
  /** Handles a request to the URL. */
  use(id: string, body: Json): { readonly status: number; readonly text: string };
  /** Posts the content of an acknowledgement, which does not count as a use of the URL. */
  respond(url: ResponseUrl, body: Json): void;
  /** Whether Slack can fetch pictures. If not, it refuses messages with pictures. */
  fetchesPictures: boolean;
}

export function createResponseUrls(workspace: Workspace, violations: string[], now: () => number): ResponseUrls {
  const urls = new Map<string, ResponseUrl>();

  function answer(url: ResponseUrl, body: Json): void {
    if (isTrue(body.delete_original)) {
      if (url.source) workspace.remove(url.source);
      url.source = null;
      if (body.text === undefined && body.blocks === undefined) return;
    }
    violations.push(...checkMessage(body).map((problem) => `response ${problem}`));
    if (replacesSource(url, body) && url.source) {
      workspace.replace(url.source, partsOf(body));
      url.posted.push(url.source);
      return;
    }
    const message = workspace.post({
      ...partsOf(body),
      channel: url.channel,
      threadTs: threadOf(body) ?? url.threadTs,
      broadcast: false,
      onlyFor: body.response_type === "in_channel" ? null : url.person,
    });
    url.posted.push(message);
  }

  const responseUrls: ResponseUrls = {
    fetchesPictures: true,
    has: (id) => urls.has(id),
    create(parts) {
      const url = { ...parts, id: `${workspace.team.id}-${urls.size + 1}`, createdAt: now(), uses: 0, posted: [] };
      urls.set(url.id, url);
      return url;
    },
    use(id, body) {
      const url = urls.get(id);
      if (!url) return { status: 404, text: "no_such_url" };
      if (now() - url.createdAt > LIFETIME_MS) return { status: 404, text: "expired_url" };
      url.uses += 1;
      if (url.uses > MAX_USES) {
        violations.push(`response_url: used ${url.uses} times, at most ${MAX_USES}`);
        return { status: 404, text: "used_url" };
      }
      if (!responseUrls.fetchesPictures && hasPicture(body)) return { status: 400, text: "invalid_blocks" };
      answer(url, body);
      return { status: 200, text: "ok" };
    },
    respond: answer,
  };
  return responseUrls;
}

function hasPicture({ blocks }: Json): boolean {
  return Array.isArray(blocks) && blocks.some((block: Json) => block.type === "image");
}

/** By default, the answer to a button press replaces the message of the button. */
function replacesSource({ source }: ResponseUrl, body: Json): boolean {
  if (source === null) return false;
  return body.replace_original === undefined ? body.response_type === undefined : isTrue(body.replace_original);
}
