import type { ReleaseKind } from "../domain/article/article.ts";
import { type Day, daysBetween } from "../domain/time/day.ts";
import { increasesAdsCount, leavesAdsUnchanged } from "./ads-ratio.ts";
import { MAX_PAST_DAYS } from "./date-candidates.ts";
import { DATELINE_RULES, matchesDateline } from "./dateline.ts";
import { findDates } from "./dates.ts";
import { type ExDateResult, NO_EX_DATE } from "./ex-date.ts";
import { isNetNeutral } from "./forward-split.ts";
import { EXAMPLE, GENERAL_RULES } from "./general-rules.ts";
import {
  ADS_CHANGE_RULES,
  ANNOUNCEMENT_RULE,
  APPROVAL_RULES,
  APPROVED_RANGE_CLAUSE,
  COMPLETED_PLAN,
  COMPLETED_SPLIT_RULES,
  COMPLETION,
  CONDITIONAL,
  DATED_PLAN,
  DEFICIENCY_HEADING,
  DEFICIENCY_TEXT,
  DENIAL_RULES,
  FALSE_REPORT,
  FINANCIAL_NOTE,
  HEADING_EXCLUSIONS,
  HEARSAY,
  IN_EARLIER_MONTH,
  LAW_FIRM,
  LISTING_WORDS,
  LOOKS_FOR_CLIENTS,
  MEETING_DOCUMENT,
  OPEN_RATIO,
  PART_OF_TRANSACTION,
  PAST_ADS_CHANGE,
  PAST_SPLIT_RULES,
  PROPOSAL_RULES,
  RATIO_SET_RULE,
  REGAINED_COMPLIANCE,
  RETROSPECTIVE_RULES,
  SAYS_TODAY,
  SECTION_TITLE,
  STILL_TO_COME_RULES,
  SUBJECT_TO_HOLDER_APPROVAL,
  TODAY,
  UNDECIDED,
  UPCOMING_RULES,
} from "./kind-rules.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import {
  ADJUSTED_BASIS,
  COMBINES_SHARES,
  DEFINITE_RATIO,
  isRange,
  namesForwardSplit,
  namesReverseSplit,
  REVERSE_SPLIT,
} from "./split-patterns.ts";
import { withStatedPlans } from "./tense.ts";
import { contains, matchesAny, matchesNounRule } from "./text-rule.ts";
import { findVotes, type Votes } from "./vote.ts";
import { findReinstatement, findWithdrawal, type WithdrawalResult } from "./withdrawal.ts";

/** Wordings about shares that imply a split, so a text with one of them needs no other word for it. */
const AFTER_CONSOLIDATION =
  /\bpost[ -]?consolidation (?:(?:common |ordinary )?shares?|basis)|\b(?:commence|begin|start|resume) trading\b[^.;]{0,100}\bconsolidated basis/i;

/** Kind of a release with the sentence that shows it. `other` has no sentence. */
export interface KindResult {
  readonly kind: ReleaseKind;
  readonly sentence: Sentence | null;
  /** The release announces a split that is already completed. */
  readonly isCompleted: boolean;
}

const OTHER: KindResult = { kind: "other", sentence: null, isCompleted: false };

/** What is known of a release before its kind. */
export interface NewsContext {
  /** Day of the release. */
  readonly today: Day | null;
  readonly exDate: ExDateResult;
}

const NO_CONTEXT: NewsContext = { today: null, exDate: NO_EX_DATE };

/** Sentences of one release, grouped once for all classifiers. */
interface ReleaseSentences {
  readonly headings: readonly Sentence[];
  readonly body: readonly Sentence[];
  readonly lead: readonly Sentence[];
  /** Sentences of heading and body that name a reverse split, do not deny it, and are not about splits in general. */
  readonly aboutSplit: readonly Sentence[];
  /** The text has statements about splits in general, so that a heading alone announces none. */
  readonly explainsSplits: boolean;
  readonly votes: Votes;
  readonly news: NewsContext;
}

/** Finds the sentence that shows a kind. */
type Classifier = (release: ReleaseSentences) => Sentence | undefined;

