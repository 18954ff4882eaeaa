import { byId, pressable } from "./dom.ts";
import { elementId } from "./message-view.ts";
import { MAX_MESSAGES } from "./protocol.ts";

/** Nearer to the end than this counts as reading along. */
const END_TOLERANCE_PX = 80;
/** What stays free above a message that fills the window. */
const MARGIN_ABOVE_PX = 12;

/** The messages and answers, oldest first. It stays at its end while the reader is there, and where they are otherwise. */
export interface Timeline {
  /** At the end. `follow`: what the reader just asked for, so it comes into sight wherever they were. */
  add(element: HTMLElement, options?: { readonly follow: boolean }): void;
  /** Before all others: an old message that somebody looked up. */
  addFirst(element: HTMLElement): void;
  has(messageId: string): boolean;
  clear(): void;
  /** Brings it into sight and puts the focus there. */
  show(messageId: string): void;
  scrollToEnd(): void;
}

export function createTimeline(): Timeline {
  const scroller = byId("scroller", HTMLElement);
  const list = byId("timeline", HTMLOListElement);
  const empty = byId("empty", HTMLElement);
  const newer = pressable(byId("newer", HTMLButtonElement), toEnd);

  function atEnd(): boolean {
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_TOLERANCE_PX;
  }

  function toEnd(): void {
    scroller.scrollTop = endOf(scroller, list);
    newer.hidden = true;
  }

  // What is there grows and shrinks (an answer comes, the window turns): the end stays in sight for those who read along.
  let readingAlong = true;
  scroller.addEventListener("scroll", () => {
    readingAlong = atEnd();
    if (readingAlong) newer.hidden = true;
  });
  const resized = new ResizeObserver(() => {
    if (readingAlong) toEnd();
  });
  resized.observe(list);
  resized.observe(scroller);

  return {
    add(element, { follow } = { follow: false }) {
      const stay = follow || readingAlong;
      list.append(element);
      empty.hidden = true;
      while (list.childElementCount > MAX_MESSAGES) list.firstElementChild?.remove();
      if (stay) toEnd();
      else newer.hidden = false;
    },
    addFirst(element) {
      list.prepend(element);
      empty.hidden = true;
    },
    has: (messageId) => document.getElementById(elementId(messageId)) !== null,
    clear() {
      list.replaceChildren();
      empty.hidden = false;
      newer.hidden = true;
    },
    show(messageId) {
      const element = document.getElementById(elementId(messageId));
      element?.scrollIntoView({ block: "center" });
      element?.focus({ preventScroll: true });
    },
    scrollToEnd: toEnd,
  };
}

/** How far to scroll: to the end, but no further than the start of the newest message, so that a long one is read from there. */
function endOf(scroller: HTMLElement, list: HTMLElement): number {
  const end = scroller.scrollHeight - scroller.clientHeight;
  const newest = list.lastElementChild;
  return newest instanceof HTMLElement ? Math.min(end, newest.offsetTop - MARGIN_ABOVE_PX) : end;
}
