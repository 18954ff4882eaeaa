/** A small page of text. Nothing on it comes from elsewhere. */
export interface Page {
  readonly status: number;
  readonly title: string;
  readonly lines: readonly string[];
  /** The next step, where it is one press away. */
  readonly link?: { readonly text: string; readonly address: string };
}

export function pageResponse(page: Page, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(htmlOf(page), {
    status: page.status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      "x-robots-tag": "noindex",
      ...headers,
    },
  });
}

function htmlOf({ title, lines, link }: Page): string {
  const paragraphs = lines.map((line) => `<p>${escaped(line)}</p>`);
  const next = link === undefined ? [] : [`<p><a href="${escaped(link.address)}">${escaped(link.text)}</a></p>`];
  return [
    "<!doctype html>",
    '<html lang="en">',
    '<head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escaped(title)}</title></head>`,
    "<body>",
    `<h1>${escaped(title)}</h1>`,
    ...paragraphs,
    ...next,
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);
}
