import type { HttpAnswer } from "../../http/client.ts";

export interface WebAnswer extends HttpAnswer {
  /** Address of the answer, after redirects. */
  readonly url: URL;
}
