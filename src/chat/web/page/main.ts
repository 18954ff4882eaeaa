import { getMessages, getStart, postCompletion } from "./api.ts";
import { createComposer } from "./composer.ts";
import { createConversation, findMessage } from "./conversation.ts";
import { createDetail } from "./detail.ts";
import { createIdentityDialog, createImportDialog } from "./dialogs.ts";
import { byId, onPress } from "./dom.ts";
import { createExplanation } from "./explain.ts";
import { type Identity, savedIdentity, saveIdentity } from "./identity.ts";
import { messageView } from "./message-view.ts";
import { showConnection, showNotice } from "./notices.ts";
import type { ChatDestination, Messages, SentFile } from "./protocol.ts";
import { routeOf } from "./route.ts";
import { createRunner } from "./runner.ts";
import { startSidebar } from "./side.ts";
import { createTimeline } from "./timeline.ts";

let identity = savedIdentity();
/** Whether the page has its first content. */
let isStarted = false;

const destinationSelect = byId("destination", HTMLSelectElement);
const timeline = createTimeline();
const unread = createUnreadCount();
const identityDialog = createIdentityDialog((picked) => {
  saveIdentity(picked);
  showIdentity(picked);
  void conversation.open(picked);
  composer.focus();
});
const importDialog = createImportDialog((file, scope) => {
  // The user's own rules alert in their direct messages, so the import runs there.
  if (scope === "me") void run("import", ownDestination(), file);
  else void run("import scope:channel", currentDestination(), file);
});
const sidebar = startSidebar(() => identity.channel);
const detail = createDetail({
  readerName: () => identity.name,
  press: (command) => run(command, currentDestination()),
  withName(action) {
    if (identity.name === null) identityDialog.open(identity, action);
    else action();
  },
  changed() {
    detail.refresh();
    sidebar.scheduleRefresh();
  },
});
const explanation = createExplanation(() => composer.focus());
const runner = createRunner({
  timeline,
  requester: () => ({ name: identity.name ?? "", channel: identity.channel }),
  commandCompleted: () => sidebar.scheduleRefresh(),
});
const conversation = createConversation({
  timeline,
  press: run,
  readMessages,
  savedAnswers: (reader) => runner.savedAnswers(reader),
  connectionChanged(state) {
    showConnection(state);
    // After a sign-out in another tab, this request is rejected, and the page reloads.
    if (state === "lost") sidebar.scheduleRefresh();
  },
  messageReceived() {
    unread.add();
    sidebar.scheduleRefresh();
    detail.refresh();
  },
});
const composer = createComposer({
  run: (line) => void run(line, currentDestination()),
  complete: (line, signal) => postCompletion(identity.name, currentDestination(), line, signal),
});

/** Reads the messages; the first time with the content of the sidebar. */
async function readMessages(reader: Identity): Promise<Messages> {
  if (isStarted) return getMessages(reader);
  const start = await getStart(reader);
  isStarted = true;
  sidebar.show(start.overview);
  return start;
}

/** Runs a command; asks for a name first if there is none. */
async function run(line: string, destination: ChatDestination, file?: SentFile): Promise<void> {
  showChat();
  // `import` without a file or text needs one from the user.
  if (line === "import" && file === undefined) return importDialog.open();
  if (identity.name !== null) return runner.run(line, destination, file);
  identityDialog.open(identity, () => {
    // The person's id is the name that was just picked.
    void runner.run(line, destination.kind === "person" ? ownDestination() : destination, file);
  });
}

function channelDestination(): ChatDestination {
  return { kind: "channel", id: identity.channel };
}

function currentDestination(): ChatDestination {
  return destinationSelect.value === "direct" ? ownDestination() : channelDestination();
}

function ownDestination(): ChatDestination {
  return { kind: "person", id: identity.name ?? "" };
}

function showIdentity(next: Identity): void {
  identity = next;
  for (const name of document.querySelectorAll("[data-name]")) name.textContent = next.name ?? "Pick a name";
  for (const channel of document.querySelectorAll("[data-channel]")) channel.textContent = `#${next.channel}`;
}

/** Shows what the fragment of the address names. */
async function followRoute(): Promise<void> {
  const route = routeOf(location.hash);
  if (route.kind === "split" || route.kind === "release") {
    document.body.dataset.detail = "open";
    return detail.open(route);
  }
  closeDetail();
  if (route.kind === "message") await showMessage(route.messageId);
}

function closeDetail(): void {
  delete document.body.dataset.detail;
  detail.close();
}

/** Shows a message. Opens its channel first, if it is another one. */
async function showMessage(messageId: string): Promise<void> {
  if (!timeline.has(messageId)) await loadMessage(messageId);
  showView("chat");
  timeline.show(messageId);
}

async function loadMessage(messageId: string): Promise<void> {
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
    const isTyping = event.target instanceof HTMLInputElement || event.target instanceof HTMLSelectElement;
    const isSlash = event.key === "/" && !isTyping && !event.ctrlKey && !event.metaKey && !event.altKey;
    const isCtrlK = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey);
    if ((!isSlash && !isCtrlK) || document.querySelector("dialog[open]")) return;
    event.preventDefault();
    showChat();
    composer.focus();
  });
}

/** Escape leaves the view of a split or release, unless it concerns an input or a dialog. */
function listenToEscape(): void {
  document.addEventListener("keydown", ({ key, target }) => {
    if (key !== "Escape" || !detail.isOpen || target instanceof HTMLInputElement) return;
    if (!document.querySelector("dialog[open]")) location.hash = "";
  });
}

/** Shows the chat in place of a split or release. */
function showChat(): void {
  if (detail.isOpen) {
    closeDetail();
    location.hash = "";
  }
  showView("chat");
}

function listenToButtons(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-run]")) {
    onPress(button, () => run(button.dataset.run ?? "", channelDestination()));
  }
  for (const button of document.querySelectorAll<HTMLButtonElement>("button[data-prepare]")) {
    onPress(button, () => composer.prepare(button.dataset.prepare ?? ""));
  }
  onPress(byId("who", HTMLButtonElement), () => identityDialog.open(identity));
  byId("skip", HTMLAnchorElement).addEventListener("click", (event) => {
    event.preventDefault();
    showChat();
    composer.focus();
  });
  onPress(byId("explain-splits", HTMLButtonElement), () => {
    showView("splits");
    document.querySelector<HTMLElement>("#splits-body .ticker")?.focus();
  });
  onPress(byId("explain-open", HTMLButtonElement), () => {
    showChat();
    explanation.open();
  });
  // On a shared computer, the next person must not see the answers.
  byId("sign-out", HTMLFormElement).addEventListener("submit", () => runner.forgetAnswers());
}

showIdentity(identity);
listenToKeys();
listenToEscape();
listenToButtons();
addEventListener("hashchange", () => void followRoute());
void conversation.open(identity).then(followRoute);
if (identity.name === null) identityDialog.open(identity);

type View = "chat" | "splits";

/** Selects the view on narrow screens; wide screens show both. */
export function showView(view: View): void {
  document.body.dataset.view = view;
  for (const name of ["chat", "splits"] as const) {
    byId(`view-${name}`, HTMLButtonElement).setAttribute("aria-pressed", String(name === view));
  }
}

for (const name of ["chat", "splits"] as const) {
  byId(`view-${name}`, HTMLButtonElement).addEventListener("click", () => {
    showChat();
    showView(name);
  });
}

/** Counts new messages while the page is hidden, and shows the number in the page title. */
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
