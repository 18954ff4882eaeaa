import { createHmac } from "node:crypto";
import type { Instant } from "../../domain/time/day.ts";

/** Headers of a message by the Standard Webhooks specification, with one signature per key. `at`: time of this send. */
export function signedHeaders(
  id: string,
  at: Instant,
  body: string,
  keys: readonly Buffer[],
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at / 1_000));
  const signatures = keys.map((key) => {
    const signature = createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64");
    return `v1,${signature}`;
  });
  return { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures.join(" ") };
}