/** Tried in this order; the first match decides. News of a split takes precedence over its history and other news. */
const CLASSIFIERS: readonly { readonly kind: ReleaseKind; readonly find: Classifier }[] = [
  { kind: "other", find: findSolicitation },
  { kind: "forward_split", find: findForwardHeading },
  { kind: "forward_split", find: findAdsIncrease },
  { kind: "ads_ratio_change", find: findAdsRatioChange },
  { kind: "forward_split", find: findForwardNews },
  { kind: "reverse_split", find: findAnnouncement },
  { kind: "reverse_split", find: findDatedSplit },
  { kind: "reverse_split", find: findRecentCompletion },
  { kind: "other", find: findRefusal },
  { kind: "deficiency", find: findDeficiencyHeading },
  { kind: "completed_past", find: findRetrospective },
  { kind: "ratio_range", find: findRatioRange },
  { kind: "reverse_split", find: findReverseHeadingWithRatio },
  { kind: "approval_only", find: findApproval },
  { kind: "deficiency", find: findDeficiency },
  { kind: "approval_only", find: findPendingVote },
  { kind: "reverse_split", find: findReverseHeading },
  { kind: "approval_only", find: findProposal },
  { kind: "completed_past", find: findPastAdsChange },
  { kind: "completed_past", find: findPastSplit },
  { kind: "forward_split", find: findForwardSplit },
];

/**
 * Classifies a release. Postponements, cancellations and reinstatements take precedence over other news. A split is news if its
 * first trading day is still to come, or is shortly before the day of the release.
 */
export function findKind(sentences: readonly Sentence[], news: NewsContext = NO_CONTEXT): KindResult {
  const release = groupSentences(sentences, news);
  const reinstatement = findReinstatement(sentences);
  const withdrawal = reinstatement?.category === "corrects" ? undefined : findWithdrawal(sentences);
  if (withdrawal && !isReplaced(withdrawal, release)) return { ...withdrawal, isCompleted: false };
  if (reinstatement) return { kind: "reverse_split", sentence: reinstatement.sentence, isCompleted: false };
  if (isNetNeutral(sentences)) return OTHER;
  for (const { kind, find } of CLASSIFIERS) {
    const sentence = find(release);
    if (!sentence) continue;
    if (kind === "other") return OTHER;
    const isCompleted =
      isTradingAtNewPrice(news) || [sentence, ...release.headings].some(({ plain }) => COMPLETION.test(plain));
    return { kind, sentence, isCompleted };
  }
  return OTHER;
}

/** Finds the opening of a text in which a law firm looks for clients. It announces nothing, whatever it says about a split. */
function findSolicitation({ lead }: ReleaseSentences): Sentence | undefined {
  const text = lead.map(({ plain }) => plain).join(" ");
  return LAW_FIRM.test(text) && LOOKS_FOR_CLIENTS.test(text) ? lead[0] : undefined;
}

/** Whether the text says that the shares already trade at the new price. */
function isTradingAtNewPrice({ exDate: { exDate, isFuture } }: NewsContext): boolean {
  return exDate !== null && !isFuture;
}

/** Whether the release cancels a split in favor of another one. The other one then determines the kind. */
function isReplaced({ kind, sentence }: WithdrawalResult, { aboutSplit }: ReleaseSentences): boolean {
  if (kind === "postponed") return false;
  if (/\binstead\b/i.test(sentence.plain)) return true;
  return aboutSplit.some(
    (other) => other !== sentence && isFirm(other.plain) && matchesAny(UPCOMING_RULES, other.plain),
  );
}

function groupSentences(sentences: readonly Sentence[], news: NewsContext): ReleaseSentences {
  const general = new Set(sentences.filter(({ plain }) => isGeneral(plain)));
  const isAboutSplit = sentences.some(
    ({ plain }) =>
      contains(REVERSE_SPLIT, plain) || AFTER_CONSOLIDATION.test(plain) || contains(COMBINES_SHARES, plain),
  );
  return {
    headings: sentences.filter(({ inHeading }) => inHeading),
    body: sentences.filter(({ inHeading }) => !inHeading),
    lead: leadSentences(sentences),
    aboutSplit: sentences.filter(
      (sentence) =>
        isAboutSplit &&
        (namesReverseSplit(sentence.plain) ||
          contains(ADJUSTED_BASIS, sentence.plain) ||
          contains(COMBINES_SHARES, sentence.plain) ||
          matchesNounRule(RATIO_SET_RULE, sentence.plain)) &&
        !general.has(sentence) &&
        !isDenied(sentence.plain),
    ),
    explainsSplits: general.size > 0,
    votes: findVotes(sentences),
    news,
  };
}

