import { readPortable } from "../domain/settings/portable.ts";
import { isKnownExchange } from "../domain/split/exchange.ts";
import {
  howToImportCard,
  noChannelToExportCard,
  notTextReason,
  tooLargeReason,
  unreachableReason,
  unreadableCard,
  unreadableReason,
} from "../messages/answers/export-import-answer.ts";
import { EXAMPLE_TICKER_LIST } from "../messages/example-tickers.ts";
import type { Card } from "../messages/message.ts";
import { type Call, defineCommand } from "./command.ts";
import type { AnswerContext } from "./context.ts";
import { exchangesIn, readCurrentData } from "./current-data.ts";
import { destinationIn, SCOPE } from "./destination-state.ts";
import { applyImport, cancelImport, previewImport, undoImport } from "./import-steps.ts";
import type { OptionSpecs, OptionsOf } from "./parser/option-kinds.ts";

const HIDDEN = { kind: "text", summary: "Set by the buttons of a preview", hidden: true } as const;

const OPTIONS = {
  file: { kind: "file", summary: "An exported file or a list of tickers" },
  text: { kind: "pastedText", summary: "The content of such a file, as the last option" },
  scope: { ...SCOPE, summary: "For you (default), or the rules and settings of this channel" },
  apply: HIDDEN,
  cancel: HIDDEN,
  undo: HIDDEN,
} as const satisfies OptionSpecs;

type ImportOptions = OptionsOf<typeof OPTIONS>;

/** Text to import. */
interface ImportText {
  readonly name: string | null;
  readonly text: string;
}

export const importFile = defineCommand({
  name: "import",
  summary: "Import a watchlist and rules from a file or list; shows the changes before it makes them",
  example: `import ${EXAMPLE_TICKER_LIST}`,
  options: OPTIONS,
  managesChannel: true,
  managesChannelWhen: ({ scope }) => scope === "channel",
  async run(options, call, context) {
    const { apply, cancel, undo, scope } = options;
    if (apply !== undefined) return [await applyImport(apply, call, context)];
    if (cancel !== undefined) return [await cancelImport(cancel, call, context)];
    if (undo !== undefined) return [await undoImport(undo, call, context)];
    if (destinationIn(scope, call) === null) return [noChannelToExportCard(`import ${EXAMPLE_TICKER_LIST}`)];
    const input = await readImportText(options, call);
    if ("title" in input) return [input];
    const read = readPortable(input.text, await knownExchanges(context));
    if (read.kind !== "read") return [unreadableCard(input.name, unreadableReason(read))];
    return [
      await previewImport({ name: input.name, read, scope: scope === "channel" ? "channel" : "me" }, call, context),
    ];
  },
});

/** The attached file, else the pasted text; a card if there is no readable text. */
async function readImportText({ file, text }: ImportOptions, call: Call): Promise<ImportText | Card> {
  const attached = await call.fetchAttachment?.();
  if (attached === undefined)
    return text === undefined || file !== undefined ? howToImportCard(call.hints?.file) : { name: null, text };
  const { name } = attached;
  switch (attached.kind) {
    case "text":
      return { name, text: attached.text };
    case "not-text":
      return unreadableCard(name, notTextReason(attached.what));
    case "too-large":
      return unreadableCard(name, tooLargeReason());
    case "unreachable":
      return unreadableCard(name, unreachableReason(attached.reason));
  }
}

/** Accepts the exchanges that `subscribe` accepts: known ones and those of the listed splits. */
async function knownExchanges(context: AnswerContext): Promise<Parameters<typeof readPortable>[1]> {
  const listed = exchangesIn(await readCurrentData(context));
  return (exchange) => isKnownExchange(exchange) || listed.includes(exchange);
}
