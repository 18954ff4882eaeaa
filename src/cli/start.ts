import type { Started } from "../app/app.ts";
import type { Origin } from "../app/data-source.ts";
import { PLATFORMS } from "../chat/index.ts";
import { type Config, hasExternalChat } from "../config/index.ts";
import { readVersion } from "../lib/version.ts";
import type { Invocation } from "./invocation.ts";
import { type CreateApp, runApp } from "./run-app.ts";
import { describeOrigin, labelled, publicAddress } from "./startup-message.ts";

/** Runs everything that the configuration asks for. */
export function start(invocation: Invocation, createApp: CreateApp): Promise<number> {
  return runApp(invocation, "everything", createApp, whatRuns);
}

function whatRuns(config: Config, { address, origin }: Started): readonly string[] {
  const base = publicAddress(config, address);
  return [
    `splitwatch ${readVersion()} is running. Ctrl+C stops it.`,
    labelled("Web chat", `${base}/`),
    labelled("Splits from", describeOrigin(origin, config)),
    labelled("State in", config.dataDir),
    ...nextSteps(config, origin).map((step) => labelled("Next", step)),
  ];
}

const WITHOUT_WIRES: readonly Origin[] = ["sample-until-live", "empty-until-live"];

function nextSteps(config: Config, origin: Origin): string[] {
  const hints = PLATFORMS.flatMap(({ startupHint }) => startupHint ?? []);
  return [
    ...(WITHOUT_WIRES.includes(origin) ? [`"splitwatch doctor" says what keeps each wire from being read`] : []),
    ...(origin === "sample" ? ["set SPLITS_API_URL and SPLITS_API_KEY, or service.source, to watch real splits"] : []),
    ...(config.splitsApi && config.splitsApi.key === null
      ? ["set SPLITS_API_KEY if the data service wants a key"]
      : []),
    ...(hasExternalChat(config) ? [] : [`set ${hints.join(", or ")}`]),
    ...(config.adminToken === null ? ["set ADMIN_TOKEN and HOST to let others use the web chat"] : []),
  ];
}
