import { PermissionFlagsBits } from "discord.js";
import { describe, expect, it } from "vitest";
import { faults } from "../../../test/platforms/discord/faults.ts";
import { NO_LIMITS } from "../../../test/platforms/discord/rate-limits.ts";
import {
  type DiscordPlatformUnderTest,
  discordAttempt,
  startDiscordPlatform,
} from "../../../test/support/discord-platform-under-test.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import { personOf } from "./destinations.ts";

const POSTS = { method: "POST", path: /^\/channels\/\d+\/messages$/ };

async function failureOf(work: Promise<unknown>): Promise<DeliveryError> {
  const outcome = await work.then(
    () => new Error("it did not fail"),
    (error: unknown) => error,
  );
  if (outcome instanceof DeliveryError) return outcome;
  throw outcome;
}

/** How often a request of this kind was made. */
function countOf({ discord }: DiscordPlatformUnderTest, method: string, path: RegExp): number {
  return discord.requests.filter((request) => request.method === method && path.test(request.path)).length;
}

describe("a message", () => {
  it("reaches a person through a channel that is opened once", async () => {
    const made = await startDiscordPlatform();
    const first = await made.platform.send(discordAttempt(made, made.person, { messageId: "m-1" }));
    await made.platform.send(discordAttempt(made, made.person, { messageId: "m-2" }));
    expect(countOf(made, "POST", /^\/users\/@me\/channels$/)).toBe(1);
    expect(first.link).toBe(`https://discord.com/channels/@me/${made.ada.direct.id}/${first.id}`);
    expect(await made.store.directChannels.of(made.person)).toBe(made.ada.direct.id);
  });

  it("is posted once although the answer is lost", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel);
    made.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    expect((await failureOf(made.platform.send(attempt))).failure).toBe("unknown-outcome");
    const ref = await made.platform.find(attempt);
    // A send that is repeated anyway is answered with the first message, because its nonce is known.
    expect(await made.platform.send(attempt)).toEqual(ref);
    expect(made.discord.messages(made.alerts)).toHaveLength(1);
  });

  it("is found in the history, whether its nonce is valid or may have expired", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel);
    const ref = await made.platform.send(attempt);
    expect(await made.platform.find(attempt)).toEqual(ref);
    made.clock.skip(5 * MINUTE_MS);
    expect(await made.platform.find(attempt)).toEqual(ref);
  });

  it("is found in the history if the system clock was ahead when it was created, and was set back since", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel, { createdAt: made.clock.now() + 60 * MINUTE_MS });
    const ref = await made.platform.send(attempt);
    expect(await made.platform.find(attempt)).toEqual(ref);
    made.alerts.denied.set(made.guild.id, PermissionFlagsBits.ReadMessageHistory);
    expect(await made.platform.find(attempt)).toBe("cannot-search");
  });

  it("may be resent while its nonce is valid if the history cannot be read", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel);
    made.alerts.denied.set(made.guild.id, PermissionFlagsBits.ReadMessageHistory);
    expect(await made.platform.find(attempt)).toBe("not-found");
  });

  it("is found behind hundreds of newer messages", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel);
    const others = discordAttempt(made, made.channel, { messageId: "m-other" });
    for (let index = 0; index < 250; index += 1)
      made.discord.world.channels.get(made.alerts.id)?.messages.push({
        ...EMPTY,
        id: made.discord.world.nextId(),
        channelId: made.alerts.id,
        authorId: made.ada.id,
      });
    const ref = await made.platform.send(attempt);
    made.clock.skip(5 * MINUTE_MS);
    expect(await made.platform.find(attempt)).toEqual(ref);
    expect(await made.platform.find({ ...others, createdAt: attempt.createdAt })).toBe("not-found");
  });

  it("of another account with the same footer is not a match", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel);
    made.alerts.messages.push({
      ...EMPTY,
      id: made.discord.world.nextId(),
      channelId: made.alerts.id,
      authorId: made.ada.id,
      embeds: [{ footer: { text: attempt.messageId } }],
    });
    made.clock.skip(5 * MINUTE_MS);
    expect(await made.platform.find(attempt)).toBe("not-found");
  });

  it("cannot be searched for without Read Message History, where Discord shows an empty history", async () => {
    const made = await startDiscordPlatform();
    const attempt = discordAttempt(made, made.channel);
    made.alerts.denied.set(made.guild.id, PermissionFlagsBits.ReadMessageHistory);
    made.clock.skip(5 * MINUTE_MS);
    expect(await made.platform.find(attempt)).toBe("cannot-search");
  });

  it("is posted without its reference if the answered message is not readable", async () => {
    const made = await startDiscordPlatform();
    const replyTo = await made.platform.send(discordAttempt(made, made.channel, { messageId: "m-1" }));
    made.alerts.denied.set(made.guild.id, PermissionFlagsBits.ReadMessageHistory);
    await made.platform.send(discordAttempt(made, made.channel, { messageId: "m-2", replyTo }));
    expect(made.discord.messages(made.alerts).map((message) => message.replyTo)).toEqual([null, null]);
  });
});

