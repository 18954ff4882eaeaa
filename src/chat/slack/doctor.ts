import { type CheckResult, fail } from "../../lib/check-result.ts";
import {
  BOT_TOKEN_ADVICE,
  checkTransport,
  checkWorkspace,
  explainCallError,
  type SlackCheckContext,
} from "./doctor-workspace.ts";
import { checkInstalledWorkspaces } from "./doctor-workspaces.ts";
import { tokenKindProblem } from "./token-kinds.ts";
import { createWebApi } from "./web-api.ts";

/** Looks at the tokens, their scopes and each channel that alerts go to. Nothing is changed or posted. */
export async function runSlackChecks(examined: SlackCheckContext): Promise<readonly CheckResult[]> {
  const { app, log } = examined;
  const problem = tokenKindProblem(app);
  if (problem !== null) return [fail(problem)];
  if (app.access.kind === "many") return checkInstalledWorkspaces(app.access, examined);
  const api = createWebApi(app.access.botToken, app.apiUrl, log);
  try {
    const [token, scopes, ...channels] = await checkWorkspace(api, examined);
    return [token, scopes, await checkTransport(examined), ...channels];
  } catch (error) {
    return [fail(explainCallError(error, "SLACK_BOT_TOKEN", BOT_TOKEN_ADVICE))];
  }
}
