import { closestWord } from "../../lib/closest-word.ts";
import { BoundedMap } from "../../lib/collections.ts";

const UTC = "UTC";

/** Current names of zones that some runtimes list under an older name. */
const CURRENT_NAMES = [
  "Africa/Asmara",
  "America/Argentina/Buenos_Aires",
  "America/Indiana/Indianapolis",
  "America/Nuuk",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Yangon",
  "Atlantic/Faroe",
  "Europe/Kyiv",
  "Pacific/Chuuk",
  "Pacific/Kanton",
  "Pacific/Pohnpei",
];

/** Colloquial names. Most are ambiguous or ignore daylight saving time, so they are suggested and never applied directly. */
const COLLOQUIAL_NAMES: Readonly<Record<string, string>> = {
  est: "America/New_York",
  edt: "America/New_York",
  et: "America/New_York",
  eastern: "America/New_York",
  cst: "America/Chicago",
  cdt: "America/Chicago",
  ct: "America/Chicago",
  central: "America/Chicago",
  mst: "America/Denver",
  mdt: "America/Denver",
  mt: "America/Denver",
  mountain: "America/Denver",
  pst: "America/Los_Angeles",
  pdt: "America/Los_Angeles",
  pt: "America/Los_Angeles",
  pacific: "America/Los_Angeles",
  akst: "America/Anchorage",
  akdt: "America/Anchorage",
  hst: "Pacific/Honolulu",
  hawaii: "Pacific/Honolulu",
  gmt: UTC,
  z: UTC,
  bst: "Europe/London",
  uk: "Europe/London",
  wet: "Europe/Lisbon",
  cet: "Europe/Berlin",
  cest: "Europe/Berlin",
  met: "Europe/Berlin",
  eet: "Europe/Helsinki",
  eest: "Europe/Helsinki",
  msk: "Europe/Moscow",
  ist: "Asia/Kolkata",
  india: "Asia/Kolkata",
  sgt: "Asia/Singapore",
  hkt: "Asia/Hong_Kong",
  beijing: "Asia/Shanghai",
  jst: "Asia/Tokyo",
  japan: "Asia/Tokyo",
  kst: "Asia/Seoul",
  awst: "Australia/Perth",
  aest: "Australia/Sydney",
  aedt: "Australia/Sydney",
  nzst: "Pacific/Auckland",
  nzdt: "Pacific/Auckland",
  nz: "Pacific/Auckland",
};

interface ZoneIndex {
  readonly names: readonly string[];
  /** Zone names by their keys (see `toKey`), and by the key of a city that only one zone has. */
  readonly byKey: ReadonlyMap<string, string>;
}

let cachedIndex: ZoneIndex | undefined;

/** IANA names of all zones in alphabetical order. */
export function timeZones(): readonly string[] {
  return zoneIndex().names;
}

/**
 * Parses an IANA name in any case, or a city that is unique to one zone. Returns undefined for abbreviations and UTC offsets,
 * which do not determine when clocks change.
 */
export function parseTimeZone(text: string): string | undefined {
  const key = toKey(text);
  const zone = zoneIndex().byKey.get(key);
  if (zone !== undefined) return zone;
  // Aliases in the IANA database, such as US/Eastern.
  return /^[a-z]+(?:\/[a-z0-9_+-]+){1,2}$/.test(key) ? canonicalName(key) : undefined;
}

/** Cached results of `isTimeZone`, which is expensive. Few different names occur. */
const knownNames = new BoundedMap<string, boolean>(1_000);

/** Whether the runtime knows the IANA name. Another machine, or another version of Node.js, may know other zones. */
export function isTimeZone(name: string): boolean {
  const known = knownNames.get(name) ?? canonicalName(name) !== undefined;
  knownNames.set(name, known);
  return known;
}

/** The most likely zone for text that `parseTimeZone` does not accept. */
export function suggestTimeZone(text: string): string | undefined {
  const key = toKey(text);
  const colloquial = Object.hasOwn(COLLOQUIAL_NAMES, key) ? COLLOQUIAL_NAMES[key] : undefined;
  // UTC offsets and very short words resemble too many names.
  if (colloquial !== undefined || !/[a-z]{4}/.test(key)) return colloquial;
  const { byKey } = zoneIndex();
  const closest = closestWord(key, [...byKey.keys()]);
  return closest === undefined ? undefined : byKey.get(closest);
}

/** The last part of a zone's name, usually a city: `New York`. */
export function cityOf(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

function zoneIndex(): ZoneIndex {
  cachedIndex ??= buildZoneIndex();
  return cachedIndex;
}

function buildZoneIndex(): ZoneIndex {
  const runtimeNames = Intl.supportedValuesOf("timeZone");
  const currentNames = CURRENT_NAMES.filter((name) => canonicalName(name) !== undefined);
  const names = [...new Set([...runtimeNames, ...currentNames, UTC])].toSorted();
  const byKey = new Map<string, string>();
  const ambiguousCities = new Set<string>();
  for (const name of names) {
    const city = toKey(cityOf(name));
    const earlierName = byKey.get(city);
    if (earlierName !== undefined && canonicalName(earlierName) !== canonicalName(name)) ambiguousCities.add(city);
    if (earlierName === undefined || currentNames.includes(name)) byKey.set(city, name);
  }
  for (const city of ambiguousCities) byKey.delete(city);
  for (const name of names) byKey.set(toKey(name), name);
  return { names, byKey };
}

/** Lower-case text with `_` for spaces. */
function toKey(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, "_");
}

function canonicalName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
