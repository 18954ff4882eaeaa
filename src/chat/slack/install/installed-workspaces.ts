import { DAY_MS, type Instant } from "../../../domain/time/day.ts";
import { createMutex } from "../../../lib/mutex.ts";
import { DeliveryError } from "../../../ports/chat-platform.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { Log } from "../../../ports/log.ts";
import { asCallError, isExpiredTokenError, isRemovalError } from "../alerts/delivery-errors.ts";
import { type CallError, refusalCode, type WebApi } from "../web-api.ts";
import { fetchWorkspace } from "../workspace.ts";
import type { ConnectedWorkspace, Removal, Workspaces } from "../workspaces.ts";
import type { Entry, Registry } from "./registry.ts";
import type { Tokens } from "./token-rotation.ts";
import { type Credentials, wrongKeyMessage } from "./vault.ts";
import type { WorkspaceDestinations } from "./workspace-destinations.ts";

/** Shown at the places of a workspace that has left. */
const REMOVED_REASON = "splitwatch was removed from this workspace; alerts go on when it is installed again";
const EXPIRED_REASON = "Slack has ended splitwatch's access to this workspace; alerts go on when it is installed again";
const REASONS = [REMOVED_REASON, EXPIRED_REASON] as const;

/** So long a workspace that has left may change its mind before its people are forgotten. */
const RETENTION_MS = 30 * DAY_MS;

/** Said to whoever asks from a workspace that ENCRYPTION_KEY does not open. */
const LOCKED =
  "splitwatch cannot open what it has stored of this workspace. Nothing is lost: whoever runs splitwatch has to set its ENCRYPTION_KEY again.";

export interface InstalledWorkspacesParts {
  readonly registry: Registry;
  readonly tokens: Tokens;
  readonly destinations: WorkspaceDestinations;
  /** The Web API under one token. */
  readonly apiUnder: (token: string) => WebApi;
  /** Where splitwatch is installed; null: that is not known. */
  readonly installAddress: string | null;
  readonly clock: Clock;
  readonly log: Log;
}

/** Workspaces that install splitwatch by themselves, each reached with its own token. */
export class InstalledWorkspaces implements Workspaces {
  readonly #parts: InstalledWorkspacesParts;
  /** The token that each presence began with. */
  readonly #begunWith = new WeakMap<ConnectedWorkspace, string>();
  /** The client of each workspace: one that hangs uses up no other's connections. */
  readonly #clients = new Map<string, { readonly token: string; readonly api: WebApi }>();
  /** What ENCRYPTION_KEY does not open. */
  readonly #locked = new Set<string>();
  /** One after the other: a workspace that leaves and takes splitwatch in again at once has it in the end. */
  readonly #inTurn = createMutex();

  constructor(parts: InstalledWorkspacesParts) {
    this.#parts = parts;
  }

  async absenceReason(teamId: string): Promise<string> {
    if ((await this.#parts.registry.read(teamId)).kind === "locked") return LOCKED;
    const { installAddress } = this.#parts;
    const where = installAddress === null ? "" : ` at ${installAddress}`;
    return `splitwatch is not installed in this workspace. Somebody who may install apps can do that${where}.`;
  }

  async find(teamId: string): Promise<ConnectedWorkspace | null> {
    const entry = await this.#parts.registry.read(teamId);
    return entry.kind === "installed" ? this.#presence(teamId, entry.credentials) : null;
  }

  async forDelivery(teamId: string): Promise<ConnectedWorkspace> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind === "installed") return this.#presence(teamId, entry.credentials);
    if (entry.kind === "locked") throw new DeliveryError("retry", wrongKeyMessage("this workspace"));
    throw new DeliveryError("not-allowed", REMOVED_REASON);
  }

