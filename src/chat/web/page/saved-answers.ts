import type { Identity } from "./identity.ts";
import type { ChatDestination, CommandAnswer } from "./protocol.ts";

/** An answer that only the reader sees, kept until the tab is closed. */
export interface SavedAnswer {
  readonly id: string;
  readonly name: string;
  readonly channel: string;
  readonly destination: ChatDestination;
  /** Time of the request. */
  readonly at: number;
  readonly answer: CommandAnswer;
}

/** Answers that survive a reload. They may contain holdings, so they are kept in the browser tab only. */
export interface SavedAnswers {
  /** Answers to this reader in this channel, oldest first. */
  of(identity: Identity): readonly SavedAnswer[];
  /** Adds an answer, or replaces the one with the same id. */
  save(answer: SavedAnswer): void;
  clear(): void;
}

const STORAGE_KEY = "splitwatch.answers";
const MAX_ANSWERS = 30;
/** Browsers limit the storage of a site to 5 MB; larger answers are not kept. */
const MAX_LENGTH = 1_000_000;

export function openSavedAnswers(storage: () => Storage = () => sessionStorage): SavedAnswers {
  let answers = read(storage);

  function write(): void {
    try {
      storage().setItem(STORAGE_KEY, JSON.stringify(answers));
    } catch {
      // The page works without storage; answers are then lost at a reload.
    }
  }

  return {
    of: ({ name, channel }) => answers.filter((saved) => saved.name === name && saved.channel === channel),
    save(next) {
      const others = answers.filter(({ id }) => id !== next.id);
      answers = withinLimits([...others, next].toSorted((a, b) => a.at - b.at));
      write();
    },
    clear() {
      answers = [];
      write();
    },
  };
}

/** The newest answers that fit. */
function withinLimits(answers: readonly SavedAnswer[]): readonly SavedAnswer[] {
  let remaining = MAX_LENGTH;
  const kept = answers
    .slice(-MAX_ANSWERS)
    .toReversed()
    .filter((saved) => {
      remaining -= JSON.stringify(saved).length;
      return remaining >= 0;
    });
  return kept.toReversed();
}

function read(storage: () => Storage): readonly SavedAnswer[] {
  try {
    const saved: unknown = JSON.parse(storage().getItem(STORAGE_KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter((one) => typeof one === "object" && one !== null) : [];
  } catch {
    return [];
  }
}
