export { readArticle } from "../../extraction/read-article.ts";
