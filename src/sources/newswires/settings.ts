import { z } from "zod";
import { duration, invalid, quoteSetting, type SettingResult, settingOf } from "../../config/value-schemas.ts";
import { isWire, WIRES, type Wire } from "../../domain/article/wire.ts";

/** Feeds and poll intervals. A wire without feeds is disabled. */
export interface NewswireSettings {
  readonly wires: Readonly<Record<Wire, { readonly feeds: readonly string[]; readonly everyMs: number }>>;
  /** Additional RSS, Atom or JSON feeds. */
  readonly feeds: readonly CustomFeed[];
}

interface CustomFeed {
  readonly name: string;
  readonly url: string;
  readonly everyMs: number;
}

/** Addresses of all configured feeds. */
export function feedAddresses({ wires, feeds }: NewswireSettings): string[] {
  return [...WIRES.flatMap((wire) => wires[wire].feeds), ...feeds.map(({ url }) => url)];
}

/** Limits of the poll interval, out of consideration for the servers. */
const MIN_INTERVAL = "10s";
const MAX_INTERVAL = "1d";

const CUSTOM_FEED_EXPECTED =
  'a list of feeds, each with a name, a url and optionally every, such as { name: "issuers", url: "https://…", every: 10m }';
const DEFAULT_INTERVAL = "10m";

/** Schema of the section `newswires`. */
export function newswireSettings(): z.ZodType<NewswireSettings> {
  const wireSections = Object.fromEntries(WIRES.map((wire) => [wire, wireSection()]));
  return z
    .strictObject({ ...(wireSections as Record<Wire, ReturnType<typeof wireSection>>), feeds: customFeeds() })
    .transform(({ feeds, ...wires }) => ({ wires, feeds }))
    .readonly();
}

function wireSection() {
  return z
    .strictObject({ every: duration(MIN_INTERVAL, MAX_INTERVAL), feeds: addresses() })
    .transform(({ every, feeds }) => ({ everyMs: every, feeds }))
    .readonly();
}

function addresses(): z.ZodType<readonly string[]> {
  return settingOf("a list of http or https addresses; an empty list disables the wire", (value) => {
    if (!Array.isArray(value)) return invalid();
    const wrong = value.find((address) => !isWebAddress(address));
    return wrong === undefined ? { value } : invalid(`${quoteSetting(wrong)} isn't one`);
  });
}

function customFeeds(): z.ZodType<readonly CustomFeed[]> {
  return settingOf(CUSTOM_FEED_EXPECTED, (value) => {
    if (!Array.isArray(value)) return invalid();
    const read = value.map(readCustomFeed);
    const problem = read.find((feed) => "problem" in feed);
    if (problem) return problem;
    const feeds = read.flatMap((feed) => ("value" in feed ? feed.value : []));
    const names = feeds.map(({ name }) => name);
    const duplicate = names.find((name, index) => names.indexOf(name) !== index);
    return duplicate === undefined ? { value: feeds } : invalid(`the name ${duplicate} is used twice`);
  });
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

function readCustomFeed(value: unknown): SettingResult<CustomFeed> {
  const { name, url, every = DEFAULT_INTERVAL, ...unknown } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [unknownKey] = Object.keys(unknown);
  if (unknownKey !== undefined) return invalid(`${unknownKey} isn't a key of a feed`);
  if (typeof name !== "string" || !NAME.test(name))
    return invalid(`the name ${quoteSetting(name)} is invalid: use letters, digits, blanks and hyphens`);
  if (isWire(name))
    return invalid(`the name ${name} is reserved for the wire: set its feeds in newswires.${name}.feeds`);
  if (!isWebAddress(url)) return invalid(`the url ${quoteSetting(url)} of ${name} is invalid`);
  const read = duration(MIN_INTERVAL, MAX_INTERVAL).safeParse(every);
  if (!read.success)
    return invalid(`every ${quoteSetting(every)} of ${name} isn't a duration from ${MIN_INTERVAL} to ${MAX_INTERVAL}`);
  return { value: { name, url, everyMs: read.data } };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
