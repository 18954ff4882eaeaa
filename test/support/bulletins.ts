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
  /** Newest first. */
  bulletins: readonly PublishedBulletin[] = [];

  /** Adds a bulletin, or replaces the one with the same slug. */
  publish(bulletin: PublishedBulletin): void {
    this.bulletins = [bulletin, ...this.bulletins.filter(({ slug }) => slug !== bulletin.slug)];
  }

  answer({ path, headers }: SourceRequest): SourceAnswer {
    const slug = /^\/bulletin\/([^/]+)\/$/.exec(path)?.[1];
    if (slug !== undefined) {
      const bulletin = this.bulletins.find((one) => one.slug === slug);
      return bulletin ? { type: "text/html; charset=utf-8", body: pageOf(bulletin) } : { status: 404 };
    }
    const isList = path === "/api/bulletins?locale=en" && headers.accept === "application/json" && headers.origin;
    if (!isList) return { status: 404 };
    const list = this.bulletins.map(({ title, date, slug: id, symbols }) =>
      // Some rows have one symbol in place of a list.
      symbols.length === 1 ? { title, date, slug: id, symbol: symbols[0] } : { title, date, slug: id, symbols },
    );
    const body = JSON.stringify({ list });
    const etag = `"${body.length}"`;
    return headers["if-none-match"] === etag ? { status: 304 } : { body, headers: { etag } };
  }
}

function pageOf({ title, body }: PublishedBulletin): string {
  return `<!DOCTYPE html><html><head><title>Bulletin</title></head><body><nav>Menu</nav><main><h1>${title}</h1>${body}</main></body></html>`;
}
