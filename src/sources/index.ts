import { wireName } from "../domain/article/wire.ts";
import { cse } from "./cse/index.ts";
import { finra } from "./finra/index.ts";
import { halts } from "./halts/index.ts";
import { nasdaq } from "./nasdaq/index.ts";
import { newswires } from "./newswires/index.ts";
import { nyse } from "./nyse/index.ts";
import { sec } from "./sec/index.ts";
import type { SourceDefinition } from "./source-definition.ts";
import { symbols } from "./symbols/index.ts";

/** Every live source, one line per folder, the preferred one first. */
export const SOURCES: readonly SourceDefinition[] = [newswires, nasdaq, finra, nyse, sec, cse, halts, symbols];

/** Name of a source as users read it; a configured feed keeps its own. */
export function sourceLabel(source: string): string {
  return SOURCES.find(({ name }) => name === source)?.label ?? wireName(source);
}
