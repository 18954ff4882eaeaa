import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkMessage } from "../../../../test/platforms/slack/server/message-checks.ts";
import type { Json, MessageParts } from "../../../../test/platforms/slack/server/workspace.ts";
import { buttonsOn, linksIn, mentionsIn, shownText } from "../../../../test/platforms/slack/users/message-text.ts";
import { button, type Card, card } from "../../../messages/message.ts";
import { channelDestination } from "../workspace.ts";
import { renderAnswer, renderMessage, type SlackBody } from "./render.ts";

const GENERAL = channelDestination("T1", "C1");

function renderAlert(cards: readonly Card[], mentions: readonly string[] = []): { body: SlackBody; cardCount: number } {
  const { body, cardCount } = renderMessage({ messageId: "m-1", to: GENERAL, cards, events: [], mentions });
  return { body: body as SlackBody, cardCount };
}

/** Returns the message in the form that the text helpers expect. */
function partsOf({ text, blocks }: Pick<SlackBody, "text" | "blocks">): MessageParts {
  return { text, blocks, attachments: [], metadata: null };
}

function problems(message: object): readonly string[] {
  return checkMessage(message as Json);
}

const ALERT = card({
  tone: "change",
  badges: ["LATE"],
  title: "ACME reverse split changed: ratio 1-for-20 → 1-for-25",
  link: "https://wire.example/acme",
  lines: ["The split is steeper: fewer shares remain than under the previous terms."],
  facts: [
    { label: "Company", value: "Bravo & Sons <Holding>" },
    { label: "Ratio", value: "1-for-25", was: "1-for-20" },
    { label: "Release", value: "Acme announces", link: "https://wire.example/acme" },
  ],
  rows: [{ title: "ACME", detail: "ex date Tue 10 Mar 2026", badges: ["SAMPLE"], link: "https://wire.example/row" }],
  quotes: [{ text: "Rounded up.", source: "GlobeNewswire", link: "https://wire.example/quote" }],
  warnings: ["The exchange is closed on the ex date."],
  buttons: [button("Watch ACME", "watch ACME"), button("Remove 1", "unsubscribe 1", "danger")],
  footer: "Seen Mon 2 Mar 2026, 09:00 EST",
});

