import { z } from "zod";

interface WireDeclaration {
  /** Display name. */
  readonly label: string;
  /** Synonyms that commands accept, in lower case. */
  readonly aliases: readonly string[];
}

/**
 * News wires whose releases the data service serves, by their ids in its interface. Commands, answers, rules and the
 * configuration derive from this table. The default feeds are in config/default.yaml, one section per id.
 */
const DECLARATIONS = {
  prnewswire: { label: "PR Newswire", aliases: ["prn", "cision"] },
  businesswire: { label: "Business Wire", aliases: ["bw"] },
  globenewswire: { label: "GlobeNewswire", aliases: ["gnw", "globe"] },
  accesswire: { label: "ACCESS Newswire", aliases: ["access", "accessnewswire"] },
  newsfile: { label: "Newsfile", aliases: ["newsfilecorp"] },
} as const satisfies Readonly<Record<string, WireDeclaration>>;

export type Wire = keyof typeof DECLARATIONS;

export const WIRES = Object.keys(DECLARATIONS) as readonly Wire[];

export const wireSchema = z.enum(WIRES);

/** Wires by their aliases. */
export const WIRE_ALIASES: Readonly<Record<string, Wire>> = Object.fromEntries(
  WIRES.flatMap((wire) => DECLARATIONS[wire].aliases.map((alias) => [alias, wire])),
);

export function isWire(source: string): source is Wire {
  return Object.hasOwn(DECLARATIONS, source);
}

/** Returns the display name of a wire, and any other source unchanged. */
export function wireName(source: string): string {
  return isWire(source) ? DECLARATIONS[source].label : source;
}
