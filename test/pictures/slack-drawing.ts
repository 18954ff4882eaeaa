import { escapeMarkup } from "../../src/lib/markup.ts";
import type { Json, SlackMessage } from "../platforms/slack/server/workspace.ts";
import { documentOf, timeOf } from "./html.ts";

const STYLE = `
  body { background: #fff; color: #1d1c1d; }
  .name { font-weight: 700; } .tag { background: #e8e8e8; color: #616061; } .time, .thread { color: #616061; font-size: 12px; }
  h3 { font-size: 18px; line-height: 1.33; margin: 2px 0 6px; }
  p { margin: 4px 0 6px; } .context { color: #616061; font-size: 13px; } a { color: #1264a3; }
  .actions { display: flex; gap: 8px; margin: 8px 0; }
  .button { border: 1px solid #c9c9c9; border-radius: 8px; padding: 4px 12px; font-weight: 700; font-size: 14px; }
  .primary { background: #007a5a; border-color: #007a5a; color: #fff; } .danger { background: #e01e5a; border-color: #e01e5a; color: #fff; }
  hr { border: 0; border-top: 1px solid #ddd; margin: 10px 0; }`;

/** Draws messages as Slack's client does: https://docs.slack.dev/block-kit */
export function drawSlack(messages: readonly SlackMessage[], icon: string): string {
  return documentOf(STYLE, messages.map((message) => drawMessage(message, icon)).join(""));
}

function drawMessage({ ts, threadTs, blocks }: SlackMessage, icon: string): string {
  const thread = threadTs === null ? "" : '<div class="thread">replied to a thread</div>';
  return `<div class="message"><div class="icon">${icon}</div><div class="content">
    <span class="name">splitwatch</span> <span class="tag">APP</span> <span class="time">${timeOf(Number(ts) * 1_000)}</span>${thread}
    ${blocks.map(drawBlock).join("")}</div></div>`;
}

function drawBlock(block: Json): string {
  const elements = (block.elements ?? []) as readonly Json[];
  switch (block.type) {
    case "header":
      return `<h3>${drawText(block.text)}</h3>`;
    case "section":
      return `<p>${drawText(block.text)}</p>`;
    case "context":
      return `<p class="context">${elements.map(drawText).join(" &nbsp; ")}</p>`;
    case "actions":
      return `<div class="actions">${elements.map(drawButton).join("")}</div>`;
    case "divider":
      return "<hr>";
    default:
      throw new Error(`no drawing for the block ${String(block.type)}`);
  }
}

function drawButton({ text, style }: Json): string {
  return `<span class="button ${typeof style === "string" ? style : ""}">${drawText(text)}</span>`;
}

/** A text object: plain text, or mrkdwn with bold text and links. */
function drawText(object: unknown): string {
  const { type, text } = object as { readonly type: string; readonly text: string };
  return (type === "plain_text" ? escapeMarkup(text) : drawMrkdwn(text)).replaceAll("\n", "<br>");
}

/** mrkdwn is escaped like HTML. */
function drawMrkdwn(text: string): string {
  return text
    .replaceAll(/<(https?:[^|>]+)\|([^>]*)>/g, '<a href="$1">$2</a>')
    .replaceAll(/(^|\s)\*([^*\n]+)\*/g, "$1<b>$2</b>")
    .replaceAll(/(^|\s)~([^~\n]+)~/g, "$1<s>$2</s>")
    .replaceAll(/(^|\s)_([^_\n]+)_/g, "$1<i>$2</i>");
}
