import type { WebAnswer } from "../../src/sources/web/web-answer.ts";

/** A captured answer of a source, by default at an unknown address. */
export function documentOf(body: string, { url = "https://unknown.invalid/document", type = "" } = {}): WebAnswer {
  return {
    status: 200,
    url: new URL(url),
    header: (name) => (name === "content-type" ? type : null),
    headers: () => [],
    body: Buffer.from(body),
  };
}
