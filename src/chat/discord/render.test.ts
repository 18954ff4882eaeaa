import type { APIEmbed } from "discord.js";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { anyCharacter } from "../../../test/support/any-character.ts";
import { button, type Card, card } from "../../messages/message.ts";
import { channelOf } from "./destinations.ts";
import { type DiscordBody, renderAnswer, renderMessage, renderShared } from "./render.ts";

const ALERTS = channelOf("1", "2");
const MESSAGE_ID = "m-0123456789-abcdefghijkl";

function bodyOf(cards: readonly Card[], mentions: readonly string[] = []): DiscordBody {
  return renderMessage({ messageId: MESSAGE_ID, to: ALERTS, cards, events: [], mentions }).body;
}

function anAlert(ticker: string, parts: Partial<Card> = {}): Card {
  return card({
    tone: "new",
    title: `${ticker} 1-for-20 reverse split, ex date Tue 10 Mar 2026`,
    facts: [{ label: "Company", value: `${ticker} Inc.` }],
    buttons: [button(`Watch ${ticker}`, `watch ${ticker}`), button("Details", `show ${ticker}`)],
    footer: "Seen Mon 2 Mar 2026",
    ...parts,
  });
}

function onlyEmbed({ embeds }: DiscordBody): APIEmbed {
  const [first, ...furtherEmbeds] = embeds;
  if (!first || furtherEmbeds.length > 0) throw new Error(`expected one embed, got ${embeds.length}`);
  return first;
}

function buttonsOf({ components }: DiscordBody): readonly (readonly string[])[] {
  return components.map((row) => row.components.map(({ label, custom_id: id }) => `${label}=${id}`));
}

