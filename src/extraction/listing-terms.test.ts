import { describe, expect, it } from "vitest";
import { readTerms, type TermsCase } from "../../test/support/terms.ts";

describe("terms of consolidations, depositary shares and funds", () => {
  it.each<TermsCase>([
    {
      heading: "Harbor Mills Announces Share Consolidation",
      content:
        "Vancouver, British Columbia--(Newsfile Corp. - January 8, 2024) - Harbor Mills Corp. (TSXV: HMI) announces that effective at the opening of trading on January 11, 2024, the common shares of the Company will be consolidated on the basis of one (1) post-consolidation common share for each ten (10) pre-consolidation common shares. No fractional shares will be issued. Any fractional share that is less than one-half of a share will be cancelled, and each fraction of at least one-half will be rounded up to one whole share.",
      terms: "reverse_split | 1:10 2024-01-11 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Consolidates Shares",
      content:
        "Toronto, Ontario - March 14, 2024 - Harbor Mills Corp. (CSE: HMI) advises that it will consolidate its issued and outstanding share capital on a 5-to-1 basis. The record date of the consolidation is March 18, 2024. The shares will trade on a consolidated basis at the open on March 18, 2024.",
      terms: "reverse_split | 1:5 2024-03-18 trading | -",
    },
    {
      heading: "Harbor Mills receives approval for consolidation",
      content:
        "Calgary, Alberta, May 6, 2024 (GLOBE NEWSWIRE) -- Harbor Mills Corp. (TSX: HMI) announces it has received TSX approval for its previously announced consolidation of common shares on an eight-for-one basis. It is anticipated that the shares will start trading on the TSX on a post-consolidation basis at the opening of markets on or about May 10, 2024.",
      terms: "reverse_split | 1:8 2024-05-10 trading | -",
    },
    {
      heading: "Harbor Mills announces effective date",
      content:
        "Further to its news release of April 2, 2024, Harbor Mills confirms that the rollback of its shares (20 old for 1 new) will be effective Thursday, April 18th, 2024. Fractions will be rounded down.",
      published: "2024-04-15",
      terms: "reverse_split | 1:20 2024-04-18 effective | round_down",
    },
    {
      heading: "Harbor Mills Announces Share Consolidation",
      content:
        "Vancouver, B.C., July 2, 2024 – Harbor Mills Ltd. (CSE: HMI) (the “Company”) announces that its board has approved a consolidation of its common shares on the basis of four pre-consolidation shares for one post-consolidation share, subject to regulatory approval. The Company will announce the effective date once the CSE has confirmed it.",
      terms: "reverse_split | 1:4 - - | -",
    },
    {
      heading: "Harbor Mills ASA: Reverse share split - key information",
      content:
        "Oslo, 3 June 2024: Reference is made to the announcement by Harbor Mills ASA regarding the reverse share split in the ratio 20:1. Date of announcement of the terms: 3 June 2024. Last day including right (old shares): 10 June 2024. Ex-date: 11 June 2024. Record date: 12 June 2024. Date of approval: 31 May 2024. Ratio: 20 old shares give 1 new share.",
      terms: "reverse_split | 1:20 2024-06-11 trading | -",
    },
    {
      heading: "Harbor Mills AB: Reverse split",
      content:
        "Gothenburg, 15 May 2024. The annual general meeting of Harbor Mills AB on 14 May 2024 resolved on a reverse split 1:200. The record date has been set to 29 May 2024. The last day of trading before the reverse split is 27 May 2024. The first day of trading in the share after the reverse split is 28 May 2024.",
      terms: "reverse_split | 1:200 2024-05-28 trading | -",
    },
    {
      heading: "Harbor Mills plc - Share Consolidation",
      content:
        "14 August 2024. Harbor Mills plc (AIM: HMI) announces that, following shareholder approval at the General Meeting held today, the share consolidation of 50 existing ordinary shares into 1 new ordinary share will take effect. Admission and dealings in the New Ordinary Shares are expected to commence at 8.00 a.m. on 15 August 2024. Fractional entitlements will be aggregated and sold for the benefit of the Company.",
      terms: "reverse_split | 1:50 2024-08-15 trading | -",
    },
    {
      heading: "Harbor Mills Limited: Consolidation of capital",
      content:
        "The Company advises that shareholders approved the consolidation of capital on a 30:1 basis at the meeting on 22 November 2024. Trading in consolidated securities on a deferred settlement basis: 26 November 2024. Fractional entitlements will be rounded up.",
      published: "2024-11-22",
      terms: "reverse_split | 1:30 2024-11-26 trading | round_up",
    },
    {
      heading: "Harbor Mills announces share consolidation",
      content:
        "VANCOUVER, BC, Sept. 9, 2024 /CNW/ - Harbor Mills Ltd. (TSXV: HMI) is pleased to announce that the TSX Venture Exchange has accepted its share consolidation of one (1) new share for fifteen (15) old shares. The Company's shares will commence trading on a consolidated basis effective at the opening on Thursday, September 12, 2024. Any fractional share will be rounded down to the nearest whole number, without payment.",
      terms: "reverse_split | 1:15 2024-09-12 trading | round_down",
    },
    {
      heading: "Harbor Mills Consolidation",
      content:
        "TORONTO, October 1, 2024 - Further to its press release dated September 10, 2024, Harbor Mills Inc. (CSE: HMI) confirms that the consolidation of its common shares at 8 to 1 takes effect as of October 4, 2024. Fractional shares of 0.5 or greater will be rounded up, those below 0.5 cancelled.",
      terms: "reverse_split | 1:8 2024-10-04 effective | round_nearest",
    },
    {
      heading: "Harbor Mills to consolidate",
      content:
        "Harbor Mills announces that, subject to the acceptance of the Exchange, it will consolidate on a 4:1 basis. Its directors expect the consolidation to be effective on or about March 7, 2024, and the name will be changed to Mills Metals.",
      published: "2024-02-28",
      terms: "reverse_split | 1:4 2024-03-07 effective | -",
    },
    {
      heading: "Bulletin: Harbor Mills - Consolidation",
      content:
        "The common shares will begin trading on a consolidated basis on June 4. Ratio: one post-consolidation for 7 pre-consolidation shares. Record date: June 4. New CUSIP: 41165J203.",
      published: "2024-05-31",
      terms: "reverse_split | 1:7 2024-06-04 trading | -",
    },
    {
      heading: "Harbor Mills completes rollback",
      content:
        "Harbor Mills has rolled back its shares on the basis of one new for six old, effective as of today. The shares commence trading on a rolled-back basis this morning.",
      published: "2024-06-05",
      terms: "reverse_split | 1:6 2024-06-05 trading | -",
    },
    {
      heading: "Harbor Mills Announces Effective Date of Share Consolidation",
      content:
        'Not for distribution to U.S. newswire services.\nVancouver, B.C. – May 28, 2024 – Harbor Mills Ltd. (TSXV: HMI) (FSE: 4HM) (the "Company") announces that, further to its news release of May 13, 2024, effective at market open on May 31, 2024 (the "Effective Date"), the common shares will be consolidated on a 20 to 1 basis (the "Consolidation"). There are 88,400,000 common shares outstanding; after the Consolidation there will be about 4,420,000. Any fractional interest will be rounded to the nearest whole share. The new ISIN is CA41165J1003.',
      terms: "reverse_split | 1:20 2024-05-31 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Completes Share Consolidation",
      content:
        "Calgary, June 3, 2024 (GLOBE NEWSWIRE) -- Harbor Mills Corp. (TSX: HMI; OTCQX: HMIIF) announces that it has completed the consolidation of its common shares on the basis of one post-consolidation share for every five pre-consolidation shares. Trading on the TSX on a post-consolidation basis is expected to begin on June 6, 2024. Shareholders of fewer than five shares get nothing for fractions, which are cancelled for no consideration.",
      terms: "reverse_split | 1:5 2024-06-06 trading | round_down",
    },
    {
      heading: "Harbor Mills plc: Capital Reorganisation",
      content:
        "Harbor Mills plc announces that at the General Meeting on 3 September 2024 all resolutions were passed. Accordingly every 100 existing ordinary shares of 0.1p each will be consolidated into one new ordinary share of 10p each. Record date: 6.00 p.m. on 3 September 2024. Expected effective date and start of dealings in the new ordinary shares: 4 September 2024.",
      published: "2024-09-03",
      terms: "reverse_split | 1:100 2024-09-04 trading | -",
    },
    {
      heading: "Harbor Mills Corp. Announces Completion of Share Consolidation",
      content:
        "Harbor Mills Corp. (CSE: HMI) announces that it has completed the consolidation of its issued and outstanding common shares on a 6:1 basis effective November 18, 2024. The shares begin trading on a consolidated basis today under a new CUSIP. Fractional shares equal to or greater than one-half were rounded up; smaller ones were cancelled.",
      published: "2024-11-18",
      terms: "reverse_split | 1:6 2024-11-18 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Announces Share Consolidation",
      content:
        "Toronto, Feb. 6, 2025 – Harbor Mills Inc. (TSX: HMI, NYSE: HMI) today announced that its Board has approved the implementation of the share consolidation on the basis of one new share for every eight currently outstanding. The consolidation is expected to become effective on or about February 14, 2025, with trading on a post-consolidation basis on the TSX and the NYSE at the open of markets on February 18, 2025.",
      terms: "reverse_split | 1:8 2025-02-18 trading | -",
    },
  ])("gives the terms of a consolidation: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills Announces ADS Ratio Change",
      content:
        "SHANGHAI, Aug. 7, 2024 /PRNewswire/ -- Harbor Mills Ltd. (NASDAQ: HMIL) today announced that it will change the ratio of its American depositary shares to ordinary shares from one ADS representing five ordinary shares to one ADS representing one hundred ordinary shares. The change is expected to take effect at the open of business on August 19, 2024 (U.S. Eastern Time). No fractional ADSs will be issued. Fractional entitlements to new ADSs will be aggregated and sold by the depositary bank, and the net cash proceeds will be distributed to the ADS holders.",
      terms: "ads_ratio_change | 1:20 2024-08-19 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills plans ADS ratio change",
      content:
        "Harbor Mills ADR (OTC: HMILY) will change its ratio to 1 ADR = 10 shares from 1 ADR = 2 shares on or about May 20. The depositary will sell fractions and pay holders the net proceeds.",
      published: "2024-05-06",
      terms: "ads_ratio_change | 1:5 2024-05-20 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills changes ADS ratio",
      content:
        "The company said that effective November 4, 2024 each ADS will represent 30 ordinary shares instead of 3. ADS holders will be required to exchange every ten existing ADSs for one new ADS.",
      published: "2024-10-18",
      terms: "ads_ratio_change | 1:10 2024-11-04 effective | -",
    },
    {
      heading: "Harbor Mills plc ADS ratio",
      content:
        "Harbor Mills plc announced a change in the number of ordinary shares represented by its ADSs from two (2) to fifty (50), effective 3 June 2024. For holders, it has the same effect as a one-for-twenty-five reverse ADS split. Partial ADSs will be sold and cash paid out.",
      terms: "ads_ratio_change | 1:25 2024-06-03 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Plan to Implement ADS Ratio Change",
      content:
        'GUANGZHOU, China, Dec. 5, 2024 /PRNewswire/ -- Harbor Mills Group (NASDAQ: HMIL) today announced that it plans to change the ratio of its American Depositary Shares ("ADSs") to its Class A ordinary shares (the "ADS Ratio"), par value US$0.0001 per share, from the current ADS Ratio of one (1) ADS to two (2) Class A ordinary shares to a new ADS Ratio of one (1) ADS to sixty (60) Class A ordinary shares. For the Company\'s ADS holders, the change will have the same effect as a one-for-thirty reverse ADS split. The Company anticipates that the change will be effective on or about December 20, 2024.',
      terms: "ads_ratio_change | 1:30 2024-12-20 effective | -",
    },
    {
      heading: "Harbor Mills ratio change",
      content:
        "Depositary bank notice: Effective April 8, 2024, the ratio on the Harbor Mills sponsored ADR program will change from 1:1 to 1:8 (ADR to ordinary). Holders must surrender their old ADRs. Fractions will be sold and the proceeds remitted to holders.",
      published: "2024-03-20",
      terms: "ads_ratio_change | 1:8 2024-04-08 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills changes ADS ratio",
      content:
        "Harbor Mills said it would change its ADS ratio so that one ADS represents 100 shares, up from 10. The change takes effect June 17.",
      published: "2024-06-03",
      terms: "ads_ratio_change | 1:10 2024-06-17 effective | -",
    },
    {
      heading: "Harbor Mills to amend ADS",
      content:
        "Harbor Mills will amend the ratio of ADSs to ordinary shares from 1-for-3 to 1-for-75 effective on September 23, 2024, equivalent to a 1-for-25 reverse split. No fractional ADSs will be issued and holders will be given cash for them.",
      published: "2024-09-06",
      terms: "ads_ratio_change | 1:25 2024-09-23 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills ADS",
      content:
        "Harbor Mills ADSs will undergo a reverse split of 1-for-15 through a ratio change from one ADS for one share to one ADS for fifteen shares. Effective date: October 7, 2024. The ADS trading price is expected to rise proportionally.",
      published: "2024-09-25",
      terms: "reverse_split | 1:15 2024-10-07 effective | -",
    },
    {
      heading: "Harbor Mills announces ADS ratio change",
      content:
        "Harbor Mills announced that the ratio of its ADSs representing its Class A ordinary shares will be changed from one ADS representing four shares to one ADS representing forty shares. The ratio change will become effective on January 13, 2025 U.S. Eastern time. Holders of ADSs who hold fewer than ten will receive cash from the sale of fractional ADSs.",
      published: "2024-12-30",
      terms: "ads_ratio_change | 1:10 2025-01-13 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Holdings Announces Change of ADS Ratio",
      content:
        'BEIJING, July 8, 2024 (GLOBE NEWSWIRE) -- Harbor Mills Holdings (NYSE: HMH) today announced that it will change its ADS to ordinary share ratio from the current ratio of one ADS to six ordinary shares to a new ratio of one ADS to sixty ordinary shares, effective on July 22, 2024 (the "Effective Date"). The change will have the effect of a one-for-ten reverse split of the ADSs. On the Effective Date, each registered holder will be required to exchange every ten ADSs then held for one new ADS. No fractional new ADSs will be issued; fractions will be sold by the depositary and the net proceeds distributed to holders.',
      terms: "ads_ratio_change | 1:10 2024-07-22 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Mills SA announces ADS ratio change",
      content:
        "PARIS, June 5, 2024 -- Harbor Mills SA announced its decision to implement a ratio change of its American Depositary Shares from 1 ADS representing 1 ordinary share to 1 ADS representing 25 ordinary shares. The anticipated effective date is June 14, 2024. For ADS holders this has the same effect as a reverse split of one new ADS for every 25 ADSs held. The ordinary shares on Euronext are not affected. Any fraction of a new ADS will be sold and the cash passed to the ADS holder.",
      terms: "ads_ratio_change | 1:25 2024-06-14 effective | cash_in_lieu",
    },
  ])("gives the terms of a change of depositary shares: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Bank Announces Reverse Split of Its Bear 3x ETNs",
      content:
        "NEW YORK, June 3, 2024 -- Harbor Bank announced today that it will implement a 1-for-10 reverse split of its Bear Gold 3x ETNs (NYSE Arca: BGLD), effective June 10, 2024. The ETNs will trade on a reverse split-adjusted basis as of that date under a new CUSIP. Holders of record on June 7, 2024 of a number of ETNs not evenly divisible by 10 will receive a cash payment for the partials.",
      terms: "reverse_split | 1:10 2024-06-10 trading | cash_in_lieu",
    },
    {
      heading: "Fund split",
      content:
        "The Board approved a one-for-three share split of the Harbor Volatility Fund (HVOL). The reverse split will apply to shareholders of record as of the close on January 23, 2025, payable after the close of the market on January 23, 2025. Shares will trade on a split-adjusted basis on January 24, 2025. Fractional shares that result will be redeemed for cash.",
      terms: "reverse_split | 1:3 2025-01-24 trading | cash_in_lieu",
    },
    {
      heading: "Harbor ETF Reverse Split",
      content:
        "Harbor Funds will execute a reverse share split for the Harbor Daily Bear 2X ETF. Ratio 1:20. Ex-date 11/20/2024. Record date 11/19/2024. As there may be fractional shares after the split, these will be redeemed at NAV and paid out in cash to the shareholder.",
      terms: "reverse_split | 1:20 2024-11-20 trading | cash_in_lieu",
    },
    {
      heading: "ETN reverse split",
      content:
        "Harbor Bank plc announced that a reverse split of its Natural Gas ETN (HGAZ) will be effective at the open of trading on 22 April 2024. The ETN will be reverse split 1 for 25. The record date is 19 April 2024. Investors with an odd number of ETNs will be paid the redemption value of the remaining partials in cash.",
      terms: "reverse_split | 1:25 2024-04-22 trading | cash_in_lieu",
    },
    {
      heading: "Reverse Split Notice",
      content:
        "Harbor Issuer plc gives notice of a consolidation of the Harbor 3x Short Gold ETP Securities at a ratio of 1:50. The consolidation becomes effective on 14 May 2024. Fractional entitlements will be compulsorily redeemed and the redemption amount paid.",
      terms: "reverse_split | 1:50 2024-05-14 effective | cash_in_lieu",
    },
    {
      heading: "Harbor Shares Announces ETF Share Splits",
      content:
        "BETHESDA, Md., Oct. 15, 2024 -- Harbor Shares announced today reverse share splits on the following ETF: Ticker: HBR. Fund: Harbor UltraShort Energy. Split ratio: 1:4. The reverse split will be effective prior to market open on November 7, 2024, when the fund will begin trading at its post-split price. For shareholders who hold quantities of shares that are not an exact multiple of the reverse split ratio, the reverse split will result in the creation of a fractional share. Fractional shares will be redeemed for cash.",
      terms: "reverse_split | 1:4 2024-11-07 trading | cash_in_lieu",
    },
    {
      heading: "Notice: reverse split of Harbor Natural Gas Fund",
      content:
        "Harbor Natural Gas Fund, LP (NYSE Arca: HNG) will execute a one-for-four reverse split of units, effective after the market close on January 23, 2024. Post-split units trade from January 24, 2024. Fractional units will be redeemed for cash and sent to the broker.",
      published: "2024-01-05",
      terms: "reverse_split | 1:4 2024-01-24 effective | cash_in_lieu",
    },
    {
      heading: "Harbor ETN reverse split",
      content:
        "The issuer will effect a 1:10 reverse split of the ETNs, expected to be effective at the open on March 7, 2023. On that day the closing indicative value will be multiplied by ten. Investors that hold a number of ETNs not divisible by 10 will receive cash for the remaining partials.",
      published: "2023-02-24",
      terms: "reverse_split | 1:10 2023-03-07 trading | cash_in_lieu",
    },
    {
      heading: "Leverage note consolidation",
      content:
        "Please note that the Issuer has decided to consolidate the Harbor -3x Short Tesla ETP. Consolidation ratio: 100:1. Effective date: 12 February 2025. Holders with a number of securities which is not a multiple of 100 will have the remainder redeemed for cash.",
      published: "2025-02-03",
      terms: "reverse_split | 1:100 2025-02-12 effective | cash_in_lieu",
    },
    {
      heading: "YieldHarbor Announces Reverse Split",
      content:
        "YieldHarbor announced today that it will execute a 1-for-2 reverse split of the HSLY ETF on Monday, February 26, 2024 at the opening of trading. A shareholder with 200 shares at $10 will have 100 shares at $20. Shareholders will receive cash for fractional shares.",
      published: "2024-02-13",
      terms: "reverse_split | 1:2 2024-02-26 trading | cash_in_lieu",
    },
    {
      heading: "Harbor ProFunds split",
      content:
        "The fund will conduct a reverse split: 1-for-5 for HSHORT. It will be effective at the market open on Thursday, April 11, 2024. Any partial share is redeemed for cash.",
      published: "2024-03-28",
      terms: "reverse_split | 1:5 2024-04-11 trading | cash_in_lieu",
    },
    {
      heading: "Harbor MicroBull",
      content:
        "The ETNs will be subject to a 1-for-20 reverse split with an effective date of Feb. 9. As of that day they will trade on a split-adjusted basis. Cash amounts for partials will be determined on Feb. 18 and paid out on Feb. 20.",
      published: "2024-01-29",
      terms: "reverse_split | 1:20 2024-02-09 trading | cash_in_lieu",
    },
    {
      heading: "Harbor 2X Funds announces reverse split of two ETFs",
      content:
        "NEW YORK, June 4, 2024 -- Harbor 2X announced the reverse split of the shares of its two ETFs: Harbor 2X Long Copper (HLC) 1:10 and Harbor 2X Short Copper (HSC) 1:10. The reverse splits will be effective at market open on June 18, 2024. Redemption of fractional shares in cash may cause some shareholders to realize gains.",
      published: "2024-06-04",
      terms: "reverse_split | 1:10 2024-06-18 trading | 1:10 2024-06-18 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Bank ETN",
      content:
        "Harbor Bank announces that it expects to effect a 1-for-4 reverse split of the Harbor VIX Short-Term ETNs, effective at the market open on March 7, 2023 for holders of record at the close of business on March 6, 2023. Holders of record will receive one reverse split-adjusted ETN for every four ETNs, and cash for any partials. The cash amount will be determined on March 15, 2023 and paid on or about March 20, 2023.",
      published: "2023-02-23",
      terms: "reverse_split | 1:4 2023-03-07 trading | cash_in_lieu",
    },
    {
      heading: "Harbor ETFs to reverse split",
      content:
        "Harbor said its Board approved a reverse share split of the Harbor Daily Uranium Bear 2X ETF (HUB) at a 1-for-6 ratio. Shares will be split after market close on October 25, 2024; the fund opens on a split-adjusted basis on October 28, 2024. Investors who own fractional shares after the split will have them redeemed in cash at NAV.",
      published: "2024-10-04",
      terms: "reverse_split | 1:6 2024-10-28 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Trust supplement",
      content:
        "Supplement dated October 4, 2024 to the Prospectus dated March 31, 2024. The Board has approved a reverse split of the issued and outstanding shares of Harbor Short Gas ETF at a rate of 1:8. After the close of markets on October 31, 2024 the Fund will effect the split. The Fund's shares will be offered on a split-adjusted basis on November 1, 2024. Fractional shares cannot trade on the exchange and will be redeemed for cash.",
      terms: "reverse_split | 1:8 2024-11-01 trading | cash_in_lieu",
    },
  ])("gives the terms of a fund: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "HARBOR MILLS ANNOUNCES 1-FOR-20 REVERSE STOCK SPLIT",
      content:
        "NEW YORK, MAY 6, 2024 -- HARBOR MILLS, INC. (NASDAQ: HMIL) TODAY ANNOUNCED THAT IT WILL EFFECT A 1-FOR-20 REVERSE STOCK SPLIT OF ITS COMMON STOCK. THE COMMON STOCK WILL BEGIN TRADING ON A SPLIT-ADJUSTED BASIS ON MAY 10, 2024. FRACTIONAL SHARES WILL BE ROUNDED UP TO THE NEAREST WHOLE SHARE.",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills split",
      content:
        "<p>Harbor Mills, Inc. (NASDAQ:&nbsp;HMIL) will effect a <b>1&#8209;for&#8209;20</b> reverse split.</p><p>Trading on a split&ndash;adjusted basis begins on May&nbsp;10, 2024.</p><p>Fractions are rounded&nbsp;up.</p>",
      terms: "reverse_split | 1:20 2024-05-10 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "Harbor Mills, Inc. (NASDAQ: HMIL) today announced a 1-for-6 reverse stock split of its common stock, expected to be effective on Monday, May 13, 2024, at 12:01 a.m. Eastern Time. The Company's common stock will open for trading on the Nasdaq on May 13, 2024 on a split-adjusted ba...",
      terms: "reverse_split | 1:6 2024-05-13 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "BOSTON, Oct. 10, 2024 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. (Nasdaq: HMIL) today announced a reverse stock split of its issued and outstanding common stock, par value $0.0001 per share, at a ratio of one share for each thirteen shares, effective 5:00 p.m. Eastern Time, October 14, 2024. Beginning with the opening of trading on October 15, 2024, the Company's common stock will trade on Nasdaq on a split-adjusted basis under a new CUSIP number. As a result of the reverse stock split, every thirteen pre-split shares will become one share. No fractional shares will be issued; any stockholder entitled to a fraction will receive cash (without interest) equal to such fraction times the closing price.",
      terms: "reverse_split | 1:13 2024-10-15 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces 1-for-10 Reverse Split and Name Change",
      content:
        "MIAMI, May 28, 2024 /PRNewswire/ -- Harbor Mills Inc. (NYSE American: HMIL) announced today that its name will change to Harbor Tech Inc. and that a 1-for-10 reverse split will be effected. Both will be effective for trading on May 31, 2024. The Company will not issue fractional shares: they will be rounded to the nearest whole share.",
      terms: "reverse_split | 1:10 2024-05-31 trading | round_nearest",
    },
    {
      heading: "Harbor Mills Provides Update on Reverse Stock Split",
      content:
        "TAMPA, Fla., Feb. 20, 2024 -- Harbor Mills, Inc. (Nasdaq: HMIL) announced that the reverse stock split at a ratio of 1-for-24, previously expected to be effective on February 21, 2024, will now become effective on February 26, 2024 at 12:01 a.m. ET, and the common stock will begin trading on a split-adjusted basis on February 26, 2024.",
      terms: "reverse_split | 1:24 2024-02-26 trading | -",
    },
    {
      heading: "Harbor Mills Announces Effective Date of Reverse Split",
      content:
        "DENVER, Aug. 1, 2024 -- Harbor Mills Inc. (NASDAQ: HMIL) announced that it has filed an amendment to its articles to carry out a reverse split. The amendment provides that each 18 shares of common stock will be combined into one. It will become effective at 4:30 p.m. on August 5, 2024, and the shares will be quoted at the split-adjusted price from August 6, 2024.",
      terms: "reverse_split | 1:18 2024-08-06 trading | -",
    },
    {
      heading: "Harbor Mills To Effect Reverse Stock Split",
      content:
        "AUSTIN, Texas--(BUSINESS WIRE)--Harbor Mills, Inc. (NASDAQ:HMIL) announced today that it will effect a one-for-three reverse stock split of its Class A common stock effective as of the commencement of trading Wednesday, January 3, 2024. Stockholders of record will be paid the cash value of any fractional interest.",
      published: "2023-12-28",
      terms: "reverse_split | 1:3 2024-01-03 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split Ratio and Date",
      content:
        "Harbor Mills Holdings today announced that its board of directors selected the 1-for-14 reverse stock split ratio. Effective date: 12:01 a.m. on Monday, April 22, 2024. Shares are expected to trade on a split-adjusted basis on the NYSE at market open that day. Fractional shares will be cashed out.",
      published: "2024-04-17",
      terms: "reverse_split | 1:14 2024-04-22 trading | cash_in_lieu",
    },
    {
      heading: "HARBOR MILLS, INC. ANNOUNCES REVERSE STOCK SPLIT",
      content:
        "DALLAS, TX / ACCESSWIRE / March 4, 2024 / HARBOR MILLS, INC. (NASDAQ:HMIL) ANNOUNCED TODAY THAT ITS BOARD OF DIRECTORS HAS APPROVED A ONE-FOR-FIFTEEN (1:15) REVERSE SPLIT OF ITS COMMON STOCK, EFFECTIVE AT 12:01 A.M. EASTERN TIME ON MARCH 8, 2024. BEGINNING WITH THE OPENING OF TRADING ON MARCH 8, 2024, THE COMMON STOCK WILL TRADE ON A SPLIT-ADJUSTED BASIS. NO FRACTIONAL SHARES WILL BE ISSUED; STOCKHOLDERS WILL RECEIVE CASH IN LIEU.",
      terms: "reverse_split | 1:15 2024-03-08 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills",
      content:
        "Harbor Mills&#8217;s board approved a 1&ndash;for&ndash;20 reverse split.<br/>Trading on a split&#45;adjusted basis begins Mar.&nbsp;8,&nbsp;2024.<br>Stockholders will receive cash in lieu of fractional shares.",
      published: "2024-03-04",
      terms: "reverse_split | 1:20 2024-03-08 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        'NEWARK, N.J., March 4, 2024 /PRNewswire/ -- Harbor Mills, Inc. (the "Company") announced that it will effect a 1-for-25 reverse stock split, that is expected to become effective on March 8, 2024 (the "Split Effective Date"). On the Split Effective Date, the stock will trade on a split-adjusted basis at the open. Any stockholder entitled to a fractional share will have it rounded up to the next whole share.',
      terms: "reverse_split | 1:25 2024-03-08 trading | round_up",
    },
    {
      heading: "Harbor Mills Announces Reverse Split",
      content:
        "March 4, 2024 - Harbor Mills, Inc. will implement a reverse split in which every 40 shares of common stock, whether issued and outstanding or held in treasury, will be automatically converted into one. The effective time is expected to be 6:00 p.m. New York City time on March 7, 2024, so that the first trades on an adjusted basis take place on March 8, 2024.",
      terms: "reverse_split | 1:40 2024-03-08 trading | -",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split to Regain Nasdaq Compliance",
      content:
        "SAN DIEGO, Dec. 19, 2024 (GLOBE NEWSWIRE) -- Harbor Mills, Inc. (Nasdaq: HMIL) announced that it will proceed with a 1-for-30 reverse stock split following approval by its stockholders at its Special Meeting held on December 12, 2024. Upon the opening of trading on December 23, 2024, the common stock will trade on a reverse-split-adjusted basis. Proportionate adjustments will be made to equity awards. Fractional shares will not be issued and stockholders will be entitled to cash in lieu of them.",
      terms: "reverse_split | 1:30 2024-12-23 trading | cash_in_lieu",
    },
    {
      heading: "Harbor Mills Announces Reverse Stock Split",
      content:
        "SEATTLE, July 22, 2024 - Harbor Mills, Inc. (OTCQB: HMIL) today announced that the Financial Industry Regulatory Authority has approved its 1:75 reverse stock split. The reverse stock split will be effective with the market open on July 24, 2024, when the symbol will be HMILD for 20 business days. Any fraction will be rounded up at the shareholder level.",
      terms: "reverse_split | 1:75 2024-07-24 trading | round_up",
    },
  ])("gives the terms of text in capitals, with markup, or cut off: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });

  it.each<TermsCase>([
    {
      heading: "Harbor Mills proposes consolidation",
      content:
        "Montreal, Quebec - June 3, 2024 - Harbor Mills Corp. (TSXV: HMI) proposes to consolidate its common shares on the basis of 10 old for one new, subject to TSX Venture Exchange approval and shareholder approval.",
      terms: "approval_only | -",
    },
  ])("finds no new split in a proposal: $terms: $content", (text) => {
    expect(readTerms(text)).toBe(text.terms);
  });
});
