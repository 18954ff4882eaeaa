/** Line above a site's list of other releases, which may announce splits of other companies. */
const OTHER_RELEASES =
  /^[ \t]*(?:also from this source|more (?:(?:news|press )?(?:releases?|news|stories|articles) )?(?:from|like|by) (?:this|the) [a-z ]{2,30}|(?:related|similar|recommended|latest|other|recent|top|trending) (?:news|articles|(?:press |news )?releases|stories)|you may also (?:like|be interested in)|recommended for you|read next)[ \t]*:?[ \t]*$/gim;
/** Sentences that precede the list. Navigation above a release has none. */
const MIN_SENTENCES_BEFORE = 3;
const SENTENCE = /[a-z\d)%]{2}\.(?=\s|$)/g;

/** Removes the list of other releases that a site shows below a release. */
export function withoutOtherReleases(text: string): string {
  const start = endOfOpening(text);
  if (start === undefined) return text;
  OTHER_RELEASES.lastIndex = start;
  const list = OTHER_RELEASES.exec(text);
  return list ? text.slice(0, list.index) : text;
}

function endOfOpening(text: string): number | undefined {
  let left = MIN_SENTENCES_BEFORE;
  for (const { 0: end, index } of text.matchAll(SENTENCE)) {
    left -= 1;
    if (left === 0) return index + end.length;
  }
  return undefined;
}
