import type { SourceAnswer, SourceRequest } from "./source-server.ts";

/** A bulletin as the CSE publishes it. */
export interface PublishedBulletin {
  readonly slug: string;
  readonly title: string;
  readonly date: string;
  readonly symbols: readonly string[];
  /** HTML of the page below its title. */
  readonly body: string;
}

/** Behaves like the bulletins of the CSE: one list of all, which is answered conditionally, and pages by slug, updated in place. */
export class FakeBulletins {
  /** Rows of the list, newest first. */
  entries: readonly Readonly<Record<string, unknown>>[] = [];
  /** By slug. */
  readonly pages = new Map<string, SourceAnswer>();

  /** Adds a bulletin, or replaces the one with the same slug. */
  publish({ slug, title, date, symbols, body }: PublishedBulletin): void {
    const [symbol, ...others] = symbols;
    // Some rows have one symbol in place of a list.
    const entry = { slug, title, date, ...(others.length === 0 ? { symbol } : { symbols }) };
    this.entries = [entry, ...this.entries.filter((one) => one.slug !== slug)];
    this.pages.set(slug, bulletinPage(body, title));
  }

  answer({ path, headers }: SourceRequest): SourceAnswer {
    const slug = /^\/bulletin\/([^/]+)\/$/.exec(path)?.[1];
    if (slug !== undefined) return this.pages.get(slug) ?? { status: 404 };
    const isList = path === "/api/bulletins?locale=en" && headers.accept === "application/json" && headers.origin;
    if (!isList) return { status: 404 };
    const body = JSON.stringify({ list: this.entries });
    const etag = `"${body.length}"`;
    return headers["if-none-match"] === etag ? { status: 304 } : { body, headers: { etag } };
  }
}

export function bulletinPage(body: string, title: string): SourceAnswer {
  const html = `<!DOCTYPE html><html><head><title>Bulletin</title></head><body><nav>Menu</nav><main><h1>${title}</h1>${body}</main></body></html>`;
  return { type: "text/html; charset=utf-8", body: html };
}
