import { z } from "zod";
import { parseFieldTime } from "../notations.ts";
import { unreadable } from "../web/fetch-error.ts";
import { type FeedItem, feedItem } from "../web/read-feed.ts";
import { readJson } from "../web/read-json.ts";
import type { WebAnswer } from "../web/web-answer.ts";

/** A field of another type counts as absent. */
const text = z.string().optional().catch(undefined);
const articleSchema = z.object({ title: text, releaseurl: text, body: text, adate: text }).catch({});
const answerSchema = z.object({ data: z.object({ articles: z.array(articleSchema) }) });

const TOKEN_FIELD = /<input\b[^>]{0,300}?\bname="AntiforgeryFieldname"[^>]{0,300}>/i;
const TOKEN_VALUE = /\bvalue="([^"]{1,2000})"/i;

/** Anti-forgery token of the newsroom's page. Throws a FetchError if there is none. */
export function readNewsroomToken(page: WebAnswer): string {
  const field = TOKEN_FIELD.exec(page.body.toString("utf8"))?.[0] ?? "";
  const token = TOKEN_VALUE.exec(field)?.[1];
  if (token === undefined) throw unreadable(page, "the page has no token for its API");
  return token;
}

/** Parses the releases in an answer of the API. Throws a FetchError. */
export function readNewsroomAnswer(answer: WebAnswer): FeedItem[] {
  const parsed = answerSchema.safeParse(readJson(answer));
  if (!parsed.success) throw unreadable(answer, "expected JSON with data.articles, got JSON of another shape");
  return parsed.data.data.articles.flatMap(({ title, releaseurl, body, adate }) => {
    const entry = {
      link: releaseurl,
      heading: title,
      teaser: body,
      publishedAt: parseFieldTime(adate ?? ""),
      tickers: [],
    };
    return feedItem(entry, answer.url) ?? [];
  });
}
