import { type Finding, unwell } from "../../lib/check-result.ts";
import { BOT_TOKEN_ADVICE, type Examined, examineInlet, examineWorkspace, wordsOf } from "./doctor-workspace.ts";
import { examineMany } from "./doctor-workspaces.ts";
import { wrongKinds } from "./token-kinds.ts";
import { createWebApi } from "./web-api.ts";

/** Looks at the tokens, their scopes and each channel that alerts go to. Nothing is changed or posted. */
export async function examineSlack(examined: Examined): Promise<readonly Finding[]> {
  const { app, log } = examined;
  const problem = wrongKinds(app);
  if (problem !== null) return [unwell(problem)];
  if (app.access.kind === "many") return examineMany(app.access, examined);
  const api = createWebApi(app.access.botToken, app.apiUrl, log);
  try {
    const [token, scopes, ...channels] = await examineWorkspace(api, examined);
    return [token, scopes, await examineInlet(examined), ...channels];
  } catch (error) {
    return [unwell(wordsOf(error, "SLACK_BOT_TOKEN", BOT_TOKEN_ADVICE))];
  }
}
