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

/** Returns the number of matching requests. */
function countOf({ discord }: DiscordPlatformUnderTest, method: string, path: RegExp): number {
  return discord.requests.filter((request) => request.method === method && path.test(request.path)).length;
}

describe("a message", () => {
  it("reaches a person through a channel that is opened once", async () => {
    const setup = await startDiscordPlatform();
    const first = await setup.platform.send(discordAttempt(setup, setup.person, { messageId: "m-1" }));
    await setup.platform.send(discordAttempt(setup, setup.person, { messageId: "m-2" }));
    expect(countOf(setup, "POST", /^\/users\/@me\/channels$/)).toBe(1);
    expect(first.link).toBe(`https://discord.com/channels/@me/${setup.ada.direct.id}/${first.id}`);
    expect(await setup.store.directChannels.all()).toEqual([{ person: setup.person, channelId: setup.ada.direct.id }]);
  });

  it("is not posted while another process may have taken over, but can be searched", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    setup.fence.isOpen = false;
    const failure = await failureOf(setup.platform.send(attempt));
    expect(failure).toMatchObject({ failure: "retry", message: expect.stringContaining("database") });
    expect(countOf(setup, "POST", POSTS.path)).toBe(0);
    expect(await setup.platform.find(attempt)).toBe("not-found");
    setup.fence.isOpen = true;
    expect(await setup.platform.send(attempt)).toEqual(await setup.platform.find(attempt));
  });

  it("is posted once if the response is lost", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    setup.discord.faults.add(faults.storedThenReset, { ...POSTS, times: 1 });
    expect((await failureOf(setup.platform.send(attempt))).failure).toBe("unknown-outcome");
    const ref = await setup.platform.find(attempt);
    // Discord recognizes the nonce of a resend and returns the first message.
    expect(await setup.platform.send(attempt)).toEqual(ref);
    expect(setup.discord.messages(setup.alerts)).toHaveLength(1);
  });

  it("is found in the history with a valid or an expired nonce", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    const ref = await setup.platform.send(attempt);
    expect(await setup.platform.find(attempt)).toEqual(ref);
    setup.clock.skip(5 * MINUTE_MS);
    expect(await setup.platform.find(attempt)).toEqual(ref);
  });

  it("is found in the history if the system clock was set back after its creation", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel, { createdAt: setup.clock.now() + 60 * MINUTE_MS });
    const ref = await setup.platform.send(attempt);
    expect(await setup.platform.find(attempt)).toEqual(ref);
    setup.alerts.denied.set(setup.guild.id, PermissionFlagsBits.ReadMessageHistory);
    expect(await setup.platform.find(attempt)).toBe("cannot-search");
  });

  it("is found in the history while the system clock is ahead", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    const ref = await setup.platform.send(attempt);
    setup.clock.jump(120 * MINUTE_MS);
    expect(await setup.platform.find({ ...attempt, createdAt: setup.clock.now() })).toEqual(ref);
  });

  it("may be resent while its nonce is valid if the history cannot be read", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    setup.alerts.denied.set(setup.guild.id, PermissionFlagsBits.ReadMessageHistory);
    expect(await setup.platform.find(attempt)).toBe("not-found");
  });

  it("costs one request each while the nonce is valid, and one for the account, when many are searched together", async () => {
    const setup = await startDiscordPlatform();
    const attempts = [1, 2, 3].map((n) => discordAttempt(setup, setup.channel, { messageId: `m-${n}` }));
    const found = await Promise.all(attempts.map((attempt) => setup.platform.find(attempt)));
    expect(found).toEqual(["not-found", "not-found", "not-found"]);
    const paths = setup.discord.requests
      .map(({ path }) => path)
      .filter((path) => /^\/(?:channels|guilds|users)\//.test(path));
    const history = `/channels/${setup.alerts.id}/messages`;
    expect(paths.toSorted()).toEqual([history, history, history, "/users/@me"]);
  });

  it("is found among hundreds of messages", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    const neverSent = discordAttempt(setup, setup.channel, { messageId: "m-other" });
    for (let index = 0; index < 250; index += 1)
      setup.discord.world.channels.get(setup.alerts.id)?.messages.push({
        ...EMPTY,
        id: setup.discord.world.nextId(),
        channelId: setup.alerts.id,
        authorId: setup.ada.id,
      });
    const ref = await setup.platform.send(attempt);
    setup.clock.skip(5 * MINUTE_MS);
    expect(await setup.platform.find(attempt)).toEqual(ref);
    expect(await setup.platform.find({ ...neverSent, createdAt: attempt.createdAt })).toBe("not-found");
  });

  it("of another account with the same footer is not a match", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    setup.alerts.messages.push({
      ...EMPTY,
      id: setup.discord.world.nextId(),
      channelId: setup.alerts.id,
      authorId: setup.ada.id,
      embeds: [{ footer: { text: attempt.messageId } }],
    });
    setup.clock.skip(5 * MINUTE_MS);
    expect(await setup.platform.find(attempt)).toBe("not-found");
  });

  it("cannot be searched for without Read Message History, when Discord returns an empty history", async () => {
    const setup = await startDiscordPlatform();
    const attempt = discordAttempt(setup, setup.channel);
    setup.alerts.denied.set(setup.guild.id, PermissionFlagsBits.ReadMessageHistory);
    setup.clock.skip(5 * MINUTE_MS);
    expect(await setup.platform.find(attempt)).toBe("cannot-search");
  });

  it("is posted without its reference if the referenced message is not readable", async () => {
    const setup = await startDiscordPlatform();
    const replyTo = await setup.platform.send(discordAttempt(setup, setup.channel, { messageId: "m-1" }));
    setup.alerts.denied.set(setup.guild.id, PermissionFlagsBits.ReadMessageHistory);
    await setup.platform.send(discordAttempt(setup, setup.channel, { messageId: "m-2", replyTo }));
    expect(setup.discord.messages(setup.alerts).map((message) => message.replyTo)).toEqual([null, null]);
  });
});

