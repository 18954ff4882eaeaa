import { DESTINATION_NAMES, type DestinationName, type ReceivedMessage } from "./chat.ts";
import type { Story, StorySplit } from "./story.ts";

/** A broken promise. `early`: sent although the destination was muted or in its quiet hours. `process`: the program ended, or reported something that it must not. */
export interface Problem {
  readonly kind: "lost" | "doubled" | "wrong" | "flooded" | "out of order" | "late" | "early" | "process";
  readonly what: string;
}

/** Most messages that one change of the upstream may cause at a destination. */
const MAX_MESSAGES_PER_CHANGE = 10;

/** Transitions of a split within an hour after which further ones are held. */
const FLAPPING_TRANSITIONS = 3;

/** Whether a destination receives a split; `maybe`: a command that decides it was sent after the split was listed. */
type Interest = "yes" | "no" | "maybe";

/** One alert, as a message shows it. */
export interface SeenAlert {
  readonly kind: "announced" | "changed" | "missing" | "returned" | "withdrawn";
  readonly ticker: string;
  /** N of the ratio `1:N`; null if it is not shown. */
  readonly ratio: number | null;
  /** Previous ratio of a change. */
  readonly was: number | null;
  /** A missing split that an earlier release explains. */
  readonly isExplained: boolean;
}

const TITLE =
  /\b(?<ticker>[IK]\d+)(?: 1-for-(?<ratio>\d+))? reverse split(?<what>, | changed: ratio 1-for-(?<was>\d+) → 1-for-(?<now>\d+)| is no longer listed: (?:(?:postponed|cancelled), according)?| is listed again| (?:postponed|cancelled), according)/g;

const TITLE_KINDS: readonly (readonly [start: string, kind: SeenAlert["kind"]])[] = [
  [", ", "announced"],
  [" changed", "changed"],
  [" is no longer listed", "missing"],
  [" is listed again", "returned"],
];

/** Rows of a long list: a heading, then the names with their terms. */
const ROW = /^(Announced|Changed|No longer listed|Listed again|Postponed|Cancelled)\b([^\n]*(?:\n[^\n]*)?)/gm;
const NAME = /\b([IK]\d+)(?: ratio)? 1-for-(\d+)(?: → 1-for-(\d+))?/g;
const ROW_KINDS: Readonly<Record<string, SeenAlert["kind"]>> = {
  Announced: "announced",
  Changed: "changed",
  "No longer listed": "missing",
  "Listed again": "returned",
  Postponed: "withdrawn",
  Cancelled: "withdrawn",
};

/** A release that watchers of its ticker receive while its split is not known yet. */
const RELEASE = /(?:Postpones|Cancels) Reverse Stock Split/;

/** The alerts in a message, in order. */
export function alertsIn(text: string): readonly SeenAlert[] {
  const titles = [...text.matchAll(TITLE)].map(({ groups = {} }): SeenAlert => {
    const { ticker = "", ratio, now, was, what = "" } = groups;
    const kind = TITLE_KINDS.find(([start]) => what.startsWith(start))?.[1] ?? "withdrawn";
    return { kind, ticker, ratio: numberIn(now ?? ratio), was: numberIn(was), isExplained: what.endsWith("according") };
  });
  const rows = [...text.matchAll(ROW)].flatMap(([, heading = "", names = ""]) =>
    [...names.matchAll(NAME)].map(
      ([, ticker = "", first, second]): SeenAlert => ({
        kind: ROW_KINDS[heading] ?? "announced",
        ticker,
        ratio: numberIn(second ?? first),
        was: second === undefined ? null : numberIn(first),
        isExplained: false,
      }),
    ),
  );
  return [...titles, ...rows];
}

