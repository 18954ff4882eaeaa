import type { KnownArticle } from "../domain/article/article.ts";
import { TERM_NAMES } from "../messages/answers/split-sources.ts";
import { type ReleaseView, releaseView, type StoredRelease } from "../messages/release-view.ts";
import type { AnswerContext, CommandContext } from "./context.ts";
import { type CurrentData, readCurrentData, recordsOfRelease } from "./current-data.ts";
import { releaseMarks } from "./release-marks.ts";

/** Returns a known release with its stored text; null if no release with this address is known. */
export async function readReleaseView(url: string, context: AnswerContext): Promise<ReleaseView | null> {
  const { source } = context;
  const data = await readCurrentData(context);
  const article = data.snapshot.articles.get(url);
  if (article === undefined) return null;
  return releaseView({
    article,
    text: source.releaseText(url),
    evidence: evidenceIn(article, data, context),
    marks: releaseMarks(article, data, context),
    isSample: source.sample,
  });
}

/** Sentences of the release that state terms of its splits. */
function evidenceIn(
  article: KnownArticle,
  data: Pick<CurrentData, "snapshot">,
  { source: { live } }: CommandContext,
): StoredRelease["evidence"] {
  const splits = recordsOfRelease(data, article).flatMap((record) => live?.splitOf(record) ?? []);
  return [...new Set(splits)].flatMap(({ facts }) =>
    Object.entries(TERM_NAMES).flatMap(([term, name]) =>
      facts[term as keyof typeof TERM_NAMES].flatMap(({ url, evidence }) =>
        url === article.url && evidence !== null ? [{ term: name, sentence: evidence }] : [],
      ),
    ),
  );
}
