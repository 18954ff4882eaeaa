import type { Started } from "../app/app.ts";
import type { Config } from "../config/index.ts";
import { readVersion } from "../lib/version.ts";
import type { Invocation } from "./invocation.ts";
import { type CreateApp, runApp } from "./run-app.ts";
import { describeOrigin, labelled, publicAddress } from "./startup-message.ts";

/** Runs the data service alone. */
export function service(invocation: Invocation, createApp: CreateApp): Promise<number> {
  return runApp(invocation, "service", createApp, whatRuns);
}

function whatRuns(config: Config, { address, origin }: Started): readonly string[] {
  const base = publicAddress(config, address);
  return [
    `splitwatch ${readVersion()} is running its data service alone. Ctrl+C stops it.`,
    labelled("Data service", `${base}/v1/splits`),
    labelled("Described at", `${base}/v1/openapi.json`),
    labelled("Splits from", describeOrigin(origin, config)),
    labelled("State in", config.dataDir),
    labelled("Next", `"splitwatch keys add NAME" makes an API key`),
  ];
}
