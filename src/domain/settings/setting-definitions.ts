import { z } from "zod";
import { parsedText } from "../schema-parts.ts";
import { instantSchema } from "../time/day.ts";
import { parseTimeZone } from "../time/time-zone.ts";
import { formatQuietHours, parseQuietHours, quietHoursSchema } from "./setting-values.ts";

/** One setting of a person or a channel. Its texts are in messages/setting-text.ts. */
interface SettingDefinition<V> {
  /** Stored value. */
  readonly schema: z.ZodType<V>;
  readonly initial: V;
  /** Option of `settings` that changes it, and its form in files; null: a command of its own changes it, and no file contains it. */
  readonly option: SettingOption<V> | null;
}

interface SettingOption<V> {
  /** Option kind that reads, completes, writes and shows the value. */
  readonly kind: string;
  /** Unnamed words complete with its values. */
  readonly isPrimary?: boolean;
  /** Words of the kind `choice`. */
  readonly choices?: readonly string[];
  /** Value in an imported file; issue messages state what is expected. */
  readonly imported: z.ZodType<V>;
  /** Value in an exported file; absent: the value itself. */
  readonly exported?: (value: V) => unknown;
}

/** Every setting, in the order in which they are shown. Storage, commands, forms, export and import derive from it. */
export const SETTING_DEFINITIONS = {
  /** An IANA time zone; null for the configured one. */
  timezone: define({
    schema: z.string().nullable(),
    initial: null,
    option: {
      kind: "timezone",
      isPrimary: true,
      imported: parsedText(parseTimeZone, "a time zone such as America/New_York, or null").nullable(),
    },
  }),
  /** Whether `reminder` events are sent; `effective` events always are. */
  reminders: define({
    schema: z.boolean(),
    initial: true,
    option: { kind: "switch", imported: z.boolean("true or false") },
  }),
  /** Alerts wait for the next digest and are sent together. */
  digest: define({
    schema: z.boolean(),
    initial: false,
    option: { kind: "switch", imported: z.boolean("true or false") },
  }),
  quiet: define({
    schema: quietHoursSchema.nullable(),
    initial: null,
    option: {
      kind: "quietHours",
      imported: parsedText(parseQuietHours, "quiet hours such as 22:00-07:00, or null").nullable(),
      exported: (hours) => hours && formatQuietHours(hours),
    },
  }),
  /** Kept after it has passed: earlier alerts were held until this time. */
  mutedUntil: define({ schema: instantSchema.nullable(), initial: null, option: null }),
};

/** Checks a definition and keeps the type of its option kind. */
function define<V, const O extends SettingOption<NoInfer<V>> | null>(
  definition: SettingDefinition<V> & { readonly option: O },
): SettingDefinition<V> & { readonly option: O } {
  return definition;
}
