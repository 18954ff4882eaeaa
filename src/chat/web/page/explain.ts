import { byId } from "./dom.ts";
import { readStorage, writeStorage } from "./identity.ts";

const STORAGE_KEY = "splitwatch.explained";

/** Panel that explains reverse splits, shown until the reader closes it. */
export interface Explanation {
  /** Shows it again. */
  open(): void;
}

export function createExplanation(closed: () => void): Explanation {
  const panel = byId("explain", HTMLElement);
  panel.hidden = readStorage(STORAGE_KEY) !== "";
  byId("explain-close", HTMLButtonElement).addEventListener("click", () => {
    panel.hidden = true;
    writeStorage(STORAGE_KEY, "closed");
    closed();
  });
  return {
    open() {
      panel.hidden = false;
      panel.scrollIntoView({ block: "start" });
      panel.focus({ preventScroll: true });
    },
  };
}
