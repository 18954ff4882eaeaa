import { randomBytes } from "node:crypto";
import { PLATFORMS } from "../../chat/index.ts";
import type { PlatformDefinition, PlatformSetup, SetupQuestion } from "../../chat/platform-definition.ts";
import { allVariables, checkVariables } from "../../config/index.ts";
import { timezone } from "../../config/value-schemas.ts";
import { type CheckResult, fail, withPrefix } from "../../lib/check-result.ts";
import { systemClock } from "../../lib/clock.ts";
import { closestWord } from "../../lib/closest-word.ts";
import { quoteValue } from "../../lib/error-text.ts";
import { isOwnProgram } from "../../lib/package.ts";
import { useProxies } from "../../lib/proxies.ts";
import { createRedactor } from "../../lib/redact.ts";
import { SILENT_LOG } from "../../ports/log.ts";
import { formatCheck } from "../doctor.ts";
import { checkRemote } from "../doctor-data-service.ts";
import type { Invocation } from "../invocation.ts";
import type { ConfigurationFiles } from "./configuration-files.ts";
import { MAX_PIPED_ATTEMPTS, type ParsedAnswer, type Prompter, QuestionsEndedError } from "./prompter.ts";

type PlatformWithSetup = PlatformDefinition & { readonly setup: PlatformSetup };

const DEFAULT_TIMEZONE = "America/New_York";
const ADMIN_TOKEN_BYTES = 24;

/** Sources of data to choose from. */
const DATA_CHOICES = ["auto", "sample", "service"] as const;

/** What to do after a failed check. */
const FAILURE_ACTIONS = ["again", "keep", "skip"] as const;

interface VariableQuestion extends SetupQuestion {
  readonly isRequired?: boolean;
}

/** Questions for variables that are checked together. */
interface CheckedPart {
  readonly label: string;
  readonly questions: readonly VariableQuestion[];
  /** False to check the current values first. */
  readonly isAsked: boolean;
  readonly check: () => Promise<readonly CheckResult[]>;
}

/** The questions of `splitwatch init`. Answers become changes of the files, which are not written here. */
export class Interview {
  readonly #invocation: Invocation;
  readonly #prompter: Prompter;
  readonly #files: ConfigurationFiles;
  readonly #nextSteps: string[] = [];

  constructor(invocation: Invocation, prompter: Prompter, files: ConfigurationFiles) {
    this.#invocation = invocation;
    this.#prompter = prompter;
    this.#files = files;
  }

  async askAll(): Promise<void> {
    this.#print(
      "This sets up splitwatch. Press Enter to accept the value in brackets, or Ctrl+C to cancel.",
      "Files are written after the last question.",
    );
    for (const platform of await this.#askPlatforms()) await this.#askPlatform(platform);
    await this.#askAddress();
    await this.#askContact();
    await this.#askData();
    await this.#askTimezone();
  }

