import type { ResponseUrls } from "../server/response-urls.ts";
import { type SignedAnswer, sendSigned } from "../server/signed-request.ts";
import type { Envelope, SocketMode } from "../server/socket-mode.ts";
import type { Views } from "../server/views.ts";
import type { Json, SlackChannel, SlackMessage, Workspace } from "../server/workspace.ts";
import { createForm, type Form } from "./form.ts";
import { createHomeUser, type HomeUser } from "./home-user.ts";
import { blockActions, formBody, type Interaction, slashCommand } from "./interactions.ts";
import { buttonsOn, type ShownButton } from "./message-text.ts";
import { createViewWire } from "./view-wire.ts";

export type Via = "socket" | "http";

/** Longer than any answer may take, in real milliseconds. */
const PATIENCE_MS = 10_000;

export interface Place {
  /** A channel's name; left out: direct messages with the app. */
  readonly channel?: string;
  readonly via?: Via;
}

/** What came of something that a person typed or pressed. */
export interface Reaction {
  /** Real milliseconds until the acknowledgement; null: there was none. */
  readonly ackMs: number | null;
  /** What it said, in the order of arrival. */
  readonly messages: readonly SlackMessage[];
  /** For doing it again. */
  readonly interaction: Interaction;
}

/** Somebody in the workspace, who types and presses over the wire. */
export interface SlackUser {
  readonly id: string;
  readonly name: string;
  /** Types `/splits <text>`. Waits for the first message that comes of it. */
  slash(text: string, where?: Place): Promise<Reaction>;
  /** Presses the button whose label starts so. */
  press(message: SlackMessage, label: string, via?: Via): Promise<Reaction>;
  /** Presses a button that opens a form, and waits for the form or for a message that says why there is none. */
  edit(message: SlackMessage, label: string, via?: Via): Promise<Form | readonly SlackMessage[]>;
  /** The form before their eyes. */
  form(via?: Via): Form;
  /** Their home in the app. */
  home(via?: Via): HomeUser;
  /** Does all of it over again, as Slack does when it did not hear. Resolves when it is acknowledged. */
  again(interaction: Interaction, via?: Via): Promise<void>;
  /** All that stands before their eyes in a channel, or in their direct messages. */
  sees(channel?: string): readonly SlackMessage[];
}

export interface UserParts {
  readonly workspace: Workspace;
  readonly views: Views;
  readonly socket: SocketMode;
  readonly responseUrls: ResponseUrls;
  readonly signingSecret: string;
  /** Where the app takes signed requests. */
  readonly eventsUrl: () => string;
  readonly responseUrl: (id: string) => string;
  readonly now: () => number;
  /** Tells the app of an event. */
  readonly tell: (event: Json, via: Via) => Promise<void>;
}

/** Ids of what people do. They never come again, whichever server they are for. */
let done = 0;

export function createUser(name: string, parts: UserParts): SlackUser {
  const { workspace } = parts;
  const person = [...workspace.people.values()].find((candidate) => candidate.name === name);
  if (!person) throw new Error(`the test's workspace has no ${name}`);

  const placeOf = (channel: string | undefined): SlackChannel => {
    if (channel === undefined) return workspace.directChannel(person.id);
    const found = [...workspace.channels.values()].find((candidate) => candidate.name === channel);
    if (!found) throw new Error(`the test's workspace has no #${channel}`);
    return found;
  };

  function begin(channel: SlackChannel, source: SlackMessage | null, payload: (given: Given) => Json): Interaction {
    const url = parts.responseUrls.create({
      person: person?.id ?? "",
      channel: channel.id,
      threadTs: source?.threadTs ?? null,
      source,
    });
    done += 1;
    const number = done;
    const given = {
      responseUrl: parts.responseUrl(url.id),
      triggerId: parts.views.trigger(person?.id ?? ""),
      at: parts.now(),
    };
    const kind = source === null ? "slash_commands" : "interactive";
    return { kind, url, payload: payload(given), envelopeId: `envelope-${number}` };
  }

  function pressOf(message: SlackMessage, label: string): Interaction {
    const channel = workspace.channels.get(message.channel);
    const button = buttonsOn(message).find((candidate) => candidate.label.startsWith(label));
    if (!channel || !button || !person) throw new Error(`no button "${label}": ${labels(message).join(", ")}`);
    return begin(channel, message, (given) => blockActions(button, message, { workspace, person, channel, ...given }));
  }

  const wire = (via: Via): ReturnType<typeof createViewWire> => createViewWire(person, via, parts);

  const user: SlackUser = {
    id: person.id,
    name,
    slash(text, where = {}) {
      const channel = placeOf(where.channel);
      const interaction = begin(channel, null, (given) => slashCommand(text, { workspace, person, channel, ...given }));
      return react(interaction, where.via, parts);
    },
    press: (message, label, via) => react(pressOf(message, label), via, parts),
    async edit(message, label, via) {
      const before = parts.views.modalOf(person.id);
      const interaction = pressOf(message, label);
      const opened = changed(parts.views, () => parts.views.modalOf(person.id) !== before);
      const reacted = react(interaction, via, parts);
      await Promise.race([opened, reacted]);
      return parts.views.modalOf(person.id) === before ? (await reacted).messages : user.form(via);
    },
    form(via = "socket") {
      const view = parts.views.modalOf(person.id);
      if (view === null) throw new Error(`${name} has no form open`);
      return createForm(view, wire(via));
    },
    home: (via = "socket") => createHomeUser(wire(via)),
    async again(interaction, via) {
      if (via === "http") await post(interaction, parts, { number: 1, reason: "http_timeout" });
      else await parts.socket.repeat(envelopeOf(interaction));
    },
    sees(channel) {
      const { id } = placeOf(channel);
      return workspace.messages.filter(
        (message) => message.channel === id && (message.onlyFor === null || message.onlyFor === person.id),
      );
    },
  };
  return user;
}