/** Whether a sentence is about splits in general, not about one. */
function isGeneral(plain: string): boolean {
  return GENERAL_RULES.some(({ pattern }) => pattern.test(plain));
}

function isDenied(plain: string): boolean {
  return FALSE_REPORT.test(plain) || HEARSAY.test(plain) || matchesAny(DENIAL_RULES, plain);
}

function findForwardHeading({ headings }: ReleaseSentences): Sentence | undefined {
  return headings.find(({ plain }) => namesForwardSplit(plain) && !contains(REVERSE_SPLIT, plain));
}

/** Finds a forward split that the release announces, if no sentence announces or proposes a reverse split. */
function findForwardNews({ headings, lead, aboutSplit }: ReleaseSentences): Sentence | undefined {
  const forward = lead.find(
    ({ plain }) =>
      namesForwardSplit(plain) &&
      !contains(REVERSE_SPLIT, plain) &&
      !UNDECIDED.test(plain) &&
      !EARLIER_SPLIT.test(plain),
  );
  if (forward === undefined || headings.some(({ plain }) => contains(REVERSE_SPLIT, plain))) return undefined;
  const isReverseNews = aboutSplit.some(
    ({ plain }) => contains(REVERSE_SPLIT, plain) && (isRange(plain) || matchesAny(NEWS_RULES, plain)),
  );
  const comesFirst = lead
    .slice(0, lead.indexOf(forward))
    .some(({ plain }) => contains(REVERSE_SPLIT, plain) && DEFINITE_RATIO.test(plain) && !EARLIER_SPLIT.test(plain));
  return isReverseNews || comesFirst ? undefined : forward;
}

/** Finds a forward split in a text that names no reverse split. */
function findForwardSplit({ body, aboutSplit }: ReleaseSentences): Sentence | undefined {
  const candidates = aboutSplit.length > 0 ? [] : body;
  return candidates.find(({ plain }) => namesForwardSplit(plain) && !UNDECIDED.test(plain));
}

/** `from one ADS representing 10 shares to one ADS representing 2`: the opposite of a reverse split. */
function findAdsIncrease({ lead }: ReleaseSentences): Sentence | undefined {
  return lead.find((sentence) => increasesAdsCount(sentence) && !UNDECIDED.test(sentence.plain));
}

function findAdsRatioChange({ lead, news: { today } }: ReleaseSentences): Sentence | undefined {
  if (leavesAdsUnchanged(lead)) return undefined;
  const changes = lead.filter(
    ({ plain }) => matchesAny(ADS_CHANGE_RULES, plain) && !UNDECIDED.test(plain) && !SECTION_TITLE.test(plain),
  );
  return changes.every(({ plain }) => isPastAdsChange(plain, today)) ? undefined : changes[0];
}

function findPastAdsChange({ lead }: ReleaseSentences): Sentence | undefined {
  return lead.find(({ plain }) => matchesAny(ADS_CHANGE_RULES, plain) && PAST_ADS_CHANGE.test(plain));
}

/** Whether a sentence retells a change of long ago. One of the days before the release is news. */
function isPastAdsChange(plain: string, today: Day | null): boolean {
  return PAST_ADS_CHANGE.test(plain) && !(today !== null && isOfDaysBefore(plain, today));
}

const NEWS_RULES = [...UPCOMING_RULES, ANNOUNCEMENT_RULE, ...APPROVAL_RULES, ...PROPOSAL_RULES];
const EARLIER_SPLIT =
  /\b(?:previous(?:ly)?|earlier|recent(?:ly)?|since|following|after|reflects?|adjusted (?:for|to))\b/i;

/** Under a heading that names a proposal, `announced` introduces the proposal: only `UPCOMING_RULES` count. */
function findAnnouncement(release: ReleaseSentences): Sentence | undefined {
  return awaitsVote(release) ? undefined : findPlan(release);
}

function findPlan({ headings, aboutSplit, votes: { failed } }: ReleaseSentences): Sentence | undefined {
  const isProposal = headings.some(({ plain }) => matchesAny(PROPOSAL_RULES, plain));
  const rules = isProposal ? UPCOMING_RULES : [...UPCOMING_RULES, ANNOUNCEMENT_RULE];
  return aboutSplit.find((sentence) => {
    const { plain, inHeading } = sentence;
    if (inHeading || failed.includes(sentence)) return false;
    return (isFirm(plain) && matchesAny(rules, plain)) || (!isProposal && announcesWithinRange(plain));
  });
}

