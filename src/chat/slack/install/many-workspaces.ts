import type { Hono } from "hono";
import { HOUR_MS } from "../../../domain/time/day.ts";
import { hostAndPort } from "../../../http/host-address.ts";
import type { Log } from "../../../ports/log.ts";
import type { Store } from "../../../ports/store.ts";
import { ADMIN_SCOPE, SCOPES } from "../manifest.ts";
import type { ManyWorkspacesAccess, SlackApp } from "../settings.ts";
import { createWebApi } from "../web-api.ts";
import { fetchWorkspace } from "../workspace.ts";
import { InstalledWorkspaces } from "./installed-workspaces.ts";
import { createOAuthAccess } from "./oauth-access.ts";
import { createRegistry } from "./registry.ts";
import { INSTALL_PATH, installRoutes, redirectUriOf } from "./routes.ts";
import { createInstallState } from "./state.ts";
import { RotatingTokens, type Tokens } from "./token-rotation.ts";
import { createVault } from "./vault.ts";
import { createWorkspaceDestinations, type WorkspaceDestinationsParts } from "./workspace-destinations.ts";

export interface ManyWorkspacesParts extends WorkspaceDestinationsParts {
  readonly app: Pick<SlackApp, "apiUrl" | "port">;
  readonly store: WorkspaceDestinationsParts["store"] & Pick<Store, "installations">;
  /** Where it listens; the port is the app's own, or the common one. */
  readonly host: string;
  readonly commonPort: number;
  readonly publicUrl: string | null;
  readonly restrictSubscribe: boolean;
  readonly log: Log;
}

export interface ManyWorkspaces {
  readonly workspaces: InstalledWorkspaces;
  readonly routes: Hono;
  /** Why not all of it works; null: all does. */
  problem(): string | null;
  start(): Promise<void>;
  stop(): Promise<void>;
}

const MAINTENANCE_INTERVAL_MS = HOUR_MS;

/** An app of Slack that each workspace takes in by itself. */
export function createManyWorkspaces(client: ManyWorkspacesAccess, parts: ManyWorkspacesParts): ManyWorkspaces {
  const { app, store, clock, log, publicUrl } = parts;
  const apiUnder = (token?: string): ReturnType<typeof createWebApi> => createWebApi(token, app.apiUrl, log);
  const registry = createRegistry(store.installations, createVault(client.encryptionKey), clock);
  const access = createOAuthAccess({ client, redirectUri: redirectUriOf(publicUrl), api: apiUnder(), clock });
  const tokens = new RotatingTokens({ registry, access, clock, log });
  const places = createWorkspaceDestinations(parts);
  const installAddress = installAddressOf(parts);
  const workspaces = new InstalledWorkspaces({
    registry,
    tokens,
    destinations: places,
    apiUnder,
    clock,
    log,
    installAddress: publicUrl === null ? null : installAddress,
  });
  const routes = installRoutes({
    clientId: client.clientId,
    scopes: [...SCOPES.map(({ name }) => name), ...(parts.restrictSubscribe ? [ADMIN_SCOPE] : [])],
    publicUrl,
    state: createInstallState({ secret: client.stateSecret, used: store.installations, clock }),
    access,
    lookUp: (botToken) => fetchWorkspace(apiUnder(botToken)),
    install: (teamId, credentials) => workspaces.install(teamId, credentials),
    log,
  });
  return { workspaces, routes, ...lifeOf(workspaces, tokens, { clock, log, installAddress }) };
}

/** Looks now and then whether a token is to be renewed, and whether a workspace that left is to be forgotten. */
function lifeOf(
  workspaces: InstalledWorkspaces,
  tokens: Tokens,
  {
    clock,
    log,
    installAddress,
  }: Pick<ManyWorkspacesParts, "clock" | "log"> & { readonly installAddress: string | null },
): Pick<ManyWorkspaces, "problem" | "start" | "stop"> {
  const stopping = new AbortController();
  let sweeping: Promise<void> = Promise.resolve();

  async function sweepNowAndThen(): Promise<void> {
    while (!stopping.signal.aborted) {
      await workspaces.purgeRemoved().catch((error: unknown) => log.error("slack workspace cleanup failed", { error }));
      await workspaces
        .renewDue(stopping.signal)
        .catch((error: unknown) => log.error("slack tokens unreadable", { error }));
      await clock.sleep(MAINTENANCE_INTERVAL_MS, stopping.signal);
    }
  }

  return {
    problem: () => workspaces.problem() ?? tokens.problem(),
    async start() {
      const installed = await workspaces.sync();
      log.info("slack workspaces", { installed, installAt: installAddress });
      const problem = workspaces.problem();
      if (problem !== null) log.error("slack workspaces locked", { reason: problem });
      sweeping = sweepNowAndThen();
    },
    async stop() {
      stopping.abort();
      await sweeping;
      await tokens.idle();
      await workspaces.idle();
    },
  };
}

/** Null: the port is not known before it is taken. */
function installAddressOf({ publicUrl, host, commonPort, app }: ManyWorkspacesParts): string | null {
  if (publicUrl !== null) return `${publicUrl}${INSTALL_PATH}`;
  const port = app.port ?? commonPort;
  return port === 0 ? null : `http://${hostAndPort(host, port)}${INSTALL_PATH}`;
}
