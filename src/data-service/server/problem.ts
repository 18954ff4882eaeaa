import type { ProblemAnswer, ProblemCode } from "../schema.ts";

const STATUS: Readonly<Record<ProblemCode, readonly [status: number, title: string]>> = {
  bad_parameter: [400, "Bad Request"],
  key_missing: [401, "Unauthorized"],
  key_unknown: [401, "Unauthorized"],
  not_found: [404, "Not Found"],
  method_not_allowed: [405, "Method Not Allowed"],
  rate_limited: [429, "Too Many Requests"],
  internal: [500, "Internal Server Error"],
  not_ready: [503, "Service Unavailable"],
};

interface ProblemExtras {
  readonly parameter?: string;
  readonly allowed?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown wherever a request cannot be answered; the service turns it into the answer. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly code: ProblemCode;
  readonly #extras: ProblemExtras;

  /** `detail` goes out to the caller: it holds no key and nothing of the inside. */
  constructor(code: ProblemCode, detail: string, extras: ProblemExtras = {}) {
    super(detail);
    this.code = code;
    this.#extras = extras;
  }

  toResponse(): Response {
    const [status, title] = STATUS[this.code];
    const { parameter, allowed, headers } = this.#extras;
    const answer: ProblemAnswer = {
      type: "about:blank",
      title,
      status,
      detail: this.message,
      code: this.code,
      ...(parameter === undefined ? {} : { parameter }),
      ...(allowed === undefined ? {} : { allowed: [...allowed] }),
    };
    const body = Buffer.from(JSON.stringify(answer));
    return new Response(body, {
      status,
      headers: {
        "Content-Type": "application/problem+json",
        "Content-Length": String(body.length),
        "Cache-Control": "no-store",
        ...headers,
      },
    });
  }
}

/** `size: got "41", expected a whole number from 1 to 40` */
export function badParameter(parameter: string, got: string, expected: string, allowed?: readonly string[]): Problem {
  const detail = `${parameter}: got ${quote(got)}, expected ${expected}`;
  return new Problem("bad_parameter", detail, { parameter, ...(allowed ? { allowed } : {}) });
}

const LONGEST_QUOTE = 60;

/** A text from outside, in quotes, on one line, and not longer than an error message bears. */
export function quote(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
