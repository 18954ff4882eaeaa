import { z } from "zod";
import { WIRES } from "../domain/article/article.ts";
import type { NewswireSettings } from "../sources/newswires/index.ts";
import { duration, invalid, quoteValue, type SettingResult, settingOf } from "./values.ts";

/** Wires are looked at no more often than this, however the settings are: they are other people's servers. */
const MOST_OFTEN = "10s";
const LEAST_OFTEN = "1d";

type OwnFeed = NewswireSettings["feeds"][number];

const OWN_FEED =
  'a list of feeds, each with a name, a url and perhaps every, such as { name: "issuers", url: "https://…", every: 10m }';
const OWN_FEED_EVERY = "10m";

/** The section `newswires`. */
export function newswireSettings(): z.ZodType<NewswireSettings> {
  return z
    .strictObject({
      prnewswire: wire(),
      businesswire: wire(),
      globenewswire: wire(),
      accesswire: wire(),
      newsfile: wire(),
      feeds: ownFeeds(),
    })
    .transform(({ feeds, ...wires }) => ({ wires, feeds }))
    .readonly();
}

function wire() {
  return z
    .strictObject({ every: duration(MOST_OFTEN, LEAST_OFTEN), feeds: addresses() })
    .transform(({ every, feeds }) => ({ everyMs: every, feeds }))
    .readonly();
}

function addresses(): z.ZodType<readonly string[]> {
  return settingOf(
    "a list of addresses that begin with http:// or https://; an empty list leaves the wire out",
    (value) => {
      if (!Array.isArray(value)) return invalid();
      const odd = value.find((address) => !isWebAddress(address));
      return odd === undefined ? { value } : invalid(`${quoteValue(odd)} is none`);
    },
  );
}

function ownFeeds(): z.ZodType<readonly OwnFeed[]> {
  return settingOf(OWN_FEED, (value) => {
    if (!Array.isArray(value)) return invalid();
    const read = value.map(readOwnFeed);
    const problem = read.find((feed) => "problem" in feed);
    if (problem) return problem;
    const feeds = read.flatMap((feed) => ("value" in feed ? feed.value : []));
    const names = feeds.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    return twice === undefined ? { value: feeds } : invalid(`the name ${twice} is there twice`);
  });
}

const NAME = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,63}$/u;

function readOwnFeed(value: unknown): SettingResult<OwnFeed> {
  const { name, url, every = OWN_FEED_EVERY, ...unknown } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const [unknownKey] = Object.keys(unknown);
  if (unknownKey !== undefined) return invalid(`${unknownKey} is no key of a feed`);
  if (typeof name !== "string" || !NAME.test(name))
    return invalid(`the name ${JSON.stringify(name)} is none: letters, digits, blanks and hyphens`);
  const wires: readonly string[] = WIRES;
  if (wires.includes(name)) return invalid(`the name ${name} is a wire's: its feeds are under newswires.${name}.feeds`);
  if (!isWebAddress(url)) return invalid(`the url ${quoteValue(url)} of ${name} is none`);
  const read = duration(MOST_OFTEN, LEAST_OFTEN).safeParse(every);
  if (!read.success)
    return invalid(`every ${JSON.stringify(every)} of ${name} is no duration from ${MOST_OFTEN} to ${LEAST_OFTEN}`);
  return { value: { name, url, everyMs: read.data } };
}

function isWebAddress(value: unknown): value is string {
  return typeof value === "string" && URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}
