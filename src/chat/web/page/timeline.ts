import { byId, pressable } from "./dom.ts";
import { elementId } from "./message-view.ts";
import { MAX_MESSAGES } from "./protocol.ts";

/** Distance from the end within which new messages scroll into view. */
const END_TOLERANCE_PX = 80;
/** Space above a message that fills the window. */
const MARGIN_ABOVE_PX = 12;

/** Messages and answers, oldest first. It follows new ones only while the reader is at the end. */
export interface Timeline {
  /** Appends an element. `follow`: always scrolls to it. */
  add(element: HTMLElement, options?: { readonly follow: boolean }): void;
  /** Prepends an older message. */
  addFirst(element: HTMLElement): void;
  has(messageId: string): boolean;
  clear(): void;
  /** Scrolls to a message and focuses it. */
  show(messageId: string): void;
  scrollToEnd(): void;
}

export function createTimeline(): Timeline {
  const scroller = byId("scroller", HTMLElement);
  const list = byId("timeline", HTMLOListElement);
  const empty = byId("empty", HTMLElement);
  const newer = pressable(byId("newer", HTMLButtonElement), toEnd);

  function isAtEnd(): boolean {
    return scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < END_TOLERANCE_PX;
  }

  function toEnd(): void {
    scroller.scrollTop = endOf(scroller, list);
    newer.hidden = true;
  }

  // Content and window change size (an answer arrives, a phone is rotated); readers at the end stay at the end.
  let followsEnd = true;
  scroller.addEventListener("scroll", () => {
    followsEnd = isAtEnd();
    if (followsEnd) newer.hidden = true;
  });
  const resized = new ResizeObserver(() => {
    if (followsEnd) toEnd();
  });
  resized.observe(list);
  resized.observe(scroller);

  return {
    add(element, { follow } = { follow: false }) {
      const shouldScroll = follow || followsEnd;
      list.append(element);
      empty.hidden = true;
      while (list.childElementCount > MAX_MESSAGES) list.firstElementChild?.remove();
      if (shouldScroll) toEnd();
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

/** Scroll position of the end, but no further than the start of the newest message, so that a long one is read from its start. */
function endOf(scroller: HTMLElement, list: HTMLElement): number {
  const end = scroller.scrollHeight - scroller.clientHeight;
  const newest = list.lastElementChild;
  return newest instanceof HTMLElement ? Math.min(end, newest.offsetTop - MARGIN_ABOVE_PX) : end;
}
