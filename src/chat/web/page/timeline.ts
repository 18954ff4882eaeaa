import { byId, onPress } from "./dom.ts";
import { elementId } from "./message-view.ts";
import { MAX_MESSAGES } from "./protocol.ts";

/** Distance from the end within which new messages scroll into view. */
const END_TOLERANCE_PX = 80;
/** Space above a message that is higher than the window. */
const MARGIN_ABOVE_PX = 12;

/** A message or an answer with its time. */
export interface TimedView {
  readonly at: number;
  /** Creates the view. A message refers to earlier ones, so these must be on the page. */
  create(): HTMLElement;
}

/** Messages and answers, oldest first. Scrolls to new messages only while the reader is at the end. */
export interface Timeline {
  /** Appends an element. `follow`: always scrolls to it. */
  add(element: HTMLElement, options?: { readonly follow: boolean }): void;
  /** Prepends an older message. */
  addFirst(element: HTMLElement): void;
  has(messageId: string): boolean;
  clear(): void;
  /** Scrolls to a message and focuses it. */
  show(messageId: string): void;
  /** Scrolls to the newest message in the next frame. */
  scrollToEnd(): void;
}

function isAtEnd({ scrollHeight, scrollTop, clientHeight }: HTMLElement): boolean {
  return scrollHeight - scrollTop - clientHeight < END_TOLERANCE_PX;
}

function sizeOf({ scrollHeight, clientHeight }: HTMLElement): string {
  return `${scrollHeight} ${clientHeight}`;
}

export function createTimeline(): Timeline {
  const scroller = byId("scroller", HTMLElement);
  const list = byId("timeline", HTMLOListElement);
  const emptyNotice = byId("empty", HTMLElement);
  const newMessagesButton = onPress(byId("newer", HTMLButtonElement), scrollToEnd);

  let followsEnd = true;

  /** Position of the last scroll that the reader didn't do; null after the reader has scrolled. */
  let ownScrollTop: number | null = null;

  /** Heights of content and window after which the position was read last. */
  let knownSize = "";

  function scrollToEnd(): void {
    scroller.scrollTop = endPosition(scroller, list);
    ownScrollTop = scroller.scrollTop;
    knownSize = sizeOf(scroller);
    followsEnd = isAtEnd(scroller);
    newMessagesButton.hidden = true;
  }

  // Reading the position now would force a layout for each message of a long conversation.
  let nextScroll = 0;
  function scrollInNextFrame(): void {
    cancelAnimationFrame(nextScroll);
    nextScroll = requestAnimationFrame(scrollToEnd);
  }

  // Content and window change size (an answer arrives, a phone is rotated); readers at the end stay at the end.
  scroller.addEventListener("scroll", () => {
    // This event comes later than the scroll: an answer may have arrived since, and the reader wouldn't be at the end any more.
    if (scroller.scrollTop === ownScrollTop) return;
    // A browser also scrolls when sizes change. The observer is called next, and keeps a reader who was at the end there.
    if (followsEnd && sizeOf(scroller) !== knownSize) return;
    ownScrollTop = null;
    followsEnd = isAtEnd(scroller);
    if (followsEnd) newMessagesButton.hidden = true;
  });
  const resizeObserver = new ResizeObserver(() => {
    if (followsEnd) scrollToEnd();
  });
  resizeObserver.observe(list);
  resizeObserver.observe(scroller);

  return {
    add(element, { follow } = { follow: false }) {
      const shouldScroll = follow || followsEnd;
      list.append(element);
      emptyNotice.hidden = true;
      while (list.childElementCount > MAX_MESSAGES) list.firstElementChild?.remove();
      if (shouldScroll) scrollInNextFrame();
      else newMessagesButton.hidden = false;
    },
    addFirst(element) {
      list.prepend(element);
      emptyNotice.hidden = true;
    },
    has: (messageId) => document.getElementById(elementId(messageId)) !== null,
    clear() {
      list.replaceChildren();
      emptyNotice.hidden = false;
      newMessagesButton.hidden = true;
    },
    show(messageId) {
      const element = document.getElementById(elementId(messageId));
      element?.scrollIntoView({ block: "center" });
      element?.focus({ preventScroll: true });
    },
    scrollToEnd: scrollInNextFrame,
  };
}

/** Scroll position that shows the end; without messages, the start. If the newest message is higher than the window, the position that shows its start. */
function endPosition(scroller: HTMLElement, list: HTMLElement): number {
  const end = scroller.scrollHeight - scroller.clientHeight;
  const newest = list.lastElementChild;
  return newest instanceof HTMLElement ? Math.min(end, newest.offsetTop - MARGIN_ABOVE_PX) : 0;
}
