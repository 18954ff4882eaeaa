import { sendSigned } from "../server/signed-request.ts";
import type { Json, SlackPerson } from "../server/workspace.ts";
import type { FormTransport } from "./form.ts";
import type { HomeTransport } from "./home-user.ts";
import type { UserParts, Via } from "./user.ts";

/** Time in which Slack expects an acknowledgement, here of the process's own time. */
const ACK_TIMEOUT_MS = 3_000;

let interactionCount = 0;

/** Sends a user's actions in forms and home tabs to the app. */
export function createViewTransport(person: SlackPerson, via: Via, parts: UserParts): FormTransport & HomeTransport {
  const { workspace, views, socket, now } = parts;
  let last: { readonly envelopeId: string; readonly payload: Json } | null = null;

  const common = (type: string): Json => ({
    type,
    user: { id: person.id, username: person.name, name: person.name, team_id: homeOf(person) },
    api_app_id: workspace.bot.appId,
    token: "no-longer-used",
    // A submission names the user's workspace; its view names the workspace of the installation.
    team: { id: type === "view_submission" ? homeOf(person) : workspace.team.id, domain: workspace.team.domain },
    enterprise: null,
    is_enterprise_install: false,
  });

  const describeView = (view: Json): Json => ({
    ...view,
    team_id: workspace.team.id,
    app_installed_team_id: workspace.team.id,
  });

  function homeOf({ homeTeam }: SlackPerson): string {
    return homeTeam ?? workspace.team.id;
  }

  async function deliver(payload: Json, envelopeId: string): Promise<Json> {
    if (via === "socket") {
      const acknowledged = await socket.deliver({ envelopeId, type: "interactive", payload });
      if (acknowledged === null) throw new Error(`${String(payload.type)} was not acknowledged`);
      return acknowledged.payload;
    }
    const { status, text, ms } = await sendSigned({
      url: parts.eventsUrl(),
      secret: parts.signingSecret,
      body: new URLSearchParams({ payload: JSON.stringify(payload) }).toString(),
      contentType: "application/x-www-form-urlencoded",
      at: now(),
    });
    if (status !== 200 || ms > ACK_TIMEOUT_MS)
      throw new Error(`${String(payload.type)}: status ${status} after ${ms} ms`);
    return text === "" ? {} : (JSON.parse(text) as Json);
  }

  function send(payload: Json): Promise<Json> {
    interactionCount += 1;
    last = { envelopeId: `envelope-view-${interactionCount}`, payload };
    return deliver(last.payload, last.envelopeId);
  }

  return {
    personId: person.id,
    views,
    send(view, repeats) {
      if (repeats && last !== null) return deliver(last.payload, last.envelopeId);
      return send({
        ...common("view_submission"),
        trigger_id: views.createTrigger(person.id),
        view: describeView(view),
        response_urls: [],
      });
    },
    closed: () => views.close(person.id),
    async act(view, action) {
      await send({
        ...common("block_actions"),
        trigger_id: views.createTrigger(person.id),
        container: { type: "view", view_id: view.id },
        view: describeView(view),
        actions: [{ action_ts: (now() / 1_000).toFixed(6), ...action }],
      });
    },
    suggest: (view, asked) =>
      send({
        ...common("block_suggestion"),
        container: { type: "view", view_id: view.id },
        view: describeView(view),
        ...asked,
      }),
    opened: (tab) =>
      parts.sendEvent(
        {
          type: "app_home_opened",
          user: person.id,
          channel: workspace.directChannel(person.id).id,
          tab,
          event_ts: "1",
        },
        via,
      ),
  };
}
