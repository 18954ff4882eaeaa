import { type Button, type Page, pageButtons, pageLine } from "../messages/message.ts";
import type { OptionSpec } from "./parser/option-kinds.ts";
import { type OptionsOwner, writeLine } from "./parser/options.ts";

/** Option that the Previous and Next buttons set. */
export const PAGE_OPTION = { kind: "page", summary: "The page to show", hidden: true } as const satisfies OptionSpec;

/** One page of a command's rows. */
export interface PagedRows<T> extends Page<T> {
  /** Null if there is only one page. */
  readonly pageLine: string | null;
  /** Previous and Next: the same command for another page. */
  readonly buttons: readonly Button[];
}

/** Returns the requested page: the first by default, the last if the number is too high. */
export function paginate<T>(
  all: readonly T[],
  size: number,
  command: OptionsOwner,
  options: { readonly page?: number | undefined },
): PagedRows<T> {
  const requested = options.page ?? 1;
  const pageCount = Math.max(1, Math.ceil(all.length / size));
  const number = Math.min(requested, pageCount);
  const rows = all.slice((number - 1) * size, number * size);
  const page: Page<T> = { rows, number, pageCount, outOfRangePage: requested > pageCount ? requested : null };
  const buttons = pageButtons(page, (otherPage) => writeLine(command, { ...options, page: otherPage }));
  return { ...page, pageLine: pageLine(page), buttons };
}
