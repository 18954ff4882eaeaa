import type { Origin } from "../app/data-source.ts";
import type { Config } from "../config/index.ts";
import type { ServiceSource } from "../config/settings.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../data-service/server/source-files.ts";
import { connectableAddress } from "../http/host-address.ts";

/** The words under which the lines after a start are told: `Web chat:      http://127.0.0.1:8080/`. */
export function labelled(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)} ${text}`;
}

/** Where a browser on this machine, or whoever PUBLIC_URL is for, finds what listens at `address`. */
export function publicAddress(config: Config, address: string): string {
  return config.publicUrl ?? connectableAddress(address);
}

/** Where the splits come from. */
export function describeOrigin(origin: Origin, { service, splitsApi }: Config): string {
  switch (origin) {
    case "external":
      return `the data service at ${splitsApi?.url}`;
    case "folder":
      return folderWords(service.source);
    case "wires":
      return "the news wires";
    case "sample":
      return SAMPLE_DESCRIPTION;
    case "sample-until-live":
      return `${SAMPLE_DESCRIPTION} (no news wire can be read now; they are tried again, and take over as soon as one can)`;
    case "empty-until-live":
      return "nothing yet: no news wire can be read now, and the sample is not shown while a chat platform is connected";
  }
}

export const SAMPLE_DESCRIPTION = "the sample: invented companies";

function folderWords(source: ServiceSource): string {
  const place = source.kind === "folder" ? source.path : "a folder";
  return `${SPLITS_FILE} and ${ARTICLES_FILE} in ${place}`;
}
