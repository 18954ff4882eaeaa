import { ApiError } from "./api.ts";
import type { DetailParts } from "./detail.ts";
import { el, externalText } from "./dom.ts";
import { releaseNodes } from "./release-view.ts";
import type { DetailRoute } from "./route.ts";
import { splitNodes } from "./split-view.ts";

/** Loaded when the reader opens the first view of a split or release. */
export async function detailView(route: DetailRoute, parts: DetailParts): Promise<readonly Node[]> {
  try {
    return route.kind === "split" ? await splitNodes(route.ticker, parts) : await releaseNodes(route.url);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [
      el("h2", { tabindex: "-1" }, "Couldn't load this view"),
      el("p", { class: "line" }, externalText(error.message)),
    ];
  }
}