/** `announced a 1-for-30 reverse split, within the range of 1-for-2 to 1-for-50 that its stockholders approved`. */
function announcesWithinRange(plain: string): boolean {
  const news = plain.replace(APPROVED_RANGE_CLAUSE, "");
  return news !== plain && isFirm(news) && matchesAny([...UPCOMING_RULES, ANNOUNCEMENT_RULE], news);
}

function isFirm(plain: string): boolean {
  return !isConditional(plain) && !isRange(plain);
}

function isConditional(plain: string): boolean {
  return isTentative(plain) || isDependent(plain);
}

function isTentative(plain: string): boolean {
  const decided = withStatedPlans(plain).replace(COMPLETED_PLAN, "$1 ").replace(DATED_PLAN, "will ");
  return CONDITIONAL.test(decided);
}

/** Whether a sentence with the day of a split is firm. It may recall the approved range if another one states the ratio. */
function isDecided(plain: string, { aboutSplit, news: { exDate } }: ReleaseSentences): boolean {
  // A split on the occasion of a transaction is decided if its first trading day is.
  const isOnOccasion = exDate.basis === "trading" && !/\bsubject to\b/i.test(plain);
  if (isOnOccasion ? isTentative(plain) : isConditional(plain)) return false;
  return (
    !isRange(plain.replace(APPROVED_RANGE_CLAUSE, "")) ||
    aboutSplit.some((other) => isFirm(other.plain) && DEFINITE_RATIO.test(other.plain))
  );
}

/** Whether the split still depends on a vote of the holders, so that it is only proposed. */
function awaitsVote({ headings, votes }: ReleaseSentences): boolean {
  if (votes.isApproved) return false;
  return votes.pending.length > 0 || headings.some(({ plain }) => MEETING_DOCUMENT.test(plain));
}

/** Finds the statement of the first trading day, if it is not much earlier than the release. */
function findDatedSplit(release: ReleaseSentences): Sentence | undefined {
  const { today, exDate } = release.news;
  const { exDate: day, sentence } = exDate;
  if (day === null || sentence === null || awaitsVote(release)) return undefined;
  const isStated = (exDate.isFuture && exDate.basis === "trading") || SAYS_TODAY.test(sentence.plain);
  const isRecent = today === null ? isStated : daysBetween(day, today) <= MAX_PAST_DAYS;
  const isNews = isRecent && isDecided(sentence.plain, release) && !isDenied(sentence.plain);
  return isNews && release.aboutSplit.length > 0 && !isExample(sentence.plain, release) ? sentence : undefined;
}

/** Whether a sentence is an example, or about another split than a reverse one, in a text that explains splits. */
function isExample(plain: string, { explainsSplits }: ReleaseSentences): boolean {
  return explainsSplits && (EXAMPLE.test(plain) || (/\bsplit/i.test(plain) && !namesReverseSplit(plain)));
}

/** Finds the statement that a split took effect in the days before the release. Older ones are its history. */
function findRecentCompletion({ aboutSplit, news: { today } }: ReleaseSentences): Sentence | undefined {
  if (today === null) return undefined;
  return aboutSplit.find(
    ({ plain, inHeading }) =>
      !inHeading && isFirm(plain) && matchesAny(COMPLETED_SPLIT_RULES, plain) && isOfDaysBefore(plain, today),
  );
}

/** Whether a sentence is about the days before the release. The date of a dateline says so only without another day. */
function isOfDaysBefore(plain: string, today: Day): boolean {
  if (TODAY.test(plain)) return true;
  const dates = findDates(plain, today);
  const days = dates.filter((date) => !DATELINE_RULES.some((rule) => matchesDateline(rule, plain, date)));
  if (days.length === 0 && IN_EARLIER_MONTH.test(plain)) return false;
  return (days.length > 0 ? days : dates).some(({ day }) => day <= today && daysBetween(day, today) <= MAX_PAST_DAYS);
}

/** Finds a vote that failed or was adjourned, which decides nothing. */
function findRefusal({ votes: { failed, adjourned } }: ReleaseSentences): Sentence | undefined {
  return failed[0] ?? adjourned[0];
}

