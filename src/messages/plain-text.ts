import type { Card } from "./message.ts";

/** The lines of a card as text without links: what remains of it if a platform refuses the rest. */
export function plainLines({ badges, title, lines, facts, warnings }: Card): readonly string[] {
  return [
    [...badges.map((badge) => `${badge}:`), title].join(" "),
    ...lines,
    ...facts.map(
      ({ label, value, was }) =>
        `${label}: ${was === undefined ? "" : `${was || "not stated"} → `}${value || "not stated"}`,
    ),
    ...warnings,
  ]
    .map((line) => line.replace(ADDRESS, "").replace(/\s+/g, " ").trim())
    .filter((line) => line !== "" && !line.endsWith(":"));
}

const ADDRESS = /\bhttps?:\/\/\S+/gi;
