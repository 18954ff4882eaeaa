const PART = /<(\/?)([a-z]+)((?: [a-zA-Z0-9-]+="[^"<]*")*)>|([^<]+)/gy;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Visible texts of an SVG, in order. Throws if the SVG is not well-formed. */
export function textsIn(svg: string): readonly string[] {
  const open: string[] = [];
  const texts: string[] = [];
  let end = 0;
  for (const [whole, closes, name = "", , text] of svg.matchAll(PART)) {
    end += whole.length;
    if (text !== undefined) {
      if (open.at(-1) === "text") texts.push(resolved(text));
      else if (open.at(-1) !== "title" && open.at(-1) !== "desc")
        throw new Error(`unexpected text in ${open.at(-1)}: ${text}`);
    } else if (closes === "") open.push(name);
    else if (open.pop() !== name) throw new Error(`</${name}> ends another element`);
  }
  if (end !== svg.length || open.length > 0)
    throw new Error(`the SVG is not well-formed from: ${svg.slice(end, end + 80)}`);
  return texts;
}

function resolved(text: string): string {
  if (/(?![\n\t])\p{Cc}|\p{Cs}|[\uFFFE\uFFFF]/u.test(text))
    throw new Error(`invalid XML characters: ${JSON.stringify(text)}`);
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const found = ENTITIES[name];
    if (found === undefined) throw new Error(`unknown entity ${whole}`);
    return found;
  });
}
