import { type Config, sourceBesideChat } from "../config.ts";
import { readVersion } from "../system/version.ts";
import type { CommandLine } from "./command-line.ts";
import { type CreateApp, runApp } from "./run-app.ts";
import { embeddedSource, labelled, reachableAt } from "./told.ts";

/** Runs everything that the configuration asks for. */
export function start(line: CommandLine, createApp: CreateApp): Promise<number> {
  return runApp(line, "everything", createApp, whatRuns);
}

function whatRuns(config: Config, address: string): readonly string[] {
  const base = reachableAt(config, address);
  return [
    `splitwatch ${readVersion()} is running. Ctrl+C stops it.`,
    labelled("Web chat", `${base}/`),
    labelled(
      "Splits from",
      config.splitsApi ? `the data service at ${config.splitsApi.url}` : embeddedSource(sourceBesideChat(config)),
    ),
    labelled("State in", config.dataDir),
    ...nextSteps(config).map((step) => labelled("Next", step)),
  ];
}

function nextSteps(config: Config): string[] {
  const real = config.splitsApi !== null || config.service.source.kind === "folder";
  return [
    ...(real ? [] : ["set SPLITS_API_URL and SPLITS_API_KEY, or service.source, to watch real splits"]),
    ...(config.splitsApi && config.splitsApi.key === null
      ? ["set SPLITS_API_KEY if the data service wants a key"]
      : []),
    ...(config.adminToken === null ? ["set ADMIN_TOKEN and HOST to let others use the web chat"] : []),
  ];
}
