import { z } from "zod";
import type { Outgoing, Rendered } from "../../ports/chat-platform.ts";
import { alertPayload, alertPayloadSchema } from "../alert-payload.ts";

/** Raised when a field changes its meaning or disappears. New fields don't raise it. */
const VERSION = 1;

/** Alerts of one message. More alerts are sent in further messages. */
export const MAX_ALERTS = 100;
/** A message ends with the alert that exceeds this size, about 50 ordinary alerts. */
const MAX_BODY_BYTES = 200_000;

/** Body of a webhook message. */
export const webhookBodySchema = z
  .strictObject({
    type: z.literal("alerts"),
    version: z
      .literal(VERSION)
      .meta({ description: "Version of this schema. New fields may appear in the same version" }),
    id: z.string().meta({ description: "The same as the header webhook-id; the same in each resend" }),
    timestamp: z.iso.datetime().meta({ description: "Time of the newest event" }),
    data: z.strictObject({ alerts: z.array(alertPayloadSchema).min(1) }),
  })
  .meta({ title: "Message of a splitwatch webhook" });

type WebhookBody = Readonly<z.infer<typeof webhookBodySchema>>;

/** Renders the leading alerts that fit into one message. */
export function renderMessage({ messageId, cards, events }: Outgoing): Rendered & { readonly body: WebhookBody } {
  const alerts: WebhookBody["data"]["alerts"] = [];
  let newest = Number.NEGATIVE_INFINITY;
  let bytes = 0;
  for (const [index, card] of cards.slice(0, MAX_ALERTS).entries()) {
    const event = events[index];
    if (event === undefined || bytes > MAX_BODY_BYTES) break;
    const alert = alertPayload(event, card);
    alerts.push(alert);
    newest = Math.max(newest, event.at);
    bytes += Buffer.byteLength(JSON.stringify(alert));
  }
  const timestamp = new Date(newest).toISOString();
  return {
    body: { type: "alerts", version: VERSION, id: messageId, timestamp, data: { alerts } },
    cardCount: alerts.length,
  };
}
