import type { Press } from "./card.ts";
import { byId, el, externalText } from "./dom.ts";
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

/** What a view is made from. */
export interface ViewParts extends DetailParts {
  /** The calculation of the view that this one replaces; null: a new one. */
  readonly calculator: HTMLElement | null;
}

/** A view of one split or release in place of the chat, which stays as it is behind it. */
export interface Detail {
  readonly isOpen: boolean;
  open(route: DetailRoute): Promise<void>;
  close(): void;
  /** Reads the content again. Keeps what the reader has typed, and everything if the content can't be read. */
  refresh(): void;
}

export function createDetail(parts: DetailParts): Detail {
  const section = byId("detail", HTMLElement);
  const content = byId("detail-content", HTMLElement);
  let current: DetailRoute | null = null;
  let opener: Element | null = null;

  /** Reads the view of a route. Returns a reason if it can't be read. */
  async function read(route: DetailRoute, calculator: HTMLElement | null): Promise<readonly Node[] | string> {
    const loaded = await import("./detail-view.ts").catch(() => null);
    // After an update of the server, parts of an open page have other addresses.
    if (loaded === null) return "A part of the page couldn't be loaded. Reload the page.";
    return loaded.detailView(route, { ...parts, calculator });
  }

  async function refresh(route: DetailRoute): Promise<void> {
    const view = await read(route, content.querySelector<HTMLElement>(".calculator"));
    if (route !== current || typeof view === "string") return;
    const focused = content.contains(document.activeElement) ? document.activeElement : null;
    content.replaceChildren(...view);
    if (focused !== null) placeOf(focused)?.focus({ preventScroll: true });
  }

  /** The element, the one that has replaced it, or the heading. */
  function placeOf({ id, localName, textContent }: Element): HTMLElement | null {
    if (id !== "") return content.querySelector<HTMLElement>(`#${CSS.escape(id)}`);
    const alike = [...content.querySelectorAll<HTMLElement>(localName)];
    return alike.find((other) => other.textContent === textContent) ?? content.querySelector<HTMLElement>("h2");
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
      const view = await read(route, null);
      if (route !== current) return;
      content.replaceChildren(...(typeof view === "string" ? problemNodes(view) : view));
      content.querySelector<HTMLElement>("h2")?.focus({ preventScroll: true });
    },
    close() {
      if (current === null) return;
      current = null;
      section.hidden = true;
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus({ preventScroll: true });
    },
    refresh() {
      if (current?.kind === "split") void refresh(current);
    },
  };
}

function problemNodes(reason: string): readonly Node[] {
  return [el("h2", { tabindex: "-1" }, "Couldn't load this view"), el("p", { class: "line" }, externalText(reason))];
}
