import { MINUTE_MS } from "../../src/domain/time/day.ts";
import { type Chat, DESTINATION_NAMES, DESTINATIONS, type DestinationName } from "./chat.ts";
import { blockIn, type ChatRequest, describeRequests, isRefused, mayBePassed, type Span } from "./requests.ts";
import type { Story, StorySplit } from "./story.ts";

/** A broken promise. `early`: sent although the destination was muted or in its quiet hours. `process`: the program ended, or reported something that it must not. */
export interface Problem {
  readonly kind: "lost" | "doubled" | "wrong" | "flooded" | "out of order" | "late" | "blocked" | "early" | "process";
  readonly what: string;
}

/** Most messages that one change of the upstream may cause at a destination. */
const MAX_MESSAGES_PER_CHANGE = 10;

/** What a busy machine adds to a wait: a second of its time is half a minute of the schedule's. */
const MAX_LAG_MS = MINUTE_MS;
/** Longest wait behind a message without an answer (docs/decisions/refusals.md). */
const MAX_BLOCK_MS = 7 * MINUTE_MS + MAX_LAG_MS;
/** Longest wait behind refused messages: less than ten, one a second. */
const MAX_REFUSED_BLOCK_MS = MINUTE_MS + MAX_LAG_MS;

/** Transitions of a split within an hour after which further ones are held. */
const FLAPPING_TRANSITIONS = 3;

/** Whether a destination receives a split; `maybe`: a command that decides it was sent after the split was listed. */
type Interest = "yes" | "no" | "maybe";

/** One alert, as a message shows it. */
export interface SeenAlert {
  readonly kind: "announced" | "changed" | "missing" | "returned" | "withdrawn" | "reminder" | "effective";
  readonly ticker: string;
  /** N of the ratio `1:N`; null if it is not shown. */
  readonly ratio: number | null;
  /** Previous ratio of a change. */
  readonly was: number | null;
  /** A missing split that an earlier release explains. */
  readonly isExplained: boolean;
}

const TITLE =
  /\b(?<ticker>[IK]\d+)(?: 1-for-(?<ratio>\d+))? reverse split(?<what>, | changed: ratio 1-for-(?<was>\d+) → 1-for-(?<now>\d+)| is no longer listed: (?:(?:postponed|cancelled), according)?| is listed again| (?:takes|took) effect| in effect| (?:postponed|cancelled), according)/g;

const TITLE_KINDS: readonly (readonly [start: string, kind: SeenAlert["kind"]])[] = [
  [", ", "announced"],
  [" changed", "changed"],
  [" is no longer listed", "missing"],
  [" is listed again", "returned"],
  [" takes effect", "reminder"],
  [" took effect", "reminder"],
  [" in effect", "effective"],
];

/** Rows of a long list: a heading, then the names with their terms. */
const ROW =
  /^(Announced|Changed|No longer listed|Listed again|Postponed|Cancelled|Reminders|In effect)\b([^\n]*(?:\n[^\n]*)?)/gm;
const NAME = /\b([IK]\d+)(?: ratio)? 1-for-(\d+)(?: → 1-for-(\d+))?/g;
/** Rows of a still longer list, which shows no terms. */
const TICKER_ROW =
  /^(Announced|Changed|No longer listed|Listed again|Postponed|Cancelled|Reminders|In effect)\n([IK]\d+(?:, [IK]\d+)*)$/gm;
const ROW_KINDS: Readonly<Record<string, SeenAlert["kind"]>> = {
  Announced: "announced",
  Changed: "changed",
  "No longer listed": "missing",
  "Listed again": "returned",
  Postponed: "withdrawn",
  Cancelled: "withdrawn",
  Reminders: "reminder",
  "In effect": "effective",
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
  const tickerRows = [...text.matchAll(TICKER_ROW)].flatMap(([, heading = "", tickers = ""]) =>
    tickers.split(", ").map((ticker): SeenAlert => {
      return { kind: ROW_KINDS[heading] ?? "announced", ticker, ratio: null, was: null, isExplained: false };
    }),
  );
  return [...titles, ...rows, ...tickerRows];
}

