import { ApiError } from "./api.ts";
import type { ViewParts } from "./detail.ts";
import { releaseNodes } from "./release-nodes.ts";
import type { DetailRoute } from "./route.ts";
import { splitNodes } from "./split-nodes.ts";

/** Loaded when the reader opens the first view of a split or release. Returns the reason if the content can't be read. */
export async function detailView(route: DetailRoute, parts: ViewParts): Promise<readonly Node[] | string> {
  try {
    return route.kind === "split" ? await splitNodes(route.ticker, parts) : await releaseNodes(route.url);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}
