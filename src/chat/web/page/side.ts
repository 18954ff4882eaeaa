import { ApiError, getOverview } from "./api.ts";
import { showDeliveries } from "./deliveries.ts";
import { byId } from "./dom.ts";
import { refreshTimes, setServerTime } from "./server-time.ts";
import { showSource } from "./source.ts";
import type { SplitsTable } from "./splits-table.ts";

const EVERY_MS = 30_000;
const TIMES_EVERY_MS = 5_000;
/** What comes within this time of each other is read once. */
const TOGETHER_MS = 250;

/** Keeps true what stands beside the chat: the splits, the deliveries, the state of the data, and every `… ago`. */
export function keepSideFresh(table: SplitsTable): { soon(): void } {
  let timer = 0;

  async function refresh(): Promise<void> {
    try {
      const overview = await getOverview();
      setServerTime(overview.now);
      table.show(overview.splits, overview.source.sample);
      showDeliveries(overview.deliveries);
      showSource(overview.source);
      byId("version", HTMLElement).textContent = overview.version;
      byId("sign-out", HTMLFormElement).hidden = !overview.signedIn;
    } catch (error) {
      // What is shown stays, and its age tells how old it is; the chat says that the connection is lost.
      if (!(error instanceof ApiError)) throw error;
    }
    refreshTimes();
  }

  function soon(): void {
    clearTimeout(timer);
    timer = setTimeout(refresh, TOGETHER_MS);
  }

  void refresh();
  setInterval(() => {
    if (!document.hidden) soon();
  }, EVERY_MS);
  setInterval(refreshTimes, TIMES_EVERY_MS);
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) soon();
  });
  return { soon };
}
