import type { Card } from "../../src/chat/web/page/protocol.ts";

/** All texts of a card that contain facts. */
function factsOf(card: Card): readonly string[] {
  return [
    ...card.badges,
    card.title,
    ...card.lines,
    ...card.facts.flatMap(({ label, value, was }) => (was === undefined ? [label, value] : [label, was, value])),
    ...card.rows.flatMap(({ title, detail, badges = [] }) => [title, detail, ...badges]),
    ...card.quotes.flatMap(({ text, source }) => [text, source]),
    ...card.warnings,
    ...(card.footer === null ? [] : [card.footer]),
  ];
}

/** Removes whitespace, markup and its look-alikes, so that texts of all platforms can be compared. */
export function bare(text: string): string {
  return text.replace(/[\s\\*_~`\u2217\uFF3F\u223C\u02CB\p{Cf}]+/gu, "");
}

/** Facts of the card that are missing in the displayed text. */
export function missingFrom(shown: string, card: Card): readonly string[] {
  const bareShown = bare(shown);
  return factsOf(card).filter((fact) => !bareShown.includes(bare(fact)));
}