function numberIn(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

/** Time for which a process may be ahead of the schedule, while it learns of a new speed. */
const MAX_AHEAD_MS = 30_000;

/** Mute or quiet hours of a destination. */
interface Hold {
  readonly destination: DestinationName;
  /** Number of the last change before it: later ones were not in flight when it began. */
  readonly after: number;
  /** Time of the schedule at which it may end. */
  until: number;
}

/** Time in which bird must receive nothing, because everything stored about them was deleted. */
interface Forgotten {
  readonly from: number;
  until: number;
}

/** What every destination must have received. */
export class Model {
  readonly #story: Story;
  /** Watchlist of bird: each command with the number of the last change before it. */
  readonly #watched = new Map<string, { readonly after: number; readonly interest: Interest }[]>();
  /** Times at which splits disappeared from the list or came back. */
  readonly #presenceChanges: number[] = [];
  readonly #holds: Hold[] = [];
  readonly #forgotten: Forgotten[] = [];
  /** Tickers whose messages are refused for a while, by destination. */
  readonly #refused = new Map<DestinationName, Set<string>>();
  /** Times in which faults kept the program from sending. */
  readonly #hindrances: Span[] = [];
  #isForgettingUnknown = false;
  /** Polls that detected the events, with their times, by kind and ticker. */
  readonly #detected = new Map<string, [Detected]>();
  /** Longest wait behind a message that was refused or unanswered. */
  longestBlockMs = 0;

  constructor(story: Story) {
    this.#story = story;
  }

  /** Notes a command of bird: `maybe` when it is sent, `yes` or `no` when it is answered. */
  noteWatching(ticker: string, interest: Interest): void {
    const notes = this.#watched.get(ticker) ?? [];
    notes.push({ after: this.#story.change, interest });
    this.#watched.set(ticker, notes);
  }

  /** Notes `forget` of bird: `maybe` when it is sent, `yes` when it is answered, `unknown` if it is not. */
  noteForgetting(state: "maybe" | "yes" | "unknown", at: number): void {
    if (state === "unknown") this.#isForgettingUnknown = true;
    for (const ticker of this.#watched.keys()) this.noteWatching(ticker, state === "yes" ? "no" : "maybe");
    if (state === "yes") this.#forgotten.push({ from: at, until: Number.POSITIVE_INFINITY });
  }

  /** Notes that bird may receive alerts again. */
  endForgotten(at: number): void {
    for (const time of this.#forgotten) time.until = Math.min(time.until, at);
  }

  /** Notes that a platform refuses messages about the ticker for a while. */
  noteRefused(destination: DestinationName, ticker: string): void {
    this.#refused.set(destination, (this.#refused.get(destination) ?? new Set()).add(ticker));
  }

  /** Notes that a fault other than a refusal kept the program from sending. */
  noteHindrance(span: Span): void {
    this.#hindrances.push(span);
  }

  /** Notes that a destination receives nothing about later changes before `until` by the clock of the process. */
  noteHold(destination: DestinationName, until: number): void {
    this.#holds.push({ destination, after: this.#story.change, until: until - MAX_AHEAD_MS });
  }

  /** Notes that the holds of a destination may end now. */
  endHolds(destination: DestinationName, at: number): void {
    for (const hold of this.#holds) if (hold.destination === destination) hold.until = Math.min(hold.until, at);
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
  noteDetected(kind: string, id: string, when: Detected): void {
    const ticker = /^[IK]\d+/.exec(id)?.[0];
    if (ticker !== undefined) this.#detected.set(`${kind} ${ticker}`, [when]);
  }

  /** Everything that was lost, doubled, wrong, flooded or out of order. */
  check({ received, requests }: Pick<Chat, "received" | "requests">): readonly Problem[] {
    const all = DESTINATION_NAMES.flatMap((name) => requests(name));
    return DESTINATION_NAMES.flatMap((name) => {
      const messages = received(name).map(({ at, text }) => ({ at, alerts: alertsIn(text) }));
      const failures = failuresIn(requests(name));
      const known = [failures, failuresIn(requests(name).map((one) => this.#asUnsaved(one)))];
      const problems = [
        ...this.#story.splits.flatMap((split) => this.#checkSplit(name, split, { messages, known })),
        ...received(name).flatMap(({ text }) =>
          alertsIn(text).length === 0 && !RELEASE.test(text) ? problem("wrong", `not an alert: ${text}`) : [],
        ),
        ...this.#checkHolds(name, messages),
        ...this.#checkFloods(messages),
        ...this.#checkOrder(messages, known),
        ...this.#checkBlocked(name, { messages, failures, requests: requests(name), all }),
      ];
      const sent = problems.length === 0 ? "" : `\n${describeRequests(requests(name))}`;
      return problems.map(({ kind, what }, index) => {
        return { kind, what: `${name}: ${what}${index === problems.length - 1 ? sent : ""}` };
      });
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
    if (this.#isForgettingUnknown && this.#watched.has(ticker)) return "maybe";
    const listedIn = changes[0] ?? 0;
    const notes = this.#watched.get(ticker) ?? [];
    const before = isInitial ? undefined : notes.findLast(({ after }) => after < listedIn);
    const since = notes.filter(({ after }) => isInitial || after >= listedIn);
    const first = before?.interest ?? "no";
    return since.every(({ interest }) => interest === first) ? first : "maybe";
  }

  #checkSplit(
    name: DestinationName,
    split: StorySplit,
    { messages, known }: { readonly messages: readonly Opened[]; readonly known: readonly Failures[] },
  ): readonly Problem[] {
    const alerts = messages.map((message) => message.alerts.filter(({ ticker }) => ticker === split.ticker));
    const interest = this.#interestOf(name, split);
    if (interest === "no")
      return alerts.flat().map(({ kind }) => problem("wrong", `${split.ticker} is not subscribed: ${kind}`));
    const follower = new Follower(split, interest === "yes", DESTINATIONS[name] === "person");
    const isPassed = known.some((failures) => {
      const own = [...failures].flatMap(([key, failed]) => (key.endsWith(` ${split.ticker}`) ? [failed] : []));
      // While no message gets through, the parts of a divided one wait together with all others that failed.
      const together = own.some((failed) => failed.some(isUnsettled)) ? [...failures.values()] : own;
      return together.some((failed) => mayBePassed(failed, Number.POSITIVE_INFINITY));
    });
    const inOrder = isPassed ? [announcementsFirst(alerts.flat())] : alerts;
    for (const inMessage of inOrder) follower.readMessage(inMessage);
    follower.end(this.#story);
    const text = `${JSON.stringify(split)}, alerts ${JSON.stringify(alerts.flat())}`;
    return follower.problems.map(({ kind, what }) => problem(kind, `${what}: ${text}`));
  }

  #checkHolds(name: DestinationName, messages: readonly Opened[]): readonly Problem[] {
    const forgotten = name === "bird" ? this.#forgotten : [];
    const holds = this.#holds.filter(({ destination }) => destination === name);
    return messages.flatMap(({ at, alerts }) => [
      ...forgotten
        .filter(({ from, until }) => from < at && at < until)
        .map(() => problem("wrong", `sent after forget: ${JSON.stringify(alerts)}`)),
      ...holds.flatMap(({ after, until }) => {
        const held = alerts.filter((alert) => at < until && (this.#changeOf(alert) ?? 0) > after);
        return held.map((alert) => problem("early", `${until - at} ms too early: ${JSON.stringify(alert)}`));
      }),
    ]);
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
  #causeOf(alert: SeenAlert, at: number): string | null {
    if (alert.kind === "missing" || alert.kind === "returned")
      return `change of the list at ${this.#presenceChanges.findLast((time) => time <= at)}`;
    const change = this.#changeOf(alert);
    return change === undefined ? null : `change ${change}`;
  }

  /** Number of the change that listed the split, or set the ratio, that an alert shows. */
  #changeOf({ ticker, ratio }: SeenAlert): number | undefined {
    const split = this.#story.splits.find((one) => one.ticker === ticker);
    return split?.changes[split.ratios.indexOf(ratio ?? 0)];
  }

  /** A limited request, whose answer the program doesn't know if a fault kept it from saving it. */
  #asUnsaved(sent: ChatRequest): ChatRequest {
    const isLimited = sent.outcome === "hindered" || sent.outcome === "stopped";
    const isUnsaved = this.#hindrances.some(({ from, until }) => from < sent.at + MAX_LAG_MS && sent.at < until);
    return isLimited && isUnsaved ? { ...sent, outcome: "unanswered" } : sent;
  }

  /**
   * Alerts of a later poll must not be in an earlier message, unless messages with the earlier one failed before. `known`: failures as
   * the platform knows them, and as the program may.
   */
  #checkOrder(messages: readonly Opened[], known: readonly Failures[]): readonly Problem[] {
    const sent = messages.map(({ at, alerts }) => ({ at, polls: alerts.flatMap((one) => this.#detectedIn(one)) }));
    return messages.flatMap(({ alerts }, index) =>
      alerts.flatMap((alert) => {
        const [detected] = this.#detectedIn(alert);
        if (detected === undefined) return [];
        const isLater = ({ polls }: (typeof sent)[number]): boolean => polls.some(({ poll }) => poll > detected.poll);
        const passedBy = sent.slice(0, index).findIndex(isLater);
        const passing = sent[passedBy];
        const isPassed = known.some((failures) => {
          const own = (failures.get(keyOf(alert)) ?? []).filter(isUnsettled);
          // While no message gets through, the parts of a divided one wait together with all others that were divided.
          const waiting = own.length === 0 ? [] : messages.slice(passedBy + 1).flatMap((later) => later.alerts);
          const together = [...own.flatMap(({ text }) => alertsIn(text)), ...waiting];
          return together.some((one) => mayBePassed(failures.get(keyOf(one)) ?? [], passing?.at ?? 0));
        });
        if (passing === undefined || isPassed) return [];
        return [problem("out of order", `of poll ${detected.poll}, after a later one: ${JSON.stringify(alert)}`)];
      }),
    );
  }

  /** The poll that detected an announcement or a change; empty for other alerts, and if the process was killed before it logged it. */
  #detectedIn(alert: SeenAlert): readonly Detected[] {
    if (alert.kind !== "announced" && alert.kind !== "changed") return [];
    return this.#detected.get(keyOf(alert)) ?? [];
  }

  /** Alerts that could be sent must not wait behind a message that is refused or unanswered. */
  #checkBlocked(name: DestinationName, { messages, failures, requests: own, all }: SentThere): readonly Problem[] {
    const refused = this.#refused.get(name) ?? new Set();
    const isOfOther = (alert: SeenAlert, one: ChatRequest): boolean =>
      isRefused(one) && alertsIn(one.text).some(({ ticker }) => ticker !== alert.ticker && refused.has(ticker));
    return messages.flatMap(({ at: until, alerts }) =>
      alerts.flatMap((alert) => {
        const [detected] = this.#detectedIn(alert);
        const failed = (failures.get(keyOf(alert)) ?? []).filter(isUnsettled);
        const isHealthy = !refused.has(alert.ticker) && failed.every((one) => isOfOther(alert, one));
        if (detected === undefined || !isHealthy) return [];
        const { ms, isUnanswered } = blockIn({ own, all }, this.#hindrances, { from: detected.at, until });
        this.longestBlockMs = Math.max(this.longestBlockMs, ms);
        const isLong = ms > (isUnanswered ? MAX_BLOCK_MS : MAX_REFUSED_BLOCK_MS);
        return isLong ? [problem("blocked", `${ms} ms behind other messages: ${JSON.stringify(alert)}`)] : [];
      }),
    );
  }
}

interface Detected {
  readonly poll: number;
  /** Time of the schedule. */
  readonly at: number;
}

/** What a destination received, and the requests for it. */
interface SentThere {
  readonly messages: readonly Opened[];
  readonly failures: Failures;
  readonly requests: readonly ChatRequest[];
  /** Requests for all destinations. */
  readonly all: readonly ChatRequest[];
}

/** Failed sends by their alerts, oldest first. */
type Failures = ReadonlyMap<string, readonly ChatRequest[]>;

/** Whether the outcome says something about the message, or nothing at all: it was refused, or not answered. */
function isUnsettled(sent: ChatRequest): boolean {
  return isRefused(sent) || sent.outcome === "unanswered";
}

function failuresIn(requests: readonly ChatRequest[]): Failures {
  const failures = new Map<string, ChatRequest[]>();
  for (const one of requests) {
    if (one.request === "search" || one.outcome === "ok") continue;
    for (const alert of alertsIn(one.text)) failures.set(keyOf(alert), [...(failures.get(keyOf(alert)) ?? []), one]);
  }
  return failures;
}

/** Other alerts about a split may pass its announcement. */
function announcementsFirst(alerts: readonly SeenAlert[]): readonly SeenAlert[] {
  return alerts.toSorted((a, b) => Number(b.kind === "announced") - Number(a.kind === "announced"));
}

/** `announced K1`: a split has at most one announcement and one change. */
function keyOf({ kind, ticker }: SeenAlert): string {
  return `${kind} ${ticker}`;
}

interface Opened {
  readonly at: number;
  readonly alerts: readonly SeenAlert[];
}

/** N of the ratio `1:N`. `not shown`: it was announced or listed again in a list without terms. */
type KnownRatio = number | "not shown" | null;

/** What a destination knows about a split after its alerts. */
class Follower {
  readonly problems: Problem[] = [];
  readonly #split: StorySplit;
  /** Whether the destination receives every alert about the split. */
  readonly #isStrict: boolean;
  readonly #receivesReminders: boolean;
  readonly #terms = new Set<string>();
  #state: "unknown" | "listed" | "missing";
  #ratio: KnownRatio;
  #last: SeenAlert["kind"] | null = null;
  #withdrawals = 0;
  #dueAlerts = 0;
  #isExplained = false;
  #disappearances = 0;
  #returns = 0;

  constructor(split: StorySplit, isStrict: boolean, receivesReminders: boolean) {
    this.#split = split;
    this.#isStrict = isStrict;
    this.#receivesReminders = receivesReminders;
    this.#state = split.isInitial ? "listed" : "unknown";
    this.#ratio = split.isInitial ? (split.ratios[0] ?? null) : null;
  }

  /** Reads the alerts of one message. A list is ordered by kind: ratios may follow each other, and disappearances alternate with returns. */
  readMessage(alerts: readonly SeenAlert[]): void {
    const { ratios } = this.#split;
    const indexOf = ({ ratio }: SeenAlert): number => (ratio === null ? ratios.length : ratios.indexOf(ratio));
    const rest = alerts.toSorted((a, b) => indexOf(a) - indexOf(b));
    while (rest.length > 0) {
      const next = rest.findIndex(({ kind }) => this.#mayFollow(kind));
      for (const alert of rest.splice(Math.max(next, 0), 1)) this.#read(alert);
    }
  }

  #mayFollow(kind: SeenAlert["kind"]): boolean {
    if (kind === "missing") return this.#state !== "missing";
    if (kind === "reminder" || kind === "effective") return this.#state !== "unknown";
    return kind !== "returned" || this.#state === "missing";
  }

  #read(alert: SeenAlert): void {
    const { kind, ratio, isExplained } = alert;
    if (ratio !== null && !this.#split.ratios.includes(ratio)) this.#report("wrong", `1-for-${ratio} was never listed`);
    this.#isExplained ||= isExplained;
    if (kind === "withdrawn") {
      this.#readWithdrawal();
      return;
    }
    if (kind === "reminder" || kind === "effective") {
      this.#readDue(kind);
      return;
    }
    if (kind === "announced" || kind === "changed") this.#readTerms(alert);
    else this.#readPresence(kind);
    this.#state = kind === "missing" ? "missing" : "listed";
    this.#ratio = this.#ratioAfter(alert);
    this.#last = kind;
  }

  #ratioAfter({ kind, ratio }: SeenAlert): KnownRatio {
    if (ratio !== null) return ratio;
    // A split has at most one change.
    if (kind === "changed") return this.#split.ratios.at(-1) ?? null;
    return kind === "missing" ? this.#ratio : "not shown";
  }

  #readTerms(alert: SeenAlert): void {
    const { kind, ratio, was } = alert;
    const terms = `${kind} 1-for-${this.#ratioAfter(alert)}`;
    const areTermsShown = ratio !== null && this.#ratio !== "not shown";
    if (this.#terms.has(terms)) this.#report("doubled", terms);
    else if (kind === "announced" && this.#state !== "unknown") this.#report("wrong", "announced after other alerts");
    else if (kind === "changed" && areTermsShown && was !== this.#ratio && (this.#isStrict || this.#ratio !== null))
      this.#report("wrong", `changed from 1-for-${was}, but 1-for-${this.#ratio} was sent before`);
    this.#terms.add(terms);
  }

  #readDue(kind: "reminder" | "effective"): void {
    this.#dueAlerts += 1;
    if (this.#dueAlerts > 1) this.#report("doubled", kind);
    if (kind !== this.#split.due || (kind === "reminder" && !this.#receivesReminders)) this.#report("wrong", kind);
    if (this.#isStrict && this.#state === "unknown") this.#report("out of order", `${kind} before the announcement`);
  }

  #readPresence(kind: "missing" | "returned"): void {
    if (kind === "missing") this.#disappearances += 1;
    else this.#returns += 1;
    // After its ex date, every split leaves the list.
    if (this.#split.due === "effective") this.#report("wrong", `${kind} after the ex date`);
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

  /** Reports the alerts that are missing at the end, or that are more than the changes of the list. */
  end({ disappearances, returns }: Story): void {
    const { isRemoved } = this.#split;
    if (this.#disappearances > disappearances + Number(isRemoved)) this.#report("doubled", "missing");
    if (this.#returns > returns) this.#report("doubled", "returned");
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

  #endRatio(): void {
    const ratio = this.#split.ratios.at(-1);
    if (this.#ratio !== "not shown" && this.#ratio !== ratio) this.#report("lost", `ratio 1-for-${ratio}`);
  }

  #endListed(): void {
    const { isWithdrawn, due } = this.#split;
    if (this.#state === "missing" && !isWithdrawn) this.#report("lost", "returned");
    this.#endRatio();
    const isDue = due === "effective" || (due === "reminder" && this.#receivesReminders && !isWithdrawn);
    if (isDue && this.#dueAlerts === 0) this.#report("lost", due);
    if (isWithdrawn && this.#withdrawals === 0 && !this.#isExplained) this.#report("lost", "withdrawn");
  }

  #report(kind: Problem["kind"], what: string): void {
    if (!this.problems.some((known) => known.kind === kind && known.what === what))
      this.problems.push(problem(kind, what));
  }
}

function problem(kind: Problem["kind"], what: string): Problem {
  return { kind, what };
}
