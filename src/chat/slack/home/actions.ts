import { ACTION } from "../block-kit/card.ts";
import { type ElementState, selectedValues, stateOf, type ViewState } from "../commands/payloads.ts";

/** Action ids of the home tab's inputs. Its other buttons hold a command line or open a form. */
export const HOME_ACTION = {
  watch: `${ACTION.home}:watch`,
  timezone: `${ACTION.home}:timezone`,
  switches: `${ACTION.home}:switches`,
  quietFrom: `${ACTION.home}:quiet-from`,
  quietTo: `${ACTION.home}:quiet-to`,
  mute: `${ACTION.home}:mute`,
} as const;

/** Options of `settings` that are on or off. */
export const SWITCHES = ["reminders", "digest"] as const;

export type HomeAction = ElementState & { readonly action_id: string };

/** The command line of a used element; null if another element has to be filled in first. */
export function lineOfAction(action: HomeAction, state: ViewState): string | null {
  const selected = selectedValues(action);
  const [choice] = selected;
  switch (action.action_id) {
    case HOME_ACTION.watch:
      return `watch ${action.value ?? ""}`;
    case HOME_ACTION.timezone:
      return choice === undefined ? null : `settings timezone:${choice}`;
    case HOME_ACTION.switches:
      return `settings ${SWITCHES.map((name) => `${name}:${selected.includes(name) ? "on" : "off"}`).join(" ")}`;
    case HOME_ACTION.quietFrom:
    case HOME_ACTION.quietTo:
      return quietLine(action, state);
    case HOME_ACTION.mute:
      return choice === undefined ? null : `mute for:${choice}`;
    default:
      return action.value ?? null;
  }
}

/** Quiet hours need both a start and an end. */
function quietLine(action: HomeAction, state: ViewState): string | null {
  const timeOf = (name: string): string | null | undefined => {
    return action.action_id === name ? action.selected_time : stateOf(state, name)?.selected_time;
  };
  const [from, to] = [timeOf(HOME_ACTION.quietFrom), timeOf(HOME_ACTION.quietTo)];
  return from && to ? `settings quiet:${from}-${to}` : null;
}
