import type { Card } from "../../src/messages/message.ts";

/** Text of a card from top to bottom, for tests that compare wording. */
export function cardText(card: Card): string {
  return [
    [...card.badges.map((badge) => `[${badge}]`), card.title, ...link(card.link)].join(" "),
    ...card.lines,
    ...card.facts.map(({ label, value, was, link: to }) =>
      [`${label}:`, ...(was === undefined ? [] : [was, "→"]), value, ...link(to)].join(" "),
    ),
    ...card.rows.map(({ title, detail, badges = [], link: to }) =>
      ["-", ...badges.map((badge) => `[${badge}]`), title, "|", detail, ...link(to)].join(" "),
    ),
    ...card.quotes.map(({ text, source, link: to }) => `"${text}" ${source} <${to}>`),
    ...card.warnings.map((mark) => `! ${mark}`),
    ...card.buttons.map(({ label, command }) => `(${label}: ${command})`),
    ...(card.footer === null ? [] : [`_${card.footer}_`]),
  ].join("\n");
}

function link(to: string | null | undefined): string[] {
  return to ? [`<${to}>`] : [];
}
