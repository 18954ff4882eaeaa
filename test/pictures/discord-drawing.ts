import { escapeMarkup } from "../../src/lib/markup.ts";
import { asText, buttonsOf, isJson, type Json, type Message } from "../platforms/discord/model.ts";
import { documentOf, timeOf } from "./html.ts";

const STYLE = `
  body { background: #313338; color: #dbdee1; }
  .icon { border-radius: 50%; }
  .name { font-weight: 700; color: #f2f3f5; } .tag { background: #5865f2; color: #fff; } .time { color: #949ba4; font-size: 12px; }
  .text { margin: 2px 0 6px; } a { color: #00a8fc; }
  .embed { background: #2b2d31; border-left: 4px solid; border-radius: 4px; padding: 10px 16px 12px 12px; max-width: 560px; font-size: 14px; }
  .embed h3 { font-size: 15px; color: #f2f3f5; margin-bottom: 6px; } .author { font-size: 13px; font-weight: 700; margin-bottom: 4px; }
  blockquote { border-left: 4px solid #4e5058; padding-left: 10px; margin: 4px 0; } .footer { color: #949ba4; font-size: 12px; margin-top: 8px; }
  .row { display: flex; gap: 8px; margin-top: 8px; }
  .button { background: #4e5058; color: #fff; border-radius: 4px; padding: 5px 14px; font-size: 14px; } .button.primary { background: #5865f2; }
  .reply { color: #b5bac1; font-size: 13px; margin-bottom: 2px; }`;

/** Draws messages as Discord's client does: https://docs.discord.com/developers/resources/message */
export function drawDiscord(messages: readonly Message[], repliedTo: Message | undefined, icon: string): string {
  const drawn = messages.map((message) => {
    const time = timeOf(message.at);
    const reply =
      repliedTo?.id === message.replyTo
        ? `<div class="reply">↱ <b>splitwatch</b> ${markdown(repliedTo.content)}</div>`
        : "";
    return `<div class="message"><div class="icon">${icon}</div><div class="content">${reply}
      <span class="name">splitwatch</span> <span class="tag">✓ APP</span> <span class="time">${time}</span>
      <div class="text">${markdown(message.content)}</div>
      ${message.embeds.map(drawEmbed).join("")}${message.components.map(drawRow).join("")}</div></div>`;
  });
  return documentOf(STYLE, drawn.join(""));
}

function drawEmbed({ color, author, title, url, description, footer }: Json): string {
  const heading =
    url === undefined
      ? markdown(asText(title))
      : `<a href="${escapeMarkup(asText(url))}">${markdown(asText(title))}</a>`;
  return `<div class="embed" style="border-color:#${Number(color).toString(16).padStart(6, "0")}">
    ${isJson(author) ? `<div class="author">${escapeMarkup(asText(author.name))}</div>` : ""}<h3>${heading}</h3>
    ${markdown(asText(description))}
    ${isJson(footer) ? `<div class="footer">${escapeMarkup(asText(footer.text))}</div>` : ""}</div>`;
}

function drawRow(row: Json): string {
  const buttons = buttonsOf({ components: [row] });
  const styles = ((row.components ?? []) as readonly Json[]).map(({ style }) => (style === 1 ? "primary" : ""));
  const drawn = buttons.map(
    ({ label }, index) => `<span class="button ${styles[index]}">${escapeMarkup(label)}</span>`,
  );
  return `<div class="row">${drawn.join("")}</div>`;
}

/** The part of Discord's Markdown that alerts use. */
function markdown(text: string): string {
  return text
    .split("\n")
    .map(markdownLine)
    .join("\n")
    .replaceAll("</blockquote>\n<blockquote>", "<br>")
    .replaceAll("\n", "<br>")
    .replaceAll(/<br>(?=<blockquote>)|(?<=<\/blockquote>)<br>/g, "");
}

function markdownLine(line: string): string {
  const quoted = /^> (.*)$/.exec(line)?.[1];
  if (quoted !== undefined) return `<blockquote>${markdownLine(quoted)}</blockquote>`;
  return escapeMarkup(line)
    .replaceAll(/\*\*(.+?)\*\*/g, "<b>$1</b>")
    .replaceAll(/~~(.+?)~~/g, "<s>$1</s>")
    .replaceAll(/(?<!\\)\[((?:\\.|[^\]\\])*)\]\((https?:[^)]+)\)/g, '<a href="$2">$1</a>')
    .replaceAll(/\\([^\w\s&])/g, "$1");
}
