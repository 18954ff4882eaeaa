import {
  type APIApplicationCommandInteractionDataBasicOption,
  type APIChatInputApplicationCommandInteraction,
  type APICommandAutocompleteInteractionResponseCallbackData,
  ApplicationCommandOptionType,
  ApplicationCommandType,
  ApplicationIntegrationType,
  DiscordAPIError,
  InteractionContextType,
  type RESTPutAPIApplicationCommandsJSONBody,
  type RouteLike,
  Routes,
} from "discord.js";
import type { Command, PlatformHints, StructuredCommand } from "../../commands/command.ts";
import type { ValueSuggestion } from "../../commands/index.ts";
import { type OptionSpec, optionKind, summaryWithHint } from "../../commands/parser/option-kinds.ts";
import { backoffMs } from "../../lib/backoff.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { isJsonObject } from "../../lib/json.ts";
import type { PartialProblem } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Api } from "./api.ts";
import { inviteLink } from "./permissions.ts";

export const COMMAND_NAME = "splits";

export const HINTS: PlatformHints = { mention: "a role", file: "use the file option" };

const MAX_DESCRIPTION_LENGTH = 100;
const MAX_CHOICES = 25;
const MAX_CHOICE_LENGTH = 100;

const MAX_OPTION_LENGTH = 6_000;

type CommandPayload = RESTPutAPIApplicationCommandsJSONBody[number];

export interface OptionPayload {
  readonly type:
    | ApplicationCommandOptionType.String
    | ApplicationCommandOptionType.Integer
    | ApplicationCommandOptionType.Attachment
    | ApplicationCommandOptionType.Role;
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  readonly autocomplete?: boolean;
  readonly choices?: readonly { readonly name: string; readonly value: string }[];
  readonly min_value?: number;
  readonly max_value?: number;
  readonly max_length?: number;
}

/** `/splits` with one subcommand per command. Discord has no permissions per subcommand, so they are checked at each use. */
export function commandPayloads(commands: readonly Command[]): readonly CommandPayload[] {
  return [
    {
      type: ApplicationCommandType.ChatInput,
      name: COMMAND_NAME,
      description: "Reverse stock splits: announced, changed, due and effective",
      integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
      contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
      options: commands.map(({ name, summary, options }) => ({
        type: ApplicationCommandOptionType.Subcommand,
        name,
        description: cutDescription(summary),
        options: optionPayloads(options),
      })),
    } as CommandPayload,
  ];
}

/** Options of a subcommand. Discord requires mandatory options to come first. */
function optionPayloads(specs: Command["options"]): readonly OptionPayload[] {
  const visible = Object.entries(specs).filter(([, { hidden }]) => hidden !== true);
  return visible
    .toSorted(([, a], [, b]) => Number(b.required ?? false) - Number(a.required ?? false))
    .map(([name, spec]) => ({
      name,
      description: cutDescription(summaryWithHint(spec, HINTS)),
      required: spec.required ?? false,
      ...inputPayload(spec),
    }));
}

/** Returns Discord's input for the kind of the option. */
function inputPayload(spec: OptionSpec): Omit<OptionPayload, "name" | "description" | "required"> {
  const { input, suggest } = optionKind(spec);
  const completion = suggest ? { autocomplete: true } : {};
  switch (input.type) {
    case "mention":
      return { type: ApplicationCommandOptionType.Role };
    case "file":
      return { type: ApplicationCommandOptionType.Attachment };
    case "integer":
      return { type: ApplicationCommandOptionType.Integer, min_value: input.min, max_value: input.max };
    case "text": {
      const length = input.maxLength === undefined ? {} : { max_length: Math.min(input.maxLength, MAX_OPTION_LENGTH) };
      return { type: ApplicationCommandOptionType.String, ...length, ...completion };
    }
    case "choices": {
      const choices = input.isMultiple ? [] : input.choices(spec, { exchanges: [] });
      const isListed = choices.length > 0 && choices.length <= MAX_CHOICES;
      const listedChoices = choices.map((choice) => ({ name: input.label(choice), value: choice }));
      return { type: ApplicationCommandOptionType.String, ...(isListed ? { choices: listedChoices } : completion) };
    }
  }
}

function cutDescription(summary: string): string {
  return cutText(summary, MAX_DESCRIPTION_LENGTH);
}

/** Returns the subcommand and its option values. */
export function structuredCommandOf({ data }: APIChatInputApplicationCommandInteraction): StructuredCommand {
  const subcommand = data.options?.find(({ type }) => type === ApplicationCommandOptionType.Subcommand);
  if (subcommand?.type !== ApplicationCommandOptionType.Subcommand) return { name: "help", values: {} };
  const values = (subcommand.options ?? []).map((option) => [option.name, typedValue(option)] as const);
  return { name: subcommand.name, values: Object.fromEntries(values) };
}

/** Converts the ID of a role to a mention. Other values are unchanged. */
function typedValue(option: APIApplicationCommandInteractionDataBasicOption): string | number | boolean {
  return option.type === ApplicationCommandOptionType.Role ? `<@&${option.value}>` : option.value;
}

