import type { Started } from "../app.ts";
import type { Config } from "../config.ts";
import { readVersion } from "../system/version.ts";
import type { CommandLine } from "./command-line.ts";
import { type CreateApp, runApp } from "./run-app.ts";
import { labelled, originWords, reachableAt } from "./told.ts";

/** Runs the data service alone. */
export function service(line: CommandLine, createApp: CreateApp): Promise<number> {
  return runApp(line, "service", createApp, whatRuns);
}

function whatRuns(config: Config, { address, origin }: Started): readonly string[] {
  const base = reachableAt(config, address);
  return [
    `splitwatch ${readVersion()} is running its data service alone. Ctrl+C stops it.`,
    labelled("Data service", `${base}/v1/splits`),
    labelled("Described at", `${base}/v1/openapi.json`),
    labelled("Splits from", originWords(origin, config)),
    labelled("State in", config.dataDir),
    labelled("Next", `"splitwatch keys add NAME" makes an API key`),
  ];
}
