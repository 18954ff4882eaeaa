import { describe, expect, it } from "vitest";
import { buildCatalog } from "../../src/catalog/catalog.ts";
import { renderAnswer as renderOnDiscord } from "../../src/chat/discord/render.ts";
import { renderAnswer as renderOnSlack } from "../../src/chat/slack/alerts/render.ts";
import { splitSourcesCard } from "../../src/messages/answers/split-sources.ts";
import type { Card } from "../../src/messages/message.ts";
import { type SourceHealth, sourcesCards } from "../../src/messages/source-text.ts";
import { sourceLabel } from "../../src/sources/index.ts";
import { day, ticker } from "../support/builders.ts";
import { anObservation } from "../support/observations.ts";
import { aRelease } from "../support/releases.ts";
import { missingFrom } from "./card-facts.ts";
import { textOf } from "./discord/model.ts";
import { shownText } from "./slack/users/message-text.ts";

const NOW = Date.parse("2026-03-02T14:00:00Z");
const AT = { now: NOW, today: day("2026-03-02"), timezone: "America/New_York" };
/** Largest number of messages of an answer on Slack. */
const MAX_MESSAGES = 4;

/** Facts that are missing on Slack or Discord. */
function lackingOf(cards: readonly Card[]): readonly string[] {
  const slack = renderOnSlack(cards, null, MAX_MESSAGES).map(({ blocks }) => shownText({ blocks, attachments: [] }));
  const discord = renderOnDiscord({ cards, shareable: false }, "show ACME").map(({ embeds, components }) =>
    textOf(JSON.parse(JSON.stringify({ content: "", embeds, components }))),
  );
  const shown = { slack: slack.join("\n"), discord: discord.join("\n") };
  return Object.entries(shown).flatMap(([platform, text]) =>
    cards.flatMap((card) => missingFrom(text, card).map((fact) => `${platform}: ${fact}`)),
  );
}

/** All sources, each with a long problem. */
function failingSources(): readonly SourceHealth[] {
  const names = ["prnewswire", "businesswire", "globenewswire", "accesswire", "newsfile", "nasdaq", "finra", "nyse"];
  return names.map((name) => ({
    label: sourceLabel(name),
    verdict: "down",
    condition: "refusing",
    since: NOW,
    problem: `${name}.example/feed: ${"a challenge of a firewall ".repeat(6)}`.trim(),
    unreadDocuments: null,
    lastOkAt: NOW - 60_000,
    lastNewAt: NOW - 120_000,
    lastGapAt: null,
    gaps: 0,
  }));
}

describe("Slack and Discord show the same as the web page", () => {
  it("of a split's sources, a confirmation and a difference", () => {
    const release = aRelease({ source: "businesswire", facts: { splits: [{ ratio: "1:16" }] } });
    const notice = anObservation({
      id: "ECA2026-901",
      url: "https://exchange.example/alert?id=ECA2026-901",
      evidence: { ratio: "a long sentence on a (1-20) reverse split ".repeat(8), exDate: "on <March> *10*" },
    });
    const halt = anObservation({ source: "finra", id: "h", url: "https://x.example/h", kind: "confirmed" });
    const [split] = buildCatalog({ releases: [release], observations: [notice, halt] });
    if (split === undefined) throw new Error("no split");
    const listingProblems = ["ACME: the SEC's list of companies states <Acme> & *Co*, NYSE"];
    const sources = { ticker: ticker("ACME"), split, listingProblems, fractions: [] };
    const card = splitSourcesCard({ ...sources, labelOf: sourceLabel });
    expect(card.rows.length).toBeGreaterThanOrEqual(6);
    expect(card.warnings).toHaveLength(2);
    expect(lackingOf([card])).toEqual([]);
  });

  it("of the state of all sources", () => {
    expect(lackingOf(sourcesCards(failingSources(), AT))).toEqual([]);
  });
});
