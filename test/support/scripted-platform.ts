import { rejectedHealth, type TokenState } from "../../src/chat/token-state.ts";
import type { Attempt, MessageRef } from "../../src/domain/alert/delivery.ts";
import { type Destination, destinationKey } from "../../src/domain/alert/destination.ts";
import {
  type ChatPlatform,
  DeliveryError,
  type Outgoing,
  type PlatformHealth,
  type RateLimit,
} from "../../src/ports/chat-platform.ts";

interface ScriptedBody {
  readonly titles: readonly string[];
  readonly isTextOnly?: true;
}

type Send = (attempt: Attempt, post: () => MessageRef) => Promise<MessageRef>;

/** Platform without a network that posts into a list and fails as scripted. */
export class ScriptedPlatform implements ChatPlatform {
  readonly showsSample = true;
  readonly posted: ({ readonly messageId: string; readonly to: string } & ScriptedBody)[] = [];
  readonly sends: string[] = [];
  readonly finds: string[] = [];
  /** Called for each send; `post` stores the message. */
  onSend: Send = async (_, post) => post();
  /** Result of a search; by default the correct one. */
  onFind: (attempt: Attempt) => Promise<MessageRef | "not-found" | "cannot-search"> = async ({ messageId }) =>
    this.posted.some((message) => message.messageId === messageId) ? refTo(messageId) : "not-found";
  /** Called before a message is rendered; can throw. */
  onRender: (outgoing: Outgoing) => void = () => undefined;
  rates: readonly RateLimit[] = [];
  /** The limits of one destination; by default `rates`. */
  ratesOf: (destination: Destination) => readonly RateLimit[] = () => this.rates;
  maxCards = 10;
  /** Set for a platform without lists. */
  maxAlerts?: number;
  /** Set for a platform that may still post messages after their requests. */
  maxProcessingMs?: number;
  /** Used by each send, and rejected by one that fails with `broken-credentials`; null: always accepted. */
  token: TokenState | null = null;

  readonly name: string;

  constructor(name = "web") {
    this.name = name;
  }

  async start(): Promise<void> {}
  async stop(): Promise<void> {}

  health(): PlatformHealth {
    const rejection = this.token?.rejection ?? null;
    return rejection === null ? { ok: true } : rejectedHealth(rejection, true);
  }

  limits(destination: Destination): readonly RateLimit[] {
    return this.ratesOf(destination);
  }

  render(outgoing: Outgoing): { readonly body: unknown; readonly cardCount: number } {
    this.onRender(outgoing);
    const cardCount = Math.min(outgoing.cards.length, this.maxCards);
    const body: ScriptedBody = {
      titles: outgoing.cards.slice(0, cardCount).map(({ title }) => title),
      ...(outgoing.isTextOnly === true && { isTextOnly: true }),
    };
    return { body, cardCount };
  }

  async send(attempt: Attempt): Promise<MessageRef> {
    this.sends.push(attempt.messageId);
    const retryAfterMs = this.token?.beginTry() ?? 0;
    if (retryAfterMs > 0) throw new DeliveryError("broken-credentials", "the token is rejected", { retryAfterMs });
    const rejections = this.token?.rejections ?? 0;
    try {
      const ref = await this.onSend(attempt, () => this.#post(attempt));
      this.token?.accept(rejections);
      return ref;
    } catch (error) {
      if (error instanceof DeliveryError && error.failure === "broken-credentials") this.token?.reject(error.message);
      throw error;
    }
  }

  #post(attempt: Attempt): MessageRef {
    this.posted.push({ messageId: attempt.messageId, to: destinationKey(attempt.to), ...bodyOf(attempt) });
    return refTo(attempt.messageId);
  }

  find(attempt: Attempt): Promise<MessageRef | "not-found" | "cannot-search"> {
    this.finds.push(attempt.messageId);
    return this.onFind(attempt);
  }
}

/** The body of a message as the scripted platform renders it. */
export function bodyOf({ body }: Attempt): ScriptedBody {
  return body as ScriptedBody;
}

function refTo(messageId: string): MessageRef {
  return { id: `ref-${messageId}`, link: null };
}
