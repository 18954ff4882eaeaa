import { pass } from "../../lib/check-result.ts";
import { formatCount } from "../../messages/format.ts";
import { rulesOf } from "../configured-rules.ts";
import type { PlatformDefinition } from "../platform-definition.ts";
import { ALERTS, type FeedSection, type FeedSettings, feedSection, PLATFORM, readFeedSettings } from "./settings.ts";

/** Feeds of alerts, served by this process. They never contain sample data, because everyone who can connect can read them. */
export const feed: PlatformDefinition<FeedSettings, FeedSection> = {
  name: PLATFORM,
  label: "Feeds",
  isExternal: false,
  variables: [],
  section: feedSection,
  startupHint: "feed.enabled to publish alerts for feed readers",
  readSettings: readFeedSettings,
  rules: ({ rules }) => rulesOf(ALERTS, rules),
  pageLinks: () => [
    { type: "application/atom+xml", title: "Alerts (Atom)", path: "/feeds/alerts.atom" },
    { type: "application/feed+json", title: "Alerts (JSON Feed)", path: "/feeds/alerts.json" },
  ],
  async connect(_, { server, store, clock, log }) {
    const { createFeedPlatform } = await import("./platform.ts");
    const platform = createFeedPlatform({ store, clock, log, publicUrl: server.publicUrl ?? "" });
    return { platform, routes: platform.routes };
  },
  check: ({ rules }, { server }) =>
    Promise.resolve([
      pass(`${server.publicUrl ?? ""}/feeds/alerts.atom, .rss and .json; ${formatCount(rules.length, "rule")}`),
    ]),
};
