import { el, foreign, link, pressable } from "./dom.ts";
import { filesView, pictureView } from "./picture.ts";
import type { Button, Card, Fact, Quote, Row } from "./protocol.ts";

/** Runs the command line of a button. */
export type Press = (command: string) => Promise<void>;

/** The tone in words, for those who do not see its colour. */
const TONE_NAMES: Readonly<Record<Card["tone"], string>> = {
  new: "New",
  change: "Change",
  warning: "Warning",
  due: "Due",
  good: "Done",
  bad: "Problem",
  plain: "",
};

export function cardView(card: Card, press: Press): HTMLElement {
  return el(
    "article",
    { class: "card", "data-tone": card.tone },
    heading(card),
    ...card.lines.map((line) => el("p", { class: "line" }, foreign(line))),
    card.picture === undefined ? null : pictureView(card.picture),
    card.facts.length === 0 ? null : el("dl", { class: "facts" }, ...card.facts.map(factView)),
    card.rows.length === 0 ? null : el("ul", { class: "rows" }, ...card.rows.map(rowView)),
    ...card.quotes.map(quoteView),
    card.warnings.length === 0
      ? null
      : el("ul", { class: "warnings", "aria-label": "Data warnings" }, ...card.warnings.map(warningView)),
    card.files === undefined || card.files.length === 0 ? null : filesView(card.files),
    card.buttons.length === 0 ? null : buttonsView(card, press),
    card.footer === null ? null : el("p", { class: "footer" }, foreign(card.footer)),
  );
}

function heading(card: Card): HTMLElement {
  const tone = TONE_NAMES[card.tone];
  return el(
    "h3",
    { class: "title" },
    tone === "" ? null : el("span", { class: "hidden" }, `${tone}: `),
    ...badgeViews(card.badges),
    link(card.link, card.title),
  );
}

export function badgeViews(badges: readonly string[]): readonly Node[] {
  return badges.flatMap((badge) => [
    el("span", { class: "badge", "data-badge": badge.toLowerCase() }, foreign(badge)),
    space(),
  ]);
}

function factView(fact: Fact): HTMLElement {
  return el(
    "div",
    {},
    el("dt", {}, foreign(fact.label)),
    el("dd", {}, ...wasView(fact.was), link(fact.link, fact.value)),
  );
}

/** Old → new, said in words to those who do not see the line through the old. */
function wasView(was: string | undefined): readonly Node[] {
  if (was === undefined) return [];
  return [
    el("span", { class: "hidden" }, "was "),
    el("del", {}, foreign(was)),
    el("span", { class: "arrow", "aria-hidden": "true" }, " → "),
    el("span", { class: "hidden" }, ", is now "),
  ];
}

function rowView(row: Row): HTMLElement {
  return el(
    "li",
    {},
    el("span", { class: "row-title" }, ...badgeViews(row.badges ?? []), link(row.link, row.title)),
    row.detail === "" ? null : foreign(row.detail, "row-detail"),
  );
}

function quoteView(quote: Quote): HTMLElement {
  return el(
    "figure",
    { class: "quote" },
    el("blockquote", {}, foreign(quote.text)),
    el("figcaption", {}, link(quote.link, quote.source === "" ? "source" : quote.source)),
  );
}

function warningView(warning: string): HTMLElement {
  return el("li", {}, foreign(warning));
}

function buttonsView(card: Card, press: Press): HTMLElement {
  return el(
    "div",
    { class: "buttons", role: "group", "aria-label": "Actions" },
    ...card.buttons.map((button) => buttonView(button, press)),
  );
}

function buttonView(button: Button, press: Press): HTMLElement {
  const element = el(
    "button",
    { class: "button", "data-style": button.style, title: `/splits ${button.command}` },
    foreign(button.label),
  );
  return pressable(element, () => press(button.command));
}

function space(): Text {
  return document.createTextNode(" ");
}
