import { WIRES, type Wire } from "../../domain/article/wire.ts";
import type { OpenSource, SourceParts } from "../source-definition.ts";
import { DEFAULT_AGENT, userAgent } from "../web/user-agent.ts";
import { createWeb, type Web } from "../web/web.ts";
import type { WireRules } from "./feed-reader.ts";
import { createFeedWire } from "./feed-wire.ts";
import { followWires } from "./follow-wires.ts";
import type { Newswire } from "./newswire.ts";
import type { NewswireSettings, WireSettings } from "./settings.ts";

/** Rules for reading each wire. The feeds are configured in config/default.yaml. */
export const WIRE_RULES: Readonly<Record<Wire, WireRules>> = {
  // About one answer in three is a redirect to the same address with a slash at the end, where the host answers 404.
  prnewswire: {
    paceMs: 1_000,
    containers: ["section.release-body", "div.release-body"],
    retriesSlashRedirect: true,
    requiresTitle: true,
    hasReleaseList: true,
  },
  // Its feed has no tickers, and sometimes no pubDate. Its page host rejects clients that are not browsers.
  businesswire: { paceMs: 2_000, containers: ["div.bw-release-story", "div#bw-release-story"] },
  // The host of its links has refused servers since October 2026; the host of its feeds serves the same pages. About 860
  // pages within an hour led to a block.
  globenewswire: {
    paceMs: 1_000,
    pagePaceMs: 10_000,
    containers: ['[itemprop="articleBody"]', "#main-body-container", ".main-body-container"],
    refusingHost: "www.globenewswire.com",
  },
  // The wire's hosts refuse programs. The feed of Newswire.com, which has the same owner, contains some of the wire's releases.
  accesswire: { paceMs: 2_000, containers: ["div.mw-100", "div.release-body", "article"] },
  // The host blocks a client for 15 minutes after more than two pages per second, or after about six pages in a row.
  newsfile: { paceMs: 2_000, pagePaceMs: 10_000, containers: ["article#release", "div#release"] },
};

/** Rules for additional feeds. The structure of their pages is unknown. */
export const CUSTOM_FEED_RULES: WireRules = { paceMs: 2_000, containers: ['[itemprop="articleBody"]', "article"] };

/** Creates a web client that may also request the given feeds at private addresses. */
type Connect = (feeds: readonly string[]) => Web;

/** Creates the wires that have feeds, then one wire for each additional feed. */
export function createNewswires(
  { wires, feeds }: NewswireSettings,
  { clock, reader }: Pick<SourceParts, "clock" | "reader">,
  connect: Connect,
): Newswire[] {
  const named = WIRES.filter((wire) => wires[wire].feeds.length > 0).map((wire) =>
    createFeedWire({ web: connect(wires[wire].feeds), reader, clock, name: wire, ...wires[wire], ...WIRE_RULES[wire] }),
  );
  const custom = feeds.map(({ name, url, everyMs }) => {
    const settings: WireSettings = { feeds: [url], everyMs, daytimeEveryMs: everyMs };
    return createFeedWire({ web: connect([url]), reader, clock, name, ...settings, ...CUSTOM_FEED_RULES });
  });
  return [...named, ...custom];
}

export interface ConnectedWires {
  readonly wires: readonly Newswire[];
  /** Aborts the wires' requests. */
  close(): Promise<void>;
}

export function connectNewswires(
  settings: NewswireSettings,
  parts: Pick<SourceParts, "clock" | "queue" | "reader" | "version" | "contact" | "onAnswer">,
): ConnectedWires {
  const { userAgents } = settings;
  const { clock, queue, reader, version, contact, onAnswer } = parts;
  const userAgentFor = (host: string): string =>
    userAgent(userAgents[host] ?? userAgents["default"] ?? DEFAULT_AGENT, { version, contact });
  const webs: Web[] = [];
  const wires = createNewswires(settings, parts, (configured) => {
    const web = createWeb({ clock, queue, reader, userAgentFor, configured, onAnswer });
    webs.push(web);
    return web;
  });
  const close = async (): Promise<void> => {
    await Promise.all(webs.map((web) => web.close()));
  };
  return { wires, close };
}

/** Connects to the wires and follows them. */
export async function openNewswires(settings: NewswireSettings, parts: SourceParts): Promise<OpenSource> {
  const connected = connectNewswires(settings, parts);
  const followed = followWires({ ...parts, wires: connected.wires });
  return {
    ...followed,
    async stop() {
      await followed.stop();
      await connected.close();
    },
  };
}
