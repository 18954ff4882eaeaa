import type { Day } from "../../domain/time/day.ts";
import { findDates } from "../../extraction/dates.ts";
import { oneLine } from "../../lib/external-text.ts";
import type { ListedBulletin } from "../official/bulletin-reader.ts";
import { textVersion } from "../official/text-version.ts";
import { decodeText } from "../web/decode-text.ts";
import { unreadable } from "../web/fetch-error.ts";
import { htmlToText } from "../web/page-text.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** An entry of the list of bulletins. The id is the bulletin's `NOTICE_ID`. */
export interface Bulletin extends ListedBulletin {
  /** Changes if the bulletin is corrected. */
  readonly version: string;
  readonly title: string;
  /** Query of the page's address, as linked. */
  readonly query: string;
}

/** Link to a bulletin, in an attribute or a script. */
const LINK =
  /\?((?:[\w.-]{1,40}=[\w.%+-]{0,60}&(?:amp;)?){0,12}?NOTICE_ID=0*(\d{1,12})(?:&(?:amp;)?[\w.-]{1,40}=[\w.%+-]{0,60}){0,12})/gi;
const BULLETIN_PAGE = /\bGetPage=NoticesContents\b/i;
/** Words of the list's page, which it also has while it is empty, with a table. */
const LIST_PAGE = /GetPage=LatestCompanyDocuments|\bBulletins?\b/i;
const TABLE = /<table\b/i;
const MAX_ROWS = 5_000;
const MAX_BULLETINS = 5_000;
const MAX_ROW_LENGTH = 20_000;
const MAX_TITLE_LENGTH = 500;
/** Length of the titles of the rows that link the same bulletin. */
const MAX_TITLES_LENGTH = 2_000;

/** A bulletin as its rows state it. */
type BulletinRow = Omit<Bulletin, "isFollowed">;

/**
 * Bulletins of the day `since` and later, in the order of publication: a correction follows the bulletin that it corrects.
 * Throws a FetchError for a page that isn't the list.
 */
export function readBulletinList(answer: WebAnswer, since: Day): readonly Bulletin[] {
  const html = decodeText(answer.body, answer.header("content-type"));
  const bulletins = new Map<string, BulletinRow>();
  for (const [index, row] of html.split(/<tr\b/i).entries()) {
    if (index > MAX_ROWS) throw unreadable(answer, `the list has more than ${MAX_ROWS} rows`);
    for (const bulletin of bulletinsOf(row)) {
      const known = bulletins.get(bulletin.id);
      bulletins.set(bulletin.id, known === undefined ? bulletin : mergeRows(known, bulletin));
    }
    if (bulletins.size > MAX_BULLETINS) throw unreadable(answer, `the list has more than ${MAX_BULLETINS} bulletins`);
  }
  if (bulletins.size === 0 && !isEmptyList(html))
    throw unreadable(answer, "expected the list of bulletins, with links to NoticesContents, got another page");
  return [...bulletins.values()]
    .filter(({ date }) => date === null || date >= since)
    .toSorted((a, b) => Number(a.id) - Number(b.id))
    .map((row) => ({ ...row, version: textVersion(row.version), isFollowed: mayConcernConsolidation(row.title) }));
}

function isEmptyList(html: string): boolean {
  return LIST_PAGE.test(html) && TABLE.test(html);
}

/** The bulletin of a row of a table; several for links outside of a table, each with its own text. */
function bulletinsOf(row: string): readonly BulletinRow[] {
  const linked = new Set<string>();
  // A row may link its bulletin several times.
  const links = [...row.matchAll(LINK)].filter(([, query = "", id = ""]) => {
    const isFirst = BULLETIN_PAGE.test(query) && !linked.has(id);
    if (isFirst) linked.add(id);
    return isFirst;
  });
  return links.slice(0, MAX_BULLETINS + 1).map(([, query = "", id = ""], index) => {
    const [start, end] = [links[index]?.index ?? 0, links[index + 1]?.index ?? row.length];
    const text = links.length === 1 ? row : row.slice(start, end);
    return toBulletin(id, query.replaceAll("&amp;", "&"), rowText(text));
  });
}

/** Text of a row, which may begin within the attributes of a tag. */
function rowText(html: string): string {
  const content = html.slice(html.indexOf(">") + 1, MAX_ROW_LENGTH).replace(/<\/table\b[\s\S]*$/i, "");
  return oneLine(htmlToText(content), MAX_TITLE_LENGTH);
}

function toBulletin(id: string, query: string, title: string): BulletinRow {
  // `17/Mar/2026`
  const spelled = title.replace(/\b(\d{1,2})\/([A-Za-z]{3,9})\/(\d{4})\b/g, "$1 $2 $3");
  const [date] = findDates(spelled, null);
  return { id, version: `${query} ${title}`, title, query, date: date?.day ?? null };
}

function mergeRows(a: BulletinRow, b: BulletinRow): BulletinRow {
  if (a.version === b.version) return a;
  const title = `${a.title} ${b.title}`.slice(0, MAX_TITLES_LENGTH);
  return { ...a, version: `${a.version}\n${b.version}`, title, date: a.date ?? b.date };
}

/** Kinds of bulletins that don't concern the number of shares held. Pages of unknown kinds are read. */
const OTHER_KINDS =
  /\bprivate placement|\bshares? for\b|\bdividend|\bdistribution|\bwarrant|\bhalt|\bcease[- ]trade|\bfees?\b|\bstock options?|\bnormal course|\bprospectus|\bproperty[- ]|\bloan\b|\bdebenture|\bfiling statement|\bmarket[- ]making/i;
/** Words of bulletins that may concern a consolidation. */
const CAPITAL_KINDS =
  /\bconsolidat|\bsplit|\bname[- ]change|\bsymbol|\bcorrect|\bamend|\brescind|\brescission|\bcancel|\bpostpone|\breorgani|\bqualifying|\breverse take|\bchange of business|\barrangement/i;

/** Whether the page may be about a consolidation. A row that states no kind counts, because the kind is on the page. */
function mayConcernConsolidation(title: string): boolean {
  return CAPITAL_KINDS.test(title) || !OTHER_KINDS.test(title);
}
