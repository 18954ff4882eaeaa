import type { App } from "@slack/bolt";
import { z } from "zod";
import type { StructuredCommand } from "../../../commands/command.ts";
import type { Screens } from "../../../commands/screens.ts";
import type { Person } from "../../../domain/alert/destination.ts";
import { type Instant, MINUTE_MS } from "../../../domain/time/day.ts";
import { type Card, card } from "../../../messages/message.ts";
import type { Clock } from "../../../ports/clock.ts";
import type { IsNew } from "../../replay-guard.ts";
import { ACTION, actionPattern, NEW_RULE } from "../block-kit/card.ts";
import type { HomeTabs } from "../home/home.ts";
import { CallError, describeFailure } from "../web-api.ts";
import { type ConnectedWorkspace, personDestination, type Workspaces } from "../workspace.ts";
import { acknowledge, type Background } from "./acknowledgement.ts";
import { type AnswerParts, absenceCard, answer, createResponder, respondWithCard } from "./answer.ts";
import { type Caller, createCall } from "./caller.ts";
import { actorOf, actorSchema, type BlockActions, callerOf, readBlockActions, viewState } from "./payloads.ts";
import {
  type FormContext,
  type FormErrors,
  formContextSchema,
  RULE_FORM,
  readSubmission,
  ruleModal,
  toFormErrors,
} from "./rule-modal.ts";

export interface FormParts extends AnswerParts {
  readonly screens: Pick<Screens, "ruleForm" | "problems">;
  readonly workspaces: Pick<Workspaces, "find" | "absenceReason">;
  readonly homeTabs: HomeTabs;
  readonly clock: Clock;
  /** False if a request with one of these ids was handled before. */
  readonly isNew: IsNew;
  readonly background: Background;
}

/**
 * Time within which a form can be submitted: shorter than the half hour for which its response URL is valid. Pressing Edit
 * proves that the user was a member of the channel at that time; an older form is no evidence of membership.
 */
const FORM_LIFETIME_MS = 29 * MINUTE_MS;

/** Registers the handlers that open and submit the rule form. */
export function registerRuleForm(app: App, parts: FormParts): void {
  app.action(actionPattern(ACTION.edit), async ({ body }) => {
    const payload = readBlockActions(body);
    parts.background.run(() => openForm(payload, parts));
  });
  app.view(RULE_FORM, async ({ body, ack, context }) => {
    const payload = viewSubmission.parse(body);
    const isNew = parts.isNew([context.envelopeId, payload.trigger_id]);
    const user = actorOf(payload);
    const form = await readForm(payload.view, personDestination(user.teamId, user.userId), parts);
    if (form.kind === "invalid") return ack({ response_action: "errors", errors: { ...form.errors } });
    await acknowledge(ack, parts.log);
    if (await isNew) parts.background.run(() => submitForm(form.command, user, form.formContext, parts));
  });
}

const viewSubmission = actorSchema.extend({
  trigger_id: z.string().optional(),
  view: z.object({
    app_installed_team_id: z.string().nullish(),
    private_metadata: z.string(),
    state: viewState,
  }),
});

async function openForm(payload: BlockActions, parts: FormParts): Promise<void> {
  const caller = callerOf(payload);
  const formContext = formContextOf(payload, parts.clock.now());
  const problem = await openModal(payload, caller, formContext, parts);
  if (problem !== null) await showProblem(problem, caller, formContext, parts);
}

/** Opens the form. Returns the problem if that fails, otherwise null. */
async function openModal(
  { trigger_id: triggerId }: BlockActions,
  caller: Caller,
  formContext: FormContext,
  { workspaces, screens, adminsOnly }: FormParts,
): Promise<Card | null> {
  const connected = await workspaces.find(caller);
  if (connected === null) return absenceCard(await workspaces.absenceReason(caller));
  const call = createCall(caller, connected, adminsOnly);
  const form = await screens.ruleForm(formContext.number, call);
  if (form.kind === "refused") return form.card;
  const view = ruleModal({ ...form, userId: caller.userId }, formContext);
  return view === null ? TOO_LARGE_CARD : openView(view, triggerId, connected);
}

