import type { Wire } from "../../src/domain/article/wire.ts";

/** A release that a fake wire publishes. */
export interface FakeRelease {
  /** The wire's number, which is part of the address. */
  readonly id: string;
  readonly company: string;
  /** `Nasdaq:DLVX` */
  readonly tag: string;
  readonly heading: string;
  readonly teaser: string;
  /** HTML. */
  readonly body: string;
  readonly published: Date;
}

export interface AnnouncedTerms {
  readonly company: string;
  /** `Nasdaq: DLVX` */
  readonly symbol: string;
  /** `1-for-20` */
  readonly ratio: string;
  /** `March 9, 2026` */
  readonly day: string;
}

/** Texts of a release that announces a split with all terms. */
export function announcementTexts({ company, symbol, ratio, day }: AnnouncedTerms) {
  return {
    heading: `${company} Announces ${ratio} Reverse Stock Split`,
    teaser: `${company} (${symbol}) today announced a ${ratio} reverse stock split of its common stock.`,
    body: `<p>The common stock will begin trading on a split-adjusted basis when the market opens on ${day}.</p>
      <p>No fractional shares will be issued. Any fraction will be rounded up to the nearest whole share.</p>`,
  };
}

/** Paths, feed and pages in the format of one wire. */
export interface WireShape {
  readonly feedPath: string;
  readonly pagePath: (release: FakeRelease) => string;
  readonly feed: (releases: readonly FakeRelease[], address: string) => string;
  readonly feedType: string;
  readonly page: (release: FakeRelease) => string;
  /** List of all releases, newest first, in pages. */
  readonly list?: { readonly path: string; readonly page: (releases: readonly FakeRelease[]) => string };
}

const DC = 'xmlns:dc="http://purl.org/dc/elements/1.1/"';
const GNW_DC = 'xmlns:dc="http://dublincore.org/documents/dcmi-namespace/"';
const MEDIA = 'xmlns:media="http://search.yahoo.com/mrss/"';
const PRN = 'xmlns:prn="http://www.prnewswire.com/ns/0.1/#"';

