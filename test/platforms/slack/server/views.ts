import { createListeners } from "../../../../src/lib/listeners.ts";
import { isObject } from "./message-checks.ts";
import { checkView } from "./view-checks.ts";
import type { Json, Workspace } from "./workspace.ts";

/** How long a trigger id can be used to open a form. */
const TRIGGER_LIFETIME_MS = 3_000;

/** A displayed home tab or modal. */
export interface ShownView {
  readonly id: string;
  readonly type: "home" | "modal";
  readonly callbackId: string;
  readonly metadata: string;
  readonly title: string;
  readonly blocks: readonly Json[];
}

/** Home tabs and modals of a workspace's people. */
export interface Views {
  /** Creates a trigger id, which opens one form within TRIGGER_LIFETIME_MS. */
  createTrigger(personId: string): string;
  homeOf(personId: string): ShownView | null;
  modalOf(personId: string): ShownView | null;
  /** Closes the person's modal after it was submitted. */
  close(personId: string): void;
  /** `views.open` */
  open(args: Json): Json;
  /** `views.publish` */
  publish(args: Json): Json;
  /** Calls `changed` after every change. Returns a function that ends this. */
  onChange(changed: () => void): () => void;
}

/** Trigger ids are unique across servers. */
let triggerCount = 0;

export function createViews(workspace: Workspace, violations: string[], now: () => number): Views {
  const triggers = new Map<string, { readonly personId: string; readonly at: number; isUsed: boolean }>();
  const homes = new Map<string, ShownView>();
  const modals = new Map<string, ShownView>();
  const listeners = createListeners();
  let made = 0;

  function show(where: Map<string, ShownView>, personId: string, view: Json): Json {
    made += 1;
    const shown = shownView(view, `V${workspace.team.id}${made}`);
    where.set(personId, shown);
    listeners.notify();
    return { ok: true, view: { ...view, id: shown.id, team_id: workspace.team.id, hash: `${made}.hash` } };
  }

  /** Returns the refusal of an invalid view; null if it is valid. */
  function validate(method: string, view: unknown, type: ShownView["type"]): Json | null {
    const problems = checkView(view, type);
    violations.push(...problems.map((problem) => `${method} ${problem}`));
    return problems.length > 0
      ? { ok: false, error: "invalid_arguments", response_metadata: { messages: problems } }
      : null;
  }

  return {
    createTrigger(personId) {
      triggerCount += 1;
      const id = `${triggerCount}.${workspace.team.id}.trigger`;
      triggers.set(id, { personId, at: now(), isUsed: false });
      return id;
    },
    homeOf: (personId) => homes.get(personId) ?? null,
    modalOf: (personId) => modals.get(personId) ?? null,
    close: (personId) => void modals.delete(personId),
    open({ trigger_id: id, view }) {
      const trigger = triggers.get(String(id));
      if (trigger === undefined) return refused("invalid_trigger_id");
      if (trigger.isUsed) return refused("exchanged_trigger_id");
      if (now() - trigger.at > TRIGGER_LIFETIME_MS) return refused("expired_trigger_id");
      const problem = validate("views.open", view, "modal");
      if (problem !== null) return problem;
      trigger.isUsed = true;
      return show(modals, trigger.personId, view as Json);
    },
    publish({ user_id: personId, view }) {
      if (!workspace.people.has(String(personId))) return refused("user_not_found");
      return validate("views.publish", view, "home") ?? show(homes, String(personId), view as Json);
    },
    onChange: listeners.add,
  };
}

function refused(error: string): Json {
  return { ok: false, error };
}

function shownView(view: Json, id: string): ShownView {
  return {
    id,
    type: view.type === "modal" ? "modal" : "home",
    callbackId: textOf(view.callback_id),
    metadata: textOf(view.private_metadata),
    title: isObject(view.title) ? textOf(view.title.text) : "",
    blocks: (view.blocks as readonly Json[]).map((block, index) => ({ block_id: `b${index}`, ...block })),
  };
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
