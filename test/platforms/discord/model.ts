/** A JSON object of any form; schemas validate it. */
export type Json = Readonly<Record<string, unknown>>;

export function isJson(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The text or number as text; an empty string for anything else. */
export function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}

/** The objects in a list; empty if it is not a list. */
export function objectsIn(list: unknown): readonly Json[] {
  return Array.isArray(list) ? list.filter(isJson) : [];
}

/** A message in a channel, or one that only one person sees. */
export interface Message {
  readonly id: string;
  readonly channelId: string;
  readonly authorId: string;
  /** Time of the post, by the clock of the server. */
  readonly at: number;
  content: string;
  embeds: readonly Json[];
  components: readonly Json[];
  /** What it contained before its first edit; absent if it wasn't edited. */
  original?: Pick<Message, "content" | "embeds" | "components">;
  readonly flags: number;
  /** The message that it answers. */
  readonly replyTo: string | null;
  readonly nonce: string | null;
  /** Notified accounts and roles: ids, `everyone`, `here`. */
  readonly pings: readonly string[];
}

const EPHEMERAL = 64;

export function isEphemeral({ flags }: Message): boolean {
  return (flags & EPHEMERAL) !== 0;
}

/** Visible text of a message, one line per part. */
export function textOf({ content, embeds, components }: Pick<Message, "content" | "embeds" | "components">): string {
  const parts = [content, ...embeds.flatMap(embedTexts), ...buttonsOf({ components }).map(({ label }) => `[${label}]`)];
  return parts.filter((part) => part !== "").join("\n");
}

/** Every text of an embed, in the order in which it is shown. */
export function embedTexts(embed: Json): readonly string[] {
  const fields = objectsIn(embed.fields).flatMap(({ name, value }) => [name, value]);
  const author = isJson(embed.author) ? embed.author.name : "";
  const footer = isJson(embed.footer) ? embed.footer.text : "";
  return [author, embed.title, embed.description, ...fields, footer].map(asText);
}

export interface PressableButton {
  readonly label: string;
  readonly customId: string | null;
  readonly url: string | null;
  readonly disabled: boolean;
}

export function buttonsOf({ components }: Pick<Message, "components">): readonly PressableButton[] {
  return components
    .flatMap((row) => objectsIn(row.components))
    .filter(({ type }) => type === 2)
    .map((button) => ({
      label: asText(button.label),
      customId: typeof button.custom_id === "string" ? button.custom_id : null,
      url: typeof button.url === "string" ? button.url : null,
      disabled: button.disabled === true,
    }));
}
