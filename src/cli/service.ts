import type { Started } from "../app/app.ts";
import type { Config } from "../config/index.ts";
import { readVersion } from "../lib/version.ts";
import type { CommandLine } from "./invocation.ts";
import { type CreateApp, runApp } from "./run-app.ts";
import { labelled, originWords, reachableAt } from "./startup-message.ts";

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
