import { ratioName } from "../domain/split/ratio.ts";
import type { Serial } from "../domain/split/serial.ts";
import { capitalize } from "./words.ts";

const ORDINALS = ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"] as const;

/** `Third reverse split in 24 months: 1-for-2,400 in all.` Empty for a first one. */
export function repeatSplitLines(serial: Serial | null): readonly string[] {
  return serial === null ? [] : [`${capitalize(serialWords(serial))}.`];
}

/** `3 SPLITS IN 24 MONTHS` */
export function repeatSplitBadges(serial: Serial | null): readonly string[] {
  return serial === null ? [] : [`${serial.count} SPLITS IN 24 MONTHS`];
}

/** `third reverse split in 24 months: 1-for-2,400 in all` */
function serialWords({ count, total, atLeast }: Serial): string {
  const nth = `${ORDINALS[count - 2] ?? ordinal(count)} reverse split in 24 months`;
  if (total === null) return nth;
  const all = ratioName(total).replace(/\d{4,}/g, (digits) => Number(digits).toLocaleString("en-US"));
  return `${nth}: ${atLeast ? "at least " : ""}${all} in all`;
}

function ordinal(count: number): string {
  const ending = { one: "st", two: "nd", few: "rd", other: "th", zero: "th", many: "th" };
  return `${count}${ending[new Intl.PluralRules("en-US", { type: "ordinal" }).select(count)]}`;
}
