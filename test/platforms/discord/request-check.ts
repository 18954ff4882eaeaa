import {
  ApplicationCommandAutocompleteCallbackRequestSchema,
  ApplicationCommandUpdateRequestSchema,
  CreateMessageInteractionCallbackRequestSchema,
  CreatePrivateChannelRequestSchema,
  IncomingWebhookUpdateRequestPartialSchema,
  MessageCreateRequestSchema,
  MessageEditRequestPartialSchema,
  UpdateMessageInteractionCallbackRequestSchema,
} from "discord-api-spec/zod";
import type { ZodMiniType } from "zod/mini";
import { asText, embedTexts, isJson, type Json, objectsIn } from "./model.ts";

/** Expected kind of a body. */
export type BodyKind = "message" | "message-edit" | "webhook-message" | "callback" | "commands" | "private-channel";

/** Problems that Discord would reject, and unwanted content that it would accept. Empty: the body is valid. */
export function checkBody(kind: BodyKind, body: unknown): readonly string[] {
  const problems = [...schemaProblems(kind, body), ...textProblems(body, "")];
  if (kind === "commands") return [...problems, ...objectsIn(body).flatMap(commandProblems)];
  if (kind === "callback") return [...problems, ...callbackProblems(body)];
  if (kind === "private-channel" || !isJson(body)) return problems;
  return [...problems, ...messageProblems(body, kind)];
}

function schemaProblems(kind: BodyKind, body: unknown): readonly string[] {
  if (kind === "commands") {
    if (!Array.isArray(body)) return ["commands: not a list"];
    return body.flatMap((command) => problemsBy(ApplicationCommandUpdateRequestSchema, command));
  }
  return problemsBy(schemaOf(kind, body), body);
}

function schemaOf(kind: Exclude<BodyKind, "commands">, body: unknown): ZodMiniType {
  switch (kind) {
    case "message":
      return MessageCreateRequestSchema;
    case "message-edit":
      return MessageEditRequestPartialSchema;
    case "webhook-message":
      return IncomingWebhookUpdateRequestPartialSchema;
    case "private-channel":
      return CreatePrivateChannelRequestSchema;
    case "callback": {
      const type = isJson(body) ? body.type : undefined;
      if (type === 8) return ApplicationCommandAutocompleteCallbackRequestSchema;
      if (type === 6 || type === 7) return UpdateMessageInteractionCallbackRequestSchema;
      return CreateMessageInteractionCallbackRequestSchema;
    }
  }
}

