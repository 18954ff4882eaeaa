import { announce } from "./announce.ts";
import { ApiError, postCommand, postShare } from "./api.ts";
import { type AnswerView, answerView } from "./message-view.ts";
import type { CommandAnswer, Place, SentFile } from "./protocol.ts";
import type { Timeline } from "./timeline.ts";

/** Runs command lines and shows what they are answered with. */
export interface Runner {
  run(line: string, place: Place, file?: SentFile): Promise<void>;
}

interface RunnerParts {
  readonly timeline: Timeline;
  /** Who asks and which channel they see. */
  asker(): { readonly name: string; readonly channel: string };
  /** Something may have changed that stands beside the chat. */
  ran(): void;
}

export function createRunner(parts: RunnerParts): Runner {
  async function run(line: string, place: Place, file?: SentFile): Promise<void> {
    const view = answerView(parts.asker().name, line, place);
    parts.timeline.add(view.element, { follow: true });
    await fill(view, line, file);
  }

  async function fill(view: AnswerView, line: string, file?: SentFile): Promise<void> {
    try {
      show(view, await postCommand(parts.asker().name, view.place, { line, ...(file && { file }) }));
    } catch (error) {
      const reason = error instanceof ApiError ? error.message : "The page could not show the answer.";
      view.showFailure(reason, () => fill(view, line, file));
      announce(reason);
      if (!(error instanceof ApiError)) throw error;
    }
    parts.ran();
  }

  function show(view: AnswerView, answer: CommandAnswer): void {
    view.showAnswer(answer, {
      press: (command) => press(view, answer, command),
      share: answer.shareable ? () => share(view, answer.line) : null,
    });
    announce(answer.cards.map((card) => card.title).join(". "));
  }

  /** Another page of the same answer takes its place; anything else is an answer of its own. */
  async function press(view: AnswerView, answer: CommandAnswer, command: string): Promise<void> {
    if (nameOf(command) !== nameOf(answer.line)) return run(command, view.place);
    await fill(view, command);
    view.element.focus({ preventScroll: true });
  }

  async function share(view: AnswerView, line: string): Promise<void> {
    const { name, channel } = parts.asker();
    const outcome = await postShare(name, channel, line).then(
      () => `Shared in #${channel}`,
      (error: unknown) => (error instanceof ApiError ? error.message : "It could not be shared."),
    );
    view.showShared(outcome);
    announce(outcome);
  }

  return { run };
}

function nameOf(line: string): string | undefined {
  return line.trim().split(/\s+/)[0]?.toLowerCase();
}
