import { el, externalText, link, onPress, viewLink } from "./dom.ts";
import type { Button, Card, CardFile, Fact, Picture, Quote, Row } from "./protocol.ts";
import { releaseAddress, splitAddress } from "./route.ts";

/** Runs the command line of a button. */
export type Press = (command: string) => Promise<void>;

/** Names of the tones for screen readers. */
const TONE_NAMES: Readonly<Record<Card["tone"], string>> = {
  new: "New",
  change: "Change",
  warning: "Warning",
  due: "Due",
  good: "Done",
  bad: "Problem",
  plain: "",
};

export function cardView(card: Card, press: Press): HTMLElement {
  return el(
    "article",
    { class: "card", "data-tone": card.tone },
    headingView(card),
    ...card.lines.map(lineView),
    card.picture === undefined ? null : pictureView(card.picture),
    card.facts.length === 0 ? null : el("dl", { class: "facts" }, ...card.facts.map(factView)),
    card.rows.length === 0 ? null : el("ul", { class: "rows" }, ...card.rows.map(rowView)),
    ...card.quotes.map(quoteView),
    warningsView(card.warnings),
    card.files === undefined || card.files.length === 0 ? null : filesView(card.files),
    card.buttons.length === 0 ? null : buttonsView(card, press),
    card.footer === null ? null : el("p", { class: "footer" }, externalText(card.footer)),
  );
}

function headingView(card: Card): HTMLElement {
  const tone = TONE_NAMES[card.tone];
  return el(
    "h3",
    { class: "title" },
    tone === "" ? null : el("span", { class: "hidden" }, `${tone}: `),
    ...badgeViews(card.badges),
    link(card.link, card.title),
  );
}

/** A line; a command at its end is shown as code. */
function lineView(line: string): HTMLElement {
  const [, text = line, command = ""] = /^(.*: )(\/splits .*)$/s.exec(line) ?? [];
  const code = command === "" ? null : el("code", { class: "command" }, externalText(command));
  return el("p", { class: "line" }, externalText(text), code);
}

export function badgeViews(badges: readonly string[]): readonly Node[] {
  return badges.flatMap((badge) => [
    el("span", { class: "badge", "data-badge": badge.toLowerCase() }, externalText(badge)),
    space(),
  ]);
}

function factView(fact: Fact): HTMLElement {
  return el(
    "div",
    {},
    el("dt", {}, externalText(fact.label)),
    el(
      "dd",
      {},
      ...wasView(fact.was),
      fact.isRelease ? releaseLink(fact.link, fact.value) : link(fact.link, fact.value),
    ),
  );
}

/** Old value and an arrow, to show before the new value, with words for screen readers. */
function wasView(was: string | undefined): readonly Node[] {
  if (was === undefined) return [];
  return [
    el("span", { class: "hidden" }, "was "),
    el("del", {}, externalText(was)),
    el("span", { class: "arrow", "aria-hidden": "true" }, " → "),
    el("span", { class: "hidden" }, ", is now "),
  ];
}

function rowView(row: Row): HTMLElement {
  return el(
    "li",
    {},
    el("span", { class: "row-title" }, ...badgeViews(row.badges ?? []), rowTitle(row)),
    // Keeps a dot from beginning a line.
    row.detail === "" ? null : externalText(row.detail.replaceAll(" · ", "\u00A0· "), "row-detail"),
  );
}

function rowTitle({ title, link: address, ticker, isRelease }: Row): HTMLElement {
  if (ticker !== undefined) return viewLink(splitAddress(ticker), title);
  return isRelease ? releaseLink(address, title) : link(address, title);
}

/** Link to the release's text on the page. */
function releaseLink(address: string | undefined, text: string): HTMLElement {
  return address === undefined ? externalText(text) : viewLink(releaseAddress(address), text);
}

function quoteView(quote: Quote): HTMLElement {
  return el(
    "figure",
    { class: "quote" },
    el("blockquote", {}, externalText(quote.text)),
    el(
      "figcaption",
      {},
      link(quote.link, quote.source === "" ? "source" : quote.source),
      ...(quote.link === "" ? [] : [" · ", viewLink(releaseAddress(quote.link), "Read in context")]),
    ),
  );
}

/** Null without warnings. */
export function warningsView(warnings: readonly string[]): HTMLElement | null {
  if (warnings.length === 0) return null;
  return el("ul", { class: "warnings", "aria-label": "Data warnings" }, ...warnings.map(warningView));
}

function warningView(warning: string): HTMLElement {
  return el("li", {}, externalText(warning));
}

function buttonsView(card: Card, press: Press): HTMLElement {
  return el(
    "div",
    { class: "buttons", role: "group", "aria-label": "Actions" },
    ...card.buttons.map((button) => buttonView(button, press)),
  );
}

function buttonView(button: Button, press: Press): HTMLElement {
  const element = el(
    "button",
    { class: "button", "data-style": button.style, title: `/splits ${button.command}` },
    externalText(button.label),
  );
  return onPress(element, () => press(button.command));
}

function space(): Text {
  return document.createTextNode(" ");
}

const SVG_NAMESPACE = "http://www.w3.org/2000/svg";

/** Elements of generated pictures. None can run a script, link or load a resource. */
const ALLOWED_ELEMENTS: readonly string[] = ["svg", "g", "title", "desc", "rect", "line", "text"];

const ALLOWED_ATTRIBUTES: readonly string[] =
  "viewBox width height x y x1 x2 y1 y2 rx transform role fill fill-opacity stroke stroke-width"
    .split(" ")
    .concat("font-family font-size font-weight letter-spacing text-anchor text-decoration".split(" "));

/** Smaller pictures fit a phone. */
const MIN_SCROLLED_WIDTH = 700;

/** Inline SVG, so that its texts can be selected and read aloud; the alternative text if it isn't valid SVG. */
export function pictureView({ svg, alt }: Picture): HTMLElement {
  const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
  const picture = root.namespaceURI === SVG_NAMESPACE && root.localName === "svg" ? copyAllowed(root) : null;
  // Focusable, because it can be wider than the screen and is then scrolled with the keyboard.
  const isSmall = Number(root.getAttribute("width")) < MIN_SCROLLED_WIDTH;
  return el("figure", { class: "picture", tabindex: "0", "data-small": String(isSmall) }, picture ?? alt);
}

/** Copies allowed elements and attributes only. */
function copyAllowed(source: Element): Element | null {
  if (!ALLOWED_ELEMENTS.includes(source.localName)) return null;
  const element = document.createElementNS(SVG_NAMESPACE, source.localName);
  for (const { name, value } of source.attributes)
    if (ALLOWED_ATTRIBUTES.includes(name)) element.setAttribute(name, value);
  for (const child of source.childNodes) {
    if (child instanceof Text) element.append(child.data);
    const childCopy = child instanceof Element ? copyAllowed(child) : null;
    if (childCopy !== null) element.append(childCopy);
  }
  return element;
}

export function filesView(files: readonly CardFile[]): HTMLElement {
  return el("p", { class: "files" }, ...files.flatMap((file) => [fileLink(file), " "]));
}

/** A download link; without an address if the file isn't on this server. */
function fileLink(file: CardFile): HTMLElement {
  const anchor = el("a", { class: "file" }, `Download ${file.name}`);
  const address = "path" in file ? file.path : URL.createObjectURL(new Blob([file.text], { type: file.mediaType }));
  const url = new URL(address, location.origin);
  if (url.origin === location.origin) anchor.href = url.href;
  anchor.download = file.name;
  return anchor;
}
