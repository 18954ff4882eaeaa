import { wireName } from "../domain/article/wire.ts";
import { cse } from "./cse/index.ts";
import { finra } from "./finra/index.ts";
import { halts } from "./halts/index.ts";
import { nasdaq } from "./nasdaq/index.ts";
import { newswires } from "./newswires/index.ts";
import { nyse } from "./nyse/index.ts";
import { occ } from "./occ/index.ts";
import { sec } from "./sec/index.ts";
import type { SourceDefinition } from "./source-definition.ts";
import { symbols } from "./symbols/index.ts";
import { tsxv } from "./tsxv/index.ts";

/** Live sources, one per folder, in the order in which they are listed for users. */
export const SOURCES: readonly SourceDefinition[] = [
  newswires,
  nasdaq,
  finra,
  nyse,
  sec,
  cse,
  tsxv,
  halts,
  occ,
  symbols,
];

/** Display name of a source; a configured feed has the name from the configuration. */
export function sourceLabel(source: string): string {
  return SOURCES.find(({ name }) => name === source)?.label ?? wireName(source);
}
