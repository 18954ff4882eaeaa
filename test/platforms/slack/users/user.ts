import type { ResponseUrls } from "../server/response-urls.ts";
import { type SignedAnswer, sendSigned } from "../server/signed-request.ts";
import type { Envelope, SocketMode } from "../server/socket-mode.ts";
import type { Views } from "../server/views.ts";
import type { Json, SlackChannel, SlackMessage, Workspace } from "../server/workspace.ts";
import { createForm, type Form } from "./form.ts";
import { createHomeUser, type HomeUser } from "./home-user.ts";
import { blockActions, formBody, type Interaction, slashCommand } from "./interactions.ts";
import { buttonsOn, type ShownButton, shownText } from "./message-text.ts";
import { createViewTransport } from "./view-transport.ts";

export type Via = "socket" | "http";

/** Real milliseconds. */
const ANSWER_TIMEOUT_MS = 10_000;

export interface SlashOptions {
  /** Channel name. Default: direct messages with the app. */
  readonly channel?: string;
  readonly via?: Via;
}

/** The app's reaction to a command or button press. */
export interface Reaction {
  /** Milliseconds of the process's own time until the acknowledgement; null if there was none. */
  readonly ackMs: number | null;
  /** Answer, in the order of arrival. */
  readonly messages: readonly SlackMessage[];
  /** For repeating it. */
  readonly interaction: Interaction;
}

/** A user of the workspace, whose actions reach the app through Slack's protocols. */
export interface SlackUser {
  readonly id: string;
  readonly name: string;
  /** Types `/splits <text>` and waits for the first message of the answer. */
  slash(text: string, where?: SlashOptions): Promise<Reaction>;
  /** Types `/splits <text>`; returns the displayed text of the answer. */
  answerTo(text: string, where?: SlashOptions): Promise<string>;
  /** Presses the button whose label starts with `label`. */
  press(message: SlackMessage, label: string, via?: Via): Promise<Reaction>;
  /** Presses a button that opens a form. Waits for the form, or for messages that explain why it did not open. */
  edit(message: SlackMessage, label: string, via?: Via): Promise<Form | readonly SlackMessage[]>;
  /** The open form. */
  form(via?: Via): Form;
  /** The user's home tab. */
  home(via?: Via): HomeUser;
  /** Repeats the request, as Slack does without an acknowledgement. Resolves when it is acknowledged. */
  repeat(interaction: Interaction, via?: Via): Promise<void>;
  /** All messages that the user sees in a channel or in direct messages. */
  visibleMessages(channel?: string): readonly SlackMessage[];
}

export interface UserParts {
  readonly workspace: Workspace;
  readonly views: Views;
  readonly socket: SocketMode;
  readonly responseUrls: ResponseUrls;
  readonly signingSecret: string;
  /** URL for signed requests. */
  readonly eventsUrl: () => string;
  readonly responseUrl: (id: string) => string;
  readonly now: () => number;
  /** Sends an event to the app. */
  readonly sendEvent: (event: Json, via: Via) => Promise<void>;
}

/** Interaction ids are unique across servers. */
let interactionCount = 0;

export function createUser(name: string, parts: UserParts): SlackUser {
  const { workspace } = parts;
  const person = [...workspace.people.values()].find((candidate) => candidate.name === name);
  if (!person) throw new Error(`the test's workspace has no ${name}`);

  const channelOf = (channel: string | undefined): SlackChannel => {
    if (channel === undefined) return workspace.directChannel(person.id);
    const found = [...workspace.channels.values()].find((candidate) => candidate.name === channel);
    if (!found) throw new Error(`the test's workspace has no #${channel}`);
    return found;
  };

  function begin(
    channel: SlackChannel,
    source: SlackMessage | null,
    payload: (given: InteractionIds) => Json,
  ): Interaction {
    const url = parts.responseUrls.create({
      person: person?.id ?? "",
      channel: channel.id,
      threadTs: source?.threadTs ?? null,
      source,
    });
    interactionCount += 1;
    const number = interactionCount;
    const given = {
      responseUrl: parts.responseUrl(url.id),
      triggerId: parts.views.createTrigger(person?.id ?? ""),
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

  const wire = (via: Via): ReturnType<typeof createViewTransport> => createViewTransport(person, via, parts);

  const user: SlackUser = {
    id: person.id,
    name,
    slash(text, where = {}) {
      const channel = channelOf(where.channel);
      const interaction = begin(channel, null, (given) => slashCommand(text, { workspace, person, channel, ...given }));
      return react(interaction, where.via, parts);
    },
    async answerTo(text, where) {
      const { messages } = await user.slash(text, where);
      return messages.map(shownText).join("\n");
    },
    press: (message, label, via) => react(pressOf(message, label), via, parts),
    async edit(message, label, via) {
      const before = parts.views.modalOf(person.id);
      const interaction = pressOf(message, label);
      const opened = viewsChange(parts.views, () => parts.views.modalOf(person.id) !== before);
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
    async repeat(interaction, via) {
      if (via === "http") await post(interaction, parts, { number: 1, reason: "http_timeout" });
      else await parts.socket.repeat(envelopeOf(interaction));
    },
    visibleMessages(channel) {
      const { id } = channelOf(channel);
      return workspace.messages.filter(
        (message) => message.channel === id && (message.onlyFor === null || message.onlyFor === person.id),
      );
    },
  };
  return user;
}

interface InteractionIds {
  readonly responseUrl: string;
  readonly triggerId: string;
  readonly at: number;
}

/** Resolves after a change of the views that meets the condition. */
function viewsChange(views: Views, condition: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    const unsubscribe = views.onChange(() => {
      if (!condition()) return;
      unsubscribe();
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
  /** Messages through the response URL and others in the channel; the result of a button may be visible to all. */
  const newMessages = (): readonly SlackMessage[] => {
    const readers = interaction.kind === "interactive" ? [url.person, null] : [url.person];
    const others = workspace.messages.filter(
      ({ number, channel, onlyFor }) => number > before && channel === url.channel && readers.includes(onlyFor),
    );
    return [...new Set([...url.posted, ...others])];
  };
  const first = waitForMessage(workspace, newMessages);
  const ackMs = await deliver(interaction, via ?? "socket", parts, (body) => responseUrls.respond(url, body));
  if (ackMs !== null) await first;
  return { ackMs, messages: newMessages(), interaction };
}

async function deliver(
  interaction: Interaction,
  via: Via,
  parts: UserParts,
  onContent: (body: Json) => void,
): Promise<number | null> {
  if (via === "socket") {
    const acknowledgement = await parts.socket.deliver(envelopeOf(interaction));
    if (acknowledgement === null) return null;
    if (hasContent(acknowledgement.payload)) onContent(acknowledgement.payload);
    return acknowledgement.ms;
  }
  const answer = await post(interaction, parts);
  if (answer.status !== 200) return null;
  if (answer.text !== "") {
    const body = answer.text.startsWith("{") ? (JSON.parse(answer.text) as Json) : { text: answer.text };
    if (hasContent(body)) onContent(body);
  }
  return answer.ms;
}

function hasContent(body: Json): boolean {
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

/** Resolves with the first message, or after a timeout, so that the test fails with the messages so far. */
function waitForMessage(workspace: Workspace, messages: () => readonly SlackMessage[]): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    const timer = setTimeout(end, ANSWER_TIMEOUT_MS);
    // Messages of a response URL are recorded just after this notification.
    const unsubscribe = workspace.onChange(() => queueMicrotask(() => (messages().length > 0 ? end() : undefined)));
  });
}
