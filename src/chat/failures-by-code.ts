import type { DeliveryFailure } from "../ports/chat-platform.ts";

type CodesByFailure<C> = Partial<Readonly<Record<DeliveryFailure, readonly C[]>>>;

/** The failure that each error code of a platform means. */
export function failuresByCode<C>(codes: CodesByFailure<C>): ReadonlyMap<C, DeliveryFailure> {
  const failures = Object.keys(codes) as DeliveryFailure[];
  return new Map(failures.flatMap((failure) => codes[failure]?.map((code) => [code, failure] as const) ?? []));
}
