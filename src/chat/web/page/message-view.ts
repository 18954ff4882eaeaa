import { cardView, type Press } from "./card.ts";
import { el, externalText, onPress } from "./dom.ts";
import { destinationName } from "./identity.ts";
import type { ChatDestination, CommandAnswer, Message } from "./protocol.ts";
import { relativeTime, serverNow } from "./server-time.ts";

/** Runs a button's command in the destination that shows its card. */
export type PressAt = (command: string, destination: ChatDestination) => Promise<void>;

export function elementId(messageId: string): string {
  return `message-${messageId}`;
}

/** View of a message in the channel or in the reader's direct messages. */
export function messageView(message: Message, press: PressAt): HTMLElement {
  const { to, body } = message;
  const isDirect = to.kind === "person";
  return el(
    "li",
    { class: "message", id: elementId(message.messageId), tabindex: "-1", "data-direct": String(isDirect) },
    el(
      "p",
      { class: "meta" },
      ...authorView(message),
      isDirect ? el("span", { class: "private" }, "Only to you") : el("span", { class: "where" }, destinationName(to)),
      relativeTime(message.at),
    ),
    mentionsView(body.mentions),
    originView(message.replyTo),
    ...body.cards.map((card) => cardView(card, (command) => press(command, to))),
  );
}

function authorView(message: Message): readonly Node[] {
  const { shared } = message.body;
  if (shared === null) return [el("span", { class: "author" }, "splitwatch")];
  return [
    el("span", { class: "author" }, externalText(shared.by), " shared"),
    el("code", { class: "command" }, externalText(`/splits ${shared.line}`)),
  ];
}

function mentionsView(mentions: readonly string[]): HTMLElement | null {
  return mentions.length === 0 ? null : el("p", { class: "mentions" }, "For ", externalText(mentions.join(", ")));
}

/** Link to the first message about the same split, if it is still on the page. */
function originView(replyTo: string | null): HTMLElement | null {
  const origin = replyTo === null ? null : document.getElementById(elementId(replyTo));
  const title = origin?.querySelector(".title > :last-child")?.textContent;
  if (replyTo === null || !title) return null;
  const anchor = el("a", { dir: "auto" }, title);
  anchor.href = `#${encodeURIComponent(elementId(replyTo))}`;
  return el("p", { class: "origin" }, "Follows up on ", anchor);
}

/** View of an answer that only the requester sees: pending, then the answer or an error. */
export interface AnswerView {
  readonly element: HTMLElement;
  readonly line: string;
  readonly destination: ChatDestination;
  /** Time of the request. */
  readonly at: number;
  showAnswer(answer: CommandAnswer, actions: { press: Press; share: (() => Promise<void>) | null }): void;
  showFailure(reason: string, retry: () => Promise<void>): void;
  /** Replaces the share button with the outcome. */
  showShared(outcome: string): void;
}

export function answerView(
  requester: string,
  line: string,
  { destination, at = serverNow() }: { readonly destination: ChatDestination; readonly at?: number },
): AnswerView {
  const content = el("div", { class: "content" }, el("p", { class: "waiting" }, "Working on it…"));
  const command = el("code", { class: "command" }, externalText(`/splits ${line}`));
  const share = el("p", { class: "share" });
  const element = el(
    "li",
    { class: "message answer", tabindex: "-1", "aria-busy": "true" },
    el(
      "p",
      { class: "meta" },
      el("span", { class: "author" }, externalText(requester)),
      command,
      el("span", { class: "private" }, "Only you see this"),
      el("span", { class: "where" }, destinationName(destination)),
      relativeTime(at),
    ),
    content,
    share,
  );

  function setContent(...nodes: readonly Node[]): void {
    element.removeAttribute("aria-busy");
    content.replaceChildren(...nodes);
  }

  return {
    element,
    line,
    destination,
    at,
    showAnswer(answer, actions) {
      command.replaceChildren(externalText(`/splits ${answer.line}`));
      setContent(...answer.cards.map((card) => cardView(card, actions.press)));
      share.replaceChildren(...(actions.share === null ? [] : [shareButton(actions.share)]));
    },
    showFailure(reason, retry) {
      const retryButton = onPress(el("button", { class: "button" }, "Try again"), retry);
      const title = el("h3", { class: "title" }, "The command wasn't delivered");
      setContent(
        el(
          "article",
          { class: "card", "data-tone": "bad" },
          title,
          el("p", { class: "line" }, externalText(reason)),
          el("div", { class: "buttons" }, retryButton),
        ),
      );
    },
    showShared(outcome) {
      share.replaceChildren(outcome);
    },
  };
}

function shareButton(share: () => Promise<void>): HTMLElement {
  return onPress(el("button", { class: "text-button" }, "Share with the channel"), share);
}
