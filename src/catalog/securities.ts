import type { TickerMention } from "../domain/article/article.ts";
import { type CatalogObservation, isSameSecurity, marketOf } from "./catalog-observation.ts";

/** Returns the key of the security that a listing belongs to; null for a listing without an exchange. */
export type SecurityOf = (listing: TickerMention) => string | null;

/**
 * Identifies securities across symbols and markets. The listings of one observation belong to one security: a dual listing, or
 * the symbols before and after a change.
 */
export function linkListings(observations: Iterable<CatalogObservation>): SecurityOf {
  // A union-find structure: each symbol key points to another one of the same security, except the root.
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) {
      // Shortens the path for later lookups.
      const grandparent = parents.get(parent);
      if (grandparent !== undefined) parents.set(root, grandparent);
      root = parent;
    }
    return root;
  };
  for (const { listings } of observations) {
    const [main, ...linkedKeys] = listings.flatMap((listing) => symbolKey(listing) ?? []);
    if (main === undefined) continue;
    for (const linkedKey of linkedKeys) {
      const [root, linkedRoot] = [rootOf(main), rootOf(linkedKey)];
      if (root !== linkedRoot) parents.set(linkedRoot, root);
    }
  }
  return (listing) => {
    const key = symbolKey(listing);
    return key === null ? null : rootOf(key);
  };
}

/** Whether a listing in `a` and a listing in `b` belong to the same security. */
export function sharesSecurity(
  a: readonly TickerMention[],
  b: readonly TickerMention[],
  securityOf: SecurityOf,
): boolean {
  return a.some((listing) =>
    b.some((other) => {
      if (isSameSecurity(listing, other)) return true;
      const security = securityOf(listing);
      return security !== null && security === securityOf(other);
    }),
  );
}

function symbolKey({ ticker, exchange }: TickerMention): string | null {
  return exchange === null ? null : `${marketOf(exchange)}:${ticker}`;
}
