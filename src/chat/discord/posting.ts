import { Routes } from "discord.js";
import { z } from "zod";
import type { Attempt, MessageRef } from "../../domain/alert/delivery.ts";
import type { Destination } from "../../domain/alert/destination.ts";
import { MINUTE_MS } from "../../domain/time/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Api } from "./api.ts";
import { toDeliveryError } from "./delivery-errors.ts";
import { channelIdOf, messageLink } from "./destinations.ts";
import type { Direct } from "./direct.ts";
import { findInHistory, isRefusal, UNKNOWN_CHANNEL } from "./history.ts";

export interface PostingParts {
  readonly api: Api;
  readonly direct: Direct;
  readonly clock: Clock;
}

/** Posts messages, and looks for those that may have been posted. */
export interface Posting {
  send(attempt: Attempt): Promise<MessageRef>;
  find(attempt: Attempt): Promise<MessageRef | "not-found" | "cannot-search">;
}

/** How long a nonce surely keeps Discord from posting a message again. It speaks of "the past few minutes". */
const NONCE_HOLDS_MS = MINUTE_MS;

/** How far our clock and Discord's may differ. */
const CLOCKS_DIFFER_MS = 15 * MINUTE_MS;

const MAY_NOT_REPLY = 160_002;

const identified = z.object({ id: z.string() });

export function createPosting({ api, direct, clock }: PostingParts): Posting {
  /** The bot's own account. */
  let self: string | null = null;

  async function placeOf(to: Destination): Promise<string> {
    return to.kind === "person" ? direct.channelOf({ ...to, kind: "person" }) : channelIdOf(to);
  }

  async function post(attempt: Attempt, channelId: string): Promise<MessageRef> {
    const posted = await api.call("post", Routes.channelMessages(channelId), { body: requestOf(attempt) });
    const { id } = identified.parse(posted);
    return { id, link: messageLink(attempt.to, channelId, id) };
  }

  async function send(attempt: Attempt): Promise<MessageRef> {
    const channelId = await placeOf(attempt.to);
    try {
      return await post(attempt, channelId);
    } catch (error) {
      // Nothing was posted: where the answered message may not be read, the answer stands alone.
      if (isRefusal(error, MAY_NOT_REPLY)) return post({ ...attempt, replyTo: null }, channelId);
      if (attempt.to.kind !== "person" || !isRefusal(error, UNKNOWN_CHANNEL)) throw error;
      await direct.open({ ...attempt.to, kind: "person" });
      throw new DeliveryError("retry", "the conversation had to be opened anew", { cause: error });
    }
  }

  /** While the nonce holds, nothing needs to be looked for: a second send is answered with the first one's message. */
  async function find({ to, messageId, createdAt }: Attempt): Promise<MessageRef | "not-found" | "cannot-search"> {
    if (clock.now() - createdAt < NONCE_HOLDS_MS) return "not-found";
    const channelId = await placeOf(to);
    self ??= identified.parse(await api.call("get", Routes.user())).id;
    const since = createdAt - CLOCKS_DIFFER_MS;
    const found = await findInHistory(api, { to, channelId, author: self, messageId, since });
    return typeof found === "string" ? found : { ...found, link: messageLink(to, channelId, found.id) };
  }

  return {
    send: (attempt) => asDelivery(attempt.to, send(attempt)),
    find: (attempt) => asDelivery(attempt.to, find(attempt)),
  };
}

/** The nonce makes Discord give back the message that is there when it comes a second time. */
function requestOf({ body, messageId, replyTo }: Attempt): Record<string, unknown> {
  return {
    ...(isBody(body) ? body : {}),
    nonce: messageId,
    enforce_nonce: true,
    ...(replyTo === null ? {} : { message_reference: { message_id: replyTo.id, fail_if_not_exists: false } }),
  };
}

function isBody(body: unknown): body is Record<string, unknown> {
  return typeof body === "object" && body !== null;
}

async function asDelivery<T>(to: Destination, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    throw toDeliveryError(error, to);
  }
}
