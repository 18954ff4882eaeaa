import { ApiError, postCommand, postShare } from "./api.ts";
import { type AnswerView, answerView } from "./message-view.ts";
import { announce } from "./notices.ts";
import type { ChatDestination, CommandAnswer, SentFile } from "./protocol.ts";
import type { Timeline } from "./timeline.ts";

/** Runs commands and shows their answers. */
export interface Runner {
  run(line: string, destination: ChatDestination, file?: SentFile): Promise<void>;
}

interface RunnerParts {
  readonly timeline: Timeline;
  requester(): { readonly name: string; readonly channel: string };
  /** Called after each command: the overview may have changed. */
  commandCompleted(): void;
}

export function createRunner(parts: RunnerParts): Runner {
  async function run(line: string, destination: ChatDestination, file?: SentFile): Promise<void> {
    const view = answerView(parts.requester().name, line, destination);
    parts.timeline.add(view.element, { follow: true });
    await fill(view, line, file);
  }

  async function fill(view: AnswerView, line: string, file?: SentFile): Promise<void> {
    try {
      show(view, await postCommand(parts.requester().name, view.destination, { line, ...(file && { file }) }));
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
    announce(answer.cards.map((card) => card.title).join(". "));
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

  return { run };
}

function commandName(line: string): string | undefined {
  return line.trim().split(/\s+/)[0]?.toLowerCase();
}
