/** Content of the page, as the fragment of its address names it. */
export type Route =
  | { readonly kind: "chat" }
  | { readonly kind: "message"; readonly messageId: string }
  | { readonly kind: "split"; readonly ticker: string }
  | { readonly kind: "release"; readonly url: string };

/** A route that is shown in place of the chat. */
export type DetailRoute = Extract<Route, { readonly kind: "split" | "release" }>;

/** Reads a fragment with its `#`. Anything unknown is the chat. */
export function routeOf(hash: string): Route {
  const [, path = "", text = ""] = /^#(message-|\/splits\/|\/releases\/)(.+)$/.exec(hash) ?? [];
  const value = decode(text);
  if (value === "") return { kind: "chat" };
  if (path === "/splits/") return { kind: "split", ticker: value };
  if (path === "/releases/") return { kind: "release", url: value };
  return { kind: "message", messageId: value };
}

export function splitAddress(ticker: string): string {
  return `#/splits/${encodeURIComponent(ticker)}`;
}

export function releaseAddress(url: string): string {
  return `#/releases/${encodeURIComponent(url)}`;
}

/** Returns an empty text for an invalid encoding, which only a typed address has. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}
