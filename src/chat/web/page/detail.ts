import type { Press } from "./card.ts";
import { byId, el } from "./dom.ts";
import type { DetailRoute } from "./route.ts";

/** What the views of splits and releases need from the page. */
export interface DetailParts {
  /** The reader's name; null until one is picked. */
  readonly readerName: () => string | null;
  /** Runs a command and shows its answer in the chat. */
  readonly press: Press;
  /** Asks for a name if there is none, then runs `action`. */
  withName(action: () => void): void;
  /** Called after a command that changes the view. */
  changed(): void;
}

/** A view of one split or release in place of the chat, which stays as it is behind it. */
export interface Detail {
  readonly isOpen: boolean;
  open(route: DetailRoute): Promise<void>;
  close(): void;
  /** Reads the content again. */
  refresh(): void;
}

export function createDetail(parts: DetailParts): Detail {
  const section = byId("detail", HTMLElement);
  const content = byId("detail-content", HTMLElement);
  let current: DetailRoute | null = null;
  let opener: Element | null = null;

  /** Shows a route unless the reader has left it meanwhile. */
  async function show(route: DetailRoute): Promise<boolean> {
    const { detailView } = await import("./detail-view.ts");
    const view = await detailView(route, parts);
    if (route !== current) return false;
    content.replaceChildren(...view);
    return true;
  }

  return {
    get isOpen() {
      return current !== null;
    },
    async open(route) {
      opener = current === null ? document.activeElement : opener;
      current = route;
      section.hidden = false;
      content.replaceChildren(el("p", { class: "waiting" }, "Loading…"));
      section.scrollTop = 0;
      if (await show(route)) content.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    },
    close() {
      if (current === null) return;
      current = null;
      section.hidden = true;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    },
    refresh() {
      if (current?.kind === "split") void show(current);
    },
  };
}
