import { z } from "zod";
import { invalid, settingOf } from "../config/value-schemas.ts";
import type { Destination } from "../domain/alert/destination.ts";
import { CONFIGURATION_ID, DEFAULT_FILTER, RULE_FIELDS, type Rule, type RuleFilter } from "../domain/settings/rule.ts";
import { contradictionText, findContradictions, IMPORTED_FIELDS } from "../domain/settings/rule-filters.ts";
import { isKnownExchange } from "../domain/split/exchange.ts";

/** Maximum number of rules of one destination. */
const MAX_RULES = 25;

/** Rules of a destination in the settings, with the fields of an exported rule. Omitted fields have their defaults. */
export function configuredRules(): z.ZodType<readonly RuleFilter[]> {
  const expected = `a list of 1 to ${MAX_RULES} rules, such as [{ exchanges: [NASDAQ], minRatio: 20 }]`;
  return settingOf<unknown[]>(expected, (value) =>
    Array.isArray(value) && value.length > 0 && value.length <= MAX_RULES ? { value } : invalid(),
  )
    .pipe(z.array(configuredRule()))
    .readonly()
    .prefault([{}]);
}

function configuredRule(): z.ZodType<RuleFilter> {
  const fields = RULE_FIELDS.map((field) => [field, configuredField(field)] as const);
  const shape = Object.fromEntries(fields) as { readonly [F in keyof RuleFilter]: z.ZodType<RuleFilter[F]> };
  return z.strictObject(shape).check((context) => {
    const [contradiction] = findContradictions(context.value);
    if (contradiction === undefined) return;
    const { expected } = contradictionText(contradiction);
    context.issues.push({ code: "custom", message: expected, input: context.value });
  });
}

/** Reports the first problem at the field, as the settings do. */
function configuredField(field: keyof RuleFilter): z.ZodType {
  const schema: z.ZodType = IMPORTED_FIELDS[field](isKnownExchange);
  const reader = z.unknown().transform((value, context) => {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    context.addIssue({ code: "custom", message: result.error.issues[0]?.message ?? "another value" });
    return z.NEVER;
  });
  return reader.prefault(DEFAULT_FILTER[field]);
}

/** The rules of a destination that the configuration contains. */
export function rulesOf(destination: Destination, filters: readonly RuleFilter[]): readonly Rule[] {
  const createdBy = { platform: destination.platform, kind: "person", id: CONFIGURATION_ID } as const;
  return filters.map((filter, index) => ({
    ...filter,
    number: index + 1,
    destination,
    createdBy,
    createdAt: 0,
    mention: null,
  }));
}
