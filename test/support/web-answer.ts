import type { WebAnswer } from "../../src/sources/web/web-answer.ts";

/** An answer with status 200. */
export function webAnswer(body: string | Buffer, url: string, type: string | null = null): WebAnswer {
  return {
    status: 200,
    url: new URL(url),
    body: Buffer.from(body),
    header: (name) => (name === "content-type" ? type : null),
    headers: () => [],
  };
}