  /** Lines to print when the files are written. */
  nextSteps(): readonly string[] {
    const start = isOwnProgram() ? "Start splitwatch" : "Run npm start";
    const steps = [start, ...this.#nextSteps];
    return ["", "Next:", ...steps.map((step, index) => `  ${index + 1}. ${step}`)];
  }

  async #askPlatforms(): Promise<readonly PlatformWithSetup[]> {
    const available = PLATFORMS.filter((platform): platform is PlatformWithSetup => platform.setup !== undefined);
    const configured = available.filter((platform) => this.#isConfigured(platform));
    const names = available.map(({ name }) => name);
    const current = configured.map(({ name }) => name).join(", ") || "none";
    this.#print("", "The web chat needs no account. splitwatch can also connect to:", `  ${names.join(", ")}`);
    const chosen = await this.#prompter.ask({
      text: `Chat platforms (${names.join(", ")}, all or none) [${current}]:`,
      parse: (answer) => readNames(answer === "" ? current : answer, names),
    });
    for (const { name, label } of configured)
      if (!chosen.includes(name))
        this.#print(`${label} stays connected. To disconnect it, remove its variables from .env.`);
    return available.filter(({ name }) => chosen.includes(name));
  }

  #isConfigured({ name }: PlatformDefinition): boolean {
    return checkVariables(this.#files.variables, this.#invocation.folder).platforms.some(
      ({ definition }) => definition.name === name,
    );
  }

  async #askPlatform(platform: PlatformWithSetup): Promise<void> {
    const { label, setup } = platform;
    this.#print("", label);
    const isKept =
      this.#isConfigured(platform) && !(await this.#confirm(`${label} is already configured. Change it?`, false));
    if (!isKept) this.#print(...(await setup.introduction()));
    const results = await this.#askChecked({
      label,
      questions: setup.questions.map((question) => ({ ...question, isRequired: true })),
      isAsked: !isKept,
      check: () => this.#checkPlatform(platform),
    });
    if (results !== null) this.#addSteps(setup, results);
  }

  /** Asks the questions until the check passes. Returns its results; null if the user skips the part. */
  async #askChecked({ label, questions, isAsked, check }: CheckedPart): Promise<readonly CheckResult[] | null> {
    for (let attempt = 1; ; attempt += 1) {
      if (isAsked || attempt > 1) await this.#askVariables(questions);
      const results = await check();
      this.#printChecks(results);
      const action = results.every(({ status }) => status !== "fail")
        ? "keep"
        : await this.#askAfterFailure(label, attempt);
      if (action === "keep") return results;
      if (action === "skip") return this.#discard(questions);
    }
  }

  async #askVariables(questions: readonly VariableQuestion[]): Promise<void> {
    for (const question of questions) await this.#askVariable(question);
  }

  async #checkPlatform({ name, variables }: PlatformDefinition): Promise<readonly CheckResult[]> {
    const { problems, platforms, environment } = checkVariables(this.#files.variables, this.#invocation.folder);
    useProxies(environment.proxies);
    const own = problems.filter((problem) => variables.some((variable) => problem.startsWith(`${variable.name}:`)));
    const configured = platforms.find(({ definition }) => definition.name === name);
    if (own.length > 0 || configured === undefined) return own.map(fail);
    const context = {
      clock: systemClock,
      log: SILENT_LOG,
      server: environment,
      channels: [],
      installations: [],
    };
    return withPrefix(name, await configured.definition.check(configured.settings, context));
  }

  async #askAfterFailure(label: string, attempt: number): Promise<(typeof FAILURE_ACTIONS)[number]> {
    const action = await this.#prompter.ask({
      text: `Enter the values again, keep them anyway, or skip ${label} (again, keep or skip) [again]:`,
      parse: (answer) => readChoice(answer, FAILURE_ACTIONS, "again"),
    });
    if (action === "again" && !this.#prompter.isTerminal && attempt >= MAX_PIPED_ATTEMPTS)
      throw new QuestionsEndedError(`the checks of ${label} failed ${attempt} times`, false);
    return action;
  }

  #discard(questions: readonly VariableQuestion[]): null {
    for (const { variable } of questions) this.#files.discard(variable);
    return null;
  }

  #addSteps({ nextSteps }: PlatformSetup, results: readonly CheckResult[]): void {
    for (const { inviteLink } of results)
      if (inviteLink !== undefined) this.#nextSteps.push(`Add the bot to your server: ${inviteLink}`);
    this.#nextSteps.push(...nextSteps);
  }

  async #askAddress(): Promise<void> {
    this.#print(
      "",
      "Public address: only needed if other machines reach splitwatch, for links in messages and calendars.",
    );
    await this.#askVariable({ variable: "PUBLIC_URL", text: "Public address, such as https://splitwatch.example.com" });
    const { PUBLIC_URL: publicUrl, ADMIN_TOKEN: adminToken } = this.#files.variables;
    if (publicUrl === undefined || adminToken !== undefined) return;
    this.#print("At that address, the web page answers only to people who know the ADMIN_TOKEN.");
    if (!(await this.#confirm("Create an ADMIN_TOKEN in .env?", true))) return;
    this.#files.setVariable("ADMIN_TOKEN", randomBytes(ADMIN_TOKEN_BYTES).toString("base64url"));
    this.#nextSteps.push(`Open ${publicUrl} and sign in with the ADMIN_TOKEN from .env`);
  }

  async #askContact(): Promise<void> {
    this.#print("", "The SEC requires a mail address in each request. Without one, its filings are not read.");
    await this.#askVariable({ variable: "SPLITWATCH_CONTACT", text: "Mail address for the SEC" });
  }

  async #askData(): Promise<void> {
    const current = this.#currentData();
    this.#print(
      "",
      "Data:",
      "  auto     live sources, and sample data in the web chat until one of them can be read",
      "  sample   invented companies, to try splitwatch; shown in the web chat only",
      "  service  a Reverse Stock Split Data Service that runs elsewhere",
    );
    const choices = isDataChoice(current) ? DATA_CHOICES : [...DATA_CHOICES, current];
    const chosen = await this.#prompter.ask({
      text: `Data (${choices.join(", ")}) [${current}]:`,
      parse: (answer) => readChoice(answer, choices, current),
    });
    if (chosen === "service") return this.#askService();
    if (this.#files.variables.SPLITS_API_URL !== undefined)
      this.#print("SPLITS_API_URL is set and takes precedence. Remove it to use this choice.");
    if (chosen !== current || isDataChoice(chosen)) this.#files.setSetting(["service", "source"], chosen);
  }

  /** The current choice, or the folder or word in the settings file. */
  #currentData(): string {
    if (this.#files.variables.SPLITS_API_URL !== undefined) return "service";
    return this.#files.setting(["service", "source"]) ?? "auto";
  }

  async #askService(): Promise<void> {
    await this.#askChecked({
      label: "the data service",
      questions: [
        { variable: "SPLITS_API_URL", text: "Address of the service, without /v1", isRequired: true },
        { variable: "SPLITS_API_KEY", text: "API key of the service" },
      ],
      isAsked: true,
      check: async () => {
        const { splitsApi, proxies } = checkVariables(this.#files.variables, this.#invocation.folder).environment;
        useProxies(proxies);
        return splitsApi === null ? [] : checkRemote(splitsApi);
      },
    });
  }

  async #askTimezone(): Promise<void> {
    const current = this.#files.setting(["timezone"]) ?? DEFAULT_TIMEZONE;
    const schema = timezone();
    this.#print("");
    const zone = await this.#prompter.ask({
      text: `Time zone of reminders, digests and quiet hours [${current}]:`,
      parse: (answer): ParsedAnswer<string> => {
        const { data, error } = schema.safeParse(answer === "" ? current : answer);
        return error ? { problem: `got ${quoteValue(answer)}, expected ${error.issues[0]?.message}` } : { value: data };
      },
    });
    this.#files.setSetting(["timezone"], zone);
  }

  /** Asks for a variable. An empty answer keeps its value, or leaves an optional variable unset. */
  async #askVariable({ variable, text, isRequired = false, form }: VariableQuestion): Promise<void> {
    if (this.#files.isSetElsewhere(variable)) return this.#print(`${variable} is set outside .env and stays as it is.`);
    const isHidden = allVariables().some(({ name, isSecret }) => name === variable && isSecret === true);
    const current = this.#files.variables[variable];
    const value = await this.#prompter.ask({
      text: `${text}${defaultHint({ current, isHidden, isRequired })}:`,
      isHidden,
      parse: (answer): ParsedAnswer<string | null> => {
        if (answer === "" && (current !== undefined || !isRequired)) return { value: null };
        const problem =
          answer === "" ? `${variable}: got nothing, expected a value` : this.#problemOf(variable, answer, form);
        return problem === null ? { value: answer } : { problem };
      },
    });
    if (value !== null && value !== current) this.#files.setVariable(variable, value);
  }

  #problemOf(variable: string, value: string, form: VariableQuestion["form"]): string | null {
    const { problems } = checkVariables({ ...this.#files.variables, [variable]: value }, this.#invocation.folder);
    const problem = problems.find((text) => text.startsWith(`${variable}:`));
    if (problem !== undefined) return problem;
    const fits = form === undefined || form.pattern.test(value);
    return fits ? null : `${variable}: got another value, expected ${form.expected}`;
  }

  #confirm(text: string, byDefault: boolean): Promise<boolean> {
    return this.#prompter.ask({
      text: `${text} (yes or no) [${byDefault ? "yes" : "no"}]:`,
      parse: (answer) => {
        const choice = readChoice(answer, ["yes", "no"], byDefault ? "yes" : "no");
        return "value" in choice ? { value: choice.value === "yes" } : choice;
      },
    });
  }

  #print(...lines: readonly string[]): void {
    for (const line of lines) this.#invocation.out(line);
  }

  #printChecks(results: readonly CheckResult[]): void {
    const { variables } = this.#files;
    const secrets = allVariables().flatMap(({ name, isSecret }) => (isSecret ? (variables[name] ?? []) : []));
    const redact = createRedactor(
      secrets,
      PLATFORMS.flatMap(({ credentialPattern }) => credentialPattern ?? []),
    );
    for (const result of results) this.#print(`  ${redact(formatCheck(result))}`);
  }
}

