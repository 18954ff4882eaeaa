import type { Hono } from "hono";
import type { z } from "zod";
import type { Commands } from "../commands/index.ts";
import type { Screens } from "../commands/screens.ts";
import type { EnvironmentReader } from "../config/environment.ts";
import type { VariableDefinition } from "../config/variables.ts";
import type { Destination } from "../domain/alert/destination.ts";
import type { Rule } from "../domain/settings/rule.ts";
import type { CheckResult } from "../lib/check-result.ts";
import type { ChatPlatform } from "../ports/chat-platform.ts";
import type { Clock } from "../ports/clock.ts";
import type { Log } from "../ports/log.ts";
import type { Installation } from "../ports/state-records.ts";
import type { Store } from "../ports/store.ts";

/**
 * Description of a chat platform. It imports no client library: `connect` and `check` load the platform's other modules on
 * demand.
 */
export interface PlatformDefinition<Settings = unknown, Section = unknown> {
  /** Name of the platform's folder, of its YAML section and of its destinations. */
  readonly name: string;
  /** Display name. */
  readonly label: string;
  /** True for services outside this process. They never receive sample data. */
  readonly isExternal: boolean;
  /** Environment variables, in the order of .env.example. */
  readonly variables: readonly VariableDefinition[];
  /** Schema of the YAML section; null without a section. Each key has a default, so the section may be empty. */
  readonly section: z.ZodType<Section> | null;
  /**
   * Text after "set" in doctor's line and, for a platform with `setup`, in the startup message, such as `TOKEN to connect a platform`;
   * null if no configuration is needed.
   */
  readonly startupHint: string | null;
  /** Questions of `splitwatch init`; missing if no configuration is needed. */
  readonly setup?: PlatformSetup;
  /** Matches credentials that the platform receives at run time, which every output masks. */
  readonly credentialPattern?: RegExp;
  /** Reads the variables and reports problems. Returns null if the platform is not configured, or after a problem. */
  readSettings(env: EnvironmentReader, section: Section): Settings | null;
  /** Rules of the destinations that the settings define; missing if people make all rules. */
  rules?(settings: Settings): readonly Rule[];
  /** Links in the head of the page, such as feeds, which feed readers then find at the page's address. */
  pageLinks?(settings: Settings): readonly PageLink[];
  connect(settings: Settings, parts: PlatformParts): Promise<ConnectedPlatform>;
  /** Runs the checks of `splitwatch doctor`, which change and post nothing. */
  check(settings: Settings, context: CheckContext): Promise<readonly CheckResult[]>;
}

/** What `splitwatch init` asks and prints for a platform. */
export interface PlatformSetup {
  /** Where to find the values, with the link that creates the app. */
  introduction(): Promise<readonly string[]>;
  /** Variables to ask for, in this order. */
  readonly questions: readonly SetupQuestion[];
  /** What to do after the start. */
  readonly nextSteps: readonly string[];
}

export interface SetupQuestion {
  readonly variable: string;
  readonly text: string;
  /** What the value looks like, if that is known. */
  readonly form?: { readonly pattern: RegExp; readonly expected: string };
}

/** A platform that is configured. */
export interface ConfiguredPlatform {
  readonly definition: PlatformDefinition;
  readonly settings: unknown;
}

/** Another form of the page's content (`rel="alternate"`). */
export interface PageLink {
  /** Media type. */
  readonly type: string;
  readonly title: string;
  /** Path on this server. */
  readonly path: string;
}

export interface PlatformParts {
  readonly server: ServerSettings;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  readonly commands: Commands;
  readonly screens: Screens;
  /** The links of all platforms. */
  readonly pageLinks: readonly PageLink[];
  /** False if this process only sends messages: another one receives the commands. */
  readonly receives: boolean;
  /** Makes the deliverer recheck its queue. */
  readonly wake: () => void;
}

/** The HTTP server that serves a platform's routes. */
export interface ServerSettings {
  readonly host: string;
  readonly port: number;
  /** External address; null if unknown. */
  readonly publicUrl: string | null;
  readonly adminToken: string | null;
}

export interface ConnectedPlatform {
  readonly platform: ChatPlatform;
  /** Null if the platform has no HTTP routes. */
  readonly routes: Hono | null;
}

export interface CheckContext {
  readonly clock: Clock;
  readonly log: Log;
  readonly server: ServerSettings;
  /** Channels of the platform that have a rule. */
  readonly channels: readonly Destination[];
  /** Workspaces that installed splitwatch through OAuth. */
  readonly installations: readonly Installation[];
}