const EMPTY = { at: 0, content: "", embeds: [], components: [], flags: 0, replyTo: null, nonce: null, pings: [] };

describe("a failed send", () => {
  it.each([
    [
      "the channel was deleted",
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
      "embeds are not allowed",
      ({ alerts, guild }: DiscordPlatformUnderTest) => alerts.denied.set(guild.id, PermissionFlagsBits.EmbedLinks),
      "not-allowed",
      /^splitwatch lacks Embed Links in this channel: grant it in the channel's permissions$/,
    ],
    [
      "two permissions are missing",
      ({ alerts, guild }: DiscordPlatformUnderTest) =>
        alerts.denied.set(guild.id, PermissionFlagsBits.EmbedLinks | PermissionFlagsBits.SendMessages),
      "not-allowed",
      /^splitwatch lacks Send Messages and Embed Links in this channel: grant them/,
    ],
    [
      "a permission that can't be read is missing",
      ({ alerts, guild, discord }: DiscordPlatformUnderTest) => {
        alerts.denied.set(guild.id, PermissionFlagsBits.EmbedLinks);
        discord.faults.add(faults.refusal(500, 0, "error"), { method: "GET", path: /\/guilds\// });
      },
      "not-allowed",
      /^splitwatch lacks a permission in this channel: it needs/,
    ],
  ] as const)("to a channel, because %s, is reported with its reason", async (_, breakChannel, failure, reason) => {
    const setup = await startDiscordPlatform();
    breakChannel(setup);
    const error = await failureOf(setup.platform.send(discordAttempt(setup, setup.channel)));
    expect(error).toMatchObject({ failure, message: expect.stringMatching(reason) });
  });

  it("to a person is reported with its reason", async () => {
    const setup = await startDiscordPlatform();
    setup.ada.account.dmsClosed = true;
    const closed = await failureOf(setup.platform.send(discordAttempt(setup, setup.person)));
    expect(closed).toMatchObject({ failure: "not-allowed", message: expect.stringMatching(/direct messages/) });
    const nobody = await failureOf(setup.platform.send(discordAttempt(setup, personOf("999"))));
    expect(nobody).toMatchObject({ failure: "gone", message: expect.stringMatching(/account/) });
  });

  it("to a person reopens an unknown conversation", async () => {
    const setup = await startDiscordPlatform();
    await setup.store.directChannels.put({ person: setup.person, channelId: "999" });
    const attempt = discordAttempt(setup, setup.person);
    expect((await failureOf(setup.platform.send(attempt))).failure).toBe("retry");
    await setup.platform.send(attempt);
    expect(setup.discord.messages(setup.ada.direct)).toHaveLength(1);
  });

  it("because of a rejected token stops the whole platform until Discord accepts the token", async () => {
    const setup = await startDiscordPlatform();
    const removeFault = setup.discord.faults.add(faults.refusal(401, 0, "401: Unauthorized"), POSTS);
    const error = await failureOf(setup.platform.send(discordAttempt(setup, setup.channel)));
    expect(error).toMatchObject({ failure: "broken-credentials", message: expect.stringContaining("DISCORD_TOKEN") });
    expect(setup.platform.health()).toMatchObject({ ok: false, reason: error.message, rejected: {} });
    const again = await failureOf(setup.platform.send(discordAttempt(setup, setup.channel)));
    expect([again.failure, (again.retryAfterMs ?? 0) > 20_000]).toEqual(["broken-credentials", true]);
    expect(countOf(setup, POSTS.method, POSTS.path)).toBe(1);
    removeFault();
    setup.clock.skip(30_000);
    await setup.platform.send(discordAttempt(setup, setup.channel));
    expect(setup.platform.health()).toEqual({ ok: true });
  });

  it("because of a rate limit reports the requested delay for the channel or the token", async () => {
    const setup = await startDiscordPlatform({}, { limits: NO_LIMITS });
    const [tokenKey, channelKey] = setup.platform.limits(setup.channel).map(({ key }) => key);
    const attempt = discordAttempt(setup, setup.channel);
    const sendLimited = (headers: Readonly<Record<string, string>>): Promise<DeliveryError> => {
      const answer = { status: 429, headers, body: { message: "You are being rate limited." } };
      setup.discord.faults.add(faults.answer(answer), { ...POSTS, times: 1 });
      return failureOf(setup.platform.send(attempt));
    };
    const withoutDelay = await sendLimited({});
    expect(withoutDelay).toMatchObject({ failure: "retry", retryAfterMs: 5_000, limitKey: channelKey });
    const channelLimited = await sendLimited({ "retry-after": "2", "x-ratelimit-scope": "user" });
    expect(channelLimited).toMatchObject({ failure: "retry", limitKey: channelKey });
    expect(channelLimited.retryAfterMs).toBeGreaterThanOrEqual(2_000);
    const globallyLimited = await sendLimited({
      "retry-after": "1",
      "x-ratelimit-global": "true",
      "x-ratelimit-scope": "global",
    });
    expect(globallyLimited).toMatchObject({ failure: "retry", limitKey: tokenKey });
  });

  it("is not retried within the call", async () => {
    const setup = await startDiscordPlatform();
    for (const fault of [faults.status(503), faults.reset, faults.storedThen(502)]) {
      const before = countOf(setup, POSTS.method, POSTS.path);
      setup.discord.faults.add(fault, { ...POSTS, times: 1 });
      expect((await failureOf(setup.platform.send(discordAttempt(setup, setup.channel)))).failure).toBe(
        "unknown-outcome",
      );
      expect(countOf(setup, POSTS.method, POSTS.path)).toBe(before + 1);
    }
  });
});

it("a failed edit of a message in an unknown conversation reopens it, and the next one doesn't find the message", async () => {
  const setup = await startDiscordPlatform();
  await setup.store.directChannels.put({ person: setup.person, channelId: "999" });
  const { body } = discordAttempt(setup, setup.person);
  const edit = { to: setup.person, ref: { id: "888", link: null }, body };
  expect(await failureOf(setup.platform.edit(edit))).toMatchObject({ failure: "retry", isUneditable: false });
  expect(await failureOf(setup.platform.edit(edit))).toMatchObject({ isUneditable: true });
});
