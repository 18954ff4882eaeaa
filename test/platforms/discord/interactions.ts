import { setProcessTimeout, startStopwatch } from "../../support/process-time.ts";
import { refusals } from "./api-error.ts";
import {
  asText,
  buttonsOf,
  isEphemeral,
  isJson,
  type Json,
  type Message,
  objectsIn,
  type PressableButton,
  textOf,
} from "./model.ts";
import { edit, type Posting } from "./posting.ts";
import type { Channel } from "./world.ts";

/** Discord accepts the first response within three seconds, here of the process's own time. */
export const ACKNOWLEDGE_WITHIN_MS = 3_000;
const TOKEN_LIFETIME_MS = 15 * 60_000;

/** Deadline of tests for the rest of a deferred answer. */
const DEFERRED_TIMEOUT_MS = 30_000;

/** The app did not answer in time. */
export class NoAnswerError extends Error {}

export interface Choice {
  readonly name: string;
  readonly value: unknown;
}

/** An answer as the person sees it. */
export interface Answer {
  /** Milliseconds until it was acknowledged. */
  readonly acknowledgedMs: number;
  readonly deferred: boolean;
  readonly ephemeral: boolean;
  /** The message in its current or last form. */
  readonly message: Message;
  readonly text: string;
  readonly buttons: readonly PressableButton[];
  readonly followUps: readonly Message[];
  readonly choices: readonly Choice[];
}

/** The kinds of callback, by Discord's numbers. */
const CALLBACK = { message: 4, deferredMessage: 5, deferredUpdate: 6, update: 7, choices: 8 } as const;

/** One action of a person, and the response of the app. */
class Interaction {
  readonly id: string;
  readonly token: string;
  readonly type: number;
  readonly channel: Channel;
  /** Message of the pressed button. */
  readonly source: Message | null;
  readonly #elapsedMs = startStopwatch();
  readonly followUps: Message[] = [];
  original: Message | null = null;
  acknowledgedMs: number | null = null;
  deferred = false;
  choices: readonly Choice[] = [];
  readonly settled: Promise<void>;
  settle: () => void = () => undefined;
  fail: (error: Error) => void = () => undefined;

  constructor(parts: { id: string; type: number; channel: Channel; source: Message | null }) {
    this.id = parts.id;
    this.type = parts.type;
    this.token = `token-of-${parts.id}`;
    this.channel = parts.channel;
    this.source = parts.source;
    this.settled = new Promise((resolve, reject) => {
      this.settle = resolve;
      this.fail = reject;
    });
  }

  get age(): number {
    return this.#elapsedMs();
  }
}

/** Interactions with commands and buttons, and their responses. */
export class Interactions {
  readonly #posting: Posting;
  readonly #botId: string;
  readonly #acknowledgeWithinMs: number;
  readonly #open = new Map<string, Interaction>();
  /** Milliseconds to the first response of each interaction. */
  readonly acknowledgedMs: number[] = [];

  constructor(posting: Posting, botId: string, acknowledgeWithinMs: number) {
    this.#posting = posting;
    this.#botId = botId;
    this.#acknowledgeWithinMs = acknowledgeWithinMs;
  }

  begin(parts: { id: string; type: number; channel: Channel; source: Message | null }): Interaction {
    const interaction = new Interaction(parts);
    this.#open.set(interaction.token, interaction);
    return interaction;
  }

