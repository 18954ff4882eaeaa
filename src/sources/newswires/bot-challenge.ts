import type { HttpAnswer } from "../../http/client.ts";

/** Headers by which a guard in front of a site says that it wants a browser. */
const HEADERS = ["cf-mitigated", "x-amzn-waf-action", "x-datadome"] as const;

/** Titles of pages that stand in place of the one asked for. */
const TITLES = [
  "Just a moment",
  "Access Denied",
  "Access to this page has been denied",
  "Attention Required!",
  "Pardon Our Interruption",
  "Request unsuccessful",
  "Robot Check",
  "Human Verification",
  "Verify you are human",
  "Security check",
] as const;

/** As a whole word: a release of Security Checkpoint Corp. is none. */
const TITLE = new RegExp(String.raw`<title>\s*(?:${TITLES.join("|")})(?!\w)`, "i");
/** The titles in a feed are those of news. */
const FEED = /^\s*(?:<\?xml[^>]{0,200}>\s*)?<(?:rss|feed|rdf:RDF)[\s>]/i;
const TITLE_WITHIN = 8_192;

/** True for an answer, of any status, that asks us to prove that we are a person. We are not, and do not try. */
export function isChallenge({ header, body }: HttpAnswer): boolean {
  if (HEADERS.some((name) => /challenge|captcha|block/i.test(header(name) ?? ""))) return true;
  const beginning = body.toString("latin1", 0, TITLE_WITHIN);
  return TITLE.test(beginning) && !FEED.test(beginning);
}
