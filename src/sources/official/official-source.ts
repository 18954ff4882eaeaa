import { z } from "zod";
import type { Observation } from "../../catalog/observation.ts";
import { duration, invalid, settingOf } from "../../config/value-schemas.ts";
import { addDays, type Day, type Instant } from "../../domain/time/day.ts";
import type { Clock } from "../../ports/clock.ts";
import type { DocumentReading, ReadContext } from "../document-reading.ts";
import type { DocumentReader, Readers } from "../reading/document-reader.ts";
import type { SourceDefinition } from "../source-definition.ts";
import type { Web } from "../web/web.ts";
import type { WebAnswer } from "../web/web-answer.ts";
import type { StatementReader } from "./follow-statements.ts";

/** Settings of a source: the poll interval (null: the source is disabled) and the origins that it reads. */
export interface OfficialSourceSettings<Origin extends string> {
  readonly everyMs: number | null;
  readonly origins: Readonly<Record<Origin, string>>;
}

export interface StatementReaderTools {
  /** Recorded observations of the source, all revisions; empty in `splitwatch doctor`. */
  readonly recordedObservations: () => Iterable<Observation>;
  /** Time of the last read in an earlier run; null: none. */
  readonly lastReadAt: Instant | null;
  readonly web: Web;
  /** Reads the answers with functions of the source's `readers`. */
  readonly reader: DocumentReader;
  readonly clock: Clock;
  /** Configured poll interval. */
  readonly everyMs: number;
}

/** Days before the last poll that the next poll covers again, because rows may have been corrected. */
const REREAD_DAYS = 7;

/**
 * First day that a poll covers: REREAD_DAYS before the last poll, but at most `maxDays` ago. The first poll begins `firstDays`
 * ago.
 */
export function firstDayToRead(
  today: Day,
  lastReadOn: Day | null,
  { firstDays, maxDays }: { readonly firstDays: number; readonly maxDays: number },
): Day {
  // The last poll is in the future if the system clock was set back.
  if (lastReadOn === null || lastReadOn > today) return addDays(today, -firstDays);
  const [firstDay, earliest] = [addDays(lastReadOn, -REREAD_DAYS), addDays(today, -maxDays)];
  return firstDay > earliest ? firstDay : earliest;
}

export interface OfficialSource<Origin extends string> {
  /** Name of the source's folder, and `source` of its observations. */
  readonly name: string;
  readonly label: string;
  /** As in `SourceDefinition`. */
  readonly confirmsOnly?: boolean;
  /** Explanations of its settings: the poll interval, and each key whose value is an origin, such as `url`. */
  readonly settings: OfficialSourceKeys<Origin>;
  /** Creates the reader; imports it on demand. */
  createReader(origins: Readonly<Record<Origin, string>>, tools: StatementReaderTools): Promise<StatementReader>;
  /** See `SourceDefinition.readers`. */
  readonly readers: Readers;
  /** See `SourceDefinition.readDocument`. */
  readonly readDocument: (document: WebAnswer, context: ReadContext) => Promise<DocumentReading>;
}

/** Explanations of the keys of a section, which its documentation shows. */
export type OfficialSourceKeys<Origin extends string> = Readonly<Record<Origin | "every", string>>;

/** Definition of a source that is polled for notices. Its settings section is `sources.<name>`. */
export function officialSource<const Origin extends string>(
  source: OfficialSource<Origin>,
): SourceDefinition<OfficialSourceSettings<Origin>> {
  const { name, label, confirmsOnly = false, readers, readDocument } = source;
  return {
    name,
    settingsKey: `sources.${name}`,
    label,
    confirmsOnly,
    section: officialSourceSection(source.settings),
    offReason: (settings) => disabledReason(name, settings),
    open: async (settings, parts) =>
      (await import("./open-official-source.ts")).openOfficialSource(source, settings, parts),
    check: async (settings, context) =>
      (await import("./open-official-source.ts")).checkOfficialSource(source, settings, context),
    readers,
    readDocument,
  };
}

/** Reason why the settings disable the source; null: it is enabled. */
export function disabledReason(name: string, { everyMs }: { readonly everyMs: number | null }): string | null {
  return everyMs === null ? `sources.${name}.every is off` : null;
}

const MIN_INTERVAL = "10s";
const MAX_INTERVAL = "7d";

/** Schema of a section with `every`, a duration or `off`, and the origins. */
export function officialSourceSection<Origin extends string>(
  keys: OfficialSourceKeys<Origin>,
): z.ZodType<OfficialSourceSettings<Origin>> {
  const shape: z.ZodRawShape = Object.fromEntries(
    Object.entries<string>(keys).map(([key, explanation]) => [
      key,
      (key === "every" ? intervalOrOff() : originSetting()).describe(explanation),
    ]),
  );
  return z.strictObject(shape).transform((section) => {
    const { every, ...origins } = section as { readonly every: number | null } & Readonly<Record<Origin, string>>;
    return { everyMs: every, origins: origins as unknown as Readonly<Record<Origin, string>> };
  });
}

function intervalOrOff(): z.ZodType<number | null> {
  return settingOf(
    `"off" or a duration from ${MIN_INTERVAL} to ${MAX_INTERVAL}, such as 90s, 30m, 24h or 3d`,
    (value) => {
      // YAML 1.1 parsers convert the word `off` to false.
      if (value === "off" || value === false) return { value: null };
      const interval = duration(MIN_INTERVAL, MAX_INTERVAL).safeParse(value);
      return interval.success ? { value: interval.data } : invalid();
    },
  );
}

function originSetting(): z.ZodType<string> {
  return settingOf("an http or https address without a path, such as https://www.example.com", (value) => {
    if (typeof value !== "string" || !URL.canParse(value)) return invalid();
    const { protocol, origin: parsed, pathname, search } = new URL(value);
    const isOrigin = /^https?:$/.test(protocol) && pathname === "/" && search === "";
    return isOrigin ? { value: parsed } : invalid();
  });
}
