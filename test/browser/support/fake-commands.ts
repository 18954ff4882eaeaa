import type { Suggestion } from "../../../src/chat/web/platform.ts";
import type { Answer, Call } from "../../../src/commands/command.ts";
import { button, type Card, card } from "../../../src/messages/message.ts";

/** Small set of commands with one answer of each kind, to test the page without the real commands. */
export interface FakeCommands {
  /** All requests, oldest first. */
  readonly asked: readonly { readonly line: string; readonly call: Call }[];
  ask(line: string, call: Call): Promise<Answer>;
  complete(line: string, call: Call): Promise<readonly Suggestion[]>;
  isComplete(line: string): Promise<boolean>;
}

const NAMES: Readonly<Record<string, string>> = {
  list: "The current splits",
  show: "One split with its history",
  subscribe: "This channel gets alerts",
  status: "How fresh the data is",
  watch: "Tell me about these tickers",
  watchlist: "Your tickers",
  help: "All commands",
};

const NEED_TICKER = ["show", "watch"];

const TICKERS: Readonly<Record<string, string>> = {
  ACME: "Acme Robotics Inc. · 1-for-20",
  ACRE: "Acre Land Trust · 1-for-8",
};

export function createFakeCommands(extra: Readonly<Record<string, readonly Card[]>> = {}): FakeCommands {
  const asked: { line: string; call: Call }[] = [];
  return {
    asked,
    async ask(line, call) {
      asked.push({ line, call });
      const [name = "", ...words] = line.split(/\s+/);
      const cards = extra[name];
      return cards === undefined ? answerTo(name, words, call) : { cards, shareable: false };
    },
    async complete(line) {
      const [name = "", ticker] = line.split(/\s+/);
      if (ticker !== undefined) return tickersLike(name, ticker);
      return Object.keys(NAMES)
        .filter((known) => known.startsWith(name.toLowerCase()))
        .map((known) => ({ line: `${known} `, label: known, hint: NAMES[known] ?? "" }));
    },
    async isComplete(line) {
      const [name = "", ticker = ""] = line.split(/\s+/);
      return name === "" || (name in NAMES && (!NEED_TICKER.includes(name) || ticker !== ""));
    },
  };
}

function tickersLike(name: string, start: string): readonly Suggestion[] {
  if (!NEED_TICKER.includes(name)) return [];
  return Object.entries(TICKERS)
    .filter(([ticker]) => ticker.startsWith(start.toUpperCase()))
    .map(([ticker, hint]) => ({ line: `${name} ${ticker}`, label: ticker, hint }));
}

function answerTo(name: string, words: readonly string[], call: Call): Answer {
  switch (name) {
    case "list":
      return { cards: [listCard(words)], shareable: true };
    case "show":
      return {
        cards: [card({ tone: "new", title: `${words[0]}: 1-for-20`, buttons: watchButton(words[0]) })],
        shareable: true,
      };
    case "watch":
      return privately(
        card({
          tone: "good",
          title: `You watch ${words.join(", ")} now`,
          buttons: [button("Undo", `unwatch ${words.join(" ")}`)],
        }),
      );
    case "unwatch":
      return privately(card({ tone: "good", title: `You watch ${words.join(", ")} no more` }));
    case "subscribe":
      return privately(card({ tone: "good", title: `${call.destination.kind} ${call.destination.id} is subscribed` }));
    case "":
    case "help":
    case "status":
      return privately(
        card({ title: "All commands", rows: Object.entries(NAMES).map(([title, detail]) => ({ title, detail })) }),
      );
    default:
      return privately(card({ tone: "bad", title: `"${name}" is not a command`, lines: ["Try: /splits list"] }));
  }
}

function listCard(words: readonly string[]): Card {
  const second = words.includes("page:2");
  return card({
    title: `Current splits, page ${second ? 2 : 1} of 2`,
    rows: [{ title: second ? "ZETA 1-for-5" : "ACME 1-for-20", detail: "ex date Mar 10" }],
    buttons: [second ? button("Back", "list page:1") : button("Next", "list page:2")],
  });
}

function watchButton(ticker = ""): Card["buttons"] {
  return [button(`Watch ${ticker}`, `watch ${ticker}`, "primary")];
}

function privately(only: Card): Answer {
  return { cards: [only], shareable: false };
}