/** The value that an empty answer selects, in brackets. */
function defaultHint({
  current,
  isHidden,
  isRequired,
}: {
  readonly current: string | undefined;
  readonly isHidden: boolean;
  readonly isRequired: boolean;
}): string {
  if (current !== undefined) return ` [${isHidden ? "keep the current one" : current}]`;
  return isRequired ? "" : " [none]";
}

function isDataChoice(text: string): boolean {
  return DATA_CHOICES.some((choice) => choice === text);
}

/** Parses one of `choices`, or its beginning if that is unambiguous. */
function readChoice<T extends string>(answer: string, choices: readonly T[], byDefault: T): ParsedAnswer<T> {
  const word = answer.toLowerCase();
  if (word === "") return { value: byDefault };
  const exact = choices.find((choice) => choice === answer);
  const [match, ...others] = choices.filter((choice) => choice.startsWith(word));
  if (exact !== undefined) return { value: exact };
  if (match !== undefined && others.length === 0) return { value: match };
  return { problem: `got ${quoteValue(answer)}, expected ${choices.slice(0, -1).join(", ")} or ${choices.at(-1)}` };
}

/** Parses a list of names, `all` or `none`. */
function readNames(answer: string, names: readonly string[]): ParsedAnswer<readonly string[]> {
  const words = answer
    .toLowerCase()
    .split(/[\s,+]+|\band\b/)
    .filter((word) => word !== "");
  if (words.length === 1 && words[0] === "none") return { value: [] };
  if (words.length === 1 && (words[0] === "all" || words[0] === "both")) return { value: names };
  const unknown = words.find((word) => !names.includes(word));
  if (unknown === undefined) return { value: words };
  const suggestion = closestWord(unknown, names);
  const hint = suggestion === undefined ? "" : `; did you mean ${suggestion}?`;
  return { problem: `got ${quoteValue(unknown)}, expected ${names.join(", ")}, all or none${hint}` };
}