function problemsBy(schema: ZodMiniType, value: unknown): readonly string[] {
  const read = schema.safeParse(value);
  return read.success ? [] : read.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.code}`);
}

/** Texts that do not reach the reader unchanged, or that reverse the text after them. */
function textProblems(value: unknown, at: string): readonly string[] {
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) return [`${at}: half a character`];
    if (/(?![\t\n])\p{Cc}/u.test(value)) return [`${at}: a control character`];
    return turnedWithoutEnd(value) ? [`${at}: a direction of writing that does not end`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => textProblems(inner, `${at}.${key}`));
}

function turnedWithoutEnd(text: string): boolean {
  const count = (marks: RegExp): number => text.match(marks)?.length ?? 0;
  const embedded = count(/[\u202A\u202B\u202D\u202E]/g) > count(/\u202C/g);
  return embedded || count(/[\u2066-\u2068]/g) > count(/\u2069/g);
}

function callbackProblems(body: unknown): readonly string[] {
  if (!isJson(body)) return ["callback: no object"];
  const { type, data } = body;
  if (type === 8) return isJson(data) ? choiceProblems(data.choices) : ["callback: no choices"];
  if ((type === 4 || type === 7) && !isJson(data)) return ["callback: no message"];
  return (type === 4 || type === 7) && isJson(data) ? messageProblems(data, "callback") : [];
}

function choiceProblems(choices: unknown): readonly string[] {
  const listed = objectsIn(choices);
  const names = new Set(listed.map(({ name }) => name));
  return [
    ...(listed.length > 25 ? [`choices: ${listed.length}, at most 25`] : []),
    ...(names.size < listed.length ? ["choices: two have one name"] : []),
    ...listed.flatMap(({ name, value }) => [
      ...withinLength("choices.name", name, 1, 100),
      ...(typeof value === "string" ? withinLength("choices.value", value, 1, 100) : []),
    ]),
  ];
}

/** Documented limits that are missing in Discord's schema. */
function messageProblems(body: Json, kind: BodyKind): readonly string[] {
  const embeds = objectsIn(body.embeds);
  const texts = embeds.flatMap(embedTexts);
  const whole = lengthOf(texts.join(""));
  const content = asText(body.content);
  const empty = content.trim() === "" && embeds.length === 0 && !body.components && kind !== "message-edit";
  return [
    ...(whole > 6_000 ? [`embeds: ${whole} characters together, at most 6000`] : []),
    ...(lengthOf(content) > 2_000 ? ["content: over 2000 characters"] : []),
    ...(empty ? ["an empty message"] : []),
    ...embeds.flatMap(embedProblems),
    ...componentProblems(objectsIn(body.components)),
    ...mentionProblems(body.allowed_mentions),
    ...(kind === "message" ? nonceProblems(body) : []),
  ];
}

/** File names are unique, and attachments and pictures in embeds refer to files. */
export function checkFiles(body: unknown, files: readonly { readonly name: string }[]): readonly string[] {
  const outer = isJson(body) ? body : {};
  const message = isJson(outer.data) ? outer.data : outer;
  const attachments = objectsIn(message.attachments);
  const pictures = objectsIn(message.embeds).flatMap(({ image }) => (isJson(image) ? [asText(image.url)] : []));
  const names = new Set(files.map(({ name }) => `attachment://${name}`));
  return [
    ...(names.size < files.length ? ["files: two have one name"] : []),
    ...(files.length > 10 ? [`files: ${files.length}, at most 10`] : []),
    ...(files.length === attachments.length ? [] : [`attachments: ${attachments.length} for ${files.length} files`]),
    ...attachments.flatMap(({ id, filename, description }) => [
      ...(files[Number(id)]?.name === filename ? [] : [`attachments: ${asText(filename)} is not file ${asText(id)}`]),
      ...(lengthOf(asText(description)) > 1_024 ? ["attachments.description: over 1024 characters"] : []),
    ]),
    ...pictures
      .filter((url) => url.startsWith("attachment:") && !names.has(url))
      .map((url) => `embed.image: no ${url}`),
  ];
}

