import { type Button, button } from "./message.ts";

/** One page of a longer answer. People count pages from 1. */
export interface Page<T> {
  readonly rows: readonly T[];
  readonly number: number;
  readonly of: number;
  /** The page that was asked for, where it lies beyond the last one. */
  readonly beyond: number | null;
}

/** Null where everything is on one page. */
export function pageLine({ number, of, beyond }: Page<unknown>): string | null {
  if (beyond !== null) return `There is no page ${beyond}: this is page ${number} of ${of}, the last.`;
  return of > 1 ? `Page ${number} of ${of}` : null;
}

/** `lineOf` gives the command line that shows a page. */
export function pageButtons({ number, of }: Page<unknown>, lineOf: (page: number) => string): readonly Button[] {
  return [
    ...(number > 1 ? [button("Previous", lineOf(number - 1))] : []),
    ...(number < of ? [button("Next", lineOf(number + 1))] : []),
  ];
}