function numberIn(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

/** What every destination must have received. */
export class Model {
  readonly #story: Story;
  /** Watchlist of bird: each command with the number of the last change before it. */
  readonly #watched = new Map<string, { readonly after: number; readonly interest: Interest }[]>();
  /** Times at which splits disappeared from the list or came back. */
  readonly #presenceChanges: number[] = [];
  /** Polls that detected the events, by kind and ticker. */
  readonly #detected = new Map<string, number>();

  constructor(story: Story) {
    this.#story = story;
  }

  /** Notes a command of bird: `maybe` when it is sent, `yes` or `no` when it is answered. */
  noteWatching(ticker: string, interest: Interest): void {
    const notes = this.#watched.get(ticker) ?? [];
    notes.push({ after: this.#story.change, interest });
    this.#watched.set(ticker, notes);
  }

  notePresenceChange(at: number): void {
    this.#presenceChanges.push(at);
  }

  /**
   * Whether changes may be held because a split is flapping, which it is from its third transition. A split has at most one
   * transition that is not a change of presence.
   */
  mayFlap(): boolean {
    return this.#presenceChanges.length >= FLAPPING_TRANSITIONS;
  }

  /** Notes an event that a poll detected. `id` starts with the ticker. */
  noteDetected(kind: string, id: string, poll: number): void {
    const ticker = /^[IK]\d+/.exec(id)?.[0];
    if (ticker !== undefined) this.#detected.set(`${kind} ${ticker}`, poll);
  }

  /** Everything that was lost, doubled, wrong, flooded or out of order. */
  check(received: (name: DestinationName) => readonly ReceivedMessage[]): readonly Problem[] {
    return DESTINATION_NAMES.flatMap((name) => {
      const messages = received(name).map(({ at, text }) => ({ at, alerts: alertsIn(text) }));
      const problems = [
        ...this.#story.splits.flatMap((split) => this.#checkSplit(name, split, messages)),
        ...received(name).flatMap(({ text }) =>
          alertsIn(text).length === 0 && !RELEASE.test(text) ? problem("wrong", `not an alert: ${text}`) : [],
        ),
        ...this.#checkFloods(messages),
        ...this.#checkOrder(messages),
      ];
      return problems.map(({ kind, what }) => ({ kind, what: `${name}: ${what}` }));
    });
  }

  #interestOf(name: DestinationName, split: StorySplit): Interest {
    switch (name) {
      case "everything":
        return "yes";
      case "nasdaq":
        return split.exchange === "NASDAQ" ? "yes" : "no";
      case "ada":
        return split.isInitial ? "no" : "yes";
      case "bird":
        return this.#watchedBy(split);
    }
  }

  #watchedBy({ ticker, changes, isInitial }: StorySplit): Interest {
    const listedIn = changes[0] ?? 0;
    const notes = this.#watched.get(ticker) ?? [];
    const before = isInitial ? undefined : notes.findLast(({ after }) => after < listedIn);
    const since = notes.filter(({ after }) => isInitial || after >= listedIn);
    const first = before?.interest ?? "no";
    return since.every(({ interest }) => interest === first) ? first : "maybe";
  }

  #checkSplit(name: DestinationName, split: StorySplit, messages: readonly Opened[]): readonly Problem[] {
    const alerts = messages.flatMap((message) => message.alerts).filter(({ ticker }) => ticker === split.ticker);
    const interest = this.#interestOf(name, split);
    if (interest === "no")
      return alerts.map(({ kind }) => problem("wrong", `${split.ticker} is not subscribed: ${kind}`));
    const follower = new Follower(split, interest === "yes");
    for (const alert of alerts) follower.read(alert);
    follower.end();
    const text = `${JSON.stringify(split)}, alerts ${JSON.stringify(alerts)}`;
    return follower.problems.map(({ kind, what }) => problem(kind, `${what}: ${text}`));
  }

  #checkFloods(messages: readonly Opened[]): readonly Problem[] {
    const counts = new Map<string, number>();
    for (const message of messages) {
      const causes = new Set(message.alerts.flatMap((alert) => this.#causeOf(alert, message.at) ?? []));
      for (const cause of causes) counts.set(cause, (counts.get(cause) ?? 0) + 1);
    }
    return [...counts].flatMap(([cause, count]) =>
      count > MAX_MESSAGES_PER_CHANGE ? [problem("flooded", `${count} messages for ${cause}`)] : [],
    );
  }

  /** The change of the upstream that an alert reports. */
  #causeOf({ kind, ticker, ratio }: SeenAlert, at: number): string | null {
    if (kind === "missing" || kind === "returned")
      return `change of the list at ${this.#presenceChanges.findLast((time) => time <= at)}`;
    const split = this.#story.splits.find((one) => one.ticker === ticker);
    const change = split?.changes[split.ratios.indexOf(ratio ?? 0)];
    return change === undefined ? null : `change ${change}`;
  }

  /** Alerts of a later poll must not be in an earlier message. */
  #checkOrder(messages: readonly Opened[]): readonly Problem[] {
    let newest = 0;
    return messages.flatMap(({ alerts }) => {
      const polls = alerts.flatMap(({ kind, ticker }) =>
        kind === "announced" || kind === "changed" ? (this.#detected.get(`${kind} ${ticker}`) ?? []) : [],
      );
      const isLate = Math.min(...polls) < newest;
      newest = Math.max(newest, ...polls);
      return isLate
        ? [problem("out of order", `polls ${polls.join()} after ${newest}: ${JSON.stringify(alerts)}`)]
        : [];
    });
  }
}