function findPendingVote(release: ReleaseSentences): Sentence | undefined {
  if (!awaitsVote(release)) return undefined;
  return release.votes.pending.find(({ plain }) => !PART_OF_TRANSACTION.test(plain)) ?? findPlan(release);
}

function isDependent(plain: string): boolean {
  return SUBJECT_TO_HOLDER_APPROVAL.test(plain) || PART_OF_TRANSACTION.test(plain);
}

function findDeficiencyHeading({ headings }: ReleaseSentences): Sentence | undefined {
  return headings.find(
    ({ plain }) => DEFICIENCY_HEADING.test(plain) && LISTING_WORDS.test(plain) && !REGAINED_COMPLIANCE.test(plain),
  );
}

function findRatioRange({ aboutSplit }: ReleaseSentences): Sentence | undefined {
  return aboutSplit.find(
    ({ plain }) => isRange(plain) && (OPEN_RATIO.test(plain) || !matchesAny(PAST_SPLIT_RULES, plain)),
  );
}

function findReverseHeadingWithRatio(release: ReleaseSentences): Sentence | undefined {
  const { aboutSplit } = release;
  if (awaitsVote(release)) return undefined;
  const hasRatio = aboutSplit.some(({ plain }) => isFirm(plain) && DEFINITE_RATIO.test(plain));
  return hasRatio ? findReverseHeading(release) : undefined;
}

function findReverseHeading({ headings, explainsSplits }: ReleaseSentences): Sentence | undefined {
  if (explainsSplits) return undefined;
  return headings.find(
    ({ plain }) =>
      contains(REVERSE_SPLIT, plain) &&
      !isDenied(plain) &&
      !HEADING_EXCLUSIONS.test(plain) &&
      !SECTION_TITLE.test(plain),
  );
}

/** Whether the text says that the split was effected before it says that it was proposed or approved: then that is history. */
function beginsWithCompletion({ aboutSplit }: ReleaseSentences): boolean {
  const decisions = [...APPROVAL_RULES, ...PROPOSAL_RULES];
  const first = aboutSplit.find(
    ({ plain, inHeading }) => matchesAny(decisions, plain) || (!inHeading && matchesAny(COMPLETED_SPLIT_RULES, plain)),
  );
  return first !== undefined && !matchesAny(decisions, first.plain);
}

function findApproval(release: ReleaseSentences): Sentence | undefined {
  const { aboutSplit } = release;
  if (beginsWithCompletion(release)) return undefined;
  return aboutSplit.find(
    ({ plain }) => matchesAny(APPROVAL_RULES, plain) && !UNDECIDED.test(plain) && !PART_OF_TRANSACTION.test(plain),
  );
}

function findDeficiency({ headings, lead }: ReleaseSentences): Sentence | undefined {
  const candidates = headings.some(({ plain }) => REGAINED_COMPLIANCE.test(plain)) ? [] : lead;
  return candidates.find(({ plain }) => DEFICIENCY_TEXT.test(plain) && !REGAINED_COMPLIANCE.test(plain));
}

function findPastSplit({ aboutSplit }: ReleaseSentences): Sentence | undefined {
  return aboutSplit.find(
    ({ plain }) =>
      matchesAny(PAST_SPLIT_RULES, plain) &&
      !CONDITIONAL.test(plain) &&
      !isDependent(plain) &&
      !matchesAny([...STILL_TO_COME_RULES, ...PROPOSAL_RULES], plain),
  );
}

/** Finds a past split in financial notes and risk factors, in a release whose heading names no split. */
function findRetrospective({ headings, body, lead, news: { today } }: ReleaseSentences): Sentence | undefined {
  const candidates = headings.some(({ plain }) => namesReverseSplit(plain) && !SECTION_TITLE.test(plain)) ? [] : body;
  const isNote = today === null && lead.some(({ plain }) => FINANCIAL_NOTE.test(plain));
  const rules = isNote ? [...RETROSPECTIVE_RULES, ...COMPLETED_SPLIT_RULES] : RETROSPECTIVE_RULES;
  return candidates.find(({ plain }) => matchesAny(rules, plain));
}

function findProposal(release: ReleaseSentences): Sentence | undefined {
  const { headings, body } = release;
  if (beginsWithCompletion(release)) return undefined;
  return [...body, ...headings].find(
    ({ plain }) =>
      matchesAny(PROPOSAL_RULES, plain) && !isDenied(plain) && !UNDECIDED.test(plain) && !isDependent(plain),
  );
}
