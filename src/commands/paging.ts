import type { Page } from "../messages/message.ts";
import type { OptionSpec } from "./command.ts";

/** The option by which Previous and Next turn pages. */
export const PAGE_OPTION = {
  kind: "number",
  summary: "The page to show",
  range: [1, 10_000],
  hidden: true,
} as const satisfies OptionSpec;

/** The page asked for, the first when none was; the last when there are fewer. */
export function pageOf<T>(all: readonly T[], asked: number | undefined, size: number): Page<T> {
  const of = Math.max(1, Math.ceil(all.length / size));
  const number = Math.min(asked ?? 1, of);
  return {
    rows: all.slice((number - 1) * size, number * size),
    number,
    of,
    beyond: asked !== undefined && asked > of ? asked : null,
  };
}
