import type { Json, Workspace } from "./workspace.ts";

let eventCount = 0;

/** Payload of an event that the app subscribes to. */
export function eventCallback(event: Json, { team, bot }: Workspace, at: number): Json {
  eventCount += 1;
  return {
    token: "no-longer-used",
    team_id: team.id,
    api_app_id: bot.appId,
    event,
    type: "event_callback",
    event_id: `Ev${eventCount}`,
    event_time: Math.floor(at / 1_000),
    is_ext_shared_channel: false,
  };
}
