import { el } from "./dom.ts";
import type { CardFile, Picture } from "./protocol.ts";

const SVG = "http://www.w3.org/2000/svg";

/** What a picture of ours is made of. Nothing of it runs, links or loads anything. */
const ELEMENTS: readonly string[] = ["svg", "g", "title", "desc", "rect", "line", "text"];

const ATTRIBUTES: readonly string[] =
  "viewBox width height x y x1 x2 y1 y2 rx transform role fill fill-opacity stroke stroke-width"
    .split(" ")
    .concat("font-family font-size font-weight letter-spacing text-anchor text-decoration".split(" "));

/** The picture with its texts as texts: they can be selected and read out. In words where it is no picture. */
export function pictureView({ svg, alt }: Picture): HTMLElement {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const drawn = root.namespaceURI === SVG && root.localName === "svg" ? redrawn(root) : null;
  return el("figure", { class: "picture" }, drawn ?? alt);
}

/** Made anew of what is known to be harmless, whatever the server sent. */
function redrawn(source: Element): Element | null {
  if (!ELEMENTS.includes(source.localName)) return null;
  const element = document.createElementNS(SVG, source.localName);
  for (const { name, value } of source.attributes) if (ATTRIBUTES.includes(name)) element.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child instanceof Text) element.append(child.data);
    const inner = child instanceof Element ? redrawn(child) : null;
    if (inner !== null) element.append(inner);
  }
  return element;
}

export function filesView(files: readonly CardFile[]): HTMLElement {
  return el("p", { class: "files" }, ...files.flatMap((file) => [fileLink(file), " "]));
}

function fileLink(file: CardFile): HTMLElement {
  const anchor = el("a", { class: "file" }, `Download ${file.name}`);
  anchor.href =
    "path" in file
      ? new URL(file.path, location.origin).href
      : URL.createObjectURL(new Blob([file.text], { type: file.mediaType }));
  anchor.download = file.name;
  return anchor;
}
