import type { Destination } from "../../domain/alert/destination.ts";
import { type CheckResult, fail, pass, withPrefix } from "../../lib/check-result.ts";
import type { Installation } from "../../ports/state-records.ts";
import { checkTransport, checkWorkspace, type SlackCheckContext } from "./doctor-workspace.ts";
import { INSTALL_PATH } from "./install/routes.ts";
import { createVault, wrongKeyMessage } from "./install/vault.ts";
import type { ManyWorkspacesAccess } from "./settings.ts";
import { CallError, createWebApi, describeFailure, refusalCode } from "./web-api.ts";
import { parseDestination } from "./workspace.ts";

/** Looks at each workspace that has installed splitwatch. No token is renewed: a splitwatch that runs would lose its own. */
export async function checkInstalledWorkspaces(
  client: ManyWorkspacesAccess,
  examined: SlackCheckContext,
): Promise<readonly CheckResult[]> {
  const { installations, publicUrl } = examined;
  const present = installations.filter(({ credentials }) => credentials !== null);
  const left = installations.length - present.length;
  const where =
    publicUrl === null
      ? "PUBLIC_URL is not set: Slack sends people to the first Redirect URL of the app"
      : `at ${publicUrl}${INSTALL_PATH}`;
  const vault = createVault(client.encryptionKey);
  const each = await Promise.all(
    present.map(async (installation) => {
      const credentials = vault.open(installation);
      const results =
        credentials === null
          ? [fail(wrongKeyMessage("it"))]
          : await checkInstalledWorkspace(installation, credentials.botToken, examined);
      return withPrefix(`workspace ${installation.workspaceId}`, results);
    }),
  );
  return [
    pass(`${present.length} workspaces have installed splitwatch, ${left} have removed it; it is installed ${where}`),
    await checkTransport(examined),
    ...each.flat(),
    ...strangersAmong(examined.channels, installations),
  ];
}

async function checkInstalledWorkspace(
  { workspaceId }: Installation,
  botToken: string,
  examined: SlackCheckContext,
): Promise<readonly CheckResult[]> {
  const channels = examined.channels.filter((to) => parseDestination(to)?.teamId === workspaceId);
  const api = createWebApi(botToken, examined.app.apiUrl, examined.log);
  try {
    return await checkWorkspace(api, { ...examined, channels });
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (refusalCode(error) === "token_expired") return [pass("its token has ended; the next use renews it")];
    return [fail(`its token does not work (${describeFailure(error.failure)}); install splitwatch there again`)];
  }
}

function strangersAmong(
  channels: readonly Destination[],
  installations: readonly Installation[],
): readonly CheckResult[] {
  const known = new Set(installations.map(({ workspaceId }) => workspaceId));
  return channels
    .filter((to) => !known.has(parseDestination(to)?.teamId ?? ""))
    .map((to) => pass(`channel ${to.id}: its workspace has not installed splitwatch; its alerts go on when it does`));
}
