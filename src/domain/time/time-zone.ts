import { closestWord } from "../../lib/closest-word.ts";

const UTC = "UTC";

/** Current names of zones that some runtimes list under an older name. */
const NEWER_NAMES = [
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
const OTHER_NAMES: Readonly<Record<string, string>> = {
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

interface KnownZones {
  readonly names: readonly string[];
  /** By lower-case name, and by city if it is unique. */
  readonly byWord: ReadonlyMap<string, string>;
}

let zones: KnownZones | undefined;

/** IANA names of all zones in alphabetical order. */
export function timeZones(): readonly string[] {
  return knownZones().names;
}

/**
 * Parses an IANA name in any case, or a city that is unique to one zone. Returns undefined for abbreviations and UTC offsets,
 * which do not determine when clocks change.
 */
export function parseTimeZone(text: string): string | undefined {
  const word = asWord(text);
  const known = knownZones().byWord.get(word);
  if (known !== undefined) return known;
  // Older names, such as US/Eastern.
  return /^[a-z]+(?:\/[a-z0-9_+-]+){1,2}$/.test(word) ? canonicalName(word) : undefined;
}

/** The most likely zone for text that `parseTimeZone` does not accept. */
export function suggestTimeZone(text: string): string | undefined {
  const word = asWord(text);
  const named = Object.hasOwn(OTHER_NAMES, word) ? OTHER_NAMES[word] : undefined;
  // Offsets and very short words are similar to too many names.
  if (named !== undefined || !/[a-z]{4}/.test(word)) return named;
  const { byWord } = knownZones();
  const closest = closestWord(word, [...byWord.keys()]);
  return closest === undefined ? undefined : byWord.get(closest);
}

/** The last part of a zone's name, usually a city: `New York`. */
export function cityOf(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

function knownZones(): KnownZones {
  zones ??= readZones();
  return zones;
}

function readZones(): KnownZones {
  const listed = Intl.supportedValuesOf("timeZone");
  const newer = NEWER_NAMES.filter((name) => canonicalName(name) !== undefined);
  const names = [...new Set([...listed, ...newer, UTC])].toSorted();
  const byWord = new Map<string, string>();
  const shared = new Set<string>();
  for (const name of names) {
    const city = asWord(cityOf(name));
    const other = byWord.get(city);
    if (other !== undefined && canonicalName(other) !== canonicalName(name)) shared.add(city);
    if (other === undefined || newer.includes(name)) byWord.set(city, name);
  }
  for (const city of shared) byWord.delete(city);
  for (const name of names) byWord.set(asWord(name), name);
  return { names, byWord };
}

function asWord(text: string): string {
  return text.trim().toLowerCase().replace(/\s+/g, "_");
}

function canonicalName(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en-US", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
