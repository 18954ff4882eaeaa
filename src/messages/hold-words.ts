import type { Hold, HoldReason } from "../domain/alert/hold.ts";
import { formatTime, joinList } from "./words.ts";

const REASONS: Readonly<Record<HoldReason, string>> = {
  muted: "muted",
  quiet: "quiet hours",
  digest: "for the digest",
};

/** `muted`, `muted, then quiet hours` */
export function holdReasonText({ reasons }: Pick<Hold, "reasons">): string {
  const [first = "", ...later] = reasons.map((reason) => REASONS[reason]);
  return later.length === 0 ? first : `${first}, then ${joinList(later)}`;
}

/** Completes "held: …": `muted until Tue 10 Mar 2026, 07:00 EDT` */
export function holdText(hold: Hold, timezone: string): string {
  return `${holdReasonText(hold)} until ${formatTime(hold.until, timezone)}`;
}
