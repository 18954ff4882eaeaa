import { parseTimeZone } from "../time/time-zone.ts";
import { type DestinationSettings, formatQuietHours, parseQuietHours } from "./destination-settings.ts";
import type { LocatedJson } from "./located-json.ts";
import { wrong } from "./portable-rule.ts";
import type { LineProblem } from "./ticker-list.ts";

/** What of a place's settings means the same elsewhere: how long it is muted does not. */
export type PortableSettings = Partial<Omit<DestinationSettings, "mutedUntil">>;

export function writeSettings({
  timezone,
  reminders,
  digest,
  quiet,
}: DestinationSettings): Readonly<Record<string, unknown>> {
  return { timezone, reminders, digest, quiet: quiet === null ? null : formatQuietHours(quiet) };
}

export interface ReadSettings {
  readonly settings: PortableSettings;
  readonly problems: readonly LineProblem[];
}

type Field = keyof PortableSettings;

/** Each gives the value, or what is expected in its place. */
const FIELDS: Readonly<Record<Field, (json: LocatedJson) => { readonly value: unknown } | string>> = {
  timezone: (json) => {
    if (isNull(json)) return { value: null };
    const zone = json.kind === "text" ? parseTimeZone(json.value) : undefined;
    return zone === undefined ? "a time zone such as America/New_York, or null" : { value: zone };
  },
  reminders: readSwitch,
  digest: readSwitch,
  quiet: (json) => {
    if (isNull(json)) return { value: null };
    const hours = json.kind === "text" ? parseQuietHours(json.value) : undefined;
    return hours === undefined ? "quiet hours such as 22:00-07:00, or null" : { value: hours };
  },
};

/** What is right of them; what is not there stays as it is. */
export function readSettings(json: LocatedJson): ReadSettings {
  if (json.kind !== "object") return { settings: {}, problems: [wrong(json, "settings", "settings in braces")] };
  const settings: Record<string, unknown> = {};
  const problems: LineProblem[] = [];
  for (const [key, value] of json.entries) {
    const read = isField(key) ? FIELDS[key](value) : `one of ${Object.keys(FIELDS).join(", ")}`;
    if (typeof read === "string") problems.push(wrong(value, `settings.${key}`, read));
    else settings[key] = read.value;
  }
  return { settings, problems };
}

function isField(key: string): key is Field {
  return Object.hasOwn(FIELDS, key);
}

function isNull(json: LocatedJson): boolean {
  return json.kind === "word" && json.value === null;
}

function readSwitch(json: LocatedJson): { readonly value: boolean } | string {
  return json.kind === "word" && json.value !== null ? { value: json.value } : "true or false";
}
