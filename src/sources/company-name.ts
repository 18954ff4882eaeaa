/** In characters; a longer name is truncated. */
const MAX_NAME_LENGTH = 500;

/** State or country that the SEC appends: `QUILLMERE THERAPEUTICS, INC. \DE\`, `/CAN/`. */
const STATE = /\s{0,5}[\\/][A-Z]{2,4}[\\/]?$/;

const QUALIFIERS = String.raw`(?:(?:new|(?:class|cl\.?|series) [a-z]|(?:subordinate|limited|restricted|multiple|variable|non)?[ -]?voting|sponsored|unsponsored|registered|the) ){0,6}`;
/** Kinds of security; whatever follows belongs to the description. */
const KINDS = String.raw`(?:common|capital) (?:stock|shares?|units?)\b|ordinary shares?\b|american deposit[ao]ry|deposit[ao]ry (?:shares?|receipts?)\b|(?:sponsored|unsponsored) ad[rs]s?\b|(?:(?:class|cl\.?|series) [a-z]|(?:subordinate|limited|restricted|multiple|variable|non)[ -]voting|registered) (?:shares?|stock)\b|shares of beneficial|preferred (?:stock|shares?)\b|par value\b`;
/** Abbreviated kinds, which count only at the end of a name. */
const FINAL_KINDS = String.raw`(?:common|com|units?|ad[rs]s?|ord|(?:class|cl\.?) [a-z])\.?$`;
const DESCRIPTION = new RegExp(
  String.raw`(?: -|,)? \(?${QUALIFIERS}(?:${KINDS}|${FINAL_KINDS}).{0,${MAX_NAME_LENGTH}}$`,
  "i",
);

/** Company of a security's name, such as `Quillmere Therapeutics, Inc. - Class A Common Stock`, without description and state. */
export function companyNameOf(securityName: string): string {
  const name = securityName
    .slice(0, MAX_NAME_LENGTH)
    .replace(/[\s–—]+/g, (gap) => (/\S/.test(gap) ? " - " : " "))
    .trim();
  const company = name
    .replace(DESCRIPTION, "")
    .replace(STATE, "")
    .replace(/[\s,-]{1,10}$/, "");
  return company === "" ? name : company;
}
