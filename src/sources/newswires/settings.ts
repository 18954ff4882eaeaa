import { z } from "zod";
import { duration, invalid, quoteSetting, type SettingResult, settingOf } from "../../config/value-schemas.ts";
import { isWire, WIRES, type Wire, wireName } from "../../domain/article/wire.ts";

/** Feeds and poll intervals. A wire without feeds is disabled. */
export interface NewswireSettings {
  readonly wires: Readonly<Record<Wire, WireSettings>>;
  /** Additional RSS, Atom or JSON feeds. */
  readonly feeds: readonly CustomFeed[];
  /** User-Agent headers by host, with placeholders. The entry `default` applies to all other hosts. */
  readonly userAgents: Readonly<Record<string, string>>;
}

export interface WireSettings {
  readonly feeds: readonly string[];
  /** Poll interval. */
  readonly everyMs: number;
  /** Poll interval on trading days from 06:00 to 20:00 in New York, if it is shorter. */
  readonly daytimeEveryMs: number;
}

interface CustomFeed {
  readonly name: string;
  readonly url: string;
  readonly everyMs: number;
}

/** Whether no feed is configured. */
export function hasNoFeeds({ wires, feeds }: NewswireSettings): boolean {
  return feeds.length === 0 && WIRES.every((wire) => wires[wire].feeds.length === 0);
}

/** Limits of the poll interval; the minimum protects the servers. */
const MIN_INTERVAL = "10s";
const MAX_INTERVAL = "1d";

const CUSTOM_FEED_EXPECTED =
  'a list of feeds with the keys "name", "url" and optionally "every", such as { name: "issuers", url: "https://…", every: 10m }';
const DEFAULT_INTERVAL = "10m";

/** Schema of the section `newswires`. */
export function newswireSettings(): z.ZodType<NewswireSettings> {
  const wireSections = Object.fromEntries(WIRES.map((wire) => [wire, wireSection(wire)]));
  return z
    .strictObject({
      userAgents: userAgents().describe(
        "User-Agent headers by host. default applies to all other hosts. {version} is splitwatch's version, {contact} SPLITWATCH_CONTACT or PUBLIC_URL. Some wires refuse agents that they take for a browser without a browser's headers.",
      ),
      ...(wireSections as Record<Wire, z.ZodType<WireSettings>>),
      feeds: customFeeds().describe(
        'Additional RSS, Atom or JSON feeds, each as { name: issuers, url: "https://…", every: 10m }. Their splits are extracted too; /v1/articles serves the five wires only.',
      ),
    })
    .transform(({ userAgents: agents, feeds, ...wires }) => ({ userAgents: agents, wires, feeds }))
    .readonly()
    .describe(
      "The news wires that the embedded data service reads. The page of a release that may announce a reverse split is fetched once. Robots rules are respected; a wire that refuses access is reported, and refusals are not circumvented. docs/sources.md describes each wire: its addresses, limits, terms and faults.",
    );
}

/** Explanations of the default feeds of each wire. */
const FEEDS: Readonly<Record<Wire, string>> = {
  prnewswire:
    "All news, the finance section, and its stock splits. The page with the list of a section is read, every five minutes, while the section has no feed. An empty list disables a wire.",
  businesswire: "News with pictures or video, which is the only feed that its robots rules allow.",
  globenewswire:
    "News about public companies, and the subjects corporate action, restructuring and recapitalization, and Canada. Only the number selects the feed. www.globenewswire.com refuses servers.",
  accesswire:
    "The feed of Newswire.com, which belongs to the same company, and the JSON of ACCESS Newswire's newsroom, which refuses programs: it is shown as refusing until that changes.",
  newsfile:
    "The latest 10 stories of the industries in which most consolidations occur, with ten seconds between two requests, and the latest 25 stories of all, which are missing at times.",
};

/** Explanations of the interval in the daytime, for the wires that are polled more often then. */
const DAYTIME: Readonly<Partial<Record<Wire, string>>> = {
  prnewswire:
    " The feed contains 20 releases, which are less than an hour on a weekday morning; after a gap the list of all releases is read.",
  accesswire: "",
};

