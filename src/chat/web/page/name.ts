/** Form of the name of a person or channel. */
export const NAME_FORM = "1 to 32 letters, digits, - _ or .";

const NAME = /^[a-z0-9._-]{1,32}$/;

/** Returns a person's or channel's name in lower case, without a leading # or @; undefined for an invalid name. */
export function parseName(text: string): string | undefined {
  const name = text.trim().replace(/^[#@]/, "").toLowerCase();
  return NAME.test(name) ? name : undefined;
}
