import { ACTION } from "../block-kit/card.ts";
import { type Entry, entryOf, selectedValues, type ViewState } from "../commands/view-state.ts";

/** How elements of the home are told apart, besides buttons that run a line or open a form. */
export const HOME_ACTION = {
  watch: `${ACTION.home}:watch`,
  timezone: `${ACTION.home}:timezone`,
  switches: `${ACTION.home}:switches`,
  quietFrom: `${ACTION.home}:quiet-from`,
  quietTo: `${ACTION.home}:quiet-to`,
  mute: `${ACTION.home}:mute`,
} as const;

/** The words of `settings` for what is switched on or off. */
export const SWITCHES = ["reminders", "digest"] as const;

export type HomeAction = Entry & { readonly action_id: string };

/** The line that somebody means by using an element; null: it takes another one before anything is meant. */
export function lineOfAction(action: HomeAction, state: ViewState): string | null {
  const [choice] = selectedValues(action);
  switch (action.action_id) {
    case HOME_ACTION.watch:
      return `watch ${action.value ?? ""}`;
    case HOME_ACTION.timezone:
      return choice === undefined ? null : `settings timezone:${choice}`;
    case HOME_ACTION.switches:
      return `settings ${SWITCHES.map((name) => `${name}:${selectedValues(action).includes(name) ? "on" : "off"}`).join(" ")}`;
    case HOME_ACTION.quietFrom:
    case HOME_ACTION.quietTo:
      return quietLine(action, state);
    case HOME_ACTION.mute:
      return choice === undefined ? null : `mute for:${choice}`;
    default:
      return action.value ?? null;
  }
}

/** Hours have two ends: with one of them nothing is quiet yet. */
function quietLine(action: HomeAction, state: ViewState): string | null {
  const timeOf = (name: string): string | null | undefined => {
    return action.action_id === name ? action.selected_time : entryOf(state, name)?.selected_time;
  };
  const [from, to] = [timeOf(HOME_ACTION.quietFrom), timeOf(HOME_ACTION.quietTo)];
  return from && to ? `settings quiet:${from}-${to}` : null;
}
