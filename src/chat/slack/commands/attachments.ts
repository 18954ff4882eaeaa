import type { Card, CardFile } from "../../../messages/message.ts";
import type { Log } from "../../../ports/log.ts";
import type { SlackAnswer } from "../alerts/render.ts";
import { type Block, mrkdwn, section } from "../block-kit/blocks.ts";
import { escaped } from "../block-kit/text.ts";

export interface FileParts {
  /** Sends a file to the asker's direct messages; rejects where that is not possible. */
  readonly sendFile: (file: CardFile) => Promise<void>;
  readonly log: Log;
}

/** What an answer says, and what is said after it. */
export interface DeliveredFiles {
  readonly cards: readonly Card[];
  readonly texts: readonly SlackAnswer[];
}

const SENT = "The file is in your direct messages with splitwatch.";
const NOT_SENT =
  "Slack does not let splitwatch send files here: here is the text. With the scope files:write it would be a file.";

/** Slack takes no file in an answer that one person alone sees: it goes to their direct messages, else it is shown as text. */
export async function deliverFiles(cards: readonly Card[], { sendFile, log }: FileParts): Promise<DeliveredFiles> {
  const texts: SlackAnswer[] = [];
  const told: Card[] = [];
  for (const one of cards) {
    const [file] = (one.files ?? []).filter(({ path }) => path === null);
    if (file === undefined) {
      told.push(one);
      continue;
    }
    const sent = await sendFile(file).then(
      () => true,
      (error: unknown) => {
        log.info("slack file upload failed", { error });
        return false;
      },
    );
    if (!sent) texts.push(...asText(file));
    told.push({ ...one, lines: [...one.lines, sent ? SENT : NOT_SENT] });
  }
  return { cards: told, texts };
}

/** Of one code block, and of one message; with room for what makes them one, and for the quotation marks as JSON. */
const MAX_PART_LENGTH = 2_600;
const PARTS_PER_MESSAGE = 3;

/** With the answer itself, as many as a response address takes. */
const MAX_FILE_MESSAGES = 3;

/** The text in code blocks, in order: what was in one file has to be put together again. */
function asText({ name, text }: CardFile): readonly SlackAnswer[] {
  const parts = partsOf(text);
  const messages: SlackAnswer[] = [];
  for (let at = 0; at < parts.length && messages.length < MAX_FILE_MESSAGES; at += PARTS_PER_MESSAGE) {
    const blocks = parts
      .slice(at, at + PARTS_PER_MESSAGE)
      .map((part): Block => section(mrkdwn(`\`\`\`\n${part}\n\`\`\``)));
    messages.push({ text: name, blocks });
  }
  const shown = MAX_FILE_MESSAGES * PARTS_PER_MESSAGE;
  const last = messages.at(-1);
  if (parts.length <= shown || last === undefined) return messages;
  return [...messages.slice(0, -1), { ...last, blocks: [...last.blocks, section(mrkdwn(REST))] }];
}

const REST = "The rest does not fit here. As a list there may be room for it: `/splits export format:list`";

/** Whole lines where they fit; a longer one is parted behind a comma, where neither JSON nor a list minds it. */
function partsOf(text: string): readonly string[] {
  const parts: string[] = [];
  for (const piece of escaped(text)
    .split(/(?<=\n)/)
    .flatMap((line) => (line.length > MAX_PART_LENGTH ? line.split(/(?<=,)/) : [line]))) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + piece.length <= MAX_PART_LENGTH) parts[parts.length - 1] = last + piece;
    else parts.push(piece);
  }
  return parts.map((part) => part.trimEnd());
}
