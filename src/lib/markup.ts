const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Characters that XML 1.0 forbids, also as references. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

/** Text as HTML or XML, also within a quoted attribute. Characters that XML forbids become U+FFFD. */
export function escapeMarkup(text: string): string {
  return text.replace(FORBIDDEN, "\uFFFD").replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** An XML element. Attribute values are escaped; `content` is markup and not escaped. */
export function xmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...content: readonly string[]
): string {
  const pairs = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeMarkup(String(value))}"`);
  return `<${name}${pairs.join("")}>${content.join("")}</${name}>`;
}
