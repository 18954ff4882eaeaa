import type { App } from "@slack/bolt";
import { z } from "zod";
import type { Screens } from "../../../commands/screens.ts";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import { type Card, card } from "../../../messages/message.ts";
import type { Clock } from "../../../ports/clock.ts";
import { renderAnswer } from "../alerts/render.ts";
import { ACTION, actionPattern, NEW_RULE } from "../block-kit/card.ts";
import type { HomeTabs } from "../home/home.ts";
import { CallError, describeFailure } from "../web-api.ts";
import type { ConnectedWorkspace, Workspaces } from "../workspaces.ts";
import { acknowledge } from "./acknowledge.ts";
import { type AnswerParts, answer, notInstalledCard, respondWith } from "./answer.ts";
import { type Caller, createCall } from "./caller.ts";
import { actorSchema, type BlockActions, callerOf, readBlockActions, workspaceIdOf } from "./payloads.ts";
import { createResponder } from "./respond.ts";
import {
  errorsOf,
  type FormErrors,
  type FormOrigin,
  formOrigin,
  RULE_FORM,
  readSubmission,
  ruleModal,
} from "./rule-modal.ts";
import { viewState } from "./view-state.ts";

export interface FormParts extends AnswerParts {
  readonly views: Pick<Screens, "ruleForm" | "problems">;
  readonly workspaces: Pick<Workspaces, "find" | "absenceReason">;
  readonly homes: HomeTabs;
  readonly clock: Clock;
  /** False where what has one of these ids came in before. */
  isNew(ids: readonly unknown[]): boolean;
  work(doing: () => Promise<void>): void;
}

/**
 * The address by which a form's answer goes back is good for half an hour. Whoever pressed Edit was in the channel then: an
 * older form says nothing of that.
 */
const FORM_LIFETIME_MS = 29 * MINUTE_MS;

/** Opens the form of a rule, and takes what comes of it. */
export function registerRuleForm(app: App, parts: FormParts): void {
  app.action(actionPattern(ACTION.edit), async ({ body }) => {
    const press = readBlockActions(body);
    parts.work(() => open(press, parts));
  });
  app.view(RULE_FORM, async ({ body, ack, context }) => {
    const sent = submitted.parse(body);
    const isNew = parts.isNew([context.envelopeId, sent.trigger_id]);
    const asker = { teamId: workspaceIdOf(sent), userId: sent.user.id, userName: sent.user.name };
    const read = await readForm(sent.view, parts);
    if (read.kind === "wrong") return ack({ response_action: "errors", errors: { ...read.errors } });
    await acknowledge(ack, parts.log);
    if (isNew) parts.work(() => run(read.line, asker, read.origin, parts));
  });
}

const submitted = actorSchema.extend({
  trigger_id: z.string().optional(),
  view: z.object({
    app_installed_team_id: z.string().nullish(),
    private_metadata: z.string(),
    state: viewState,
  }),
});

async function open(press: BlockActions, parts: FormParts): Promise<void> {
  const asker = callerOf(press);
  const origin = originOf(press, parts.clock.now());
  const presence = await parts.workspaces.find(asker.teamId);
  if (presence === null)
    return tell(notInstalledCard(await parts.workspaces.absenceReason(asker.teamId)), asker, origin, parts);
  const call = await createCall("subscribe", asker, presence, { ...parts, commands: parts.commands.list });
  const form = await parts.views.ruleForm(origin.number, call);
  if (form.kind === "refused") return tell(form.card, asker, origin, parts);
  const view = ruleModal({ ...form, userId: asker.userId }, origin);
  const problem = view === null ? TOO_LONG : await show(view, press.trigger_id, presence);
  if (problem !== null) await tell(problem, asker, origin, parts);
}

/** Null where it is open now. */
async function show(view: object, triggerId: string, { api }: ConnectedWorkspace): Promise<Card | null> {
  try {
    await api.call("views.open", { trigger_id: triggerId, view }, z.unknown());
    return null;
  } catch (error) {
    const why = error instanceof CallError ? describeFailure(error.failure) : "no answer";
    return card({ tone: "bad", title: "The form did not open", lines: [`Slack says: ${why}. Press Edit again.`] });
  }
}

const TOO_LONG = card({
  tone: "bad",
  title: "This rule names more than fits into a form of Slack",
  lines: ["Take it off and set it again with a line: /splits subscribe, or /splits import."],
});

function originOf({ actions, container, response_url: responseUrl }: BlockActions, now: Instant): FormOrigin {
  const value = actions[0]?.value ?? "";
  return {
    number: value === NEW_RULE ? null : Number(value),
    channelId: container.channel_id ?? null,
    responseUrl: responseUrl ?? null,
    threadTs: container.thread_ts ?? null,
    openedAt: now,
  };
}

/** To whoever pressed, where they pressed. */
async function tell(
  problem: Card,
  asker: Caller,
  { responseUrl, threadTs }: FormOrigin,
  { homes }: FormParts,
): Promise<void> {
  if (responseUrl === null) return homes.show(asker, [problem]);
  const thread = threadTs === null ? {} : { thread_ts: threadTs };
  for (const message of renderAnswer([problem], null, 1))
    await respondWith(createResponder(responseUrl), message, {
      response_type: "ephemeral",
      replace_original: false,
      ...thread,
    });
}

type ReadForm =
  | { readonly kind: "line"; readonly line: string; readonly origin: FormOrigin }
  | { readonly kind: "wrong"; readonly errors: FormErrors };

async function readForm(view: z.infer<typeof submitted>["view"], { views, clock, log }: FormParts): Promise<ReadForm> {
  const origin = readOrigin(view.private_metadata);
  const isOld = origin?.channelId !== null && clock.now() - (origin?.openedAt ?? 0) > FORM_LIFETIME_MS;
  if (origin === null || isOld) return { kind: "wrong", errors: { events: TOO_OLD } };
  const read = readSubmission(view.state, origin.number);
  if (read.kind === "wrong") return read;
  try {
    const errors = errorsOf(await views.problems(read.line));
    return Object.keys(errors).length > 0 ? { kind: "wrong", errors } : { ...read, origin };
  } catch (error) {
    log.error("slack form failed", { error });
    return { kind: "wrong", errors: { events: "Something went wrong on our side. Please try again in a minute." } };
  }
}

const TOO_OLD = "This form has been open for half an hour or more. Close it, and press Edit again.";

function readOrigin(metadata: string): FormOrigin | null {
  const read = formOrigin.safeParse(z.string().transform(parseJson).parse(metadata));
  return read.success ? read.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** As if it were typed where the form was opened. */
async function run(line: string, who: Omit<Caller, "channelId">, origin: FormOrigin, parts: FormParts): Promise<void> {
  const { channelId, responseUrl, threadTs } = origin;
  const asker = { ...who, channelId };
  if (channelId === null || responseUrl === null) return parts.homes.run(asker, line);
  const presence = await parts.workspaces.find(who.teamId);
  if (presence === null)
    return tell(notInstalledCard(await parts.workspaces.absenceReason(asker.teamId)), asker, origin, parts);
  const asked = {
    ...who,
    channelId,
    line,
    respond: createResponder(responseUrl),
    button: { ephemeral: true, threadTs },
  };
  await answer(asked, presence, parts);
}