const EMPTY = { at: 0, content: "", embeds: [], components: [], flags: 0, replyTo: null, nonce: null, pings: [] };

describe("a failed send", () => {
  it.each([
    [
      "the channel is gone",
      ({ discord, alerts }: DiscordPlatformUnderTest) => discord.deleteChannel(alerts),
      "gone",
      /exist/,
    ],
    [
      "the channel cannot be seen",
      ({ alerts, guild }: DiscordPlatformUnderTest) => alerts.denied.set(guild.id, PermissionFlagsBits.ViewChannel),
      "not-allowed",
      /View Channel/,
    ],
    [
      "nothing may be posted",
      ({ alerts, guild }: DiscordPlatformUnderTest) => alerts.denied.set(guild.id, PermissionFlagsBits.EmbedLinks),
      "not-allowed",
      /Embed Links/,
    ],
  ] as const)("in a channel, because %s, is reported with its reason", async (_, spoil, failure, reason) => {
    const made = await startDiscordPlatform();
    spoil(made);
    const error = await failureOf(made.platform.send(discordAttempt(made, made.channel)));
    expect(error).toMatchObject({ failure, message: expect.stringMatching(reason) });
  });

  it("to a person is reported with its reason", async () => {
    const made = await startDiscordPlatform();
    made.ada.account.dmsClosed = true;
    const closed = await failureOf(made.platform.send(discordAttempt(made, made.person)));
    expect(closed).toMatchObject({ failure: "not-allowed", message: expect.stringMatching(/direct messages/) });
    const nobody = await failureOf(made.platform.send(discordAttempt(made, personOf("999"))));
    expect(nobody).toMatchObject({ failure: "gone", message: expect.stringMatching(/account/) });
  });

  it("opens an unknown conversation again", async () => {
    const made = await startDiscordPlatform();
    await made.store.directChannels.save(made.person, "999");
    const attempt = discordAttempt(made, made.person);
    expect((await failureOf(made.platform.send(attempt))).failure).toBe("retry");
    await made.platform.send(attempt);
    expect(made.discord.messages(made.ada.direct)).toHaveLength(1);
  });

  it("because of a rejected token stops the whole platform", async () => {
    const made = await startDiscordPlatform();
    made.discord.faults.add(faults.refusal(401, 0, "401: Unauthorized"), POSTS);
    const error = await failureOf(made.platform.send(discordAttempt(made, made.channel)));
    expect(error).toMatchObject({ failure: "broken-credentials", message: expect.stringContaining("DISCORD_TOKEN") });
    expect(made.platform.health()).toEqual({ ok: false, reason: error.message });
    const again = await failureOf(made.platform.send(discordAttempt(made, made.channel)));
    expect(again.failure).toBe("broken-credentials");
    expect(countOf(made, POSTS.method, POSTS.path)).toBe(1);
  });

  it("because of a rate limit waits as long as requested, for the channel or for all", async () => {
    const made = await startDiscordPlatform({}, { limits: NO_LIMITS });
    const [token, own] = made.platform.limits(made.channel).map(({ key }) => key);
    const [there] = [discordAttempt(made, made.channel)];
    const limited = (headers: Readonly<Record<string, string>>): Promise<DeliveryError> => {
      const answer = { status: 429, headers, body: { message: "You are being rate limited." } };
      made.discord.faults.add(faults.answer(answer), { ...POSTS, times: 1 });
      return failureOf(made.platform.send(there));
    };
    const unsaid = await limited({});
    expect(unsaid).toMatchObject({ failure: "retry", retryAfterMs: 5_000, limitKey: own });
    const here = await limited({ "retry-after": "2", "x-ratelimit-scope": "user" });
    expect(here).toMatchObject({ failure: "retry", limitKey: own });
    expect(here.retryAfterMs).toBeGreaterThanOrEqual(2_000);
    const everywhere = await limited({
      "retry-after": "1",
      "x-ratelimit-global": "true",
      "x-ratelimit-scope": "global",
    });
    expect(everywhere).toMatchObject({ failure: "retry", limitKey: token });
  });

  it("is not retried within the call", async () => {
    const made = await startDiscordPlatform();
    for (const fault of [faults.status(503), faults.reset, faults.storedThen(502)]) {
      const before = countOf(made, POSTS.method, POSTS.path);
      made.discord.faults.add(fault, { ...POSTS, times: 1 });
      expect((await failureOf(made.platform.send(discordAttempt(made, made.channel)))).failure).toBe("unknown-outcome");
      expect(countOf(made, POSTS.method, POSTS.path)).toBe(before + 1);
    }
  });
});
