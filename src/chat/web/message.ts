import type { Posting } from "../../ports/state-records.ts";
import type { Message, MessageBody } from "./page/protocol.ts";

const EMPTY: MessageBody = { cards: [], mentions: [], shared: null };

/** A posting as the page reads it. */
export function toMessage(posting: Posting): Message {
  return {
    number: posting.number,
    messageId: posting.messageId,
    to: { kind: posting.to.kind, id: posting.to.id },
    replyTo: posting.replyTo?.id ?? null,
    at: posting.at,
    body: isMessageBody(posting.body) ? withSharer(posting.body, posting) : EMPTY,
  };
}

/** The body does not name who shared it: whoever wants to be forgotten is taken out of the posting. */
function withSharer(body: MessageBody, { sharedBy }: Posting): MessageBody {
  return body.shared === null ? body : { ...body, shared: { ...body.shared, by: sharedBy?.id ?? "somebody" } };
}

/** The store keeps bodies without knowing them: this tells those of the web chat. */
function isMessageBody(body: unknown): body is MessageBody {
  return (
    typeof body === "object" && body !== null && "cards" in body && Array.isArray(body.cards) && "mentions" in body
  );
}

/** Where the page shows a message: a link that works under whatever name it is reached. */
export function messageLink(messageId: string): string {
  return `/#message-${encodeURIComponent(messageId)}`;
}
