export { readDocumentText } from "./document-text.ts";
export { readFiler } from "./filer.ts";
export { readFilingIndex } from "./filing-index.ts";
export { readExhibit, readReport } from "./filing-release.ts";
export { readSearchPage } from "./full-text-search.ts";
export { readLatestFilings } from "./latest-filings.ts";
