/** Value of a cookie, as received; undefined if the header doesn't contain it. Runs no pattern: the header may be long. */
export function findCookie(header: string | undefined, name: string): string | undefined {
  const start = `${name}=`;
  const pairs = header?.split(";") ?? [];
  return pairs
    .map((pair) => pair.trim())
    .find((pair) => pair.startsWith(start))
    ?.slice(start.length);
}
