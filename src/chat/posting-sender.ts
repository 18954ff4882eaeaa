import type { Attempt, MessageRef } from "../domain/alert/delivery.ts";
import { type ChatPlatform, DeliveryError } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import { type Store, StoreError } from "../ports/store.ts";

export interface PostingSenderParts {
  readonly postings: Pick<Store["postings"], "post" | "find">;
  readonly clock: Clock;
  /** Link to a message; null if messages have none. */
  readonly linkOf: (messageId: string) => string | null;
}

/** Sends messages as postings of the store. A posting has the id of its message, so sending it again has no effect. */
export function createPostingSender(parts: PostingSenderParts): Pick<ChatPlatform, "send" | "find"> {
  const { postings, clock, linkOf } = parts;

  function refOf(messageId: string): MessageRef {
    return { id: messageId, link: linkOf(messageId) };
  }

  async function send({ to, messageId, replyTo, body }: Attempt): Promise<MessageRef> {
    const posting = await postings.post({ to, messageId, replyTo, body, at: clock.now() });
    return refOf(posting.messageId);
  }

  async function find({ messageId }: Attempt): Promise<MessageRef | "not-found"> {
    const posting = await postings.find(messageId);
    return posting === null ? "not-found" : refOf(posting.messageId);
  }

  return { send: (attempt) => asDelivery(send(attempt)), find: (attempt) => asDelivery(find(attempt)) };
}

/** Reports every failure as retryable: a store that fails has written nothing, so a retry can't duplicate the message. */
async function asDelivery<T>(operation: Promise<T>): Promise<T> {
  try {
    return await operation;
  } catch (error) {
    const reason = error instanceof StoreError ? error.message : "the message couldn't be stored";
    throw new DeliveryError("retry", reason, { cause: error });
  }
}
