import { ApiError } from "./api.ts";
import type { DetailParts } from "./detail.ts";
import { releaseNodes } from "./release-view.ts";
import type { DetailRoute } from "./route.ts";
import { splitNodes } from "./split-view.ts";

/** What a view is made from. */
export interface ViewParts extends DetailParts {
  /** The calculation of the view that this one replaces; null: a new one. */
  readonly calculator: HTMLElement | null;
}

/** Loaded when the reader opens the first view of a split or release. Returns the reason if the content can't be read. */
export async function detailView(route: DetailRoute, parts: ViewParts): Promise<readonly Node[] | string> {
  try {
    return route.kind === "split" ? await splitNodes(route.ticker, parts) : await releaseNodes(route.url);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.message;
  }
}
