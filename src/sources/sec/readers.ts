import { defineReaders } from "../reading/document-reader.ts";

export const FILING_READERS = defineReaders("sec", {
  readDocumentText: async () => (await import("./document-text.ts")).readDocumentText,
  readFiler: async () => (await import("./filer.ts")).readFiler,
  readFilingIndex: async () => (await import("./filing-index.ts")).readFilingIndex,
  readExhibit: async () => (await import("./filing-release.ts")).readExhibit,
  readReport: async () => (await import("./filing-release.ts")).readReport,
  readSearchPage: async () => (await import("./full-text-search.ts")).readSearchPage,
  readLatestFilings: async () => (await import("./latest-filings.ts")).readLatestFilings,
});
