import { WIRES, type Wire } from "../../domain/article/article.ts";
import type { Clock } from "../../ports/clock.ts";
import { ACCESSWIRE } from "./accesswire.ts";
import { BUSINESSWIRE } from "./businesswire.ts";
import { FEED } from "./feed.ts";
import { createFeedWire } from "./feed-wire.ts";
import { GLOBENEWSWIRE } from "./globenewswire.ts";
import { NEWSFILE } from "./newsfile.ts";
import type { Newswire } from "./newswire.ts";
import { PRNEWSWIRE } from "./prnewswire.ts";
import { createWeb, type Web } from "./web.ts";
import type { WireRules } from "./wire-rules.ts";

/** What is read, and how often. A wire without feeds is not read. */
export interface NewswireSettings {
  readonly wires: Readonly<Record<Wire, { readonly feeds: readonly string[]; readonly everyMs: number }>>;
  /** RSS, Atom or JSON feeds of the operator's own. */
  readonly feeds: readonly { readonly name: string; readonly url: string; readonly everyMs: number }[];
}

const RULES: Readonly<Record<Wire, WireRules>> = {
  prnewswire: PRNEWSWIRE,
  businesswire: BUSINESSWIRE,
  globenewswire: GLOBENEWSWIRE,
  accesswire: ACCESSWIRE,
  newsfile: NEWSFILE,
};

/** A reader for each wire that has feeds and for each feed of the operator's own, in that order. */
export function createNewswires({ wires, feeds }: NewswireSettings, { web }: { readonly web: Web }): Newswire[] {
  const named = WIRES.filter((wire) => wires[wire].feeds.length > 0).map((wire) =>
    createFeedWire({ web, name: wire, ...wires[wire], ...RULES[wire] }),
  );
  const own = feeds.map(({ name, url, everyMs }) => createFeedWire({ web, name, everyMs, feeds: [url], ...FEED }));
  return [...named, ...own];
}

/** The readers with a way to the web of their own, which ends with `close`. */
export function connectNewswires(
  settings: NewswireSettings,
  { clock, userAgent }: { readonly clock: Clock; readonly userAgent: string },
): { readonly wires: readonly Newswire[]; close(): Promise<void> } {
  const web = createWeb({ clock, userAgent, feeds: feedAddresses(settings) });
  return { wires: createNewswires(settings, { web }), close: () => web.close() };
}

/** Every address that the operator has named. */
export function feedAddresses({ wires, feeds }: NewswireSettings): string[] {
  return [...WIRES.flatMap((wire) => wires[wire].feeds), ...feeds.map(({ url }) => url)];
}
