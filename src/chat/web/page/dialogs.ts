import { byId } from "./dom.ts";
import type { Identity } from "./identity.ts";
import { NAME_FORM, parseName, type SentFile } from "./protocol.ts";

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
      for (const field of [name, channel]) showProblem(field, "");
      if (!dialog.open) dialog.showModal();
      name.focus();
      name.select();
    },
  };
}

/** The field's name, or undefined with a word on what is wrong beside the field. */
function readField(field: HTMLInputElement, what: string): string | undefined {
  const name = parseName(field.value);
  showProblem(field, name === undefined ? `${what} has ${NAME_FORM}` : "");
  if (name === undefined) field.focus();
  return name;
}

function showProblem(field: HTMLInputElement, problem: string): void {
  field.setAttribute("aria-invalid", String(problem !== ""));
  byId(`${field.id}-problem`, HTMLElement).textContent = problem;
}

/** Takes a file or a pasted text for an import. */
export interface ImportDialog {
  open(): void;
}

/** In bytes. */
const MAX_FILE_BYTES = 1024 * 1024;

/** Whose watchlist, rules and settings it is for: the reader's own, or the rules of the channel that they see. */
export type ImportScope = "me" | "channel";

export function createImportDialog(chosen: (file: SentFile, scope: ImportScope) => void): ImportDialog {
  const dialog = byId("import", HTMLDialogElement);
  const file = byId("import-file", HTMLInputElement);
  const text = byId("import-text", HTMLTextAreaElement);
  const scope = byId("import-scope", HTMLSelectElement);
  const problem = byId("import-problem", HTMLElement);

  /** The file where one is picked, else the text; a word on what is wrong where neither can be sent. */
  function picked(): File | string {
    const source = file.files?.item(0) ?? new File([text.value], "pasted text");
    if (source.size === 0) return "Pick a file, or paste a list.";
    return source.size > MAX_FILE_BYTES ? "This is larger than 1 MB." : source;
  }

  async function send(): Promise<void> {
    const source = picked();
    problem.textContent = typeof source === "string" ? source : "";
    if (typeof source === "string") return file.focus();
    const base64 = await readBase64(source);
    dialog.close();
    chosen({ name: source.name, base64 }, scope.value === "channel" ? "channel" : "me");
  }

  byId("import-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void send().catch(() => {
      problem.textContent = "The browser could not read this file.";
    });
  });
  byId("import-cancel", HTMLButtonElement).addEventListener("click", () => dialog.close());

  return {
    open() {
      byId("import-form", HTMLFormElement).reset();
      problem.textContent = "";
      if (!dialog.open) dialog.showModal();
      file.focus();
    },
  };
}

function readBase64(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => {
      if (typeof reader.result === "string") resolve(reader.result.replace(/^[^,]*,/, ""));
    });
    reader.addEventListener("error", () => reject(reader.error ?? new Error("not read")));
    reader.readAsDataURL(file);
  });
}
