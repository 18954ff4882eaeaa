import { z } from "zod";
import { duration, invalid, settingOf } from "../config/value-schemas.ts";
import { type CheckResult, pass, warn } from "../lib/check-result.ts";
import type { Clock } from "../ports/clock.ts";
import { followNotices, type NoticeReader, readNotices } from "./follow-notices.ts";
import type { SourceDefinition } from "./source-definition.ts";
import { describeCondition, initialStatus, nextStatus } from "./source-status.ts";
import { type AgentParts, userAgent } from "./web/user-agent.ts";
import { createWeb, type Web, type WebParts } from "./web/web.ts";

/** Longest wait of `splitwatch doctor` for one source. */
const CHECK_TIMEOUT_MS = 25_000;

const USER_AGENT = "splitwatch/{version} (+{contact})";

/** Settings of a source: its poll interval, null if it is disabled, and the origins that it reads. */
export interface NoticeSourceSettings<Origin extends string> {
  readonly everyMs: number | null;
  readonly origins: Readonly<Record<Origin, string>>;
}

export interface NoticeSourceTools {
  readonly web: Web;
  readonly clock: Clock;
  /** Configured poll interval. */
  readonly everyMs: number;
}

interface NoticeSourceParts<Origin extends string> {
  /** Name of the source's folder, and id of its observations. */
  readonly name: string;
  readonly label: string;
  /** Keys of the settings that hold an origin, such as `url`. */
  readonly origins: readonly Origin[];
  /** Creates the reader; imports it on demand. */
  createReader(origins: Readonly<Record<Origin, string>>, tools: NoticeSourceTools): Promise<NoticeReader>;
}

/** A source that is polled for notices, with its section `sources.<name>`. */
export function noticeSource<const Origin extends string>({
  name,
  label,
  origins,
  createReader,
}: NoticeSourceParts<Origin>): SourceDefinition<NoticeSourceSettings<Origin>> {
  return {
    name,
    settingsKey: `sources.${name}`,
    label,
    section: sectionOf(origins),
    offReason: ({ everyMs }) => (everyMs === null ? `sources.${name}.every is off` : null),
    async open(settings, parts) {
      const web = webFor(settings, parts);
      const reader = await createReader(settings.origins, toolsOf(settings, web, parts.clock));
      const followed = followNotices(reader, parts);
      const stop = async (): Promise<void> => {
        await followed.stop();
        await web.close();
      };
      return { ...followed, stop };
    },
    async check(settings, context) {
      const web = webFor(settings, context);
      try {
        const reader = await createReader(settings.origins, toolsOf(settings, web, context.clock));
        return [await checkReader(reader, label, context.clock)];
      } finally {
        await web.close();
      }
    },
  };
}

function webFor({ origins }: AnySettings, parts: AgentParts & Pick<WebParts, "clock" | "queue">): Web {
  const { clock, queue } = parts;
  const agent = userAgent(USER_AGENT, parts);
  return createWeb({ clock, queue, userAgentFor: () => agent, configured: Object.values(origins) });
}

/** A disabled source is neither opened nor checked. */
function toolsOf({ everyMs }: AnySettings, web: Web, clock: Clock): NoticeSourceTools {
  return { web, clock, everyMs: everyMs ?? Number.POSITIVE_INFINITY };
}

type AnySettings = NoticeSourceSettings<string>;

async function checkReader(reader: NoticeReader, label: string, clock: Clock): Promise<CheckResult> {
  const reading = await readNotices(reader, AbortSignal.timeout(CHECK_TIMEOUT_MS));
  const status = nextStatus(initialStatus(reader.name, clock.now()), reading, clock.now());
  const text = `${label}: ${describeCondition(status)}`;
  return status.condition === "ok" ? pass(text) : warn(text);
}

const MIN_INTERVAL = "10s";
const MAX_INTERVAL = "7d";

/** Section with `every`, a duration or `off`, and the origins. */
function sectionOf<Origin extends string>(keys: readonly Origin[]): z.ZodType<NoticeSourceSettings<Origin>> {
  const shape: z.ZodRawShape = { every: intervalOrOff(), ...Object.fromEntries(keys.map((key) => [key, origin()])) };
  return z.strictObject(shape).transform((section) => {
    const { every, ...origins } = section as { readonly every: number | null } & Readonly<Record<Origin, string>>;
    return { everyMs: every, origins: origins as unknown as Readonly<Record<Origin, string>> };
  });
}

function intervalOrOff(): z.ZodType<number | null> {
  return settingOf(
    `off or a duration from ${MIN_INTERVAL} to ${MAX_INTERVAL}, such as 90s, 30m, 24h or 3d`,
    (value) => {
      // YAML 1.1 readers turn the word off into false.
      if (value === "off" || value === false) return { value: null };
      const read = duration(MIN_INTERVAL, MAX_INTERVAL).safeParse(value);
      return read.success ? { value: read.data } : invalid();
    },
  );
}

function origin(): z.ZodType<string> {
  return settingOf("an http or https address without a path, such as https://www.example.com", (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return invalid();
    const { protocol, origin: parsed, pathname, search } = new URL(value);
    const isOrigin = /^https?:$/.test(protocol) && pathname === "/" && search === "";
    return isOrigin ? { value: parsed } : invalid();
  });
}