interface Opened {
  readonly at: number;
  readonly alerts: readonly SeenAlert[];
}

/** What a destination knows about a split after its alerts. */
class Follower {
  readonly problems: Problem[] = [];
  readonly #split: StorySplit;
  /** Whether the destination receives every alert about the split. */
  readonly #isStrict: boolean;
  readonly #terms = new Set<string>();
  #state: "unknown" | "listed" | "missing";
  #ratio: number | null;
  #last: SeenAlert["kind"] | null = null;
  #withdrawals = 0;
  #isExplained = false;

  constructor(split: StorySplit, isStrict: boolean) {
    this.#split = split;
    this.#isStrict = isStrict;
    this.#state = split.isInitial ? "listed" : "unknown";
    this.#ratio = split.isInitial ? (split.ratios[0] ?? null) : null;
  }

  read(alert: SeenAlert): void {
    const { kind, ratio, isExplained } = alert;
    if (ratio !== null && !this.#split.ratios.includes(ratio)) this.#report("wrong", `1-for-${ratio} was never listed`);
    this.#isExplained ||= isExplained;
    if (kind === "withdrawn") {
      this.#readWithdrawal();
      return;
    }
    if (kind === "announced" || kind === "changed") this.#readTerms(alert);
    else this.#readPresence(kind);
    this.#state = kind === "missing" ? "missing" : "listed";
    this.#ratio = ratio ?? this.#ratio;
    this.#last = kind;
  }

  #readTerms({ kind, ratio, was }: SeenAlert): void {
    const terms = `${kind} 1-for-${ratio}`;
    if (this.#terms.has(terms)) this.#report("doubled", terms);
    else if (kind === "announced" && this.#state !== "unknown") this.#report("wrong", "announced after other alerts");
    else if (kind === "changed" && was !== this.#ratio && (this.#isStrict || this.#ratio !== null))
      this.#report("wrong", `changed from 1-for-${was}, but 1-for-${this.#ratio} was sent before`);
    this.#terms.add(terms);
  }

  #readPresence(kind: SeenAlert["kind"]): void {
    if (kind === "missing" && this.#state === "missing") this.#report("doubled", kind);
    if (kind !== "returned" || this.#state === "missing" || !this.#isStrict || this.#split.isWithdrawn) return;
    if (this.#last === "returned") this.#report("doubled", kind);
    else this.#report("lost", "missing");
  }

  #readWithdrawal(): void {
    this.#withdrawals += 1;
    if (!this.#split.isWithdrawn) this.#report("wrong", "withdrawn");
    else if (this.#withdrawals > 1) this.#report("doubled", "withdrawn");
  }

  /** Reports the alerts that are missing at the end. */
  end(): void {
    const { isRemoved } = this.#split;
    if (!this.#isStrict) return;
    // A poll may never have seen a split that was removed soon.
    if (this.#state === "unknown" && !isRemoved) this.#report("lost", "announced");
    if (this.#state === "unknown") return;
    if (isRemoved) this.#endRemoved();
    else this.#endListed();
  }

  #endRemoved(): void {
    // After a withdrawal, the disappearance is not reported.
    if (this.#state !== "missing" && !this.#split.isWithdrawn) this.#report("lost", "missing");
  }

  #endListed(): void {
    const { isWithdrawn, ratios } = this.#split;
    const ratio = ratios.at(-1);
    if (this.#state === "missing" && !isWithdrawn) this.#report("lost", "returned");
    if (this.#ratio !== ratio) this.#report("lost", `ratio 1-for-${ratio}`);
    if (isWithdrawn && this.#withdrawals === 0 && !this.#isExplained) this.#report("lost", "withdrawn");
  }

  #report(kind: Problem["kind"], what: string): void {
    this.problems.push(problem(kind, what));
  }
}

function problem(kind: Problem["kind"], what: string): Problem {
  return { kind, what };
}
