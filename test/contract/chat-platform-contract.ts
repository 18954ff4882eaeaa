import { describe, expect, it } from "vitest";
import type { Attempt } from "../../src/domain/alert/delivery.ts";
import type { Destination } from "../../src/domain/alert/destination.ts";
import type { EventId } from "../../src/domain/alert/event.ts";
import { button, type Card, card } from "../../src/messages/message.ts";
import { type ChatPlatform, canEdit, type Outgoing, type RateLimit } from "../../src/ports/chat-platform.ts";
import { anAttempt } from "../support/builders.ts";

/** A platform with access to the messages that users see. */
export interface PlatformUnderTest {
  /** Not started. */
  readonly platform: ChatPlatform;
  readonly channel: Destination;
  readonly person: Destination;
  /** Result of sending a message twice: `once` if the platform deduplicates by message id. */
  readonly resend: "once" | "may-duplicate";
  /** False if the platform has no message search. */
  readonly canSearch: boolean;
  /** The full text of each message at the destination, oldest first. */
  readonly read: (destination: Destination) => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

const TEST_EVENT = { kind: "test", at: Date.parse("2026-03-02T14:00:00Z"), sample: false, askedBy: "ada" } as const;

const HOSTILE_TEXTS: readonly (readonly [string, string])[] = [
  ["markup", '<img src=x onerror="alert(1)"><script>alert(1)</script>'],
  ["an end of a script", "</script></style>--></textarea>"],
  ["chat markup", "*bold* _under_ `code` ~~gone~~ [text](https://evil.example) ||spoiler|| > quote"],
  ["mentions of everyone", "@everyone @here <!channel> <@U123> <@&456>"],
  ["right-to-left overrides", "abc\u202Etxt.exe\u202C \u2066x\u2069"],
  ["control characters", "a\u0000b\u0007c\u001B[31md"],
  ["lone surrogates", "a\uD800b\uDC00c"],
  ["emoji and far scripts", "👩‍👩‍👧‍👦 株式併合 שלום"],
  ["line breaks", "one\r\ntwo\u2028three"],
  ["nothing", ""],
];

/** Contract tests that the `contract.test.ts` of every platform runs. */
export function describeChatPlatform(name: string, make: () => Promise<PlatformUnderTest>): void {
  async function started(run: (made: PlatformUnderTest) => Promise<void>): Promise<void> {
    const made = await make();
    await made.platform.start();
    try {
      await run(made);
    } finally {
      await made.platform.stop();
      await made.close();
    }
  }

  describe(`${name} as a chat platform`, () => {
    it("has a name that is valid in a destination's key", () =>
      started(async ({ platform, channel, person }) => {
        expect(platform.name).toMatch(/^[a-z][a-z0-9-]*$/);
        expect([channel.platform, person.platform]).toEqual([platform.name, platform.name]);
      }));

    it("is healthy while it runs, and unhealthy with a reason before and after", async () => {
      const { platform, close } = await make();
      expect(platform.health()).toEqual({ ok: false, reason: expect.stringMatching(/\w/) });
      await platform.start();
      expect(platform.health()).toEqual({ ok: true });
      await platform.stop();
      expect(platform.health()).toEqual({ ok: false, reason: expect.stringMatching(/\w/) });
      await close();
    });

    it("stops cleanly, also twice or without a start", async () => {
      const idle = await make();
      await idle.platform.stop();
      await idle.close();
      await started(async ({ platform }) => {
        await platform.stop();
        expect(platform.health().ok).toBe(false);
      });
    });

    it("returns the same valid limits each time", () =>
      started(async ({ platform, channel, person }) => {
        for (const to of [channel, person]) {
          const limitsAt = (): readonly RateLimit[] => [
            ...platform.limits(to),
            ...(canEdit(platform) ? platform.editLimits(to) : []),
          ];
          const limits = limitsAt();
          expect(limitsAt()).toEqual(limits);
          for (const limit of limits) {
            const { maxInFlight = 1, ...pace } = limit;
            expect(pace).toEqual({
              key: expect.any(String),
              isShared: expect.any(Boolean),
              everyMs: expect.any(Number),
              burst: expect.any(Number),
            });
            expect(maxInFlight).toBeGreaterThanOrEqual(1);
            expect(limit.everyMs).toBeGreaterThan(0);
            expect(limit.burst).toBeGreaterThanOrEqual(1);
          }
          expect(new Set(limits.map((limit) => limit.key)).size).toBe(limits.length);
        }
      }));
  });

  describe(`${name} renders`, () => {
    it.each([1, 2, 7, 60])("at least one of %i cards and at most all", (count) =>
      started(async ({ platform, channel }) => {
        const { cardCount } = platform.render(outgoing(channel, cards(count)));
        expect(cardCount).toBeGreaterThanOrEqual(1);
        expect(cardCount).toBeLessThanOrEqual(count);
        expect(Number.isInteger(cardCount)).toBe(true);
      }),
    );

    it("plain JSON that survives a round trip through a store", () =>
      started(async ({ platform, channel }) => {
        const { body } = platform.render(outgoing(channel, cards(3)));
        expect(JSON.parse(JSON.stringify(body))).toStrictEqual(body);
      }));

    it("the same body each time", () =>
      started(async ({ platform, channel }) => {
        const message = outgoing(channel, cards(3));
        expect(platform.render(message)).toStrictEqual(platform.render(message));
      }));

    it.each(HOSTILE_TEXTS)("and sends a card whose every text is %s", (_, text) =>
      started(async ({ platform, channel, read }) => {
        const message = outgoing(channel, [cardOf(text)]);
        const { body } = platform.render(message);
        expect(JSON.parse(JSON.stringify(body))).toStrictEqual(body);
        await platform.send(attempt(message, body));
        expect(await read(channel)).toHaveLength(1);
      }),
    );

    it.each([300, 5_000, 100_000])("and sends a card whose every text has %i characters", (length) =>
      started(async ({ platform, channel, read }) => {
        const message = outgoing(channel, [cardOf("long words ".repeat(length / 11)), cardOf("x".repeat(length))]);
        const { body, cardCount } = platform.render(message);
        expect(cardCount).toBeGreaterThanOrEqual(1);
        expect(JSON.stringify(body).length).toBeLessThan(1_000_000);
        await platform.send(attempt(message, body));
        expect((await read(channel))[0]).toContain("long words");
      }),
    );
  });

  describe(`${name} sends`, () => {
    it("a message to a channel and one to a person, and both can be read there", () =>
      started(async ({ platform, channel, person, read }) => {
        for (const [index, to] of [channel, person].entries()) {
          const message = outgoing(to, [card({ title: `Message ${index}` })], `m-${index}`);
          const ref = await platform.send(attempt(message, platform.render(message).body));
          expect(ref.id).toMatch(/./);
          expect(ref.link === null || /^(https?:\/\/|\/)/.test(ref.link)).toBe(true);
        }
        expect((await read(channel)).join()).toContain("Message 0");
        expect((await read(person)).join()).toContain("Message 1");
      }));

    it("a message twice as the platform specifies", () =>
      started(async ({ platform, channel, read, resend }) => {
        const message = outgoing(channel, cards(1));
        const tried = attempt(message, platform.render(message).body);
        const first = await platform.send(tried);
        const second = await platform.send({ ...tried, sends: 2 });
        expect(await read(channel)).toHaveLength(resend === "once" ? 1 : 2);
        expect(second.id === first.id).toBe(resend === "once");
      }));

    it("two simultaneous messages, each under its own id", () =>
      started(async ({ platform, channel, read }) => {
        const messages = ["one", "two"].map((title) => outgoing(channel, [card({ title })], `m-${title}`));
        const refs = await Promise.all(
          messages.map((message) => platform.send(attempt(message, platform.render(message).body))),
        );
        expect(new Set(refs.map((ref) => ref.id)).size).toBe(2);
        expect(await read(channel)).toHaveLength(2);
      }));

    it("a reply to an earlier message", () =>
      started(async ({ platform, channel, read }) => {
        const first = outgoing(channel, [card({ title: "announced" })], "m-first");
        const replyTo = await platform.send(attempt(first, platform.render(first).body));
        const second = outgoing(channel, [card({ title: "changed" })], "m-second");
        await platform.send({ ...attempt(second, platform.render(second).body), replyTo });
        expect((await read(channel)).join()).toContain("changed");
      }));
  });

  describe(`${name} finds`, () => {
    it("a message after it was sent, and not before", () =>
      started(async ({ platform, channel, canSearch }) => {
        const message = outgoing(channel, cards(1));
        const tried = attempt(message, platform.render(message).body);
        expect(await platform.find(tried)).toBe(canSearch ? "not-found" : "cannot-search");
        const ref = await platform.send(tried);
        expect(await platform.find(tried)).toEqual(canSearch ? ref : "cannot-search");
      }));

    it("the requested message, not another one", () =>
      started(async ({ platform, channel, canSearch }) => {
        const sent = outgoing(channel, cards(1), "m-sent");
        await platform.send(attempt(sent, platform.render(sent).body));
        const other = outgoing(channel, cards(1), "m-other");
        const found = await platform.find(attempt(other, platform.render(other).body));
        expect(found).toBe(canSearch ? "not-found" : "cannot-search");
      }));
  });
}

function outgoing(
  destination: Destination,
  content: readonly Card[],
  messageId = "m-0123456789-abcdefghijkl",
): Outgoing {
  const events = content.map((_, index) => ({ ...TEST_EVENT, id: `${messageId}.${index}` as EventId }));
  return { messageId, to: destination, cards: content, events, mentions: [] };
}

function attempt({ messageId, to }: Outgoing, body: unknown): Attempt {
  return anAttempt({ messageId, to, body });
}

function cards(count: number): readonly Card[] {
  return Array.from({ length: count }, (_, index) => ({ ...cardOf(`text ${index}`), title: `Card ${index}` }));
}

/** Card with `text` in every text field. */
function cardOf(text: string): Card {
  return card({
    tone: "change",
    badges: [text],
    title: text,
    link: "https://wire.example/release",
    lines: [text, text],
    facts: [
      { label: text, value: text, was: text },
      { label: text, value: text, link: "https://wire.example/fact" },
    ],
    rows: [{ title: text, detail: text, badges: [text], link: "https://wire.example/row" }],
    quotes: [{ text, source: text, link: "https://wire.example/quote" }],
    warnings: [text],
    buttons: [button(text, "show ACME"), button("Watch", "watch ACME", "primary")],
    footer: text,
  });
}