  /** Resolves with the complete answer; rejects when Discord would report that the app did not respond. */
  async answerTo(interaction: Interaction): Promise<Answer> {
    const cancelDeadline = setProcessTimeout(() => {
      if (interaction.acknowledgedMs === null)
        interaction.fail(
          new NoAnswerError(`the app did not respond within ${this.#acknowledgeWithinMs / 1_000} seconds`),
        );
    }, this.#acknowledgeWithinMs);
    const givenUp = setTimeout(
      () => interaction.fail(new NoAnswerError("the deferred answer never came")),
      DEFERRED_TIMEOUT_MS,
    );
    try {
      await interaction.settled;
    } finally {
      cancelDeadline();
      clearTimeout(givenUp);
    }
    return answerOf(interaction);
  }

  /** Message that the callback created or changed; null if there is none. */
  callback(token: string, body: Json): Message | null {
    const interaction = this.#known(token);
    if (interaction.acknowledgedMs !== null) throw refusals.acknowledgedBefore();
    if (interaction.age > this.#acknowledgeWithinMs) throw refusals.unknownInteraction();
    const type = Number(body.type);
    this.#refuseMisfit(interaction, type);
    this.#apply(interaction, type, isJson(body.data) ? body.data : {});
    interaction.acknowledgedMs = interaction.age;
    interaction.deferred = type === CALLBACK.deferredMessage || type === CALLBACK.deferredUpdate;
    this.acknowledgedMs.push(interaction.acknowledgedMs);
    if (!interaction.deferred) interaction.settle();
    return interaction.original;
  }

  #apply(interaction: Interaction, type: number, data: Json): void {
    switch (type) {
      case CALLBACK.message:
      case CALLBACK.deferredMessage:
        interaction.original = this.#reply(interaction, data);
        return;
      case CALLBACK.update:
        if (interaction.source) edit(interaction.source, data);
        interaction.original = interaction.source;
        return;
      case CALLBACK.deferredUpdate:
        interaction.original = interaction.source;
        return;
      case CALLBACK.choices:
        interaction.choices = objectsIn(data.choices).map(({ name, value }) => ({ name: asText(name), value }));
        return;
      default:
        throw refusals.invalidForm([`type: ${type}`]);
    }
  }

  editOriginal(token: string, body: Json): Message {
    const interaction = this.#acknowledged(token);
    if (!interaction.original) throw refusals.unknownMessage();
    edit(interaction.original, body);
    interaction.settle();
    return interaction.original;
  }

  original(token: string): Message {
    const { original } = this.#acknowledged(token);
    if (!original) throw refusals.unknownMessage();
    return original;
  }

  deleteOriginal(token: string): void {
    const interaction = this.#acknowledged(token);
    const removed = this.original(token);
    const { messages } = interaction.channel;
    const index = messages.indexOf(removed);
    if (index >= 0) messages.splice(index, 1);
    interaction.original = null;
  }

  followUp(token: string, body: Json): Message {
    const interaction = this.#acknowledged(token);
    const message = this.#reply(interaction, body);
    interaction.followUps.push(message);
    if (interaction.source) interaction.settle();
    return message;
  }

  /** A follow-up by its id. */
  find(token: string, id: string): Message {
    const found = this.#acknowledged(token).followUps.find((message) => message.id === id);
    if (!found) throw refusals.unknownMessage();
    return found;
  }

  /** Ephemeral messages are not added to the channel. */
  #reply({ channel }: Interaction, body: Json): Message {
    const message = this.#posting.compose(channel, body, this.#botId);
    if (!isEphemeral(message)) channel.messages.push(message);
    return message;
  }

  #refuseMisfit({ type, source }: Interaction, callback: number): void {
    const misfit = (callback === CALLBACK.choices) !== (type === 4);
    if (misfit || (callback === CALLBACK.update && !source)) throw refusals.invalidForm([`type: ${callback}`]);
  }

  #known(token: string): Interaction {
    const interaction = this.#open.get(token);
    if (!interaction) throw refusals.unknownInteraction();
    return interaction;
  }

  #acknowledged(token: string): Interaction {
    const interaction = this.#open.get(token);
    if (!interaction || interaction.acknowledgedMs === null) throw refusals.unknownWebhook();
    if (interaction.age > TOKEN_LIFETIME_MS) throw refusals.invalidToken();
    return interaction;
  }
}

export type { Interaction };

function answerOf(interaction: Interaction): Answer {
  const message = interaction.original ?? interaction.followUps.at(-1);
  if (!message && interaction.type !== 4) throw new Error("the app acknowledged, but did not answer");
  const shown = message ?? ({ content: "", embeds: [], components: [], flags: 0 } as unknown as Message);
  return {
    acknowledgedMs: interaction.acknowledgedMs ?? Number.NaN,
    deferred: interaction.deferred,
    ephemeral: isEphemeral(shown),
    message: shown,
    get text() {
      return textOf(shown);
    },
    get buttons() {
      return buttonsOf(shown);
    },
    followUps: interaction.followUps,
    choices: interaction.choices,
  };
}
