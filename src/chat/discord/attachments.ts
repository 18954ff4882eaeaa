import type { APIEmbed, RawFile } from "discord.js";
import { renderPng } from "../../lib/render-png.ts";
import type { Card, Picture } from "../../messages/message.ts";
import type { Log } from "../../ports/log.ts";
import type { DiscordBody } from "./render.ts";
import { cutTo, plainText } from "./text.ts";

/** A message with the files that go along with it. */
export interface DiscordMessage {
  readonly body: DiscordBody & { readonly attachments?: readonly AttachmentPart[] };
  readonly files: readonly RawFile[];
}

/** Says of the file with this number what it is. */
interface AttachmentPart {
  readonly id: string;
  readonly filename: string;
  readonly description?: string;
}

/** https://docs.discord.com/developers/resources/message#attachment-object */
const LONGEST_DESCRIPTION = 1_024;
const MOST_FILES = 10;

interface Attached {
  readonly file: RawFile;
  readonly description: string | null;
  /** The card that it is the picture of, by its place. */
  readonly pictures: number | null;
}

/** What the cards bring along goes with the first message. A picture that cannot be drawn is left out: the card says the same. */
export async function withAttachments(
  bodies: readonly DiscordBody[],
  cards: readonly Card[],
  log: Log,
): Promise<readonly DiscordMessage[]> {
  const [first, ...others] = bodies;
  if (first === undefined) return [];
  const attached = (await Promise.all(cards.map((card, index) => attachedTo(card, index, log)))).flat();
  const kept = attached.slice(0, MOST_FILES);
  return [kept.length === 0 ? { body: first, files: [] } : attach(first, kept), ...others.map(withoutFiles)];
}

function withoutFiles(body: DiscordBody): DiscordMessage {
  return { body, files: [] };
}

async function attachedTo({ picture, files = [] }: Card, index: number, log: Log): Promise<readonly Attached[]> {
  const drawn = picture === undefined ? null : await draw(picture, index, log);
  const texts = files.map(({ name, mediaType, text }) => ({
    file: { name, data: Buffer.from(text), contentType: mediaType },
    description: null,
    pictures: null,
  }));
  return [...(drawn === null ? [] : [drawn]), ...texts];
}

async function draw({ name, svg, alt }: Picture, index: number, log: Log): Promise<Attached | null> {
  try {
    const data = Buffer.from(await renderPng(svg));
    return { file: { name: `${name}.png`, data, contentType: "image/png" }, description: alt, pictures: index };
  } catch (error) {
    log.warn("picture failed", { error });
    return null;
  }
}

function attach(body: DiscordBody, attached: readonly Attached[]): DiscordMessage {
  return {
    body: {
      ...body,
      embeds: body.embeds.map((embed, index) =>
        withPicture(
          embed,
          attached.find(({ pictures }) => pictures === index),
        ),
      ),
      attachments: attached.map(({ file, description }, id) => ({
        id: String(id),
        filename: file.name,
        ...(description === null ? {} : { description: cutTo(plainText(description), LONGEST_DESCRIPTION) }),
      })),
    },
    files: attached.map(({ file }) => file),
  };
}

function withPicture(embed: APIEmbed, attached: Attached | undefined): APIEmbed {
  return attached === undefined ? embed : { ...embed, image: { url: `attachment://${attached.file.name}` } };
}
