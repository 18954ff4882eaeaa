import { STATUS_CODES } from "node:http";
import { type HttpAnswer, redactUrl } from "../../http/client.ts";
import { createRedactor } from "../../lib/redact.ts";
import { SourceError, type SourceFailure } from "../../ports/split-source.ts";
import { excerpt } from "../text.ts";

/** What is asked of the service. `path` is below its base address and starts with `/v1`. */
export interface ServiceRequest {
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Where the service is, and how to speak of it without telling its key. */
export interface ServiceAddress {
  /** With the key: for the request alone. */
  readonly urlOf: (question: ServiceRequest) => URL;
  /** A failure that names the question's address. `what` ends the sentence `GET …: got …; expected …`. */
  readonly failure: (kind: SourceFailure, question: ServiceRequest, what: string, retryAfterMs?: number) => SourceError;
  /** The beginning of what the service wrote, fit for a message: one line, without the key. */
  readonly redactedExcerpt: (text: string) => string;
  /** `got 401 Unauthorized: {"error":"Unknown API Key"}` */
  readonly describe: (answer: HttpAnswer) => string;
}

/** How much of a text is looked at for a quotation. */
const QUOTED_FROM = 4_000;

/** `baseUrl` is without `/v1` and may carry a path and a trailing slash. No key: none is sent. */
export function createServiceAddress(baseUrl: string, apiKey: string | null): ServiceAddress {
  const base = parseBaseUrl(baseUrl);
  // A service may repeat the key in what it says about it.
  const withoutKey = createRedactor(apiKey === null ? [] : [apiKey]);

  function urlOf({ path, query }: ServiceRequest): URL {
    const url = new URL(base.pathname.replace(/\/+$/, "") + path, base);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    if (apiKey !== null) url.searchParams.set("apiKey", apiKey);
    return url;
  }

  // The key goes before the cut: a part of it would not be recognised.
  const redactedExcerpt = (text: string): string => excerpt(withoutKey(text.slice(0, QUOTED_FROM)));

  return {
    urlOf,
    redactedExcerpt,
    failure: (kind, question, what, retryAfterMs) => {
      const message = `GET ${redactUrl(urlOf(question))}: ${what}`;
      return new SourceError(kind, message, retryAfterMs === undefined ? {} : { retryAfterMs });
    },
    describe: (answer) => {
      const status = `got ${answer.status} ${STATUS_CODES[answer.status] ?? ""}`.trimEnd();
      const said = redactedExcerpt(answer.body.toString("utf8", 0, QUOTED_FROM));
      return said === "" ? status : `${status}: ${said}`;
    },
  };
}

function parseBaseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol === "http:" || url?.protocol === "https:") return url;
  throw new Error(
    `data service: got the base address "${redactUrl(text)}", expected one such as https://splits.example`,
  );
}
