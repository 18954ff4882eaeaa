import { DAY_MS, type Instant } from "../../core/day.ts";
import { DeliveryError } from "../../ports/chat-platform.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Credentials } from "./credentials.ts";
import { asCallError } from "./errors.ts";
import type { Entry, Registry } from "./registry.ts";
import type { Tokens } from "./rotation.ts";
import { type CallError, refusalCode, type WebApi } from "./web-api.ts";
import { readWorkspace } from "./workspace.ts";
import type { WorkspacePlaces } from "./workspace-places.ts";
import type { Departure, Departures, Presence, Workspaces } from "./workspaces.ts";

/** Shown where splitwatch was put out of a workspace. */
const LEFT_REASON = "splitwatch was removed from this workspace; alerts go on when it is installed again";
const NOT_RENEWED_REASON =
  "Slack has ended splitwatch's access to this workspace; alerts go on when it is installed again";
const REASONS = [LEFT_REASON, NOT_RENEWED_REASON] as const;

const LOCKED_REASON =
  "ENCRYPTION_KEY does not open what is stored of this workspace: the key that it was stored with has to be set again";

/** So long a workspace that put splitwatch out may change its mind before its people are forgotten. */
const KEPT_MS = 30 * DAY_MS;

/** With these, Slack says that the workspace has put splitwatch out. */
const PUT_OUT = new Set(["token_revoked", "account_inactive"]);

export interface InstalledWorkspacesParts {
  readonly registry: Registry;
  readonly tokens: Tokens;
  readonly places: WorkspacePlaces;
  /** The Web API under one token. */
  readonly apiUnder: (token: string) => WebApi;
  /** Where splitwatch is installed; null: that is not known. */
  readonly installAddress: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Workspaces that install splitwatch by themselves, each reached with its own token. */
export class InstalledWorkspaces implements Workspaces, Departures {
  readonly absence: string;
  readonly #parts: InstalledWorkspacesParts;
  /** The token that each presence began with. */
  readonly #begunWith = new WeakMap<Presence, string>();
  /** The client of each workspace: one that hangs uses up no other's connections. */
  readonly #clients = new Map<string, { readonly token: string; readonly api: WebApi }>();
  /** What ENCRYPTION_KEY does not open. */
  readonly #locked = new Set<string>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: InstalledWorkspacesParts) {
    this.#parts = parts;
    const where = parts.installAddress === null ? "" : ` at ${parts.installAddress}`;
    this.absence = `splitwatch is not installed in this workspace. Somebody who may install apps can do that${where}.`;
  }

  async find(teamId: string): Promise<Presence | null> {
    const entry = await this.#parts.registry.read(teamId);
    return entry.kind === "installed" ? this.#presence(teamId, entry.credentials) : null;
  }

