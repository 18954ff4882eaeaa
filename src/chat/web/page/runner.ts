import { ApiError, postCommand, postShare } from "./api.ts";
import type { Identity } from "./identity.ts";
import { type AnswerView, answerView } from "./message-view.ts";
import { announce } from "./notices.ts";
import type { ChatDestination, CommandAnswer, SentFile } from "./protocol.ts";
import { openSavedAnswers, type SavedAnswer, type SavedAnswers } from "./saved-answers.ts";
import type { TimedView, Timeline } from "./timeline.ts";

/** Runs commands and shows their answers. */
export interface Runner {
  run(line: string, destination: ChatDestination, file?: SentFile): Promise<void>;
  /** Views of earlier answers to this reader in this channel. */
  savedAnswers(identity: Identity): readonly TimedView[];
  forgetAnswers(): void;
}

type Requester = Pick<SavedAnswer, "name" | "channel">;

interface RunnerParts {
  readonly timeline: Timeline;
  requester(): Requester;
  /** Called after each command: the overview may have changed. */
  commandCompleted(): void;
}

export function createRunner(parts: RunnerParts): Runner {
  const saved: SavedAnswers = openSavedAnswers();
  /** Ids of the views in the saved answers. */
  const ids = new WeakMap<AnswerView, string>();

  async function run(line: string, destination: ChatDestination, file?: SentFile): Promise<void> {
    const view = answerView(parts.requester().name, line, { destination });
    ids.set(view, `${view.at} ${Math.random()}`);
    parts.timeline.add(view.element, { follow: true });
    await fill(view, line, file);
  }

  function savedAnswers(identity: Identity): readonly TimedView[] {
    return viewsOf(saved.of(identity), ({ id, name, destination, at, answer }) => {
      const view = answerView(name, answer.line, { destination, at });
      ids.set(view, id);
      show(view, answer);
      return view;
    });
  }

  function save(view: AnswerView, requester: Requester, answer: CommandAnswer): void {
    // A person who asks to be forgotten may not want earlier answers to stay on the screen of the next person.
    if (commandName(answer.line) === "forget") saved.clear();
    const { destination, at } = view;
    saved.save({ id: ids.get(view) ?? "", ...requester, destination, at, answer });
  }

  async function fill(view: AnswerView, line: string, file?: SentFile): Promise<void> {
    // The reader can take another name before the answer arrives.
    const requester = parts.requester();
    try {
      const answer = await postCommand(requester.name, view.destination, { line, ...(file && { file }) });
      show(view, answer);
      save(view, requester, answer);
      announce(answer.cards.map((card) => card.title).join(". "));
    } catch (error) {
      const reason = error instanceof ApiError ? error.message : "The page couldn't show the answer.";
      view.showFailure(reason, () => fill(view, line, file));
      announce(reason);
      if (!(error instanceof ApiError)) throw error;
    }
    parts.commandCompleted();
  }

  function show(view: AnswerView, answer: CommandAnswer): void {
    view.showAnswer(answer, {
      press: (command) => press(view, answer, command),
      share: answer.shareable ? () => share(view, answer.line) : null,
    });
  }

  /** A button with the same command, such as the next page, replaces the answer; other commands get a new answer. */
  async function press(view: AnswerView, answer: CommandAnswer, command: string): Promise<void> {
    if (commandName(command) !== commandName(answer.line)) return run(command, view.destination);
    await fill(view, command);
    view.element.focus({ preventScroll: true });
  }

  async function share(view: AnswerView, line: string): Promise<void> {
    const { name, channel } = parts.requester();
    const outcome = await postShare(name, channel, line).then(
      () => `Shared in #${channel}`,
      (error: unknown) => (error instanceof ApiError ? error.message : "Sharing failed."),
    );
    view.showShared(outcome);
    announce(outcome);
  }

  return { run, savedAnswers, forgetAnswers: () => saved.clear() };
}

/** Leaves out answers that another version of the page has saved in a form that this one can't show. */
function viewsOf(saved: readonly SavedAnswer[], viewOf: (one: SavedAnswer) => AnswerView): readonly TimedView[] {
  return saved.flatMap((one) => {
    try {
      const { at, element } = viewOf(one);
      return { at, create: () => element };
    } catch {
      return [];
    }
  });
}

function commandName(line: string): string | undefined {
  return line.trim().split(/\s+/)[0]?.toLowerCase();
}