/** Converts suggestions to Discord's choices. A choice replaces the whole text of the option, including earlier values. */
export function choicesOf(
  suggestions: readonly ValueSuggestion[],
): APICommandAutocompleteInteractionResponseCallbackData {
  const choices = suggestions
    .filter(({ value }) => value.length <= MAX_CHOICE_LENGTH)
    .slice(0, MAX_CHOICES)
    .map(({ value, hint }) => ({ name: choiceName(value.replaceAll(",", ", "), hint), value }));
  return { choices };
}

function choiceName(value: string, hint: string): string {
  return cutText(sanitizeText(hint === "" ? value : `${value} · ${hint}`).replace(/\s+/g, " "), MAX_CHOICE_LENGTH);
}

const RETRY = { firstMs: 5_000, maxMs: 10 * 60_000 };

interface RegistrationParts {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly commands: readonly Command[];
  readonly signal: AbortSignal;
}

/** Registration of the commands, which is repeated until it succeeds. */
export interface Registration {
  /** Starts it; further calls do nothing. */
  start(applicationId: string): void;
  /** Why it failed, unless Discord rejects the token; null if it didn't. */
  readonly problem: PartialProblem | null;
  /** Resolves when it is over or was aborted. */
  ended(): Promise<void>;
}

export function createRegistration(parts: RegistrationParts): Registration {
  let running: Promise<void> | null = null;
  let current: PartialProblem | null = null;
  const onProblem = (problem: PartialProblem | null): void => {
    current = problem;
  };
  return {
    start(applicationId) {
      running ??= registerCommands(applicationId, { ...parts, onProblem });
    },
    get problem() {
      return current;
    },
    async ended() {
      await running;
    },
  };
}

/** Registers the commands, with retries. Unchanged commands are not written: Discord limits the number of changes. */
async function registerCommands(
  applicationId: string,
  {
    api,
    clock,
    log,
    commands: list,
    signal,
    onProblem,
  }: RegistrationParts & { readonly onProblem: (problem: PartialProblem | null) => void },
): Promise<void> {
  const commands = commandPayloads(list);
  const since = clock.now();
  const route = Routes.applicationCommands(applicationId);
  log.info("discord invite link", { url: inviteLink(applicationId) });
  for (let failures = 1; !signal.aborted; failures += 1) {
    try {
      if (!isRegistered(await readRegistered(api, route), commands)) {
        await api.call("put", route, { body: commands });
        log.info("discord commands registered", { commands: commands.length });
      }
      onProblem(null);
      return;
    } catch (error) {
      const retryMs = backoffMs(failures, RETRY);
      if (api.rejection === null) {
        onProblem({ reason: registrationProblem(error), since, retryAt: clock.now() + retryMs });
        log.warn("discord command registration failed", { error, retryMs });
      }
      await clock.sleep(retryMs, signal);
    }
  }
}

/** Error code of Discord: 200 commands were created today. */
const DAILY_LIMIT_REACHED = 30_034;

function registrationProblem(error: unknown): string {
  const isLimit = error instanceof DiscordAPIError && error.code === DAILY_LIMIT_REACHED;
  const reason = isLimit
    ? "Discord refuses to register the commands: it allows 200 new commands a day (30034)"
    : `Discord doesn't register the commands: ${errorMessage(error)}`;
  return `${reason}; /splits is missing or has the options of an earlier version, and alerts are sent`;
}

/** Reads the registered commands. Returns null if a proxy does not support the request. */
async function readRegistered(api: Api, route: RouteLike): Promise<unknown> {
  try {
    return await api.call("get", route);
  } catch (error) {
    if (error instanceof DiscordAPIError && error.status === 404) return null;
    throw error;
  }
}

/** Compares commands. Ignores IDs and versions, omitted defaults, and the order of contexts and installation types. */
export function isRegistered(registered: unknown, expected: unknown): boolean {
  return JSON.stringify(normalize(registered)) === JSON.stringify(normalize(expected));
}

/** Compared keys with the values that Discord assumes when they are omitted. */
const DEFAULTS = {
  type: 1,
  name: "",
  description: "",
  required: false,
  autocomplete: false,
  nsfw: false,
  default_member_permissions: null,
  min_value: null,
  max_value: null,
  max_length: null,
  value: null,
} as const;

function normalize(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalize);
  if (!isJsonObject(value)) return value;
  const { contexts, integration_types: types, options, choices } = value;
  const fields = Object.entries(DEFAULTS).map(([key, fallback]) => [key, value[key] ?? fallback] as const);
  return {
    ...Object.fromEntries(fields),
    contexts: sortTexts(contexts),
    types: sortTexts(types),
    options: normalize(options ?? []),
    choices: normalize(choices ?? []),
  };
}

function sortTexts(list: unknown): readonly unknown[] {
  return Array.isArray(list) ? list.map(String).toSorted() : [];
}
