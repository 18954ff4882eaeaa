import type { StartedApp } from "../app/app.ts";
import type { DataSourceKind } from "../app/data-source.ts";
import { PLATFORMS } from "../chat/index.ts";
import { type Config, hasExternalChat, selectedSources } from "../config/index.ts";
import { ROLES } from "../config/roles.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../data-service/schema.ts";
import { connectableAddress } from "../http/server.ts";
import { programCommand, readVersion } from "../lib/package.ts";

export const SAMPLE_DESCRIPTION = "sample data (invented companies)";

/** Lines that `splitwatch start` prints when the app is running. */
export function startupMessage(config: Config, started: StartedApp): readonly string[] {
  return [
    `splitwatch ${readVersion()} is running. Press Ctrl+C to stop it.`,
    ...(config.roles.includes("web") ? [labeled("Web chat", `${publicAddress(config, started)}/`)] : []),
    ...(config.roles.length < ROLES.length ? [labeled("Roles", config.roles.join(", "))] : []),
    ...dataLines(config, started),
    ...nextSteps(config, started.sourceKind).map((step) => labeled("Next", step)),
  ];
}

/** Lines that `splitwatch service` prints when the data service is running. */
export function serviceStartupMessage(config: Config, started: StartedApp): readonly string[] {
  const address = publicAddress(config, started);
  return [
    `The data service of splitwatch ${readVersion()} is running. Press Ctrl+C to stop it.`,
    labeled("Data service", `${address}/v1/splits`),
    labeled("Description", `${address}/v1/openapi.json`),
    ...dataLines(config, started),
    labeled("Next", `create an API key with \`${programCommand()} keys add NAME\``),
  ];
}

function labeled(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)} ${text}`;
}

/** PUBLIC_URL, or an address that a browser on this machine can open. */
function publicAddress({ publicUrl }: Config, { address }: StartedApp): string {
  return publicUrl ?? connectableAddress(address);
}

function dataLines(config: Config, { sourceKind }: StartedApp): readonly string[] {
  return [labeled("Splits from", describeSource(sourceKind, config)), labeled("State in", config.store.location)];
}

function describeSource(kind: DataSourceKind, config: Config): string {
  const { service, splitsApi } = config;
  switch (kind) {
    case "external":
      return `the data service at ${splitsApi?.url}`;
    case "folder":
      return `${SPLITS_FILE} and ${ARTICLES_FILE} in ${service.source.kind === "folder" ? service.source.path : "a folder"}`;
    case "live":
      return `live sources: ${selectedSources(config)
        .map(({ definition }) => definition.label)
        .join(", ")}`;
    case "sample":
      return SAMPLE_DESCRIPTION;
    case "sample-until-live":
      return `${SAMPLE_DESCRIPTION}: no source is reachable yet. Live data starts automatically`;
    case "empty-until-live":
      return "no source yet: none can be read, and sample data isn't shown while a chat platform is connected";
  }
}

const WAITING_FOR_LIVE_DATA: readonly DataSourceKind[] = ["sample-until-live", "empty-until-live"];

function nextSteps(config: Config, kind: DataSourceKind): readonly string[] {
  const hints = PLATFORMS.flatMap(({ setup, startupHint }) => (setup === undefined ? [] : (startupHint ?? [])));
  return [
    ...(WAITING_FOR_LIVE_DATA.includes(kind)
      ? [`run \`${programCommand()} doctor\` to see why no source can be read`]
      : []),
    ...(kind === "sample" ? ["set SPLITS_API_URL and SPLITS_API_KEY, or service.source, to watch real splits"] : []),
    ...(config.splitsApi?.key === null ? ["set SPLITS_API_KEY if the data service requires a key"] : []),
    ...(hasExternalChat(config) ? [] : [`run \`${programCommand()} init\`, or set ${hints.join(", or ")}`]),
    ...(config.adminToken === null ? ["set ADMIN_TOKEN and HOST to open the web chat to other people"] : []),
  ];
}
