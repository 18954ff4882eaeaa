/** Time of day in New York, as the clients show it. */
export function timeOf(at: number): string {
  return new Intl.DateTimeFormat("en-US", { timeStyle: "short", timeZone: "America/New_York" }).format(at);
}

/** Symbols of alerts, as pictures: the fonts of a machine may lack them. */
const SYMBOLS: Readonly<Record<string, string>> = {
  "🆕": badge("#1d74d8", "NEW"),
  "🔄": badge("#1d74d8", "CHANGED"),
  "⏰": badge("#8e5cd9", "⏲"),
  "✅": badge("#2f9e58", "✓"),
  "❌": badge("#c92a2a", "✕"),
  "⚠️": badge("#d9480f", "!"),
};

/** Replaces the symbols in HTML. */
function withSymbols(html: string): string {
  let drawn = html;
  for (const [symbol, picture] of Object.entries(SYMBOLS)) drawn = drawn.replaceAll(symbol, picture);
  return drawn;
}

function badge(color: string, text: string): string {
  return `<span style="background:${color};color:#fff;border-radius:3px;padding:1px 4px;font-size:.62em;font-weight:700;vertical-align:.15em">${text}</span>`;
}

/** A document with the style of one platform. `icon`: SVG of the app. */
export function documentOf(style: string, body: string): string {
  return `<!doctype html><meta charset="utf-8"><style>
    * { box-sizing: border-box; margin: 0; }
    body { font: 15px/1.46 "DejaVu Sans Condensed", "DejaVu Sans", sans-serif; width: 760px; padding: 18px 22px; }
    .message { display: flex; gap: 10px; }
    .message + .message { margin-top: 14px; }
    .icon { flex: none; width: 38px; height: 38px; border-radius: 8px; overflow: hidden; }
    .icon svg { width: 100%; height: 100%; }
    .content { flex: 1; min-width: 0; }
    .tag { font-size: 10px; font-weight: 700; border-radius: 3px; padding: 1px 4px; vertical-align: 1px; }
    a { text-decoration: none; }
    ${style}</style><body>${withSymbols(body)}</body>`;
}
