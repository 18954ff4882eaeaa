import { byId, el, foreign } from "./dom.ts";
import type { SourceState } from "./protocol.ts";
import { relativeTime } from "./server-time.ts";

/** The state of the data in the header, and the note under it that says when it is invented. */
export function showSource(source: SourceState): void {
  const button = byId("source", HTMLButtonElement);
  button.dataset.state = source.state;
  byId("source-text", HTMLElement).replaceChildren(foreign(source.name, "source-name"), ...freshness(source));
  showNote(source);
}

function freshness(source: SourceState): readonly Node[] {
  if (source.readAt === null) return [el("span", {}, source.state === "failed" ? "cannot be read" : "is being read…")];
  const word = source.state === "fresh" ? "read " : "last read ";
  return [el("span", {}, word, relativeTime(source.readAt))];
}

function showNote(source: SourceState): void {
  const note = byId("note", HTMLElement);
  const parts = [
    source.sample ? el("span", { class: "badge", "data-badge": "sample" }, "SAMPLE") : null,
    textOf(source),
  ];
  const shown = parts.filter((part) => part !== null);
  note.hidden = shown.length === 0;
  note.dataset.kind = source.problem === null ? "note" : "problem";
  note.replaceChildren(...shown);
}

function textOf(source: SourceState): HTMLElement | null {
  const text = [source.problem, source.note].filter((part) => part !== null).join(" ");
  return text === "" ? null : el("span", {}, foreign(text));
}
