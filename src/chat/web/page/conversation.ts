import { ApiError, getMessage } from "./api.ts";
import { destinationName, type Identity } from "./identity.ts";
import { type ConnectionState, followLive } from "./live.ts";
import { messageView, type PressAt } from "./message-view.ts";
import { announce } from "./notices.ts";
import type { Message, Messages } from "./protocol.ts";
import type { TimedView, Timeline } from "./timeline.ts";

/** Messages of the channel and the reader's direct messages, including new ones. */
export interface Conversation {
  /** Shows this identity's messages instead of the current ones, then new messages as they arrive. */
  open(identity: Identity): Promise<void>;
}

interface ConversationParts {
  readonly timeline: Timeline;
  readonly press: PressAt;
  readMessages(identity: Identity): Promise<Messages>;
  /** Earlier answers to this reader, which are shown between the messages. */
  savedAnswers(identity: Identity): readonly TimedView[];
  connectionChanged(state: ConnectionState): void;
  /** Called for each message that arrives while the page is open. */
  messageReceived(message: Message): void;
}

const RETRY_MS = 3_000;

export function createConversation(parts: ConversationParts): Conversation {
  const { timeline } = parts;
  let session = new AbortController();

  async function open(identity: Identity): Promise<void> {
    session.abort();
    session = new AbortController();
    const { signal } = session;
    timeline.clear();
    const { messages, last } = await readMessages(identity, signal);
    if (signal.aborted) return;
    const messageViews = messages.map((message) => ({
      at: message.at,
      create: () => messageView(message, parts.press),
    }));
    const views = [...messageViews, ...parts.savedAnswers(identity)].toSorted((a, b) => a.at - b.at);
    for (const view of views) timeline.add(view.create());
    timeline.scrollToEnd();
    const live = followLive(identity, last, {
      message: receive,
      connectionChanged: (state) => parts.connectionChanged(state),
      serverReset: () => void open(identity),
    });
    signal.addEventListener("abort", () => live.stop());
  }

  /** Retries until it succeeds or another identity is opened. */
  async function readMessages(identity: Identity, signal: AbortSignal): Promise<Messages> {
    for (;;) {
      try {
        return await parts.readMessages(identity);
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
      if (signal.aborted) return { messages: [], last: 0 };
      parts.connectionChanged("lost");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  function receive(message: Message): void {
    timeline.add(messageView(message, parts.press));
    const titles = message.body.cards.map((card) => card.title).join(". ");
    announce(`${message.to.kind === "person" ? "To you" : `New in ${destinationName(message.to)}`}: ${titles}`);
    parts.messageReceived(message);
  }

  return { open };
}

/** Reads a message that may not be on the page; null if the reader can't see it. */
export async function findMessage(messageId: string, identity: Identity): Promise<Message | null> {
  try {
    return (await getMessage(messageId, identity)).message;
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}
