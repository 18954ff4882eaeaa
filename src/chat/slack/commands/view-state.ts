import { z } from "zod";

const selected = z.object({ value: z.string() });

/** What somebody has entered into a view: of each element what it has to say, by block and then by element. */
export const viewState = z.object({
  values: z.record(
    z.string(),
    z.record(
      z.string(),
      z.object({
        value: z.string().nullish(),
        selected_option: selected.nullish(),
        selected_options: z.array(selected).nullish(),
        selected_time: z.string().nullish(),
      }),
    ),
  ),
});

export type ViewState = z.infer<typeof viewState>;
export type Entry = ViewState["values"][string][string];

/** The entry of the element with this name, in whichever block it stands. */
export function entryOf({ values }: ViewState, actionId: string): Entry | undefined {
  for (const block of Object.values(values)) {
    if (block[actionId] !== undefined) return block[actionId];
  }
  return undefined;
}

export function selectedValues(entry: Entry | undefined): readonly string[] {
  const one = entry?.selected_option ?? null;
  return [...(entry?.selected_options ?? []), ...(one === null ? [] : [one])].map(({ value }) => value);
}
