import type { TickerMention } from "../domain/article/article.ts";
import { isRenamedIn, isSameCompany } from "../domain/article/company-name.ts";
import type { SymbolDirectory } from "../domain/split/symbol-directory.ts";
import { type CatalogObservation, companyKeyOf, isSameSecurity, marketOf } from "./catalog-observation.ts";
import { linkListings, type SecurityOf } from "./securities.ts";

/**
 * Decides which releases are the issuer's own: its filings, and releases whose subject has one of the issuer's names. Those are
 * the names in exchanges' notices, in the directory and in its filings; without any, the company of the first announcement.
 * From other releases the symbols beside the main one and names of another company are removed. The order of the input has to be
 * that of `compareObservations`.
 */
export function attributeReleases(
  observations: readonly CatalogObservation[],
  directory: SymbolDirectory | null,
): readonly CatalogObservation[] {
  const issuers = new Issuers(observations, directory);
  return observations.map((observation) => (observation.isOfficial ? observation : issuers.attribute(observation)));
}

/** The name under which a directory lists the first of the symbols; null if it lists none. */
export function listedCompany(listings: readonly TickerMention[], directory: SymbolDirectory | null): string | null {
  const [name = null] = listings.flatMap((listing) => namesInDirectory(listing, directory));
  return name;
}

class Issuers {
  readonly #names: ValuesByListing;
  /** Numbers of the companies that file with the SEC. */
  readonly #filers: ValuesByListing;
  /** Names of issuers that neither an exchange nor a directory nor a filing names. */
  readonly #announcedNames: ValuesByListing;

  constructor(observations: readonly CatalogObservation[], directory: SymbolDirectory | null) {
    const releases = observations.filter(({ isOfficial }) => !isOfficial);
    const filings = releases.filter(({ filer }) => filer?.hasSymbol === true);
    // A release of somebody else links no symbols.
    const securityOf = linkListings([...observations.filter(({ isOfficial }) => isOfficial), ...filings]);
    this.#names = new ValuesByListing(securityOf);
    this.#filers = new ValuesByListing(securityOf);
    this.#announcedNames = new ValuesByListing(securityOf);
    this.#addOfficial(observations, directory);
    this.#addFilings(filings);
    for (const release of releases) if (this.#isRenamed(release)) this.#names.add(release.listings, release.subject);
    this.#addAnnounced(releases);
  }

  #addOfficial(observations: readonly CatalogObservation[], directory: SymbolDirectory | null): void {
    for (const { listings, company, isOfficial } of observations) {
      if (isOfficial) this.#names.add(listings, company);
      for (const listing of listings)
        for (const name of namesInDirectory(listing, directory)) this.#names.add([listing], name);
    }
  }

  #addFilings(filings: readonly CatalogObservation[]): void {
    for (const { listings, subject, company, filer } of filings) {
      this.#filers.add(listings, filer?.cik ?? null);
      if (subject === null || speaksForItself({ subject, company })) this.#names.add(listings, company);
    }
  }

  attribute(release: CatalogObservation): CatalogObservation {
    const { company, companyKey, subject, listings } = release;
    const isOwn = this.#isOwn(release);
    const names = this.#namesOf(release);
    const namesIssuer = company === null || names.size === 0 || isAmong(company, names);
    return {
      ...release,
      isOwn,
      listings: isOwn || subject === null ? listings : listings.slice(0, 1),
      company: namesIssuer && (isOwn || subject === null) ? company : null,
      companyKey: namesIssuer ? companyKey : "",
      otherCompany: namesIssuer ? null : company,
    };
  }

  #isOwn(release: CatalogObservation): boolean {
    const { filer, listings, subject } = release;
    if (filer !== null && (filer.hasSymbol || this.#filers.of(listings).has(filer.cik))) return true;
    if (subject === null) return false;
    const names = this.#namesOf(release);
    return names.size === 0 ? speaksForItself(release) : isAmong(subject, names);
  }

  #namesOf({ listings }: CatalogObservation): ReadonlySet<string> {
    const names = this.#names.of(listings);
    return names.size > 0 ? names : this.#announcedNames.of(listings);
  }

  /** Whether the release names the issuer's former name behind that of the company that speaks. */
  #isRenamed({ listings, subject, evidence }: CatalogObservation): boolean {
    if (subject === null) return false;
    const sentences = new Set([evidence.company, evidence.kind, evidence.ticker].filter((text) => text !== undefined));
    return [...this.#names.of(listings)].some((name) =>
      [...sentences].some((sentence) => isRenamedIn(sentence, subject, name)),
    );
  }

  /** Adds the companies of first announcements, those in which a company announces its own split before all others. */
  #addAnnounced(releases: readonly CatalogObservation[]): void {
    const announcements = releases.filter(({ kind }) => kind === "announced");
    for (const { listings, company } of [...announcements.filter(speaksForItself), ...announcements]) {
      if (this.#names.of(listings).size === 0 && this.#announcedNames.of(listings).size === 0)
        this.#announcedNames.add(listings, company);
    }
  }
}

function speaksForItself({ subject, company }: Pick<CatalogObservation, "subject" | "company">): boolean {
  return subject !== null && company !== null && isSameCompany(subject, company);
}

function isAmong(name: string, names: ReadonlySet<string>): boolean {
  return [...names].some((other) => isSameCompany(name, other));
}

function namesInDirectory(listing: TickerMention, directory: SymbolDirectory | null): readonly string[] {
  const { ticker, exchange } = listing;
  const entries = directory?.find(ticker) ?? [];
  return entries
    .filter((entry) =>
      // The directories list shares on US exchanges.
      entry.exchange === null
        ? exchange === null || marketOf(exchange) === "US"
        : isSameSecurity(listing, { ticker, exchange: entry.exchange }),
    )
    .map(({ company }) => company);
}

/** Names of one company differ in their spelling, so a few are enough; more would make the comparison slow. */
const MAX_VALUES = 20;

const NO_VALUES: ReadonlySet<string> = new Set();

/** Texts by listing: those of the same security, whichever of its symbols is asked for. */
class ValuesByListing {
  readonly #values = new Map<string, Map<string, string>>();
  readonly #securityOf: SecurityOf;

  constructor(securityOf: SecurityOf) {
    this.#securityOf = securityOf;
  }

  add(listings: readonly TickerMention[], value: string | null): void {
    if (value === null) return;
    for (const listing of listings) {
      const security = this.#securityOf(listing);
      this.#add(`ticker ${listing.ticker}`, value);
      this.#add(security === null ? `unlisted ${listing.ticker}` : `security ${security}`, value);
    }
  }

  of(listings: readonly TickerMention[]): ReadonlySet<string> {
    const values = listings.flatMap((listing) => {
      const security = this.#securityOf(listing);
      const keys =
        security === null ? [`ticker ${listing.ticker}`] : [`security ${security}`, `unlisted ${listing.ticker}`];
      return keys.flatMap((key) => [...(this.#values.get(key)?.values() ?? [])]);
    });
    return values.length === 0 ? NO_VALUES : new Set(values);
  }

  #add(key: string, value: string): void {
    const values = this.#values.get(key) ?? new Map<string, string>();
    this.#values.set(key, values);
    if (values.size < MAX_VALUES) values.set(companyKeyOf(value), value);
  }
}
