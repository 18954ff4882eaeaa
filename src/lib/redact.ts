/** Replacement of a secret. */
const MASK = "***";

/** API key in the query string of a URL, without a colon that follows the URL. */
const API_KEY_IN_URL = /\b(api_?key=)[^&\s"'<>\\]+?(?=:?(?:[&\s"'<>\\]|$))/gi;

/** Token in the URL of a personal calendar. */
const TOKEN_IN_URL = /(\/calendar\/)[0-9a-f]{32,}/gi;

/** Length in characters from which on a secret is masked within words too. A shorter one could be a part of any word. */
const MIN_LENGTH_WITHIN_WORDS = 8;

/** A word begins here: also after an escape in a URL or in JSON. */
const WORD_START = "(?<=^|[^A-Za-z0-9_]|%[0-9A-Fa-f]{2}|\\\\[bfnrt])";
const WORD_END = "(?![A-Za-z0-9_])";

/** Creates a function that masks secrets in a text, in every encoding in which they can appear. Short ones are masked as whole words. */
export function createRedactor(secrets: readonly string[], patterns: readonly RegExp[] = []): (text: string) => string {
  // Longest first, so that a secret that starts with another secret is masked completely.
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  const secretPattern = forms.length > 0 ? new RegExp(forms.map(patternOf).join("|"), "g") : null;
  return (text) => {
    let masked = secretPattern ? text.replace(secretPattern, MASK) : text;
    for (const pattern of patterns) masked = masked.replace(pattern, MASK);
    return masked.replace(API_KEY_IN_URL, `$1${MASK}`).replace(TOKEN_IN_URL, `$1${MASK}`);
  };
}

function patternOf(form: string): string {
  const pattern = RegExp.escape(form);
  return form.length < MIN_LENGTH_WITHIN_WORDS ? `${WORD_START}${pattern}${WORD_END}` : pattern;
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...bothCases(encodeURIComponent(secret)),
    ...bothCases(new URLSearchParams({ "": secret }).toString().slice(1)),
    bytes.toString("base64").replace(/={1,2}$/, ""),
    bytes.toString("base64url"),
  ];
  return forms.filter((form) => form.length > 0);
}

/** Percent-encoding uses hexadecimal digits in either case. */
function bothCases(encoded: string): string[] {
  return [encoded, encoded.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase())];
}