/** Web addresses of RFC 3986: Discord's OpenAPI document gives addresses the format `uri`. */
const URI =
  /^https?:\/\/(?:\[[\da-f:.]+\]|[\w.~!$&'()*+,;=-]+)(?::\d+)?(?:[/?#](?:[\w.~!$&'()*+,;=:@/?#-]|%[\da-f]{2})*)?$/i;

function embedProblems(embed: Json): readonly string[] {
  const fields = objectsIn(embed.fields);
  const blank = embedTexts(embed).every((text) => text.trim() === "");
  return [
    ...(blank ? ["embed: nothing in it"] : []),
    ...fields.flatMap(({ name, value }) => [
      ...withinLength("field.name", name, 1, 256),
      ...withinLength("field.value", value, 1, 1_024),
    ]),
    ...[embed.url]
      .filter((url) => url !== undefined && !(typeof url === "string" && URI.test(url)))
      .map(() => "embed.url: not a well formed URL"),
  ];
}

function componentProblems(rows: readonly Json[]): readonly string[] {
  const components = rows.flatMap((row) => objectsIn(row.components));
  const ids = components.map((component) => component.custom_id).filter((id) => id !== undefined);
  return [
    ...(rows.length > 5 ? [`components: ${rows.length} rows, at most 5`] : []),
    ...(new Set(ids).size < ids.length ? ["components: two have one custom_id"] : []),
    ...rows.flatMap((row) => {
      const count = objectsIn(row.components).length;
      return count < 1 || count > 5 ? [`components: ${count} in a row, 1 to 5`] : [];
    }),
    ...components.flatMap(buttonProblems),
  ];
}

function buttonProblems(button: Json): readonly string[] {
  if (button.type !== 2) return [];
  const isLink = button.style === 5;
  return [
    ...(button.emoji ? [] : withinLength("button.label", button.label, 1, 80)),
    ...(isLink === (button.custom_id === undefined) ? [] : ["button: a link has a url, any other a custom_id"]),
    ...(isLink
      ? withinLength("button.url", button.url, 1, 512)
      : withinLength("button.custom_id", button.custom_id, 1, 100)),
  ];
}

/** Only rules may mention anyone. Without this field, Discord would notify every mention in the content. */
function mentionProblems(allowed: unknown): readonly string[] {
  if (!isJson(allowed)) return ["allowed_mentions: left out"];
  const parse = Array.isArray(allowed.parse) ? allowed.parse : [];
  return parse.length > 0 ? [`allowed_mentions.parse: ${parse.join(", ")}`] : [];
}

function nonceProblems({ nonce, enforce_nonce: enforced }: Json): readonly string[] {
  if (nonce === undefined || enforced !== true) return ["nonce: left out, or not enforced"];
  return withinLength("nonce", asText(nonce), 1, 25);
}

function commandProblems(command: Json): readonly string[] {
  const all = lengthOfCommand(command);
  return [...(all > 8_000 ? [`command: ${all} characters, at most 8000`] : []), ...optionProblems(command, true)];
}

const OPTION_NAME = /^[-_'\p{L}\p{N}]{1,32}$/u;

function optionProblems(option: Json, isCommand = false): readonly string[] {
  const name = asText(option.name);
  const options = objectsIn(option.options);
  return [
    ...(OPTION_NAME.test(name) && name === name.toLowerCase() ? [] : ["not a name"]),
    ...withinLength("description", option.description, 1, 100),
    ...(options.length > 25 ? ["over 25 options"] : []),
    ...(new Set(options.map((inner) => inner.name)).size < options.length ? ["two options of one name"] : []),
    ...(isRequiredLate(options) ? ["required options come first"] : []),
    ...(isCommand ? [] : valueProblems(option)),
  ]
    .map((problem) => `option "${name}": ${problem}`)
    .concat(options.flatMap((inner) => optionProblems(inner)));
}

function valueProblems({ type, autocomplete, choices }: Json): readonly string[] {
  const listed = objectsIn(choices);
  return [
    ...(typeof type === "number" ? [] : ["no type"]),
    ...(listed.length > 0 && autocomplete === true ? ["choices or autocomplete, not both"] : []),
    ...choiceProblems(listed),
  ];
}

function isRequiredLate(options: readonly Json[]): boolean {
  const firstOptional = options.findIndex(({ required }) => required !== true);
  return firstOptional >= 0 && options.slice(firstOptional).some(({ required }) => required === true);
}

function lengthOfCommand(option: Json): number {
  let length = lengthOf(String(option.name)) + lengthOf(asText(option.description));
  for (const { name, value } of objectsIn(option.choices)) length += lengthOf(`${String(name)}${String(value)}`);
  for (const inner of objectsIn(option.options)) length += lengthOfCommand(inner);
  return length;
}

function withinLength(what: string, value: unknown, min: number, max: number): readonly string[] {
  const length = typeof value === "string" ? lengthOf(value.trim()) : 0;
  return length < min || length > max ? [`${what}: ${length} characters, ${min} to ${max}`] : [];
}

/** Discord counts code points, not UTF-16 units. */
function lengthOf(text: string): number {
  return Array.from(text).length;
}
