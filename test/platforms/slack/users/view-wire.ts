import { sendSigned } from "../server/signed-request.ts";
import type { Json, SlackPerson } from "../server/workspace.ts";
import type { FormSending } from "./form.ts";
import type { HomeSending } from "./home-user.ts";
import type { UserParts, Via } from "./user.ts";

/** Slack waits so long for an answer to what is done in a view, in real milliseconds. */
const ACK_MS = 3_000;

let done = 0;

/** How what somebody does in a home or in a form comes to the app. */
export function createViewWire(person: SlackPerson, via: Via, parts: UserParts): FormSending & HomeSending {
  const { workspace, views, socket, now } = parts;
  let last: { readonly envelopeId: string; readonly payload: Json } | null = null;

  const common = (type: string): Json => ({
    type,
    user: { id: person.id, username: person.name, name: person.name, team_id: homeOf(person) },
    api_app_id: workspace.bot.appId,
    token: "no-longer-used",
    // With a form, the workspace of whoever sends it; where the app is installed stands in the view.
    team: { id: type === "view_submission" ? homeOf(person) : workspace.team.id, domain: workspace.team.domain },
    enterprise: null,
    is_enterprise_install: false,
  });

  const told = (view: Json): Json => ({
    ...view,
    team_id: workspace.team.id,
    app_installed_team_id: workspace.team.id,
  });

  function homeOf({ homeTeam }: SlackPerson): string {
    return homeTeam ?? workspace.team.id;
  }

  async function hand(payload: Json, envelopeId: string): Promise<Json> {
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
    if (status !== 200 || ms > ACK_MS) throw new Error(`${String(payload.type)}: status ${status} after ${ms} ms`);
    return text === "" ? {} : (JSON.parse(text) as Json);
  }

  function send(payload: Json): Promise<Json> {
    done += 1;
    last = { envelopeId: `envelope-view-${done}`, payload };
    return hand(last.payload, last.envelopeId);
  }

  return {
    personId: person.id,
    views,
    send(view, repeats) {
      if (repeats && last !== null) return hand(last.payload, last.envelopeId);
      return send({
        ...common("view_submission"),
        trigger_id: views.trigger(person.id),
        view: told(view),
        response_urls: [],
      });
    },
    closed: () => views.close(person.id),
    async act(view, action) {
      await send({
        ...common("block_actions"),
        trigger_id: views.trigger(person.id),
        container: { type: "view", view_id: view.id },
        view: told(view),
        actions: [{ action_ts: (now() / 1_000).toFixed(6), ...action }],
      });
    },
    suggest: (view, asked) =>
      send({
        ...common("block_suggestion"),
        container: { type: "view", view_id: view.id },
        view: told(view),
        ...asked,
      }),
    opened: (tab) =>
      parts.tell(
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
