import { getRelease } from "./api.ts";
import { badgeViews, warningsView } from "./card.ts";
import { el, externalText, link, viewLink } from "./dom.ts";
import type { ReleaseView } from "./protocol.ts";
import { splitAddress } from "./route.ts";

/** A press release with its text, in which the quoted sentences are marked. */
export async function releaseNodes(url: string): Promise<readonly Node[]> {
  const { release } = await getRelease(url);
  return release === null ? unknownRelease(url) : knownRelease(release);
}

function unknownRelease(url: string): readonly Node[] {
  return [
    el("h2", { tabindex: "-1" }, "This release isn't stored"),
    el("p", { class: "line" }, "Read it at its source: ", link(url, url)),
  ];
}

function knownRelease(release: ReleaseView): readonly Node[] {
  const { heading, byline, url, isSample, tickers, warnings, quotes, paragraphs } = release;
  return [
    el("h2", { tabindex: "-1" }, ...badgeViews(isSample ? ["SAMPLE"] : []), externalText(heading)),
    el("p", { class: "meta" }, externalText(byline), link(url, "Open at the source")),
    tickers.length === 0 ? null : el("p", { class: "line" }, "About ", ...tickers.flatMap(tickerLink)),
    warningsView(warnings),
    quotes.length === 0 ? null : quotesView(release),
    ...(paragraphs === null ? [notStored()] : [textView(release)]),
  ].filter((node) => node !== null);
}

function tickerLink(ticker: string, index: number): readonly (Node | string)[] {
  const anchor = viewLink(splitAddress(ticker), ticker);
  return index === 0 ? [anchor] : [", ", anchor];
}

/** The sentences with the terms that they state, so that the marks in the text are explained. */
function quotesView({ quotes, paragraphs }: ReleaseView): HTMLElement {
  const title = paragraphs === null ? "Quoted sentences" : "Quoted sentences, marked in the text";
  return el(
    "section",
    { class: "quotes", "aria-labelledby": "quotes-title" },
    el("h3", { id: "quotes-title" }, title),
    el(
      "dl",
      { class: "facts" },
      ...quotes.map(({ sentence, terms }) =>
        el("div", {}, el("dt", {}, externalText(terms.join(", "))), el("dd", {}, "“", externalText(sentence), "”")),
      ),
    ),
  );
}

function notStored(): HTMLElement {
  return el("p", { class: "line" }, "The text isn't stored here. Read it at the source.");
}

function textView({ paragraphs, isCut }: ReleaseView): HTMLElement {
  const views = (paragraphs ?? []).map((parts) =>
    el("p", { dir: "auto" }, ...parts.map(({ text, isQuoted }) => (isQuoted ? el("mark", {}, text) : text))),
  );
  const end = isCut ? el("p", { class: "quiet" }, "The text is cut here. Read the rest at the source.") : null;
  return el("article", { class: "release-text", "aria-label": "Text of the release" }, ...views, end);
}
