/** Parameters that say where a reader came from, not what is read. */
const TRACKING = /^(?:utm_\w+|feedref|fbclid|gclid|mc_[ce]id|_hs(?:enc|mi)|tc|ncid)$/i;

const LONGEST_URL = 2_000;

/** The address of a release, the same however a feed decorates it; null where `link` is none that can be read. */
export function releaseUrl(link: string, feed: URL): string | null {
  const plain = link.trim().replaceAll("&amp;", "&");
  if (plain === "" || plain.length > LONGEST_URL || !URL.canParse(plain, feed.href)) return null;
  const url = new URL(plain, feed);
  if (url.protocol !== "http:" && url.protocol !== "https:") return null;
  // A feed that is itself read over https: links to http: out of old habit.
  if (feed.protocol === "https:" && url.port === "") url.protocol = "https:";
  url.hash = "";
  url.username = "";
  url.password = "";
  for (const name of [...url.searchParams.keys()].filter((key) => TRACKING.test(key))) url.searchParams.delete(name);
  return url.href;
}
