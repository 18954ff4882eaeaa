import { type Config, ConfigError, readConfig } from "../../config/index.ts";
import { type Finding, unwell, well } from "../../lib/check-result.ts";
import { createRedactor } from "../../lib/redact.ts";
import { type CommandLine, EXIT } from "../invocation.ts";
import { checkDiscord } from "./discord.ts";
import { checkDataService } from "./service.ts";
import { checkSlack } from "./slack.ts";
import { checkStore } from "./store.ts";

/** Checks what splitwatch needs, and prints a line for each thing looked at. Takes no lock: a running one is no hindrance. */
export async function doctor(line: CommandLine): Promise<number> {
  const configured = checkConfiguration(line);
  if ("findings" in configured) return tell(configured.findings, line);
  const { config } = configured;
  const redact = createRedactor(config.secrets);
  const findings = [
    well(`configuration: ${config.overlay ?? "no settings file"} laid over config/default.yaml`),
    ...config.unused.map((name) => well(`${name}: set, but this version does nothing with it`)),
    ...(await checkStore(config.dataDir)),
    ...(await checkDataService(config)),
    ...(await checkDiscord(config)),
    ...(await checkSlack(config)),
  ];
  return tell(
    findings.map((finding) => ({ ...finding, text: redact(finding.text) })),
    line,
  );
}

function checkConfiguration(
  line: CommandLine,
): { readonly config: Config } | { readonly findings: readonly Finding[] } {
  try {
    return { config: readConfig(line) };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { findings: error.problems.map(unwell) };
  }
}

function tell(findings: readonly Finding[], line: CommandLine): number {
  for (const finding of findings) line.out(`${markOf(finding)} ${finding.text}`);
  return findings.every(({ ok }) => ok) ? EXIT.done : EXIT.failed;
}

function markOf({ ok, isNote = false }: Finding): string {
  if (!ok) return "FAIL";
  return isNote ? "note" : "ok  ";
}
