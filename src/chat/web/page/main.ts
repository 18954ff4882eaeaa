import { notice } from "./announce.ts";
import { postCompletion } from "./api.ts";
import { createComposer } from "./composer.ts";
import { showConnection } from "./connection.ts";
import { createConversation, findMessage } from "./conversation.ts";
import { byId, pressable } from "./dom.ts";
import { type Identity, rememberedIdentity, rememberIdentity } from "./identity.ts";
import { createIdentityDialog } from "./identity-dialog.ts";
import { createImportDialog } from "./import-dialog.ts";
import { messageView } from "./message-view.ts";
import type { Place, SentFile } from "./protocol.ts";
import { createRunner } from "./runner.ts";
import { keepSideFresh } from "./side.ts";
import { createSplitsTable } from "./splits-table.ts";
import { createTimeline } from "./timeline.ts";
import { createUnreadCount } from "./unread.ts";
import { showView } from "./view.ts";

/** Completion works before a name is picked; nothing that it offers depends on who asks. */
const NOBODY = "nobody";

let identity = rememberedIdentity();

const place = byId("place", HTMLSelectElement);
const timeline = createTimeline();
const unread = createUnreadCount();
const dialog = createIdentityDialog((picked) => {
  rememberIdentity(picked);
  showIdentity(picked);
  void conversation.open(picked);
  composer.focus();
});
const importDialog = createImportDialog((file, scope) => {
  // What is one's own goes to one's direct messages: they take rules too.
  if (scope === "me") void run("import", ownPlace(), file);
  else void run("import scope:channel", currentPlace(), file);
});
const side = keepSideFresh(createSplitsTable((ticker) => run(`show ${ticker}`, currentPlace())));
const runner = createRunner({
  timeline,
  asker: () => ({ name: identity.name ?? NOBODY, channel: identity.channel }),
  ran: () => side.soon(),
});
const conversation = createConversation({
  timeline,
  press: run,
  connection: showConnection,
  received() {
    unread.add();
    side.soon();
  },
});
const composer = createComposer({
  run: (line) => void run(line, currentPlace()),
  complete: async (line, signal) =>
    (await postCompletion(identity.name ?? NOBODY, currentPlace(), line, signal)).suggestions,
});

/** Runs the line, once the reader has a name to run it under. */
async function run(line: string, at: Place, file?: SentFile): Promise<void> {
  showView("chat");
  // Alone it says nothing of what is to be imported.
  if (line === "import" && file === undefined) return importDialog.open();
  if (identity.name !== null) return runner.run(line, at, file);
  dialog.open(identity, () => void runner.run(line, at.kind === "person" ? ownPlace() : at, file));
}

function channelPlace(): Place {
  return { kind: "channel", id: identity.channel };
}

function currentPlace(): Place {
  return place.value === "direct" ? ownPlace() : channelPlace();
}

function ownPlace(): Place {
  return { kind: "person", id: identity.name ?? NOBODY };
}

function showIdentity(next: Identity): void {
  identity = next;
  for (const name of document.querySelectorAll("[data-name]")) name.textContent = next.name ?? "Pick a name";
  for (const channel of document.querySelectorAll("[data-channel]")) channel.textContent = `#${next.channel}`;
}

/** Follows a link to a message: in this channel, in another, or nowhere any more. */
async function followHash(): Promise<void> {
  const messageId = decodeURIComponent(/^#message-(.+)$/.exec(location.hash)?.[1] ?? "");
  if (messageId === "") return;
  if (!timeline.has(messageId)) await fetchMessage(messageId);
  showView("chat");
  timeline.show(messageId);
}

async function fetchMessage(messageId: string): Promise<void> {
  const message = await findMessage(messageId, identity);
  if (message === null) return notice("This message is not here, or not any more.");
  if (message.to.kind === "channel" && message.to.id !== identity.channel) {
    showIdentity({ ...identity, channel: message.to.id });
    await conversation.open(identity);
  }
  if (!timeline.has(messageId)) timeline.addFirst(messageView(message, run));
}

function listenToKeys(): void {
  document.addEventListener("keydown", (event) => {
    const typing = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const slash = event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey;
    const search = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if ((!slash && !search) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    showView("chat");
    composer.focus();
  });
}

function listenToButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-run]")) {
    pressable(button, () => run(button.dataset.run ?? "", channelPlace()));
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-prepare]")) {
    pressable(button, () => composer.prepare(button.dataset.prepare ?? ""));
  }
  pressable(byId("who", HTMLButtonElement), () => dialog.open(identity));
  byId("skip", HTMLAnchorElement).addEventListener("click", (event) => {
    event.preventDefault();
    showView("chat");
    composer.focus();
  });
}

showIdentity(identity);
listenToKeys();
listenToButtons();
addEventListener("hashchange", () => void followHash());
void conversation.open(identity).then(followHash);
if (identity.name === null) dialog.open(identity);
