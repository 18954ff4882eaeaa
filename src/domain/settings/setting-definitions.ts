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
  /** The option of the `settings` command and the format in exported files; null if neither contains the setting (a mute). */
  readonly option: SettingOption<V> | null;
}

interface SettingOption<V> {
  /** Name of the option kind (see commands/parser/option-kinds.ts), which parses, completes and shows the value. */
  readonly kind: string;
  /** True if a word without an option name is completed with the values of this option. */
  readonly isPrimary?: boolean;
  /** Allowed words of an option of the kind `choice`. */
  readonly choices?: readonly string[];
  /** Schema of the value in an imported file; issue messages state what is expected. */
  readonly imported: z.ZodType<V>;
  /** Converts the value for an exported file; absent if the file contains the value itself. */
  readonly exported?: (value: V) => unknown;
}

/** All settings, in display order. Storage, commands, forms, export and import derive from this table. */
export const SETTING_DEFINITIONS = {
  /** IANA time zone; null for the configured default. */
  timezone: define({
    schema: z.string().nullable(),
    initial: null,
    option: {
      kind: "timezone",
      isPrimary: true,
      imported: parsedText(parseTimeZone, "a time zone such as America/New_York, or null").nullable(),
    },
  }),
  /** True if `reminder` events are sent; `effective` events are always sent. */
  reminders: define({
    schema: z.boolean(),
    initial: true,
    option: { kind: "switch", imported: z.boolean("true or false") },
  }),
  /** True if alerts are held until the next digest and sent together. */
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
  /** End of the last mute. Kept after the mute has ended, because it shows how long earlier alerts were held. */
  mutedUntil: define({ schema: instantSchema.nullable(), initial: null, option: null }),
};

/** Checks the type of a definition and preserves the literal type of its option kind. */
function define<V, const O extends SettingOption<NoInfer<V>> | null>(
  definition: SettingDefinition<V> & { readonly option: O },
): SettingDefinition<V> & { readonly option: O } {
  return definition;
}
