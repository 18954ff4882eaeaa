import { byId } from "./dom.ts";
import type { SentFile } from "./protocol.ts";

/** Takes a file or a pasted text for an import. */
export interface ImportDialog {
  open(): void;
}

/** In bytes. */
const LARGEST = 1024 * 1024;

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
    return source.size > LARGEST ? "This is larger than 1 MB." : source;
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
