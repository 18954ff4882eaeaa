import {
  type APIActionRowComponent,
  type APIButtonComponentWithCustomId,
  ButtonStyle,
  ComponentType,
} from "discord.js";
import type { Button } from "../../messages/message.ts";
import { cutTo, MAX_LENGTH, plainText } from "./text.ts";

export type Row = APIActionRowComponent<APIButtonComponentWithCustomId>;

/**
 * What a button does when it is pressed. `ask`: answers the command line to the presser. `turn`: shows that answer in the
 * place of the one that it stands on, where only the presser sees it. `share`: shows it to all in the channel.
 */
export type Action = "ask" | "turn" | "share";

const LETTERS: Readonly<Record<Action, string>> = { ask: "r", turn: "t", share: "s" };
const STYLES: Readonly<Record<Button["style"], APIButtonComponentWithCustomId["style"]>> = {
  normal: ButtonStyle.Secondary,
  primary: ButtonStyle.Primary,
  danger: ButtonStyle.Danger,
};

const MOST_ROWS = 5;
const MOST_IN_ROW = 5;

/** Null where the command line does not fit into a button: cut, it would be another one. */
export function buttonOf(action: Action, { label, command, style }: Button): APIButtonComponentWithCustomId | null {
  const customId = `${LETTERS[action]}:${command}`;
  if (customId.length > MAX_LENGTH.customId || command.trim() === "") return null;
  return {
    type: ComponentType.Button,
    style: STYLES[style],
    label: cutTo(plainText(label).replace(/\s+/g, " ").trim() || command, MAX_LENGTH.label),
    custom_id: customId,
  };
}

/** What a button carries. All that it does stands in it, so that it works whenever it is pressed. */
export function parseButtonId(customId: string): { readonly action: Action; readonly line: string } | null {
  const [, letter, line] = /^([rts]):(.+)$/s.exec(customId) ?? [];
  const action = (["ask", "turn", "share"] as const).find((known) => LETTERS[known] === letter);
  return action === undefined || line === undefined ? null : { action, line };
}

/** Puts the buttons of each group into rows, a group into one row where it fits. What does not fit is left out. */
export function rowsOf(groups: readonly (readonly APIButtonComponentWithCustomId[])[]): Row[] {
  const seen = new Set<string>();
  const rows: APIButtonComponentWithCustomId[][] = [];
  for (const group of groups) {
    // Discord refuses a message with two buttons that do the same.
    const fresh = group.filter(({ custom_id: id }) => !seen.has(id) && seen.add(id));
    const open = rows.at(-1);
    if (open && open.length + fresh.length <= MOST_IN_ROW) open.push(...fresh);
    else for (let at = 0; at < fresh.length; at += MOST_IN_ROW) rows.push(fresh.slice(at, at + MOST_IN_ROW));
  }
  return rows.slice(0, MOST_ROWS).map((components) => ({ type: ComponentType.ActionRow, components }));
}