describe("an alert", () => {
  it("shows the essential facts in the notification, the title and the first lines", () => {
    const body = bodyOf([anAlert("ACME", { badges: ["LATE"] })]);
    expect(body.content).toBe("LATE: ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026");
    expect(onlyEmbed(body)).toEqual({
      color: 0x2f80ed,
      title: "ACME 1-for-20 reverse split, ex date Tue 10 Mar 2026",
      author: { name: "LATE" },
      description: "**Company:** ACME Inc.",
      footer: { text: `Seen Mon 2 Mar 2026 · ${MESSAGE_ID}` },
    });
    expect(buttonsOf(body)).toEqual([["Watch ACME=r:watch ACME", "Details=r:show ACME"]]);
  });

  it("renders changes, links, quotes, warnings and rows", () => {
    const body = bodyOf([
      card({
        title: "changed",
        link: "https://wire.example/release",
        lines: ["The date moved."],
        facts: [
          { label: "Ex date", was: "Tue 10 Mar", value: "Tue 17 Mar" },
          { label: "Release", value: "Acme", link: "https://wire.example/1" },
          { label: "Company", value: "" },
        ],
        quotes: [{ text: "No fractional\nshares.", source: "GlobeNewswire", link: "https://wire.example/2" }],
        warnings: ["The ratio is odd."],
        rows: [{ title: "ACME", detail: "on Nasdaq", badges: ["CHECK"], link: "https://wire.example/3" }],
      }),
    ]);
    expect(onlyEmbed(body).url).toBe("https://wire.example/release");
    expect(onlyEmbed(body).description?.split("\n")).toEqual([
      "The date moved.",
      "",
      "**Ex date:** ~~Tue 10 Mar~~ → **Tue 17 Mar**",
      "**Release:** [Acme](https://wire.example/1)",
      "**Company:** not stated",
      "",
      "⚠️ The ratio is odd.",
      "",
      "> “No fractional shares.”",
      "> [GlobeNewswire](https://wire.example/2)",
      "",
      "**[ACME](https://wire.example/3)** [CHECK]",
      "on Nasdaq",
    ]);
  });

  it("mentions exactly the people and roles of its rules", () => {
    const body = bodyOf([anAlert("ACME", { title: "@everyone <@&9>" })], ["<@&77>", "<@5>", "@everyone", "<@&x>"]);
    expect(body.content).toBe("<@&77> <@5> @\u200Beveryone <\u200B@&9>");
    expect(body.allowed_mentions).toEqual({ parse: [], roles: ["77"], users: ["5"] });
    expect(bodyOf([anAlert("ACME")]).allowed_mentions).toEqual({ parse: [] });
  });

  it("shows people and roles by name", () => {
    const testCard = card({
      title: "Test",
      facts: [{ label: "Requested by", value: "123456789012345678", isPersonId: true }],
    });
    expect(onlyEmbed(bodyOf([testCard])).description).toBe("**Requested by:** <@123456789012345678>");
    const rule = card({ title: "Rule", lines: ["Alerts when a split is announced; mentioning <@&77>."] });
    expect(onlyEmbed(bodyOf([rule])).description).toContain("mentioning <@&77>.");
  });

  it("contains at most ten cards, with their count and a ticker on each button", () => {
    const alerts = Array.from({ length: 12 }, (_, index) => anAlert(`T${index}`));
    const { body, cardCount } = renderMessage({
      messageId: MESSAGE_ID,
      to: ALERTS,
      cards: alerts,
      events: [],
      mentions: [],
    });
    expect(cardCount).toBe(10);
    expect(body.content).toMatch(/^T0 .* \(and 9 more\)$/);
    expect(buttonsOf(body)[0]).toEqual([
      "Watch T0=r:watch T0",
      "Details T0=r:show T0",
      "Watch T1=r:watch T1",
      "Details T1=r:show T1",
    ]);
    expect(body.components).toHaveLength(5);
  });

  it("omits duplicate buttons and buttons that are too long", () => {
    const long = button("Long", `watch ${"A".repeat(200)}`);
    const body = bodyOf([anAlert("ACME", { buttons: [long, button("A", "list"), button("B", "list")] })]);
    expect(buttonsOf(body)).toEqual([["A=r:list"]]);
  });

  it("is cut to the limits, with a link to the rest", () => {
    const lines = Array.from({ length: 40 }, (_, index) => `${index} ${"word ".repeat(60)}`);
    const body = bodyOf([card({ title: "x".repeat(500), link: "https://wire.example/a", lines })]);
    expect(onlyEmbed(body).title).toBe(`${"x".repeat(255)}…`);
    expect(onlyEmbed(body).description).toMatch(/\n… \[the rest\]\(https:\/\/wire\.example\/a\)$/);
  });

  it("stays within all of Discord's limits for any card", () => {
    fc.assert(
      fc.property(fc.array(anyCard(), { minLength: 1, maxLength: 12 }), (cards) => {
        const { body, cardCount } = renderMessage({
          messageId: MESSAGE_ID,
          to: ALERTS,
          cards,
          events: [],
          mentions: ["<@&1>"],
        });
        expect(cardCount).toBe(body.embeds.length);
        expectWithinLimits(body);
        expect(body.embeds.every(({ footer }) => footer?.text.endsWith(MESSAGE_ID))).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});

describe("an answer", () => {
  it("has a share button if it is shareable, and replaces itself when paged", () => {
    const page = card({ title: "Splits", buttons: [button("Next", "list page:2"), button("Status", "status")] });
    const [body, ...furtherBodies] = renderAnswer({ cards: [page], shareable: true }, "list when:all");
    expect(furtherBodies).toEqual([]);
    expect(body && buttonsOf(body)).toEqual([["Next=t:list page:2", "Status=r:status", "Share=s:list when:all"]]);
    const [privateBody] = renderAnswer({ cards: [page], shareable: false }, "watchlist");
    expect(privateBody && buttonsOf(privateBody)).toEqual([["Next=r:list page:2", "Status=r:status"]]);
  });

  it("continues in further messages, up to the maximum", () => {
    const long = card({ title: "x", lines: Array.from({ length: 30 }, () => "word ".repeat(100)) });
    const bodies = renderAnswer({ cards: Array.from({ length: 9 }, () => long), shareable: true }, "show ACME");
    expect(bodies).toHaveLength(4);
    for (const body of bodies) expectWithinLimits(body);
  });

  it("that is shared names the person and the command, and notifies nobody", () => {
    const body = renderShared({ cards: [anAlert("ACME")], shareable: true }, "show ACME", "5");
    expect(body.content).toBe("<@5> shares /splits show ACME");
    expect(body.allowed_mentions).toEqual({ parse: [] });
  });
});

function arrayOf<T>(member: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(member, { maxLength: 30 });
}

function anyCard(): fc.Arbitrary<Card> {
  const text = fc.oneof(
    fc.string({ unit: anyCharacter, maxLength: 20 }),
    fc.constantFrom("*", "@everyone ", "\u202E\u0000", "long words ", "😀").map((part) => part.repeat(700)),
  );
  const link = fc.constantFrom("https://wire.example/a", "javascript:x", `https://wire.example/${"y".repeat(1_900)}`);
  return fc
    .record({
      title: text,
      link: fc.option(link),
      badges: fc.array(text, { maxLength: 4 }),
      lines: arrayOf(text),
      facts: arrayOf(fc.record({ label: text, value: text, was: text, link })),
      rows: arrayOf(fc.record({ title: text, detail: text, link })),
      quotes: arrayOf(fc.record({ text, source: text, link })),
      warnings: arrayOf(text),
      buttons: arrayOf(fc.record({ label: text, command: text, style: fc.constant("normal" as const) })),
      footer: fc.option(text),
    })
    .map((parts) => card(parts));
}

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
function expectWithinLimits({ content = "", embeds, components }: DiscordBody): void {
  expect(content.length).toBeLessThanOrEqual(2_000);
  expect(embeds.length).toBeLessThanOrEqual(10);
  for (const { title, description, author, footer } of embeds) {
    expectLength(title, 256);
    for (const [text, maxLength] of [
      [description, 4_096] as const,
      [author?.name, 256] as const,
      [footer?.text, 2_048] as const,
    ])
      if (text !== undefined) expectLength(text, maxLength);
  }
  expect(
    embeds
      .flatMap(({ title, description, author, footer }) => [title, description, author?.name, footer?.text])
      .join("").length,
  ).toBeLessThanOrEqual(6_000);
  expectButtons(components);
}

function expectButtons(components: DiscordBody["components"]): void {
  expect(components.length).toBeLessThanOrEqual(5);
  const buttons = components.flatMap((row) => row.components);
  for (const row of components) expect([1, 2, 3, 4, 5]).toContain(row.components.length);
  expect(new Set(buttons.map(({ custom_id: id }) => id)).size).toBe(buttons.length);
  for (const { label, custom_id: id } of buttons) {
    expectLength(label, 80);
    expectLength(id, 100);
  }
}

function expectLength(text: string | undefined, maxLength: number): void {
  expect(text?.length).toBeGreaterThan(0);
  expect(text?.length).toBeLessThanOrEqual(maxLength);
}
