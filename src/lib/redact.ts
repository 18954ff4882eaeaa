/** Replacement of a secret. */
const MASK = "***";

/** Any API key in an address: keys are sent in the query string. */
const KEY_IN_ADDRESS = /\b(api_?key=)[^&\s"'<>\\]+/gi;

/** The token in the address of a personal calendar. */
const TOKEN_IN_PATH = /(\/calendar\/)[0-9a-f]{32,}/gi;

/** Masks secrets in a text, in every encoding in which they can appear. */
export function createRedactor(secrets: readonly string[], patterns: readonly RegExp[] = []): (text: string) => string {
  // Longest first, so that a secret that begins with another one is masked whole.
  const forms = [...new Set(secrets.flatMap(formsOf))].toSorted((a, b) => b.length - a.length);
  const known = forms.length > 0 ? new RegExp(forms.map(escapeForRegExp).join("|"), "g") : null;
  return (text) => {
    let masked = known ? text.replace(known, MASK) : text;
    for (const pattern of patterns) masked = masked.replace(pattern, MASK);
    return masked.replace(KEY_IN_ADDRESS, `$1${MASK}`).replace(TOKEN_IN_PATH, `$1${MASK}`);
  };
}

function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret);
  const forms = [
    secret,
    JSON.stringify(secret).slice(1, -1),
    ...bothCases(encodeURIComponent(secret)),
    ...bothCases(new URLSearchParams({ "": secret }).toString().slice(1)),
    bytes.toString("base64").replace(/=+$/, ""),
    bytes.toString("base64url"),
  ];
  return forms.filter((form) => form.length > 0);
}

/** Percent-encoding uses hexadecimal digits in either case. */
function bothCases(encoded: string): string[] {
  return [encoded, encoded.replace(/%[0-9A-F]{2}/g, (digits) => digits.toLowerCase())];
}

function escapeForRegExp(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
