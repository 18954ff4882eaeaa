import { byId } from "./dom.ts";
import type { Identity } from "./identity.ts";
import { NAME_FORM, parseName } from "./name.ts";
import type { SentFile } from "./protocol.ts";

/** Asks for a name and a channel. */
export interface IdentityDialog {
  /** `onDone`: runs after a name is picked. */
  open(current: Identity, onDone?: () => void): void;
}

export function createIdentityDialog(onPick: (identity: Identity) => void): IdentityDialog {
  const dialog = byId("identity", HTMLDialogElement);
  const form = byId("identity-form", HTMLFormElement);
  const name = byId("name", HTMLInputElement);
  const channel = byId("channel", HTMLInputElement);
  let afterPick: (() => void) | undefined;

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const pickedName = readField(name);
    const pickedChannel = readField(channel);
    if (pickedName === undefined || pickedChannel === undefined) return;
    dialog.close();
    onPick({ name: pickedName, channel: pickedChannel });
    afterPick?.();
  });
  byId("identity-cancel", HTMLButtonElement).addEventListener("click", () => dialog.close());

  return {
    open(current, onDone) {
      afterPick = onDone;
      dialog.dataset.first = String(current.name === null);
      name.value = current.name ?? "";
      channel.value = current.channel;
      for (const field of [name, channel]) showProblem(field, "");
      if (!dialog.open) dialog.showModal();
      name.focus();
      name.select();
    },
  };
}

/** Returns the field's name, or shows a problem and returns undefined. */
function readField(field: HTMLInputElement): string | undefined {
  const name = parseName(field.value);
  showProblem(field, name === undefined ? `Use ${NAME_FORM}` : "");
  if (name === undefined) field.focus();
  return name;
}

function showProblem(field: HTMLInputElement, problem: string): void {
  field.setAttribute("aria-invalid", String(problem !== ""));
  byId(`${field.id}-problem`, HTMLElement).textContent = problem;
}

/** Asks for a file or a text to import. */
export interface ImportDialog {
  open(): void;
}

const MAX_FILE_BYTES = 1024 * 1024;

/** `me`: the reader's watchlist, rules and settings. `channel`: the current channel's rules and settings. */
export type ImportScope = "me" | "channel";

export function createImportDialog(onSelect: (file: SentFile, scope: ImportScope) => void): ImportDialog {
  const dialog = byId("import", HTMLDialogElement);
  const file = byId("import-file", HTMLInputElement);
  const text = byId("import-text", HTMLTextAreaElement);
  const scope = byId("import-scope", HTMLSelectElement);
  const problem = byId("import-problem", HTMLElement);

  /** Returns the selected file or the pasted text as a file, or an error message. */
  function readSource(): File | string {
    const source = file.files?.item(0) ?? new File([text.value], "pasted text");
    if (source.size === 0) return "Pick a file, or paste a list.";
    return source.size > MAX_FILE_BYTES ? "The file or text is larger than 1 MB." : source;
  }

  async function send(): Promise<void> {
    const source = readSource();
    problem.textContent = typeof source === "string" ? source : "";
    if (typeof source === "string") return file.focus();
    const base64 = await readBase64(source);
    dialog.close();
    onSelect({ name: source.name, base64 }, scope.value === "channel" ? "channel" : "me");
  }

  byId("import-form", HTMLFormElement).addEventListener("submit", (event) => {
    event.preventDefault();
    void send().catch(() => {
      problem.textContent = "Couldn't read this file. Select it again.";
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
    reader.addEventListener("error", () => reject(reader.error ?? new Error("the file could not be read")));
    reader.readAsDataURL(file);
  });
}
