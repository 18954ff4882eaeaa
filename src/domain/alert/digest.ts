import { groupBy } from "../../lib/group-by.ts";
import type { Rule } from "../settings/rule.ts";
import type { SplitId, SplitRecord } from "../split/split.ts";
import { type Delivery, deliveryId } from "./delivery.ts";
import { destinationKey } from "./destination.ts";
import { type Announced, type DigestEvent, digestPartEventId, NO_EVIDENCE } from "./event.ts";
import { type Audience, explainMismatch } from "./match.ts";

/** What a first run shows each channel: the listed splits that its rules would have announced. */
export function digestPerDestination(
  whole: DigestEvent,
  audience: Audience,
): readonly { readonly event: DigestEvent; readonly delivery: Delivery }[] {
  return [...groupBy(audience.rules, (rule) => destinationKey(rule.destination))].flatMap(([key, rules]) => {
    const to = rules[0]?.destination;
    const records = whole.records.filter((record) => rules.some((rule) => asksFor(rule, record, whole)));
    if (!to || records.length === 0 || !audience.reaches(to, whole)) return [];
    const event: DigestEvent = { ...whole, id: digestPartEventId(whole.id, key), records };
    const reasons = rules.map((rule) => `rule ${rule.number}`);
    return [{ event, delivery: { id: deliveryId(event.id, key), eventId: event.id, to, reasons, mentions: [] } }];
  });
}

function asksFor(rule: Rule, record: SplitRecord, { id, at, sample }: DigestEvent): boolean {
  const asIfNew: Announced = {
    kind: "announced",
    id,
    at,
    sample,
    splitId: id as string as SplitId,
    record,
    ...NO_EVIDENCE,
    alreadyEffective: false,
  };
  return explainMismatch(rule, asIfNew) === null;
}
