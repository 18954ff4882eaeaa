import type { Card } from "../../src/chat/web/page/protocol.ts";

/** Every text of a card that says something about the world: where it is shown, the reader knows what the card knows. */
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

/** Blanks and marks of emphasis, and what stands for them, say nothing: without them a text is found on every platform. */
export function bare(text: string): string {
  return text.replace(/[\s\\*_~`\u2217\uFF3F\u223C\u02CB\p{Cf}]+/gu, "");
}

/** What of the card is not in the text that is shown. */
export function missingFrom(shown: string, card: Card): readonly string[] {
  const bareShown = bare(shown);
  return factsOf(card).filter((fact) => !bareShown.includes(bare(fact)));
}
