import { type Portable, writePortable, writeTickerList } from "../domain/settings/portable.ts";
import type { Rule } from "../domain/settings/rule.ts";
import {
  exportedCard,
  listExportedCard,
  noChannelDataCard,
  nothingToExportCard,
} from "../messages/answers/export-import-answer.ts";
import type { Card, CardFile } from "../messages/message.ts";
import { defineCommand } from "./command.ts";
import { destinationOfScope, SCOPE } from "./destination-state.ts";

export const exportFile = defineCommand({
  name: "export",
  summary: "Your watchlist, rules and settings as a file for any platform",
  example: "export",
  options: {
    scope: SCOPE,
    format: {
      kind: "choice",
      choices: ["json", "list"],
      aliases: { txt: "list", csv: "list", text: "list" },
      summary: "json contains everything; list contains only the tickers, for other programs",
    },
  },
  async run({ scope, format }, call, { store }) {
    const destination = destinationOfScope(scope, call);
    if (destination === null) return [noChannelDataCard("export")];
    const watchlist = destination.kind === "person" ? await store.watchlists.of(call.person) : [];
    if (format === "list") return [listCard(watchlist)];
    const rules = (await store.rules.at(destination)).map(portableRule);
    const settings = await store.destinationSettings.of(destination);
    const file = fileOf("splitwatch.json", "application/json", writePortable({ watchlist, rules, settings }));
    const mentions = rules.filter((rule) => rule.hadMention).length;
    const exportedScope = destination.kind === "person" ? "me" : "channel";
    return [exportedCard({ scope: exportedScope, tickers: watchlist.length, rules: rules.length, mentions }, file)];
  },
});

function listCard(watchlist: Portable["watchlist"]): Card {
  if (watchlist.length === 0) return nothingToExportCard();
  return listExportedCard(watchlist.length, fileOf("watchlist.txt", "text/plain", writeTickerList(watchlist)));
}

function portableRule({ mention, ...filter }: Rule): Portable["rules"][number] {
  return { filter, hadMention: mention !== null };
}

function fileOf(name: string, mediaType: string, text: string): CardFile {
  return { name, mediaType, text, path: null };
}
