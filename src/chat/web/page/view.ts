import { byId } from "./dom.ts";

type View = "chat" | "splits";

/** On a narrow screen the chat and the splits take turns; on a wide one both are there and this changes nothing. */
export function showView(view: View): void {
  document.body.dataset.view = view;
  for (const name of ["chat", "splits"] as const) {
    byId(`view-${name}`, HTMLButtonElement).setAttribute("aria-pressed", String(name === view));
  }
}

for (const name of ["chat", "splits"] as const) {
  byId(`view-${name}`, HTMLButtonElement).addEventListener("click", () => showView(name));
}