export const SHAPES: Readonly<Record<Wire, WireShape>> = {
  prnewswire: {
    feedPath: "/rss/news-releases-list.rss",
    pagePath: ({ id }) => `/news-releases/release-${id}.html`,
    feedType: "text/xml; charset=utf-8",
    feed: (releases, address) =>
      rss(`${DC} ${PRN} ${MEDIA}`, "PR Newswire: News Releases", releases, (release) => {
        const link = address + SHAPES.prnewswire.pagePath(release);
        return `<title>${xml(release.heading)}</title><link>${link}</link><guid>${link}</guid>
          <pubDate>${release.published.toUTCString().replace("GMT", "+0000")}</pubDate>
          <description><![CDATA[<p>${release.teaser}</p>]]></description>
          <prn:industry><![CDATA[Biotechnology]]></prn:industry><prn:subject><![CDATA[Stock Split ]]></prn:subject>
          <dc:contributor><![CDATA[${release.company}]]></dc:contributor><dc:publisher>PR Newswire Association LLC.</dc:publisher>`;
      }),
    page: (release) =>
      html(
        release,
        `<section class="release-body container "><div class="row"><div class="col-lg-10">
          <p><span class="xn-location">DENVER</span>, /PRNewswire/ -- ${release.teaser}</p>${release.body}</div></div></section>`,
      ),
    list: {
      path: "/news-releases/news-releases-list/",
      page: (releases) => `<html><body><h1>News Releases</h1>${releases.map(listCard).join("")}</body></html>`,
    },
  },
  businesswire: {
    feedPath: "/mrss/home/?rss=G1QFDERJXkJcFVJYWQ==",
    pagePath: ({ id }) => `/news/home/${id}/en/`,
    feedType: "application/rss+xml",
    feed: (releases, address) =>
      rss(
        DC,
        "Business Wire: Stock Split News",
        releases,
        (release) => `<title>
            ${xml(xml(release.heading)).replace(" ", "\n            ")}
          </title>
          <link>${address}${SHAPES.businesswire.pagePath(release)}?feedref=JjAwJuNHiystnCoBq_hl</link>
          <guid isPermaLink="false">${release.id}en</guid><pubDate>${release.published.toUTCString().replace("GMT", "UT")}</pubDate>
          <description><![CDATA[${release.teaser}]]></description>`,
      ),
    page: (release) =>
      html(
        release,
        `<div class="bw-release-timestamp"><time datetime="${release.published.toISOString()}">now</time></div>
         <div class="bw-release-story"><p>AUSTIN, Texas--(BUSINESS WIRE)--${release.teaser}</p>${release.body}</div>`,
      ),
  },
  globenewswire: {
    feedPath: "/RssFeed/orgclass/1/feedTitle/GlobeNewswire%20-%20News%20about%20Public%20Companies",
    pagePath: ({ id }) => `/news-release/2026/03/02/${id}/0/en/release.html`,
    feedType: "application/xml",
    feed: (releases, address) =>
      rss(`${GNW_DC} ${MEDIA}`, "GlobeNewswire - News about Public Companies", releases, (release) => {
        const link = address + SHAPES.globenewswire.pagePath(release);
        const stamp = release.published.toUTCString().replace(/:\d\d GMT$/, " GMT");
        return `<guid
            isPermaLink="true">${link}</guid><link>${link}</link>
          <category
            domain="https://www.globenewswire.com/rss/stock">${xml(release.tag)}</category><category
            domain="https://www.globenewswire.com/rss/ISIN">US0000000001</category>
          <title>${xml(release.heading)}</title><description><![CDATA[<p align="justify">${release.teaser}</p>]]></description>
          <pubDate>${stamp}</pubDate><dc:identifier>${release.id}</dc:identifier><dc:language>en</dc:language>
          <dc:contributor>${xml(release.company)}</dc:contributor><dc:modified>${stamp}</dc:modified>`;
      }),
    page: (release) =>
      html(
        release,
        `<div class="main-body-container article-body" id="main-body-container" itemprop="articleBody">
         <p>BOSTON, (GLOBE NEWSWIRE) -- ${release.teaser}</p>${release.body}</div>`,
      ),
  },
  accesswire: {
    feedPath: "/newsroom/api?pageindex=0&pageSize=20",
    pagePath: ({ id }) => `/newsroom/en/biotechnology/release-${id}`,
    feedType: "application/json; charset=utf-8",
    feed: (releases, address) =>
      JSON.stringify({
        data: {
          articles: releases.map((release) => ({
            id: Number(release.id),
            title: release.heading,
            releaseurl: address + SHAPES.accesswire.pagePath(release),
            body: `<p>DENVER, CO / <a href="https://www.accessnewswire.com/">ACCESS Newswire</a> / ${release.teaser}</p>`,
            adate: newYorkTime(release.published),
            company: release.company,
            topics: ["Stock Split"],
          })),
        },
      }),
    page: (release) =>
      html(release, `<div class="mw-100"><p>DENVER, CO / ACCESS Newswire / ${release.teaser}</p>${release.body}</div>`),
  },
  newsfile: {
    feedPath: "/global/Last25Stories",
    pagePath: ({ id }) => `/release/${id}/release`,
    feedType: "text/xml",
    feed: (releases, address) =>
      rss(
        "",
        "Newsfile Corp.",
        releases,
        (release) => `<title>${xml(release.heading)}</title><link>${address}${SHAPES.newsfile.pagePath(release)}</link>
          <pubDate>${release.published.toUTCString()}</pubDate><description>${xml(release.teaser)}</description>`,
      ),
    page: (release) =>
      html(
        release,
        `<div class="nf-container left-content"><p>Other releases of the day</p></div>
         <article id="release" class="nf-container nf-content" data-print="show">
         <p>Toronto, Ontario--(Newsfile Corp.) - ${release.teaser}</p>${release.body}</article>`,
      ),
  },
};

/** A card of PR Newswire's list. */
function listCard(release: FakeRelease): string {
  const zone = { timeZone: "America/New_York" } as const;
  const day = release.published.toLocaleDateString("en-US", {
    ...zone,
    month: "short",
    day: "2-digit",
    year: "numeric",
  });
  const time = release.published.toLocaleTimeString("en-GB", { ...zone, hour: "2-digit", minute: "2-digit" });
  return `<div class="row newsCards" lang="en-US"><div class="col-sm-12 card" aria-label="News Release">
    <a class="newsreleaseconsolidatelink display-outline w-100" href="${SHAPES.prnewswire.pagePath(release)}" title="">
    <h3 class="no-margin"><small>${day}, ${time} ET</small>&nbsp;${xml(release.heading)}</h3></a>
    <p class="remove-outline">${xml(release.teaser)}</p></div></div>`;
}

function rss(
  namespaces: string,
  title: string,
  releases: readonly FakeRelease[],
  entry: (release: FakeRelease) => string,
): string {
  return `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" ${namespaces}><channel><title>${title}</title><link>https://wire.example/</link>
${releases.map((release) => `<item>${entry(release)}</item>`).join("\n")}
</channel></rss>`;
}

function html(release: FakeRelease, main: string): string {
  return `<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>${xml(release.heading)}</title>
<script>var tracking = "reverse stock split";</script><style>p { color: black }</style></head>
<body><nav><a href="/">Home</a> <a href="/search">Search the wire</a></nav><h1>${xml(release.heading)}</h1>
${main}
<div class="footer"><p>Subscribe to the wire</p></div></body></html>`;
}

/** `2026-03-02T08:30:00`: New York time without a zone, as in the newsroom's JSON. */
function newYorkTime(at: Date): string {
  return at.toLocaleString("sv-SE", { timeZone: "America/New_York" }).replace(" ", "T");
}

function xml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