  async reach(teamId: string): Promise<Presence> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind === "installed") return this.#presence(teamId, entry.credentials);
    if (entry.kind === "locked") throw new DeliveryError("retry", LOCKED_REASON);
    throw new DeliveryError("not-allowed", LEFT_REASON);
  }

  /** Of one workspace: the others go on. */
  async tokenRefused(presence: Presence, error: CallError): Promise<DeliveryError> {
    const { teamId } = presence.workspace;
    const code = refusalCode(error);
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind === "unknown" || entry.kind === "left") return new DeliveryError("not-allowed", LEFT_REASON);
    if (entry.kind === "locked" || entry.credentials.botToken !== this.#begunWith.get(presence)) {
      return new DeliveryError("retry", "splitwatch has another token for this workspace by now", { cause: error });
    }
    if (!PUT_OUT.has(code) && code !== "token_expired") {
      const reason = `Slack refuses splitwatch's token for this workspace (${code}); install splitwatch again`;
      return new DeliveryError("not-allowed", reason, { cause: error });
    }
    const reason = code === "token_expired" ? NOT_RENEWED_REASON : LEFT_REASON;
    await this.#putOut(teamId, entry.since, reason).catch((failure: unknown) => this.#notWritten(teamId, failure));
    return new DeliveryError("not-allowed", reason, { cause: error });
  }

  async left(teamId: string, departure: Departure): Promise<void> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind !== "installed" && entry.kind !== "locked") return;
    if (mayBeOver(departure, entry) && (await this.#mayBeThere(teamId))) {
      this.#parts.log.info("slack-departure-ignored", { workspace: teamId });
      return;
    }
    await this.#putOut(teamId, entry.since, LEFT_REASON);
  }

  /** From then on splitwatch is in the workspace, and whatever stood in the way there may have been put right. */
  async enter(teamId: string, credentials: Credentials): Promise<void> {
    const { registry, places, log } = this.#parts;
    await this.#inTurn(async () => {
      await registry.enter(teamId, credentials);
      this.#locked.delete(teamId);
      await places.resume(teamId, () => true);
    });
    log.info("slack-workspace-installed", { workspace: teamId });
  }

  /** Why nothing can be done in some workspaces; null: no such thing is known. */
  problem(): string | null {
    if (this.#locked.size === 0) return null;
    return `ENCRYPTION_KEY does not open what is stored of ${this.#locked.size} Slack workspaces: set the key that they were stored with`;
  }

  /** Brings what is paused in line with what is installed: a stop may have come in between. Gives how many are installed. */
  async sync(): Promise<number> {
    const { registry, places } = this.#parts;
    return this.#inTurn(async () => {
      const all = await registry.all();
      for (const { teamId, entry } of all) {
        if (entry.kind === "left") await places.pause(teamId, REASONS);
        if (entry.kind === "installed") await places.resume(teamId, isOurReason);
        if (entry.kind === "locked") this.#locked.add(teamId);
      }
      return all.filter(({ entry }) => entry.kind !== "left").length;
    });
  }

  /** Forgets the people of workspaces that put splitwatch out long enough ago. */
  async sweep(): Promise<void> {
    const { registry, places, clock, log } = this.#parts;
    await this.#inTurn(async () => {
      for (const { teamId, entry } of await registry.all()) {
        if (entry.kind !== "left" || clock.now() - entry.since < KEPT_MS) continue;
        await places.forgetPeople(teamId);
        await registry.drop(teamId);
        log.info("slack-workspace-forgotten", { workspace: teamId });
      }
    });
  }

  /** Resolves when nothing is being written down. */
  async idle(): Promise<void> {
    await this.#last;
  }

  #presence(teamId: string, { botToken, botName, url }: Credentials): Presence {
    const presence: Presence = { workspace: { teamId, botName, url }, api: this.#apiOf(teamId) };
    this.#begunWith.set(presence, botToken);
    return presence;
  }

  /** A token that ends in spite of all is renewed once: Slack has done nothing under it. */
  #apiOf(teamId: string): WebApi {
    const { tokens } = this.#parts;
    return {
      call: async (method, args, shape) => {
        const token = await tokens.current(teamId);
        try {
          return await this.#client(teamId, token).call(method, args, shape);
        } catch (error) {
          if (refusalCode(error) !== "token_expired") throw error;
          return this.#client(teamId, await tokens.after(teamId, token)).call(method, args, shape);
        }
      },
    };
  }

  #client(teamId: string, token: string): WebApi {
    const known = this.#clients.get(teamId);
    if (known?.token === token) return known.api;
    const api = this.#parts.apiUnder(token);
    this.#clients.set(teamId, { token, api });
    return api;
  }

  /** False only where Slack says that it is not. */
  async #mayBeThere(teamId: string): Promise<boolean> {
    const presence = await this.find(teamId);
    if (presence === null) return true;
    return readWorkspace(presence.api).then(
      () => true,
      (error: unknown) => !PUT_OUT.has(refusalCode(asCallError(error))),
    );
  }

  /** The credentials go first: they are what must not stay. */
  async #putOut(teamId: string, since: Instant, reason: (typeof REASONS)[number]): Promise<void> {
    const { registry, places, log } = this.#parts;
    const wasIn = await this.#inTurn(async () => {
      if (!(await registry.leave(teamId, since))) return false;
      this.#clients.delete(teamId);
      this.#locked.delete(teamId);
      await places.pause(teamId, [reason]);
      return true;
    });
    if (wasIn) log.warn("slack-workspace-left", { workspace: teamId, reason });
  }

  #notWritten(teamId: string, error: unknown): void {
    this.#parts.log.error("slack-departure-not-written", { workspace: teamId, error });
  }

  /** One after the other: a workspace that puts splitwatch out and takes it in at once has it in the end. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(work);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** It may be about an earlier installation, or about a token that another one has replaced. */
function mayBeOver({ kind, at }: Departure, entry: Entry & { readonly since: Instant }): boolean {
  const isRotated = entry.kind === "installed" && entry.credentials.rotation !== null;
  return at < entry.since || (kind === "revoked" && isRotated);
}

function isOurReason(reason: string): boolean {
  return REASONS.some((ours) => ours === reason);
}