interface WireSection {
  readonly every: number;
  readonly everyDaytime?: number;
  readonly feeds: readonly string[];
}

function wireSection(wire: Wire): z.ZodType<WireSettings> {
  const interval = duration(MIN_INTERVAL, MAX_INTERVAL);
  const daytime = DAYTIME[wire];
  const shape: z.ZodRawShape = {
    every: interval.describe(`Poll interval of ${wireName(wire)}, from ${MIN_INTERVAL} to ${MAX_INTERVAL}.`),
    ...(daytime !== undefined && {
      everyDaytime: interval.describe(
        `Poll interval from 06:00 to 20:00 in New York on weekdays, if it is shorter.${daytime}`,
      ),
    }),
    feeds: addresses().describe(FEEDS[wire]),
  };
  return z.strictObject(shape).transform((section) => {
    const { every, everyDaytime = every, feeds } = section as unknown as WireSection;
    return { everyMs: every, daytimeEveryMs: everyDaytime, feeds };
  });
}

/** Printable ASCII: an HTTP client rejects other characters in a header. */
const AGENT_PATTERN = /^[\x20-\x7e]{1,200}$/;
const HOST_PATTERN = /^[a-z0-9.-]+(?::\d{1,5})?$/;

function userAgents(): z.ZodType<Readonly<Record<string, string>>> {
  const expected = "hosts with their user agents, such as { www.example.com: splitwatch }";
  return settingOf(expected, (value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return invalid();
    const entries = Object.entries(value as Readonly<Record<string, unknown>>);
    const invalidEntry = entries.find(
      ([host, agent]) => !HOST_PATTERN.test(host) || typeof agent !== "string" || !AGENT_PATTERN.test(agent),
    );
    if (invalidEntry) return invalid(`the entry for ${quoteSetting(invalidEntry[0])} is invalid`);
    return { value: Object.fromEntries(entries) as Record<string, string> };
  });
}

function addresses(): z.ZodType<readonly string[]> {
  return settingOf("a list of http or https addresses; an empty list disables the wire", (value) => {
    if (!Array.isArray(value)) return invalid();
    const invalidAddress = value.find((address) => !isWebAddress(address));
    return invalidAddress === undefined ? { value } : invalid(`${quoteSetting(invalidAddress)} isn't an address`);
  });
}

function customFeeds(): z.ZodType<readonly CustomFeed[]> {
  return settingOf(CUSTOM_FEED_EXPECTED, (value) => {
    if (!Array.isArray(value)) return invalid();
    const results = value.map(readCustomFeed);
    const problem = results.find((result) => "problem" in result);
    if (problem) return problem;
    const feeds = results.flatMap((result) => ("value" in result ? result.value : []));
    const names = feeds.map(({ name }) => name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    return duplicate === undefined ? { value: feeds } : invalid(`the name ${quoteSetting(duplicate)} is used twice`);
  });
}

const NAME_PATTERN = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

function readCustomFeed(value: unknown): SettingResult<CustomFeed> {
  const { name, url, every = DEFAULT_INTERVAL, ...unknown } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [unknownKey] = Object.keys(unknown);
  if (unknownKey !== undefined) return invalid(`a feed has no key ${quoteSetting(unknownKey)}`);
  if (typeof name !== "string" || !NAME_PATTERN.test(name))
    return invalid(
      `the name ${quoteSetting(name)} is invalid: use letters, digits, spaces, hyphens, periods and underscores`,
    );
  if (isWire(name))
    return invalid(
      `the name ${quoteSetting(name)} is reserved for the wire: set the wire's feeds in newswires.${name}.feeds`,
    );
  const feed = `feed ${quoteSetting(name)}`;
  if (!isWebAddress(url))
    return invalid(`${feed} needs an http or https address under the key "url", got ${quoteSetting(url)}`);
  const interval = duration(MIN_INTERVAL, MAX_INTERVAL).safeParse(every);
  if (!interval.success)
    return invalid(
      `the interval ${quoteSetting(every)} (key "every") of ${feed} isn't a duration from ${MIN_INTERVAL} to ${MAX_INTERVAL}`,
    );
  return { value: { name, url, everyMs: interval.data } };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
