/** What an element may be given. No `style` and no `on…`: the page's policy allows neither, and text from outside gets no chance. */
type AttributeName =
  | "class"
  | "id"
  | "type"
  | "role"
  | "title"
  | "datetime"
  | "dir"
  | "tabindex"
  | "scope"
  | "disabled"
  | `aria-${string}`
  | `data-${string}`;

type Attributes = { readonly [Name in AttributeName]?: string };
type Child = Node | string | null;

/** An element with its children; text goes in as text, never as markup. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value ?? "");
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Text from outside, kept to its own direction of writing so that it cannot turn its neighbours round. */
export function externalText(text: string, className = ""): HTMLElement {
  const element = el("bdi", className === "" ? {} : { class: className });
  element.textContent = text;
  return element;
}

/** A link where `address` is one to follow, else the text alone. */
export function link(address: string | null | undefined, text: string): HTMLElement {
  const url = httpUrl(address);
  if (url === null) return externalText(text);
  const anchor = el("a", { dir: "auto" }, text);
  anchor.href = url.href;
  if (url.origin !== location.origin) {
    anchor.target = "_blank";
    anchor.rel = "noopener noreferrer";
  }
  return anchor;
}

function httpUrl(address: string | null | undefined): URL | null {
  if (!address || !URL.canParse(address, location.href)) return null;
  const url = new URL(address, location.href);
  return url.protocol === "http:" || url.protocol === "https:" ? url : null;
}

/** The element of the page's own markup with this id. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof kind) return element;
  throw new Error(`#${id}: expected a ${kind.name} on the page`);
}

/** A button that is pressed once at a time: it rests while what it started runs. */
export function pressable(button: HTMLButtonElement, press: () => Promise<void> | void): HTMLButtonElement {
  button.type = "button";
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    void Promise.resolve(press()).finally(() => button.removeAttribute("aria-disabled"));
  });
  return button;
}
