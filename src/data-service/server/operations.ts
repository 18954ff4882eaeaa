import { WIRES } from "../../domain/article/article.ts";
import { DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE } from "../schema.ts";
import type { Catalog } from "./catalog.ts";
import { badParameter } from "./problem.ts";
import {
  type Parameters,
  type Query,
  readDay,
  readLastSegment,
  readList,
  readParameters,
  readWholeNumber,
} from "./query.ts";
import { type ArticleSearch, filterByExchange, filterByTicker, searchArticles } from "./search.ts";

/** One of the operations on the catalog. `answer` throws a Problem where the parameters are wrong. */
interface Operation {
  /** With `:name` for what varies. */
  readonly path: string;
  answer(query: Query, address: string): unknown;
}

const ARTICLE_PARAMETERS = ["sources", "from", "to", "page", "size"];
const PAGE_LIMITS = { min: 0, max: Number.MAX_SAFE_INTEGER, byDefault: 0 };
const SIZE_LIMITS = { min: 1, max: MAX_PAGE_SIZE, byDefault: DEFAULT_PAGE_SIZE };

export function operationsOn(catalog: Catalog): readonly Operation[] {
  return [
    {
      path: "/v1/splits",
      answer(query) {
        const parameters = readParameters(query, ["exchange"]);
        return { data: filterByExchange(readList(parameters, "exchange"), catalog.splits()) };
      },
    },
    {
      path: "/v1/splits/:ticker",
      answer(query, address) {
        readParameters(query, []);
        return { data: filterByTicker(readLastSegment(address, "ticker"), catalog.splits()) };
      },
    },
    {
      path: "/v1/articles",
      answer(query) {
        return searchArticles(readArticleSearch(readParameters(query, ARTICLE_PARAMETERS)), catalog.articles());
      },
    },
  ];
}

function readArticleSearch(parameters: Parameters): ArticleSearch {
  const from = readDay(parameters, "from");
  const to = readDay(parameters, "to");
  if (from && to && from > to) throw badParameter("from", from, `a day that is not after \`to\`, ${to}`);
  return {
    sources: readSources(parameters),
    from,
    to,
    page: readWholeNumber(parameters, "page", PAGE_LIMITS),
    size: readWholeNumber(parameters, "size", SIZE_LIMITS),
  };
}

function readSources(parameters: Parameters): ReadonlySet<string> | undefined {
  const sources = readList(parameters, "sources")?.map((source) => source.toLowerCase());
  const known: readonly string[] = WIRES;
  const unknown = sources?.find((source) => !known.includes(source));
  if (unknown !== undefined) throw badParameter("sources", unknown, `any of ${known.join(", ")}`, known);
  return sources && new Set(sources);
}
