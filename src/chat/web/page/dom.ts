/** Attributes that `el` accepts; the content security policy forbids `style` and `on…`. */
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

/** Creates an element; strings become text nodes, never markup. */
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

/** External text, isolated so that its writing direction doesn't affect its surroundings. */
export function externalText(text: string, className = ""): HTMLElement {
  const element = el("bdi", className === "" ? {} : { class: className });
  element.textContent = text;
  return element;
}

/** A link to another view of the page; `address` is a fragment with its `#`. */
export function viewLink(address: string, text: string): HTMLAnchorElement {
  const anchor = el("a", { dir: "auto" }, text);
  anchor.href = address;
  return anchor;
}

/** A link if `address` is http or https, otherwise the text. */
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

/** Returns the element with this id; throws if it is missing or has another type. */
export function byId<T extends HTMLElement>(id: string, type: new () => T): T {
  const element = document.getElementById(id);
  if (element instanceof type) return element;
  throw new Error(`#${id}: expected a ${type.name} on the page`);
}

/** Runs `action` on each press; the button is disabled while it runs. */
export function onPress(button: HTMLButtonElement, action: () => Promise<void> | void): HTMLButtonElement {
  button.type = "button";
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") === "true") return;
    button.setAttribute("aria-disabled", "true");
    void Promise.resolve(action()).finally(() => button.removeAttribute("aria-disabled"));
  });
  return button;
}
