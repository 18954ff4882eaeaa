import type { Instant } from "./day.ts";

/** What the clocks and the calendar of an IANA time zone show at a moment, by the names that Intl gives its parts. */
export type ZoneParts = (at: Instant, zone: string) => ReadonlyMap<string, string>;

/** The formatter of each zone is made once: that takes far longer than using it. */
export function createZoneParts(options: Intl.DateTimeFormatOptions): ZoneParts {
  const formatters = new Map<string, Intl.DateTimeFormat>();
  const formatterFor = (zone: string): Intl.DateTimeFormat => {
    const known = formatters.get(zone);
    if (known) return known;
    const made = new Intl.DateTimeFormat("en-US", { ...options, timeZone: zone });
    formatters.set(zone, made);
    return made;
  };
  return (at, zone) =>
    new Map(
      formatterFor(zone)
        .formatToParts(at)
        .map((part) => [part.type, part.value]),
    );
}
