import type { APIEmbed, RawFile } from "discord.js";
import { cutText, sanitizeText } from "../../lib/external-text.ts";
import { renderPng } from "../../lib/render-png.ts";
import type { Card, Picture } from "../../messages/message.ts";
import type { Log } from "../../ports/log.ts";
import type { DiscordBody } from "./render.ts";

/** Message with its files. */
export interface DiscordMessage {
  readonly body: DiscordBody & { readonly attachments?: readonly AttachmentPart[] };
  readonly files: readonly RawFile[];
}

/** Metadata of a file. `id` is the index of the file in `files`. */
interface AttachmentPart {
  readonly id: string;
  readonly filename: string;
  readonly description?: string;
}

/** Discord's limits: https://docs.discord.com/developers/resources/message#attachment-object */
const MAX_DESCRIPTION_LENGTH = 1_024;
const MAX_FILES = 10;

/** A file of a card, ready to be sent. */
interface RenderedFile {
  readonly file: RawFile;
  readonly description: string | null;
  /** Index of the card that shows this picture; null for other files. */
  readonly cardIndex: number | null;
}

/** Adds the files of all cards to the first message. A picture that cannot be rendered is omitted. */
export async function withAttachments(
  bodies: readonly DiscordBody[],
  cards: readonly Card[],
  log: Log,
): Promise<readonly DiscordMessage[]> {
  const [first, ...followUps] = bodies;
  if (first === undefined) return [];
  const renderedFiles = (await Promise.all(cards.map((card, index) => filesOf(card, index, log)))).flat();
  const attached = renderedFiles.slice(0, MAX_FILES);
  return [attached.length === 0 ? { body: first, files: [] } : attach(first, attached), ...followUps.map(withNoFiles)];
}

function withNoFiles(body: DiscordBody): DiscordMessage {
  return { body, files: [] };
}

async function filesOf({ picture, files = [] }: Card, index: number, log: Log): Promise<readonly RenderedFile[]> {
  const rendered = picture === undefined || picture.isSvgOnly ? null : await renderPicture(picture, index, log);
  const texts = files.map(({ name, mediaType, text }) => ({
    file: { name, data: Buffer.from(text), contentType: mediaType },
    description: null,
    cardIndex: null,
  }));
  return [...(rendered === null ? [] : [rendered]), ...texts];
}

async function renderPicture({ name, svg, alt }: Picture, index: number, log: Log): Promise<RenderedFile | null> {
  try {
    const data = Buffer.from(await renderPng(svg));
    return { file: { name: `${name}.png`, data, contentType: "image/png" }, description: alt, cardIndex: index };
  } catch (error) {
    log.warn("discord picture failed", { error });
    return null;
  }
}

function attach(body: DiscordBody, renderedFiles: readonly RenderedFile[]): DiscordMessage {
  return {
    body: {
      ...body,
      embeds: body.embeds.map((embed, index) =>
        withPicture(
          embed,
          renderedFiles.find(({ cardIndex }) => cardIndex === index),
        ),
      ),
      attachments: renderedFiles.map(({ file, description }, id) => ({
        id: String(id),
        filename: file.name,
        ...(description === null ? {} : { description: cutText(sanitizeText(description), MAX_DESCRIPTION_LENGTH) }),
      })),
    },
    files: renderedFiles.map(({ file }) => file),
  };
}

function withPicture(embed: APIEmbed, file: RenderedFile | undefined): APIEmbed {
  return file === undefined ? embed : { ...embed, image: { url: `attachment://${file.file.name}` } };
}
