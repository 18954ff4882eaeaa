import type { App } from "@slack/bolt";
import { z } from "zod";
import type { Log } from "../../../ports/log.ts";
import type { Removal, Workspaces } from "../workspaces.ts";

/** Follows what Slack tells of workspaces that left. Bolt acknowledges these events and does nothing about them. */
export function registerRemovalEvents(
  app: App,
  workspaces: Pick<Workspaces, "handleRemoval">,
  log: Log,
): { idle(): Promise<void> } {
  const underWay = new Set<Promise<void>>();

  function follow(body: unknown, kind: Removal["kind"]): void {
    const { team_id: teamId, event_time: seconds } = told.parse(body);
    // Slack tells the second alone: the end of it, so that nothing seems older than it is.
    const working = workspaces
      .handleRemoval(teamId, { kind, at: seconds * 1_000 + 999 })
      .catch((error: unknown) => log.error("slack uninstall not saved", { workspace: teamId, error }));
    underWay.add(working);
    void working.then(() => underWay.delete(working));
  }

  app.event("app_uninstalled", async ({ body }) => follow(body, "uninstalled"));
  app.event("tokens_revoked", async ({ body, event }) => {
    // Tokens of people are none of ours.
    if ((event.tokens.bot ?? []).length > 0) follow(body, "revoked");
  });
  return { idle: async () => void (await Promise.all(underWay)) };
}

const told = z.object({ team_id: z.string(), event_time: z.number().default(0) });