interface Given {
  readonly responseUrl: string;
  readonly triggerId: string;
  readonly at: number;
}

/** Resolves when the views have come to be so; never, where they do not. */
function changed(views: Views, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unfollow = views.onChange(() => {
      if (!isSo()) return;
      unfollow();
      resolve();
    });
  });
}

function labels(message: SlackMessage): readonly ShownButton["label"][] {
  return buttonsOn(message).map(({ label }) => label);
}

function envelopeOf({ envelopeId, kind, payload }: Interaction): Envelope {
  return { envelopeId, type: kind, payload };
}

async function react(interaction: Interaction, via: Via | undefined, parts: UserParts): Promise<Reaction> {
  const { workspace, responseUrls } = parts;
  const { url } = interaction;
  const before = workspace.messages.at(-1)?.number ?? 0;
  /** By its address, or as a message of its own: what a button shares is for all. */
  const cameOfIt = (): readonly SlackMessage[] => {
    const readers = interaction.kind === "interactive" ? [url.person, null] : [url.person];
    const others = workspace.messages.filter(
      ({ number, channel, onlyFor }) => number > before && channel === url.channel && readers.includes(onlyFor),
    );
    return [...new Set([...url.posted, ...others])];
  };
  const first = firstOf(workspace, cameOfIt);
  const ackMs = await hand(interaction, via ?? "socket", parts, (body) => responseUrls.answer(url, body));
  if (ackMs !== null) await first;
  return { ackMs, messages: cameOfIt(), interaction };
}

async function hand(
  interaction: Interaction,
  via: Via,
  parts: UserParts,
  answered: (body: Json) => void,
): Promise<number | null> {
  if (via === "socket") {
    const acknowledgement = await parts.socket.deliver(envelopeOf(interaction));
    if (acknowledgement === null) return null;
    if (saysSomething(acknowledgement.payload)) answered(acknowledgement.payload);
    return acknowledgement.ms;
  }
  const answer = await post(interaction, parts);
  if (answer.status !== 200) return null;
  if (answer.text !== "") {
    const body = answer.text.startsWith("{") ? (JSON.parse(answer.text) as Json) : { text: answer.text };
    if (saysSomething(body)) answered(body);
  }
  return answer.ms;
}

function saysSomething(body: Json): boolean {
  return body.text !== undefined || body.blocks !== undefined || body.attachments !== undefined;
}

function post(
  interaction: Interaction,
  { eventsUrl, signingSecret, now }: UserParts,
  retry?: { number: number; reason: string },
): Promise<SignedAnswer> {
  return sendSigned({
    url: eventsUrl(),
    secret: signingSecret,
    body: formBody(interaction),
    contentType: "application/x-www-form-urlencoded",
    at: now(),
    ...(retry === undefined ? {} : { retry }),
  });
}

/** Resolves when something came; also after a while without, so that a test sees what is there instead of hanging. */
function firstOf(workspace: Workspace, came: () => readonly SlackMessage[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unfollow();
      resolve();
    };
    const timer = setTimeout(end, PATIENCE_MS);
    // What a response address brings is noted right after the change that is heard here.
    const unfollow = workspace.onChange(() => queueMicrotask(() => (came().length > 0 ? end() : undefined)));
  });
}