  /** Of one workspace: the others go on. */
  async handleRefusedToken(presence: ConnectedWorkspace, error: CallError): Promise<DeliveryError> {
    const { teamId } = presence.workspace;
    const hasLeft = isRemovalError(error);
    const hasEnded = refusalCode(error) === "token_expired";
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind === "unknown" || entry.kind === "left") return new DeliveryError("not-allowed", REMOVED_REASON);
    if (entry.kind === "locked" || entry.credentials.botToken !== this.#begunWith.get(presence)) {
      return new DeliveryError("retry", "splitwatch has another token for this workspace by now", { cause: error });
    }
    if (!hasLeft && !hasEnded) {
      const reason = `Slack refuses splitwatch's token for this workspace (${refusalCode(error)}); install splitwatch again`;
      return new DeliveryError("not-allowed", reason, { cause: error });
    }
    const reason = hasEnded ? EXPIRED_REASON : REMOVED_REASON;
    await this.#leave(teamId, entry.since, reason).catch((failure: unknown) => this.#notWritten(teamId, failure));
    return new DeliveryError("not-allowed", reason, { cause: error });
  }

  async handleRemoval(teamId: string, leaving: Removal): Promise<void> {
    const entry = await this.#parts.registry.read(teamId);
    if (entry.kind !== "installed" && entry.kind !== "locked") return;
    if (mayBeOver(leaving, entry) && (await this.#mayBeThere(teamId))) {
      this.#parts.log.info("slack uninstall ignored", { workspace: teamId });
      return;
    }
    await this.#leave(teamId, entry.since, REMOVED_REASON);
  }

  /** From then on splitwatch is in the workspace, and whatever stood in the way there may have been put right. */
  async install(teamId: string, credentials: Credentials): Promise<void> {
    const { registry, destinations: places, log } = this.#parts;
    await this.#inTurn(async () => {
      await registry.install(teamId, credentials);
      this.#locked.delete(teamId);
      await places.resume(teamId, () => true);
    });
    log.info("slack workspace installed", { workspace: teamId });
  }

  /** Why nothing can be done in some workspaces; null: no such thing is known. */
  problem(): string | null {
    if (this.#locked.size === 0) return null;
    return wrongKeyMessage(`${this.#locked.size} Slack workspaces`);
  }

  /** Brings what is paused in line with what is installed: a stop may have come in between. Gives how many are installed. */
  async sync(): Promise<number> {
    const { registry, destinations: places } = this.#parts;
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

  /** Forgets the people of workspaces that left long enough ago. */
  async purgeRemoved(): Promise<void> {
    const { registry, destinations: places, clock, log } = this.#parts;
    await this.#inTurn(async () => {
      for (const { teamId, entry } of await registry.all()) {
        if (entry.kind !== "left" || clock.now() - entry.since < RETENTION_MS) continue;
        await places.forgetPeople(teamId);
        await registry.delete(teamId);
        log.info("slack workspace purged", { workspace: teamId });
      }
    });
  }

  /**
   * Has those tokens renewed for which it is time, one after the other. One that Slack gave, and that a sudden end kept from
   * being written down, is given again for a short while only: that may be over when something is to be sent.
   */
  async renewDue(stopping: AbortSignal): Promise<void> {
    const { registry, tokens } = this.#parts;
    for (const { teamId, entry } of await registry.all()) {
      if (stopping.aborted) return;
      if (entry.kind !== "installed") continue;
      await tokens.current(teamId).catch(() => undefined);
      await tokens.idle();
    }
  }

  /** Resolves when nothing is being written down. */
  async idle(): Promise<void> {
    await this.#inTurn(async () => undefined);
  }

  #presence(teamId: string, { botToken, botName, url }: Credentials): ConnectedWorkspace {
    const presence: ConnectedWorkspace = { workspace: { teamId, botName, url }, api: this.#apiOf(teamId) };
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
          if (!isExpiredTokenError(error)) throw error;
          const next = await tokens.renewExpired(teamId, token).catch((failure: unknown) => {
            // What Slack says of the token itself tells more than that it gives no other one.
            throw refusalCode(failure) === "" ? failure : error;
          });
          return this.#client(teamId, next).call(method, args, shape);
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
    return fetchWorkspace(presence.api).then(
      () => true,
      (error: unknown) => !isRemovalError(asCallError(error)),
    );
  }

  /** The credentials go first: they are what must not stay. */
  async #leave(teamId: string, since: Instant, reason: (typeof REASONS)[number]): Promise<void> {
    const { registry, destinations: places, log } = this.#parts;
    const wasIn = await this.#inTurn(async () => {
      if (!(await registry.remove(teamId, since))) return false;
      this.#clients.delete(teamId);
      this.#locked.delete(teamId);
      await places.pause(teamId, [reason]);
      return true;
    });
    if (wasIn) log.warn("slack workspace uninstalled", { workspace: teamId, reason });
  }

  #notWritten(teamId: string, error: unknown): void {
    this.#parts.log.error("slack uninstall not saved", { workspace: teamId, error });
  }
}

/** It may be about an earlier installation, or about a token that another one has replaced. */
function mayBeOver({ kind, at }: Removal, entry: Entry & { readonly since: Instant }): boolean {
  const isRotated = entry.kind === "installed" && entry.credentials.rotation !== null;
  return at < entry.since || (kind === "revoked" && isRotated);
}

function isOurReason(reason: string): boolean {
  return REASONS.some((ours) => ours === reason);
}
