/** Host names and IP addresses of RFC 3986. The URL parser also accepts other characters. */
const HOST = /^(?:[\w.~!$&'()*+,;=-]+|\[[\da-f:.]+\])$/i;

/** Characters that RFC 3986 doesn't allow in a path, a query or a fragment, and percent signs that encode nothing. */
const NOT_ALLOWED = /%(?![\da-f]{2})|[^\w.~!$&'()*+,;=:@/?%-]/gi;

/**
 * Returns an http or https address as RFC 3986 writes it, without a user name or password: what it doesn't allow is percent-encoded.
 * Null for anything else, such as `javascript:`. The URL parser alone keeps brackets, bars and lone percent signs, which a
 * chat platform may refuse.
 */
export function webAddress(text: string): string | null {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || !HOST.test(url.hostname)) return null;
  const fragment = url.hash === "" ? "" : `#${encode(url.hash.slice(1))}`;
  return `${url.protocol}//${url.host}${encode(url.pathname)}${encode(url.search)}${fragment}`;
}

function encode(part: string): string {
  return part.replace(NOT_ALLOWED, (character) => encodeURIComponent(character));
}
