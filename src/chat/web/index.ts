import { pass, warn } from "../../lib/check-result.ts";
import { isLoopback } from "../../lib/loopback.ts";
import type { PlatformDefinition } from "../platform-definition.ts";

/** The web chat. It is always on and needs no configuration. */
export const web: PlatformDefinition<object> = {
  name: "web",
  label: "Web chat",
  isExternal: false,
  variables: [],
  section: null,
  startupHint: null,
  readSettings: () => ({}),
  async connect(_, { server, store, clock, log, commands, screens, pageLinks }) {
    const { createWebPlatform } = await import("./platform.ts");
    const platform = createWebPlatform({
      store,
      clock,
      log,
      ask: (line, call) => commands.run(line, call),
      share: (line, call) => commands.runPublicly(line, call),
      complete: (line, call) => commands.complete(line, call),
      operator: screens.operator,
      isComplete: async (line, { person }) => (await screens.problems(line, person)).length === 0,
      overview: (destination) => screens.overview(destination),
      splitView: (ticker, person) => screens.splitView(ticker, person),
      releaseView: (url) => screens.releaseView(url),
      adminToken: server.adminToken,
      publicUrl: server.publicUrl,
      pageLinks,
    });
    return { platform, routes: platform.app };
  },
  check: (_, { server: { publicUrl, adminToken } }) =>
    Promise.resolve([
      publicUrl === null || adminToken !== null || isLoopback(new URL(publicUrl).hostname)
        ? pass("OK, needs no configuration")
        : warn(`the page answers only on this machine, not at ${publicUrl}; set ADMIN_TOKEN to open it there`),
    ]),
};
