import { byId } from "./dom.ts";
import type { Identity } from "./identity.ts";
import { NAME_FORM, parseName } from "./protocol.ts";

/** Asks for a name and a channel. */
export interface IdentityDialog {
  /** `then`: what the reader was about to do, once they have a name. */
  open(now: Identity, then?: () => void): void;
}

export function createIdentityDialog(picked: (identity: Identity) => void): IdentityDialog {
  const dialog = byId("identity", HTMLDialogElement);
  const form = byId("identity-form", HTMLFormElement);
  const name = byId("name", HTMLInputElement);
  const channel = byId("channel", HTMLInputElement);
  let afterwards: (() => void) | undefined;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const pickedName = readField(name, "A name");
    const pickedChannel = readField(channel, "A channel");
    if (pickedName === undefined || pickedChannel === undefined) return;
    dialog.close();
    picked({ name: pickedName, channel: pickedChannel });
    afterwards?.();
  });
  byId("identity-cancel", HTMLButtonElement).addEventListener("click", () => dialog.close());

  return {
    open(now, then) {
      afterwards = then;
      dialog.dataset.first = String(now.name === null);
      name.value = now.name ?? "";
      channel.value = now.channel;
      for (const field of [name, channel]) sayProblem(field, "");
      if (!dialog.open) dialog.showModal();
      name.focus();
      name.select();
    },
  };
}

/** The field's name, or undefined with a word on what is wrong beside the field. */
function readField(field: HTMLInputElement, what: string): string | undefined {
  const name = parseName(field.value);
  sayProblem(field, name === undefined ? `${what} has ${NAME_FORM}` : "");
  if (name === undefined) field.focus();
  return name;
}

function sayProblem(field: HTMLInputElement, problem: string): void {
  field.setAttribute("aria-invalid", String(problem !== ""));
  byId(`${field.id}-problem`, HTMLElement).textContent = problem;
}
