import { ApiError, getSplit, postCommand } from "./api.ts";
import { badgeViews, cardView, type Press } from "./card.ts";
import type { DetailParts, ViewParts } from "./detail.ts";
import { el, externalText, viewLink } from "./dom.ts";
import { showNotice } from "./notices.ts";
import type { CommandAnswer, SplitAnswer, TimelineStep } from "./protocol.ts";
import { releaseAddress } from "./route.ts";

/** Everything known about the splits of a ticker: timeline, terms, sources, releases, and a calculation. */
export async function splitNodes(ticker: string, parts: ViewParts): Promise<readonly Node[]> {
  const split = await getSplit(ticker, parts.readerName());
  const press = pressIn(parts);
  return [
    el("h2", { tabindex: "-1" }, ...badgeViews(split.isSample ? ["SAMPLE"] : []), externalText(titleOf(split))),
    ...split.sections.slice(0, 1).flatMap((section) => sectionNodes(section, press)),
    ...(split.sections.length === 0 ? [] : [parts.calculator ?? createCalculator(ticker, parts)]),
    ...split.sections.slice(1).flatMap((section) => sectionNodes(section, press)),
    ...split.cards.map((card) => cardView(card, press)),
  ];
}

function titleOf({ ticker, company }: SplitAnswer): string {
  return company === "" ? ticker : `${ticker} · ${company}`;
}

function sectionNodes({ steps, cards }: SplitAnswer["sections"][number], press: Press): readonly Node[] {
  return [
    el("ol", { class: "steps", "aria-label": "Timeline of the split" }, ...steps.map(stepView)),
    ...cards.map((card) => cardView(card, press)),
  ];
}

const TIMES: Readonly<Record<TimelineStep["time"], string>> = { past: "done", today: "today", ahead: "ahead" };

function stepView({ label, day, dayText, detail, release, time, isCertain }: TimelineStep): HTMLElement {
  return el(
    "li",
    { "data-time": time, "data-certain": String(isCertain) },
    el("strong", {}, label),
    el("span", { class: "hidden" }, ` (${TIMES[time]})`),
    el("time", { datetime: day }, dayText),
    detail === null
      ? null
      : el("span", { class: "step-detail" }, release === null ? detail : viewLink(releaseAddress(release), detail)),
  );
}

/** Watching changes the view itself; the answers of other commands appear in the chat. */
function pressIn(parts: DetailParts): Press {
  return async (command) => {
    if (!/^(?:un)?watch /.test(command)) return parts.press(command);
    parts.withName(() => void watch(command, parts));
  };
}

async function watch(command: string, parts: DetailParts): Promise<void> {
  const answer = await ask(command, parts);
  if (typeof answer === "string") return showNotice(answer);
  showNotice(answer.cards[0]?.title ?? "Done");
  parts.changed();
}

/** Returns the answer, or the reason of a failure. */
async function ask(line: string, { readerName }: DetailParts): Promise<CommandAnswer | string> {
  const name = readerName() ?? "";
  try {
    return await postCommand(name, { kind: "person", id: name }, { line });
  } catch (error) {
    if (error instanceof ApiError) return error.message;
    throw error;
  }
}

/** Form for a number of shares, with the answer of `calc` below it. */
function createCalculator(ticker: string, parts: DetailParts): HTMLElement {
  const shares = el("input", { id: "calc-shares", type: "text" });
  shares.inputMode = "decimal";
  shares.placeholder = "150";
  shares.maxLength = 20;
  shares.autocomplete = "off";
  const result = el("div", { class: "calc-result", role: "status" });

  async function calculate(): Promise<void> {
    const answer = await ask(`calc ${ticker} shares:"${shares.value.replaceAll('"', "")}"`, parts);
    const cards = typeof answer === "string" ? [el("p", { class: "line" }, externalText(answer))] : cardsOf(answer);
    result.replaceChildren(...cards);
  }

  const cardsOf = (answer: CommandAnswer): readonly Node[] => answer.cards.map((card) => cardView(card, parts.press));
  const label = el("label", {}, "Shares that you hold");
  label.htmlFor = shares.id;
  const submit = el("button", { class: "button", "data-style": "primary", type: "submit" }, "Calculate");
  const form = el("form", { class: "calc", "aria-label": "Calculate your shares" }, label, shares, submit);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (shares.value.trim() === "") shares.focus();
    else parts.withName(() => void calculate());
  });
  return el("section", { class: "calculator" }, form, result);
}
