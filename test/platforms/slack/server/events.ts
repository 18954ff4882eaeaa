import type { Json, Workspace } from "./workspace.ts";

let told = 0;

/** What Slack sends when something happened that the app asked to hear of. */
export function eventCallback(event: Json, { team, bot }: Workspace, at: number): Json {
  told += 1;
  return {
    token: "no-longer-used",
    team_id: team.id,
    api_app_id: bot.appId,
    event,
    type: "event_callback",
    event_id: `Ev${told}`,
    event_time: Math.floor(at / 1_000),
    is_ext_shared_channel: false,
  };
}
