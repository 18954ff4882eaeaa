import { z } from "zod";

/** Output type of a schema, read-only at every depth. */
export type Infer<S extends z.ZodType> = Immutable<z.output<S>>;

type Primitive = string | number | boolean | null | undefined;

type Immutable<T> = unknown extends T
  ? T
  : T extends Primitive
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Immutable<Item>[]
      : { readonly [Key in keyof T]: Immutable<T[Key]> };

/** Largest count: it and the next one fit a column of 32 bits. */
const MAX_COUNT = 2 ** 31 - 2;

/** A non-negative integer. */
export const countSchema = z.int().nonnegative().max(MAX_COUNT);

/** Schema of a text that is parsed by `parse`, which returns undefined for invalid text. `expected`: message of the issue. */
export function parsedText<T>(parse: (text: string) => T | undefined, expected: string): z.ZodType<T> {
  return z.unknown().transform((input, context): T => {
    const value = typeof input === "string" ? parse(input) : undefined;
    if (value !== undefined) return value;
    context.addIssue({ code: "custom", message: expected });
    return z.NEVER;
  });
}