async function openView(view: object, triggerId: string, { api }: ConnectedWorkspace): Promise<Card | null> {
  try {
    await api.call("views.open", { trigger_id: triggerId, view }, z.unknown());
    return null;
  } catch (error) {
    const reason = error instanceof CallError ? describeFailure(error.failure) : "no response";
    return card({
      tone: "bad",
      title: "Couldn't open the form",
      lines: [`Slack's error: ${reason}. Press Edit again.`],
    });
  }
}

const TOO_LARGE_CARD = card({
  tone: "bad",
  title: "This rule is too large for a Slack form",
  lines: ["Remove it and add it again as text: /splits subscribe, or /splits import."],
});

function formContextOf({ actions, container, response_url: responseUrl }: BlockActions, now: Instant): FormContext {
  const value = actions[0]?.value ?? "";
  return {
    number: value === NEW_RULE ? null : Number(value),
    channelId: container.channel_id ?? null,
    responseUrl: responseUrl ?? null,
    threadTs: container.thread_ts ?? null,
    openedAt: now,
  };
}

/** Shows a problem to the caller, in the channel or home tab where they pressed the button. */
async function showProblem(
  problem: Card,
  caller: Caller,
  { responseUrl, threadTs }: FormContext,
  { homeTabs }: FormParts,
): Promise<void> {
  if (responseUrl === null) return homeTabs.show(caller, [problem]);
  await respondWithCard(createResponder(responseUrl), problem, threadTs);
}

/** A submitted form: its command, or the errors to show in it. */
type FormResult =
  | { readonly kind: "command"; readonly command: StructuredCommand; readonly formContext: FormContext }
  | { readonly kind: "invalid"; readonly errors: FormErrors };

async function readForm(
  view: z.infer<typeof viewSubmission>["view"],
  person: Person,
  { screens, clock, log }: FormParts,
): Promise<FormResult> {
  const formContext = readFormContext(view.private_metadata);
  const isExpired = formContext?.channelId !== null && clock.now() - (formContext?.openedAt ?? 0) > FORM_LIFETIME_MS;
  if (formContext === null || isExpired) return { kind: "invalid", errors: { events: EXPIRED_ERROR } };
  const submission = readSubmission(view.state, formContext.number);
  try {
    const errors = { ...toFormErrors(await screens.problems(submission.command, person)), ...submission.errors };
    return Object.keys(errors).length > 0
      ? { kind: "invalid", errors }
      : { kind: "command", ...submission, formContext };
  } catch (error) {
    log.error("slack form failed", { error });
    return { kind: "invalid", errors: { events: "Couldn't check the form. Try again in a minute." } };
  }
}

const EXPIRED_ERROR = "This form has expired. Close it and press Edit again.";

function readFormContext(metadata: string): FormContext | null {
  try {
    return formContextSchema.parse(JSON.parse(metadata));
  } catch {
    return null;
  }
}

/** Runs the form's command as if the user had typed it where they opened the form. */
async function submitForm(
  input: StructuredCommand,
  user: Omit<Caller, "channelId">,
  formContext: FormContext,
  parts: FormParts,
): Promise<void> {
  const { channelId, responseUrl, threadTs } = formContext;
  const caller = { ...user, channelId };
  if (channelId === null || responseUrl === null) return parts.homeTabs.run(caller, input);
  const connected = await parts.workspaces.find(user);
  if (connected === null) {
    const problem = absenceCard(await parts.workspaces.absenceReason(user));
    return showProblem(problem, caller, formContext, parts);
  }
  const respond = createResponder(responseUrl);
  await answer({ ...user, channelId, input, respond, button: { ephemeral: true, threadTs } }, connected, parts);
}
