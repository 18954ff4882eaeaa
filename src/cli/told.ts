import type { Config } from "../config.ts";

/** The words under which the lines after a start are told: `Web chat:      http://127.0.0.1:8080/`. */
export function labelled(label: string, text: string): string {
  return `${`${label}:`.padEnd(14)} ${text}`;
}

/** Where a browser on this machine, or whoever PUBLIC_URL is for, finds what listens at `address`. */
export function reachableAt(config: Config, address: string): string {
  return config.publicUrl ?? address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
}

/** What the embedded data service serves. */
export function embeddedSource(config: Config): string {
  const { source } = config.service;
  switch (source.kind) {
    case "folder":
      return `splits.jsonl and articles.jsonl in ${source.path}`;
    case "sample":
      return "the sample: invented companies";
    case "auto":
      return "the sample: invented companies (service.source is auto, and this version cannot read the news wires yet)";
  }
}
