import { realpath } from "node:fs/promises";
import { dirname, relative, resolve } from "node:path";
import { type Document, isMap, parseDocument } from "yaml";
import { parseDotEnv } from "../../config/dot-env.ts";
import { readEnvironment, type Variables } from "../../config/environment.ts";
import { allVariables, ConfigError, type ConfigInput, readConfig } from "../../config/index.ts";
import { makeFolder, readIfExists, writeDurably } from "../../lib/durable-file.ts";
import { errorMessage } from "../../lib/error-text.ts";
import { setVariables } from "./env-file.ts";

const DEFAULT_SETTINGS_FILE = "config/local.yaml";
const SETTINGS_HEADER = " Settings that are merged over config/default.yaml, which lists and explains all of them.";

/** The files that `init` writes, with the changes that are not written yet. */
export class ConfigurationFiles {
  readonly #input: ConfigInput;
  readonly #dotEnvPath: string;
  readonly #dotEnv: string;
  readonly #settingsPath: string;
  readonly #settings: Document;
  readonly #savedVariables: Variables;
  readonly #changes = new Map<string, string>();

  private constructor(input: ConfigInput, saved: Variables, texts: { dotEnv: string; settings: string; path: string }) {
    this.#input = input;
    this.#dotEnvPath = resolve(input.folder, ".env");
    this.#dotEnv = texts.dotEnv;
    this.#settingsPath = texts.path;
    this.#settings = parseSettings(texts.path, texts.settings);
    this.#savedVariables = saved;
  }

  /** Reads the existing files. Throws a ConfigError if one of them can't be read. */
  static async read(input: ConfigInput): Promise<ConfigurationFiles> {
    const problems: string[] = [];
    const saved = readEnvironment(allVariables(), input.env, input.folder, { problems, warnings: [] });
    if (problems.length > 0) throw new ConfigError(problems);
    const path = resolve(input.folder, saved.SPLITWATCH_CONFIG ?? DEFAULT_SETTINGS_FILE);
    const [dotEnv, settings] = await Promise.all([
      readIfExists(resolve(input.folder, ".env")),
      readIfExists(path).catch((error: unknown) => {
        throw new ConfigError([`${path}: expected a readable file (${errorMessage(error)})`]);
      }),
    ]);
    return new ConfigurationFiles(input, saved, {
      dotEnv: dotEnv?.toString("utf8") ?? "",
      settings: settings?.toString("utf8") ?? "",
      path,
    });
  }

  /** The variables that apply, including changes. */
  get variables(): Variables {
    return { ...this.#savedVariables, ...Object.fromEntries(this.#changes) };
  }

  /** True if the variable is set by the process or by a secret file, where a line in .env would not replace it. */
  isSetElsewhere(name: string): boolean {
    const saved = this.#savedVariables[name];
    return saved !== undefined && parseDotEnv(this.#dotEnv)[name]?.trim() !== saved;
  }

  setVariable(name: string, value: string): void {
    this.#changes.set(name, value);
  }

  /** Discards the change of a variable. */
  discard(name: string): void {
    this.#changes.delete(name);
  }

  /** Text of a setting in the settings file; null if it has none. */
  setting(path: readonly string[]): string | null {
    const value: unknown = this.#settings.getIn(path);
    return typeof value === "string" ? value : null;
  }

  setSetting([section, ...keys]: readonly [string, ...string[]], value: string): void {
    // A section without keys is null, in which nothing can be set.
    if (keys.length > 0 && !isMap(this.#settings.get(section)))
      this.#settings.set(section, this.#settings.createNode({}));
    this.#settings.setIn([section, ...keys], value);
  }

  /** Writes the files, each completely or not at all. Returns their names. */
  async write(): Promise<readonly string[]> {
    const { folder } = this.#input;
    const settingsName = relative(folder, this.#settingsPath);
    if (this.variables.SPLITWATCH_CONFIG === undefined) this.setVariable("SPLITWATCH_CONFIG", settingsName);
    const dotEnv = setVariables(this.#dotEnv, this.#changes);
    await makeFolder(dirname(this.#settingsPath));
    await writeDurably(await linkTarget(this.#settingsPath), this.#settings.toString({ lineWidth: 0 }));
    await writeDurably(await linkTarget(this.#dotEnvPath), dotEnv);
    return [settingsName, ".env (readable by you only)"];
  }

  /** Problems of the whole configuration after the files were written. */
  remainingProblems(): readonly string[] {
    try {
      readConfig(this.#input);
      return [];
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
  }
}

function parseSettings(path: string, text: string): Document {
  const settings: Document = parseDocument(text);
  const isEmpty = settings.contents === null || settings.toJS() === null;
  const [error] = settings.errors;
  if (error !== undefined || !(isEmpty || isMap(settings.contents)))
    throw new ConfigError([`${path}: expected YAML with sections (${error?.message.split("\n")[0] ?? "it has none"})`]);
  if (isEmpty) {
    settings.contents = settings.createNode({}) as Document["contents"];
    settings.commentBefore ??= settings.comment ?? SETTINGS_HEADER;
    settings.comment = null;
  }
  return settings;
}

/** Target of a symbolic link: replacing the link would separate it from its target. */
function linkTarget(path: string): Promise<string> {
  return realpath(path).catch(() => path);
}
