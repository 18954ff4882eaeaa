import type { ReleaseKind } from "../domain/article/article.ts";
import { increasesAdsCount } from "./ads-ratio.ts";
import {
  ADS_CHANGE_RULES,
  ANNOUNCEMENT_RULE,
  APPROVAL_RULES,
  APPROVED_RANGE_CLAUSE,
  COMPLETION,
  CONDITIONAL,
  DEFICIENCY_HEADING,
  DEFICIENCY_TEXT,
  DENIAL_RULES,
  HEADING_EXCLUSIONS,
  LISTING_WORDS,
  PART_OF_TRANSACTION,
  PAST_SPLIT_RULES,
  PROPOSAL_RULES,
  REGAINED_COMPLIANCE,
  RETROSPECTIVE_RULES,
  SUBJECT_TO_HOLDER_APPROVAL,
  UNDECIDED,
  UPCOMING_RULES,
} from "./kind-rules.ts";
import { findReinstatement } from "./reinstatement.ts";
import { leadSentences, type Sentence } from "./sentences.ts";
import {
  ADJUSTED_BASIS,
  DEFINITE_RATIO,
  FORWARD_SPLIT,
  RANGE_RULES,
  REVERSE_OR_DEFINED_TERM,
  REVERSE_SPLIT,
  UNQUALIFIED_FORWARD_SPLIT,
} from "./split-patterns.ts";
import { matchesNounRule, type NounRule } from "./text-rule.ts";
import { findWithdrawal, type WithdrawalResult } from "./withdrawal.ts";

/** Nobody says so of anything but shares, so a text that does needs no other word for a split. */
const AFTER_CONSOLIDATION =
  /\bpost[ -]?consolidation (?:(?:common |ordinary )?shares?|basis)|\b(?:commence|begin|start|resume) trading\b[^.;]{0,100}\bconsolidated basis/i;

/** What a release is about, with the sentence that says so; `other` has none. */
export interface KindResult {
  readonly kind: ReleaseKind;
  readonly sentence: Sentence | null;
  /** The release tells of its split as of one that has been carried out. */
  readonly isCompleted: boolean;
}

/** The sentences of one release, sorted once for the questions below. */
interface Reader {
  readonly headings: readonly Sentence[];
  readonly body: readonly Sentence[];
  /** The heading and the first sentences: where a release tells its news. */
  readonly lead: readonly Sentence[];
  /** Heading and body, where they name a reverse split and do not deny it. */
  readonly onSplit: readonly Sentence[];
}

/** One question; the sentence that answers it with yes. */
type Question = (reader: Reader) => Sentence | undefined;

/** Asked in this order: the first yes decides. News of a split comes before what may become of it, other news last. */
const QUESTIONS: readonly { readonly kind: ReleaseKind; readonly ask: Question }[] = [
  { kind: "forward_split", ask: headedForward },
  { kind: "forward_split", ask: putsFewerBehindEachAds },
  { kind: "ads_ratio_change", ask: changesAdsRatio },
  { kind: "reverse_split", ask: announcesSplit },
  { kind: "deficiency", ask: headedDeficiency },
  { kind: "completed_past", ask: looksBack },
  { kind: "ratio_range", ask: namesRange },
  { kind: "reverse_split", ask: headedWithRatio },
  { kind: "approval_only", ask: tellsOfApproval },
  { kind: "deficiency", ask: tellsOfDeficiency },
  { kind: "reverse_split", ask: headedReverse },
  { kind: "approval_only", ask: tellsOfProposal },
  { kind: "completed_past", ask: tellsOfPast },
  { kind: "forward_split", ask: tellsOfForward },
];

export function findKind(sentences: readonly Sentence[]): KindResult {
  const reader = makeReader(sentences);
  const takenBack = findReinstatement(sentences);
  const calledOff = takenBack?.category === "corrects" ? undefined : findWithdrawal(sentences);
  if (calledOff && !isReplaced(calledOff, reader)) return { ...calledOff, isCompleted: false };
  if (takenBack) return { kind: "reverse_split", sentence: takenBack.sentence, isCompleted: false };
  for (const { kind, ask } of QUESTIONS) {
    const sentence = ask(reader);
    if (sentence)
      return {
        kind,
        sentence,
        isCompleted: [sentence, ...reader.headings].some(({ plain }) => COMPLETION.test(plain)),
      };
  }
  return { kind: "other", sentence: null, isCompleted: false };
}

/** A split that is cancelled in favour of another one is news of the other. */
function isReplaced({ kind, sentence }: WithdrawalResult, { onSplit }: Reader): boolean {
  if (kind === "postponed") return false;
  return (
    /\binstead\b/i.test(sentence.plain) ||
    onSplit.some((one) => one !== sentence && isFirm(one.plain) && matchesAny(UPCOMING_RULES, one.plain))
  );
}

function makeReader(sentences: readonly Sentence[]): Reader {
  const speaksOfSplit = sentences.some(({ plain }) => has(REVERSE_SPLIT, plain) || AFTER_CONSOLIDATION.test(plain));
  const onSplit = sentences.filter(({ plain }) => speaksOfSplit && (namesSplit(plain) || has(ADJUSTED_BASIS, plain)));
  const headings = sentences.filter(({ inHeading }) => inHeading);
  const body = sentences.filter(({ inHeading }) => !inHeading);
  return {
    headings,
    body,
    lead: leadSentences(sentences),
    onSplit: onSplit.filter(({ plain }) => !isDenied(plain)),
  };
}

function namesSplit(plain: string): boolean {
  return has(REVERSE_OR_DEFINED_TERM, plain);
}

