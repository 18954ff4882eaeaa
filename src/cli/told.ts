import type { ServiceSource } from "../config/settings.ts";
import type { Config } from "../config.ts";
import { ARTICLES_FILE, SPLITS_FILE } from "../splits-api/service/source-files.ts";
import { reachableHere } from "../system/host-address.ts";

/** The words under which the lines after a start are told: `Web chat:      http://127.0.0.1:8080/`. */
export function labelled(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)} ${text}`;
}

/** Where a browser on this machine, or whoever PUBLIC_URL is for, finds what listens at `address`. */
export function reachableAt(config: Config, address: string): string {
  return config.publicUrl ?? reachableHere(address);
}

/** What the embedded data service serves. */
export function embeddedSource(source: ServiceSource | { readonly kind: "empty" }): string {
  switch (source.kind) {
    case "folder":
      return `${SPLITS_FILE} and ${ARTICLES_FILE} in ${source.path}`;
    case "empty":
      return "nothing: it has no source of splits, and the sample is not shown where Slack or Discord is connected";
    case "sample":
      return "the sample: invented companies";
    case "auto":
      return "the sample: invented companies (service.source is auto, and this version cannot read the news wires yet)";
  }
}
