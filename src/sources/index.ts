import { wireName } from "../domain/article/wire.ts";
import { finra } from "./finra/index.ts";
import { newswires } from "./newswires/index.ts";
import { nyse } from "./nyse/index.ts";
import type { SourceDefinition } from "./source-definition.ts";

/** Every live source, one line per folder, the preferred one first. */
export const SOURCES: readonly SourceDefinition[] = [newswires, finra, nyse];

/** Name of a source as users read it; a configured feed keeps its own. */
export function sourceLabel(source: string): string {
  return SOURCES.find(({ name }) => name === source)?.label ?? wireName(source);
}
