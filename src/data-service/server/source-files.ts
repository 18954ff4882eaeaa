/** The files that a folder of records holds, in the data service's own record shapes. */
export const SPLITS_FILE = "splits.jsonl";
export const ARTICLES_FILE = "articles.jsonl";
