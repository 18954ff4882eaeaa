import { createInterface, type Interface } from "node:readline";
import { Writable } from "node:stream";
import type { Invocation } from "../invocation.ts";

/** Why the questions ended before the last answer. */
export class QuestionsEndedError extends Error {
  override readonly name = "QuestionsEndedError";
  readonly isCancelled: boolean;

  constructor(message: string, isCancelled: boolean) {
    super(message);
    this.isCancelled = isCancelled;
  }
}

export type ParsedAnswer<T> = { readonly value: T } | { readonly problem: string };

export interface Question<T> {
  readonly text: string;
  /** True for secrets: a terminal doesn't show what is typed. */
  readonly isHidden?: boolean;
  /** Parses the trimmed answer; a problem is printed, and the question is asked again. */
  readonly parse: (answer: string) => ParsedAnswer<T>;
}

/** Asks questions on a terminal, or reads the answers from a pipe, one per line. */
export interface Prompter {
  readonly isTerminal: boolean;
  /** Rejects with a QuestionsEndedError if the input ends, the user cancels, or piped answers are invalid too often. */
  ask<T>(question: Question<T>): Promise<T>;
  /** Rejects with a QuestionsEndedError when the user presses Ctrl+C, also between questions. */
  readonly cancelled: Promise<never>;
  close(): void;
}

/** Piped answers are refused after this number of invalid ones for the same question. */
export const MAX_PIPED_ATTEMPTS = 3;
const MAX_ANSWER_LENGTH = 4_096;

export function createPrompter(invocation: Invocation): Prompter {
  const input = invocation.input();
  const isTerminal = "isTTY" in input && input.isTTY === true && invocation.outputIsTerminal;
  const echo = new Echo(invocation.output());
  const lines = createInterface({ input, output: echo, terminal: isTerminal, historySize: 0 });
  const answers = new AnswerQueue(lines);

  async function readAnswer(text: string, isHidden: boolean): Promise<string> {
    if (!isTerminal) {
      invocation.out(text);
      return answers.next();
    }
    // Enter that was pressed while a check ran answers no question.
    answers.clear();
    echo.isOn = true;
    lines.setPrompt(`${text} `);
    lines.prompt();
    echo.isOn = !isHidden;
    const answer = await answers.next().finally(() => {
      echo.isOn = false;
    });
    if (isHidden) invocation.out("");
    return answer;
  }

  return {
    isTerminal,
    async ask({ text, isHidden = false, parse }) {
      for (let attempt = 1; ; attempt += 1) {
        const answer = (await readAnswer(text, isHidden)).trim();
        const parsed = answer.length > MAX_ANSWER_LENGTH ? TOO_LONG : parse(answer);
        if ("value" in parsed) return parsed.value;
        invocation.out(`  ${parsed.problem}`);
        if (!isTerminal && attempt >= MAX_PIPED_ATTEMPTS)
          throw new QuestionsEndedError(`${attempt} answers to "${text}" are invalid`, false);
      }
    },
    cancelled: answers.cancelled,
    close: () => lines.close(),
  };
}

const TOO_LONG = { problem: `got more than ${MAX_ANSWER_LENGTH} characters, expected a shorter answer` };

/** Lines that were entered and not read yet. */
class AnswerQueue {
  #lines: string[] = [];
  #end: QuestionsEndedError | null = null;
  #changed: () => void = () => undefined;
  readonly cancelled: Promise<never>;

  constructor(lines: Interface) {
    lines.on("line", (line) => {
      this.#lines.push(line);
      this.#changed();
    });
    this.cancelled = new Promise((_resolve, reject) => {
      lines.on("SIGINT", () => reject(new QuestionsEndedError("cancelled", true)));
    });
    lines.on("close", () => {
      this.#end = new QuestionsEndedError("the input ended before the last question", false);
      this.#changed();
    });
  }

  clear(): void {
    this.#lines = [];
  }

  async next(): Promise<string> {
    for (;;) {
      const line = this.#lines.shift();
      if (line !== undefined) return line;
      if (this.#end !== null) throw this.#end;
      await new Promise<void>((resolve) => {
        this.#changed = resolve;
      });
    }
  }
}

/** Output of the line editor, which is switched off while a secret is typed. */
class Echo extends Writable {
  isOn = false;
  readonly #target: Writable;

  constructor(target: Writable) {
    super();
    this.#target = target;
  }

  /** Width of the terminal, which the line editor needs for long answers. */
  get columns(): number | undefined {
    return (this.#target as { readonly columns?: number }).columns;
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    if (this.isOn) this.#target.write(chunk);
    done();
  }
}
