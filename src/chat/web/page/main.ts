import { postCompletion } from "./api.ts";
import { createComposer } from "./composer.ts";
import { createConversation, findMessage } from "./conversation.ts";
import { createIdentityDialog, createImportDialog } from "./dialogs.ts";
import { byId, pressable } from "./dom.ts";
import { type Identity, savedIdentity, saveIdentity } from "./identity.ts";
import { messageView } from "./message-view.ts";
import { showConnection, showNotice } from "./notices.ts";
import type { ChatDestination, SentFile } from "./protocol.ts";
import { createRunner } from "./runner.ts";
import { startSidebar } from "./side.ts";
import { createSplitsTable } from "./splits-table.ts";
import { createTimeline } from "./timeline.ts";

/** Completion works before a name is picked; nothing that it offers depends on who asks. */
const ANONYMOUS_NAME = "nobody";

let identity = savedIdentity();

const destination = byId("destination", HTMLSelectElement);
const timeline = createTimeline();
const unread = createUnreadCount();
const dialog = createIdentityDialog((picked) => {
  saveIdentity(picked);
  showIdentity(picked);
  void conversation.open(picked);
  composer.focus();
});
const importDialog = createImportDialog((file, scope) => {
  // Direct messages can hold the reader's own rules too.
  if (scope === "me") void run("import", ownDestination(), file);
  else void run("import scope:channel", currentDestination(), file);
});
const side = startSidebar(createSplitsTable((ticker) => run(`show ${ticker}`, currentDestination())));
const runner = createRunner({
  timeline,
  requester: () => ({ name: identity.name ?? ANONYMOUS_NAME, channel: identity.channel }),
  ran: () => side.scheduleRefresh(),
});
const conversation = createConversation({
  timeline,
  press: run,
  connectionChanged: showConnection,
  received() {
    unread.add();
    side.scheduleRefresh();
  },
});
const composer = createComposer({
  run: (line) => void run(line, currentDestination()),
  complete: async (line, signal) =>
    (await postCompletion(identity.name ?? ANONYMOUS_NAME, currentDestination(), line, signal)).suggestions,
});

/** Runs a command; asks for a name first if there is none. */
async function run(line: string, at: ChatDestination, file?: SentFile): Promise<void> {
  showView("chat");
  // Without a file or text, asks for one.
  if (line === "import" && file === undefined) return importDialog.open();
  if (identity.name !== null) return runner.run(line, at, file);
  dialog.open(identity, () => void runner.run(line, at.kind === "person" ? ownDestination() : at, file));
}

function channelDestination(): ChatDestination {
  return { kind: "channel", id: identity.channel };
}

function currentDestination(): ChatDestination {
  return destination.value === "direct" ? ownDestination() : channelDestination();
}

function ownDestination(): ChatDestination {
  return { kind: "person", id: identity.name ?? ANONYMOUS_NAME };
}

function showIdentity(next: Identity): void {
  identity = next;
  for (const name of document.querySelectorAll("[data-name]")) name.textContent = next.name ?? "Pick a name";
  for (const channel of document.querySelectorAll("[data-channel]")) channel.textContent = `#${next.channel}`;
}

/** Opens the message that the address links to, in this or another channel. */
async function followHash(): Promise<void> {
  const messageId = decodeURIComponent(/^#message-(.+)$/.exec(location.hash)?.[1] ?? "");
  if (messageId === "") return;
  if (!timeline.has(messageId)) await fetchMessage(messageId);
  showView("chat");
  timeline.show(messageId);
}

async function fetchMessage(messageId: string): Promise<void> {
  const message = await findMessage(messageId, identity);
  if (message === null) return showNotice("This message doesn't exist or was removed.");
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
    pressable(button, () => run(button.dataset.run ?? "", channelDestination()));
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

type View = "chat" | "splits";

/** Selects the view on narrow screens; wide screens show both. */
export function showView(view: View): void {
  document.body.dataset.view = view;
  for (const name of ["chat", "splits"] as const) {
    byId(`view-${name}`, HTMLButtonElement).setAttribute("aria-pressed", String(name === view));
  }
}

for (const name of ["chat", "splits"] as const) {
  byId(`view-${name}`, HTMLButtonElement).addEventListener("click", () => showView(name));
}

/** Counts new messages in the title while the page is hidden. */
export function createUnreadCount(): { add(): void } {
  const { title } = document;
  let count = 0;

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return;
    count = 0;
    document.title = title;
  });
  return {
    add() {
      if (!document.hidden) return;
      count += 1;
      document.title = `(${count}) ${title}`;
    },
  };
}