function isDenied(plain: string): boolean {
  return matchesAny(DENIAL_RULES, plain);
}

function headedForward({ headings }: Reader): Sentence | undefined {
  return headings.find(({ plain }) => isForward(plain) && !has(REVERSE_SPLIT, plain));
}

/** A forward split that the text announces, where no reverse split is named anywhere. */
function tellsOfForward({ body, onSplit }: Reader): Sentence | undefined {
  if (onSplit.length > 0) return undefined;
  return body.find(({ plain }) => isForward(plain) && !UNDECIDED.test(plain));
}

function isForward(plain: string): boolean {
  return has(FORWARD_SPLIT, plain) || UNQUALIFIED_FORWARD_SPLIT.test(plain);
}

/** `from one ADS representing 10 shares to one ADS representing 2`: the opposite of a reverse split. */
function putsFewerBehindEachAds({ lead }: Reader): Sentence | undefined {
  return lead.find((sentence) => increasesAdsCount(sentence) && !UNDECIDED.test(sentence.plain));
}

function changesAdsRatio({ lead }: Reader): Sentence | undefined {
  return lead.find(({ plain }) => matchesAny(ADS_CHANGE_RULES, plain) && !UNDECIDED.test(plain));
}

function announcesSplit({ headings, onSplit }: Reader): Sentence | undefined {
  const isProposal = headings.some(isHeadedProposal);
  const rules = isProposal ? UPCOMING_RULES : [...UPCOMING_RULES, ANNOUNCEMENT_RULE];
  return onSplit.find(
    ({ plain, inHeading }) =>
      !inHeading && ((isFirm(plain) && matchesAny(rules, plain)) || (!isProposal && announcesWithinRange(plain))),
  );
}

/** `announced a 1-for-30 reverse split, within the range of 1-for-2 to 1-for-50 that its stockholders approved`. */
function announcesWithinRange(plain: string): boolean {
  const news = plain.replace(APPROVED_RANGE_CLAUSE, "");
  return news !== plain && isFirm(news) && matchesNounRule(ANNOUNCEMENT_RULE, news);
}

/** `Acme Announces Proposed Consolidation`: what its text announces, then, is a proposal, unless it has a day to come. */
function isHeadedProposal({ plain }: Sentence): boolean {
  return matchesAny(PROPOSAL_RULES, plain);
}

function isFirm(plain: string): boolean {
  return !CONDITIONAL.test(plain) && !isDependent(plain) && !isRange(plain);
}

function isDependent(plain: string): boolean {
  return SUBJECT_TO_HOLDER_APPROVAL.test(plain) || PART_OF_TRANSACTION.test(plain);
}

function headedDeficiency({ headings }: Reader): Sentence | undefined {
  return headings.find(
    ({ plain }) => DEFICIENCY_HEADING.test(plain) && LISTING_WORDS.test(plain) && !REGAINED_COMPLIANCE.test(plain),
  );
}

function namesRange({ onSplit }: Reader): Sentence | undefined {
  return onSplit.find(({ plain }) => isRange(plain) && !isOver(plain));
}

function isRange(plain: string): boolean {
  return RANGE_RULES.some(({ pattern }) => pattern.test(plain));
}

function headedWithRatio(reader: Reader): Sentence | undefined {
  const definite = reader.onSplit.some(({ plain }) => isFirm(plain) && DEFINITE_RATIO.test(plain));
  return definite ? headedReverse(reader) : undefined;
}

function headedReverse({ headings }: Reader): Sentence | undefined {
  return headings.find(({ plain }) => has(REVERSE_SPLIT, plain) && !isDenied(plain) && !HEADING_EXCLUSIONS.test(plain));
}

function tellsOfApproval({ onSplit }: Reader): Sentence | undefined {
  return onSplit.find(
    ({ plain }) => matchesAny(APPROVAL_RULES, plain) && !UNDECIDED.test(plain) && !PART_OF_TRANSACTION.test(plain),
  );
}

function tellsOfDeficiency({ headings, lead }: Reader): Sentence | undefined {
  if (headings.some(({ plain }) => REGAINED_COMPLIANCE.test(plain))) return undefined;
  return lead.find(({ plain }) => DEFICIENCY_TEXT.test(plain) && !REGAINED_COMPLIANCE.test(plain));
}

function tellsOfPast({ onSplit }: Reader): Sentence | undefined {
  return onSplit.find(({ plain }) => isOver(plain) && !CONDITIONAL.test(plain) && !isDependent(plain));
}

/** Notes to accounts and risk factors, which no heading calls news of a split, tell of the one that was last. */
function looksBack({ headings, body }: Reader): Sentence | undefined {
  if (headings.some(({ plain }) => namesSplit(plain))) return undefined;
  return body.find(({ plain }) => matchesAny(RETROSPECTIVE_RULES, plain));
}

function tellsOfProposal({ headings, body }: Reader): Sentence | undefined {
  const told = [...body, ...headings].filter(
    ({ plain }) => !isDenied(plain) && !UNDECIDED.test(plain) && !isDependent(plain),
  );
  return told.find(({ plain }) => matchesAny(PROPOSAL_RULES, plain));
}

function isOver(plain: string): boolean {
  return matchesAny(PAST_SPLIT_RULES, plain);
}

function matchesAny(rules: readonly NounRule<unknown>[], plain: string): boolean {
  return rules.some((rule) => matchesNounRule(rule, plain));
}

/** Whether a global pattern stands anywhere in `plain`. */
function has(pattern: RegExp, plain: string): boolean {
  return plain.search(pattern) >= 0;
}
