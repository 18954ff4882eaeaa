import { describe, expect, it } from "vitest";
import { releaseId, releaseNumber } from "./release-id.ts";

describe("the number of a release", () => {
  it.each([
    ["https://www.prnewswire.com/news-releases/orvane-announces-split-309999901.html", "309999901"],
    ["https://www.prnewswire.com/news-releases/orvane-announces-2026-results-309999902.html?tc=x", "309999902"],
    [
      "http://www.businesswire.com/news/home/20261005999901/en/Orvane-Announces-Split/?feedref=AAAA",
      "20261005999901/en",
    ],
    ["https://rss.globenewswire.com/news-release/2026/10/05/9999901/0/en/Orvane.html", "9999901/0/en"],
    ["https://www.globenewswire.com/news-release/2026/10/05/9999901/0/en/Orvane-Announces.html", "9999901/0/en"],
    ["https://www.globenewswire.com/news-release/2026/10/05/9999901/0/fr/Orvane.html", "9999901/0/fr"],
    ["https://www.newsfilecorp.com/release/999901/Orvane-Announces-Consolidation", "999901"],
    ["https://www.newsfilecorp.com/release/999901", "999901"],
  ])("of %s is %s", (url, number) => {
    expect(releaseNumber(url)).toBe(number);
    expect(releaseId(url)).toBe(number);
  });

  it.each([
    "https://www.newswire.com/news/orvane-announces-split-22999901",
    "https://issuer.example/news/2026/10/05/split.html",
  ])("is missing in %s; the address without its query is the identifier", (url) => {
    expect(releaseNumber(url)).toBeNull();
    expect(releaseId(`${url}?utm_source=feed#top`)).toBe(url);
  });
});