describe("an alert on Slack", () => {
  it("shows the whole card in order", () => {
    expect(shownText(partsOf(renderAlert([ALERT]).body))).toBe(
      [
        "🔄 [LATE] ACME reverse split changed: ratio 1-for-20 → 1-for-25",
        "The split is steeper: fewer shares remain than under the previous terms.",
        "Company: Bravo & Sons <Holding>",
        "Ratio: 1-for-20 → 1-for-25",
        "Release: Acme announces",
        "ACME [SAMPLE]",
        "ex date Tue 10 Mar 2026",
        "“Rounded up.” — GlobeNewswire",
        "⚠️ The exchange is closed on the ex date.",
        "Open on wire.example",
        "Seen Mon 2 Mar 2026, 09:00 EST",
      ].join("\n"),
    );
  });

  it("has a notification line and its id as metadata, within the limits", () => {
    const { body } = renderAlert([ALERT]);
    expect(body.text).toBe("[LATE] ACME reverse split changed: ratio 1-for-20 → 1-for-25");
    expect(body.metadata).toEqual({ event_type: "splitwatch_message", event_payload: { message_id: "m-1" } });
    expect(problems(body)).toEqual([]);
  });

  it("contains the card's links", () => {
    expect(linksIn(partsOf(renderAlert([ALERT]).body))).toEqual([
      "https://wire.example/acme",
      "https://wire.example/row",
      "https://wire.example/quote",
      "https://wire.example/acme",
    ]);
  });

  it("has buttons with command lines and unique ids", () => {
    const { body } = renderAlert([ALERT, ALERT]);
    const buttons = buttonsOn(partsOf(body));
    expect(buttons.map(({ label, value, style }) => [label, value, style]).slice(0, 2)).toEqual([
      ["Watch ACME", "watch ACME", null],
      ["Remove 1", "unsubscribe 1", "danger"],
    ]);
    expect(new Set(buttons.map(({ actionId }) => actionId)).size).toBe(4);
  });

  it.each([
    ["change", true],
    ["warning", true],
    ["due", false],
  ] as const)("of the tone %s is broadcast to the channel: %s", (tone, broadcast) => {
    expect(renderAlert([{ ...ALERT, tone }]).body.broadcast).toBe(broadcast);
  });

  it("mentions only the people and groups that the rule names", () => {
    const { body } = renderAlert(
      [{ ...ALERT, title: "<@U0EVIL> <!channel>" }],
      ["<@U1>", "<!subteam^S1>", "<!channel>", "@here", "<@U1> <!here>"],
    );
    expect(mentionsIn(partsOf(body))).toEqual(["<@U1>", "<!subteam^S1>"]);
    expect(body.text.startsWith("<@U1> <!subteam^S1> ")).toBe(true);
  });
});

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constantFrom("\uD800", "\u0000\u202E", "👩‍👩‍👧‍👦".repeat(30), "株式併合"),
  fc.constantFrom("<!channel>", "&".repeat(3_000), "x".repeat(50_000), '"\\'.repeat(2_000), "*a*\n_b_", "", " "),
);
const link = fc.constantFrom("https://wire.example/a?b&c", `https://wire.example/${"y".repeat(1_400)}`, "nowhere");
const arrayOf = <T>(member: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> => fc.array(member, { maxLength });
const anyCard: fc.Arbitrary<Card> = fc.record({
  tone: fc.constantFrom("new", "change", "warning", "due", "good", "bad", "plain"),
  badges: arrayOf(text, 3),
  title: text,
  link: fc.option(link),
  lines: arrayOf(text, 6),
  facts: arrayOf(fc.record({ label: text, value: text, was: text, link }), 20),
  rows: arrayOf(fc.record({ title: text, detail: text, link, badges: arrayOf(text, 2) }), 40),
  quotes: arrayOf(fc.record({ text, source: text, link }), 5),
  warnings: arrayOf(text, 15),
  buttons: arrayOf(
    fc.record({ label: text, command: fc.string({ maxLength: 95 }), style: fc.constantFrom("normal", "primary") }),
    40,
  ),
  footer: fc.option(text),
});

function requestedBy(value: string, isPersonId: boolean): string {
  return JSON.stringify(
    renderAlert([card({ title: "Test", facts: [{ label: "By", value, isPersonId }] })]).body.blocks,
  );
}

describe("a person's id on Slack", () => {
  it("is shown as the person's name, in the requester's fact only", () => {
    expect(requestedBy("T0SPLITS/U0ADA", true)).toContain("*By:* <@U0ADA>");
    expect(requestedBy("T0SPLITS/U0ADA", false)).toContain("*By:* T0SPLITS/U0ADA");
    expect(requestedBy("somebody", true)).toContain("*By:* somebody");
  });
});

describe("any card on Slack", () => {
  it("is within every limit and mentions nobody", () => {
    fc.assert(
      fc.property(fc.array(anyCard, { minLength: 1, maxLength: 5 }), (cards) => {
        const { body, cardCount } = renderAlert(cards, ["<@U1>"]);
        expect(problems(body)).toEqual([]);
        expect(mentionsIn(partsOf(body))).toEqual(["<@U1>"]);
        expect(cardCount).toBeGreaterThanOrEqual(1);
      }),
      { numRuns: 150 },
    );
  });

  it("is within every limit as an answer with a share button", () => {
    fc.assert(
      fc.property(fc.array(anyCard, { minLength: 1, maxLength: 5 }), (cards) => {
        for (const message of renderAnswer(cards, { kind: "shareable", commandLine: "list when:all" }, 4))
          expect(problems(message)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});

describe("many cards", () => {
  const rows = Array.from({ length: 30 }, (_, index) => ({ ...ALERT, title: `Card ${index}` }));

  it("share a message until it is full, separated by dividers", () => {
    const { body, cardCount } = renderAlert(rows);
    expect(cardCount).toBeGreaterThan(3);
    expect(cardCount).toBeLessThan(30);
    expect(body.blocks.filter(({ type }) => type === "divider")).toHaveLength(cardCount - 1);
    expect(body.text).toContain(`Card ${cardCount - 1}`);
  });

  it("of an answer fill the allowed messages in order, with a share button under the first", () => {
    const answers = renderAnswer(rows, { kind: "shareable", commandLine: "show ACME" }, 4);
    expect(answers).toHaveLength(4);
    const shares = answers.map((answer) =>
      buttonsOn(partsOf({ ...answer })).filter(({ actionId }) => actionId.startsWith("share")),
    );
    expect(shares.map((buttons) => buttons.map(({ value }) => value))).toEqual([["show ACME"], [], [], []]);
    expect(shownText(partsOf(answers[1] ?? answers[0] ?? renderAlert(rows).body))).not.toContain("Card 0");
  });

  it("of an answer that don't fit are counted and named in its last message, within every limit", () => {
    const many = Array.from({ length: 200 }, (_, index) => ({ ...ALERT, title: `Card ${index}.` }));
    const answers = renderAnswer(many, null, 4);
    const texts = answers.map((answer) => shownText(partsOf({ ...answer })));
    const shownCount = many.filter(({ title }) => texts.join("\n").includes(`${title}\n`)).length;
    expect(texts.slice(0, -1).join("\n")).not.toContain("don't fit here");
    expect(texts.at(-1)).toContain(
      `${200 - shownCount} more don't fit here, starting with “[LATE] Card ${shownCount}.”.`,
    );
    for (const answer of answers) expect(problems(answer)).toEqual([]);
  });
});

describe("a long title", () => {
  it("is repeated in full below its beginning", () => {
    const title = `ACME: ${"long words ".repeat(20)}end`;
    const shown = shownText(partsOf(renderAlert([card({ title })]).body)).split("\n");
    expect(shown).toHaveLength(2);
    expect(shown[0]?.length).toBeLessThanOrEqual(150);
    expect(shown[1]).toBe(title);
  });
});

describe("a long command line", () => {
  it("has no share button if it exceeds a button's limit", () => {
    const [message] = renderAnswer([ALERT], { kind: "shareable", commandLine: "x".repeat(2_001) }, 4);
    expect(buttonsOn(partsOf(message ?? renderAlert([ALERT]).body)).map(({ label }) => label)).not.toContain(
      "Share with the channel",
    );
  });
});
