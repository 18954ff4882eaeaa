/** Invented issuers: name, short name, symbol. */
export const NAMES = [
  "Orlock Motors, Inc.|Orlock|ORLK",
  "Calder & Finch Holdings plc|Calder & Finch|CAFH",
  "Tarrow 3D Systems Corp.|Tarrow 3D|TRRW",
  "Verrano S.A.|Verrano|VRRN",
  "9 Harbor Brands Ltd.|9 Harbor|NHBR",
  "Marlow, Reed & Hollis Inc.|Marlow Reed|MRHI",
  "Quenby Therapeutics|Quenby|QNBY",
  "Sable Point Acquisition N.V.|Sable Point|SBPT",
  "The Wexcombe Company|Wexcombe|WXCM",
  "Bright Kelp Limited|Bright Kelp|BKLP",
  "Dorne-Hayes Bancorp|Dorne-Hayes|DHBC",
  "Inova24 Group AG|Inova24|INVG",
  "U.S. Copperline Corp.|Copperline|USCL",
  "iVantis Health, Inc.|iVantis|IVTS",
  "Pellgrove Energy Trust|Pellgrove|PLGV",
  "Kestrel Bay Foods Co., Ltd.|Kestrel Bay|KBFC",
  "orbiq SE|orbiq|ORBQ",
  "Thornby.AI Technologies Inc.|Thornby|THNB",
  "LUMEXA BIOSCIENCES LTD|Lumexa|LMXA",
  "Fenwick Realty Partners, L.P.|Fenwick|FNWK",
  "Nordahl Minerals Corporation|Nordahl|NDHL",
  "G. Harwick & Sons, Inc.|Harwick|GHWK",
  "3Point Robotics Ltd.|3Point|TPRB",
  "Société Brévin S.A.|Brévin|BRVN",
  "Åsgard Marine ASA|Åsgard|ASGM",
  "eLumen Corp|eLumen|ELMN",
  "Tri-County 1st Banc, Inc.|Tri-County|TCFB",
] as const;

/** Exchanges: name in a tag, name in prose, code of the record. */
export const US_EXCHANGES = [
  "NASDAQ|The Nasdaq Capital Market|NASDAQ",
  "Nasdaq|Nasdaq|NASDAQ",
  "Nasdaq CM|the Nasdaq Stock Market|NASDAQ",
  "NYSE American|the NYSE American|NYSEAMERICAN",
  "NYSE|the New York Stock Exchange|NYSE",
  "NYSE|NYSE|NYSE",
  "OTCQB|the OTCQB|OTC",
  "OTC Pink|the OTC Pink market|OTC",
] as const;
export const CANADIAN_EXCHANGES = [
  "TSXV|the TSX Venture Exchange|TSXV",
  "TSX-V|the TSXV|TSXV",
  "TSX|the Toronto Stock Exchange|TSX",
  "CSE|the Canadian Securities Exchange|CSE",
  "CSE|the CSE|CSE",
] as const;

/** What follows the name: the tag, or nothing. */
export const TAGS = [
  " ({EX}: {SYM})",
  " ({EX}:{SYM})",
  " ({EX}: {SYM}) (the “Company”)",
  " (“{short}” or the “Company”) ({EX}: {SYM})",
  " (the “Company” or “{short}”) ({EX}: {SYM})",
  ' (the "Company"), ({EX}: {SYM})',
  " [{EX}: {SYM}]",
  " ({EX}: “{SYM}”)",
  " ({EX}: {SYM}; the “Company”)",
  " ({EX}: {SYM}) (“{short}”)",
  " ({EX} | {SYM})",
  " ({SYM})",
  "",
  " (the “Company”)",
] as const;

export const DATE_NOTATIONS = [
  "{M} {d}, {y}",
  "{W}, {M} {d}, {y}",
  "{m} {d}, {y}",
  "{b} {d}, {y}",
  "{y}-{mm}-{dd}",
  "{d} {M} {y}",
  "{W} {d} {M} {y}",
  "{M} {th}, {y}",
  "{M} {th} {y}",
  "{W}, {M} {d}",
  "{W}, {m} {d}",
  "{M} {d}",
  "{mm}/{dd}/{y}",
  "{d}-{b}-{y}",
  "the {th} of {M} {y}",
  "{W} ({M} {d}, {y})",
  "{M} {d} {y}",
] as const;

/** Split: name, defined term, adjective of its basis. */
export const NOUNS = [
  "reverse stock split|Reverse Stock Split",
  "reverse split|Reverse Split",
  "reverse share split|Reverse Share Split",
  "share consolidation|Share Consolidation",
  "stock consolidation|Consolidation",
  "consolidation of its {shares}|Consolidation",
  "reverse stock split of its {shares}|Reverse Split",
  "reverse split of its issued and outstanding {shares}|Reverse Stock Split",
] as const;

export const SHARES = [
  "common stock",
  "common shares",
  "ordinary shares",
  "Class A common stock",
  "Class A ordinary shares",
  "shares of common stock",
] as const;

/** A split with its ratio. */
export const SPLITS = [
  "a 1-for-{o} {split}",
  "a one-for-{O} {split}",
  "a 1:{o} {split}",
  "a {o}:1 {split}",
  "a 1 for {o} {split}",
  "a {o}-for-1 {split}",
  "a {o}-to-1 {split}",
  "a 1-for-{o} (1:{o}) {split}",
  "a one (1) for {O} ({o}) {split}",
  "a {split} at a ratio of 1-for-{o}",
  "a {split} at a ratio of one-for-{O}",
  "a {split} at a ratio of one (1) for {O} ({o})",
  "a {split} in the ratio of 1 to {o}",
  "a {split} with a ratio of {o}:1",
  "a {split} at a ratio of {o} old shares to 1 new share",
  "a {split}, at a ratio of {o} old to 1 new",
  "a {split} on the basis of one (1) post-consolidation share for every {O} ({o}) pre-consolidation shares",
  "a {split} on the basis of one post-consolidation share for every {o} pre-consolidation shares",
  "a {split} on a {o}-for-1 basis",
  "a {split} on a 1 new for {o} old basis",
  "a {split} on the basis of 1 new share for each {o} existing shares",
  "a {split}, pursuant to which every {o} issued and outstanding shares will be combined into one share",
  "a {split} whereby each {O} ({o}) shares will be converted into one (1) share",
  "a {split} (1-for-{o})",
  "a {split} of 1 for {o}",
  "a {split} by a factor of {o}",
  "a {split}",
] as const;

/** Its effect on the shares. */
export const CONVERSIONS = [
  "",
  "As a result of the {Split}, every {O} ({o}) shares of the Company’s issued and outstanding {shares} will be automatically combined into one (1) share.",
  "At the effective time, each {o} shares of {shares} issued and outstanding will automatically convert into one new share.",
  "Every {o} existing shares held by a shareholder will become one share.",
  "Upon effectiveness, every {o} issued and outstanding shares will be reclassified and combined into 1 issued and outstanding share, without any change in par value.",
  "The {Split} will reduce the number of outstanding shares from approximately {many} to approximately {few}.",
  "Shareholders will receive one new share for every {o} shares they own.",
  "Each {O} ({o}) shares issued and outstanding immediately prior to the effective time will, automatically and without any action on the part of the holders, be combined into one (1) validly issued, fully paid share.",
] as const;

/** Adverbs between the issuer and its verb. */
export const ADVERBS = [
  "",
  " today",
  ", today",
  " on {weekday}",
  " on {today}",
  " late {weekday}",
  " {weekday}",
  " earlier today",
  " this morning",
  " has today",
  " on {weekday} morning",
  " recently",
  ", an {industry} company,",
  ", a leading {industry} company, today",
  " yesterday",
  " this week",
] as const;

/** What the issuer says in the past tense. */
export const STATEMENTS = [
  "announced {S}",
  "announced that it will effect {S}",
  "announced that its Board of Directors has approved {S}",
  "said it will implement {S}",
  "said that it would effect {S}",
  "disclosed that it will carry out {S}",
  "reported that it will undertake {S}",
  "confirmed that it will proceed with {S}",
  "announced that its board has determined to effect {S}",
  "announced its intention to implement {S}",
  "stated that it has decided to effect {S}",
  "announced that it has filed an amendment to its certificate of incorporation to effect {S}",
  "unveiled {S}",
  "declared {S}",
  "gave notice of {S}",
  "announced that, following approval by its stockholders, it will conduct {S}",
  "filed articles of amendment to effect {S}",
  "revealed plans for {S}",
  "said its board authorized {S}",
  "announced the implementation of {S}",
  "wishes to announce {S}",
  "advised shareholders that it will complete {S}",
  "announced plans for {S}",
  "announced that its shareholders have approved {S}, which the Company will now carry out",
  "informed the market of {S}",
] as const;

/** Lead in the present or future tense, which takes no adverb. */
export const PLANS = [
  "will effect {S}",
  "is implementing {S}",
  "intends to implement {S}",
  "plans to effect {S}",
  "is to undertake {S}",
  "has resolved to carry out {S}",
  "is pleased to announce {S}",
  "has filed a certificate of amendment to its certificate of incorporation to effect {S}",
  "has elected to proceed with {S}",
  "has scheduled {S}",
  "is set to execute {S}",
  "announces {S}",
  "expects to complete {S}",
] as const;

/** Day of the split in the lead. */
export const LEAD_DAYS = [
  "",
  "",
  "",
  ", effective {T}",
  ", to be effective as of 12:01 a.m. Eastern Time on {T}",
  ", which will take effect before the market opens on {T}",
  " that will become effective on {T}",
  ", with an effective date of {T}",
  ", effective after the close of trading on {E}",
  ", effective at 5:00 p.m. Eastern Time on {E}",
] as const;

/** First trading day. */
export const TRADING = [
  "The {shares} will begin trading on a {basis} basis at the market open on {T}.",
  "The Company’s {shares} are expected to begin trading on a {basis} basis on {Exchange} at the opening of trading on {T}.",
  "Trading of the {shares} on a {basis} basis is expected to commence on {T}.",
  "Beginning {T}, the {shares} will trade on a {basis} basis.",
  "When the market opens on {T}, the {shares} will trade on a {basis} basis.",
  "Shares should start trading on a {basis} basis as of {T}.",
  "The {shares} will open for trading on {T} on a {basis} basis.",
  "The first day of trading on a {basis} basis is {T}.",
  "The ex-date for the {Split} is {T}.",
  "Effective with the opening of trading on {T}, the {shares} will be quoted on a {basis} basis.",
  "The Company expects its {shares} to commence trading on a {basis} basis at the start of trading on {T}.",
  "It is anticipated that the {shares} will begin trading on a {basis} basis when the market opens on {T}.",
  "{T} is expected to be the first day on which the shares trade on a {basis} basis.",
  "The shares are slated to begin split-adjusted trading on {T}.",
  "The stock is expected to start trading split-adjusted on {Exchange} on {T}.",
  "The post-split shares will begin trading at the open on {T}.",
  "From {T}, dealings in the {shares} will take place on a {basis} basis.",
  "{Exchange} will begin trading the {shares} on a {basis} basis at market open on {T}.",
  "The Board expects that the {shares} will begin to trade on a {basis} basis on or about {T}.",
  "It will begin trading on a {basis} basis at the commencement of trading on {T}.",
  "The Company’s shares, which will be adjusted for the {Split}, will start trading on {T}.",
  "The market effective date of the {Split} is {T}.",
  "Dealings in the new shares commence on {T}.",
  "The {shares} will start trading under the new CUSIP number, on a {basis} basis, on {T}.",
  "The {Split} will be reflected in the marketplace at the start of business on {T}.",
  "The {Split} will be effective for trading purposes as of the commencement of trading on {T}.",
  "At market open on {T}, the {shares} will begin trading on a {o} old for one new share basis.",
  "Trading on a {basis} basis will commence at the opening bell on {T}.",
  "The {shares} will trade ex-split from {T}.",
  "As of the opening bell on {T}, the Company’s {shares} will change hands on a {basis} basis.",
  "",
] as const;
export const BASES = [
  "split-adjusted",
  "post-split",
  "consolidated",
  "post-consolidation",
  "reverse split-adjusted",
  "post-reverse-split",
  "split adjusted",
] as const;

/** Effect of the split. Without a first trading day, it gives {T}. */
export const EFFECTS = [
  "",
  "",
  "The {Split} will become effective at 12:01 a.m. Eastern Time on {T}.",
  "The {Split} is expected to take effect at 5:00 p.m., New York time, on {E}.",
  "The {Split} will be effective after the market closes on {E}.",
  "The {Split} will take effect prior to the opening of trading on {T}.",
  "The {Split} is scheduled to be effective as of 4:05 p.m. on {E}.",
  "The effective date of the {Split} is {T}.",
  "The {Split} becomes effective on {T}.",
  "The Company has set {T} as the effective date of its {split}.",
  "The {Split} was approved by stockholders at the annual meeting held on {past}, and will be effective {T}.",
  "The {Split} is to be implemented on {T}.",
  "The amendment will be filed with the Secretary of State of Delaware and become effective at 11:59 p.m. on {E}.",
  "The {Split} will go into effect at the open of business on {T}.",
] as const;

/** Treatment of fractions. */
export const FRACTIONS = [
  "|",
  "round_up|No fractional shares will be issued; any fraction will be rounded up to the next whole share.",
  "round_up|No fractional shares will be issued in connection with the {Split}. Fractional shares will be rounded up to the nearest whole share.",
  "round_up|Stockholders who would otherwise hold a fraction of a share will receive one whole share in lieu of it.",
  "round_up|Any fractional share resulting from the {Split} will be rounded up at the participant level.",
  "round_up|Fractions will be rounded up to a whole share at the beneficial owner level.",
  "round_down|Any fractional interest will be rounded down to the nearest whole number of shares, and no consideration will be paid.",
  "round_down|Fractional shares will be cancelled without payment.",
  "round_nearest|Fractional interests of 0.5 or greater will be rounded up and those of less than 0.5 will be rounded down.",
  "round_nearest|Each fractional share will be rounded to the nearest whole share.",
  "round_nearest|If the number of shares isn’t whole, it will be rounded up or down to the nearest whole number, with one-half rounded up.",
  "cash_in_lieu|Instead of fractional shares, holders will receive cash.",
  "cash_in_lieu|No fractional shares will be issued. Stockholders otherwise entitled to a fraction will receive a cash payment equal to the fraction multiplied by the closing price.",
  "cash_in_lieu|The exchange agent will aggregate all fractions, sell them at the prevailing market price and distribute the net proceeds pro rata to the holders.",
  "cash_in_lieu|Cash will be paid in lieu of any fractional share.",
  "cash_in_lieu|The Company will pay cash, without interest, for fractions, based on the average closing price of the five trading days before the effective date.",
  "round_up|In lieu of a fractional share, each holder will receive such additional fraction of a share as is necessary to increase it to a full share.",
  "round_up|The number of shares that each holder owns will be rounded up to the nearest whole share; no cash will be paid.",
  "round_down|No fractional shares will be issued, and no cash will be paid in lieu of fractions; the number of shares of a holder will be rounded down.",
  "round_nearest|Fractions of less than one-half will be cancelled, and those of at least one-half will be changed to one whole share.",
  "round_up|Holders of fractions will be issued one full share.",
  "|The Company has not yet decided how fractions will be treated.",
  "cash_in_lieu|Holders of record will be paid cash for fractions, while shares held in street name will be rounded up by DTC.",
] as const;

/** Symbol after the split. `states`: the symbol is that of the shares, so the text needs no tag. */
export const SYMBOLS = [
  "states|The shares will continue to trade on {Exchange} under the symbol “{SYM}”.",
  'states|The Company’s {shares} will continue to trade under the existing ticker symbol "{SYM}" on {Exchange}.',
  "states|The symbol will remain “{SYM}.”",
  "states|The trading symbol for the {shares} will remain {SYM}.",
  "states|The {shares} trade on {Exchange} under the ticker {SYM}.",
  "states|The Company will keep its {SYM} ticker symbol on {Exchange}.",
  "states|The shares will trade under the symbol “{SYM}D” for 20 business days, after which the symbol reverts to “{SYM}.”",
  "|A “D” will be placed on the ticker symbol for 20 business days.",
  "|The trading symbol will not change.",
  "|",
] as const;

export const CUSIPS = [
  "",
  "The new CUSIP number will be {CUSIP}.",
  "The {shares} have been assigned a new CUSIP number ({CUSIP}).",
  "New CUSIP: {CUSIP}",
  "The CUSIP number will change to {CUSIP} from {OLDCUSIP}.",
  "Following the {Split}, the new ISIN will be US{CUSIP}5 and the new CUSIP {CUSIP}.",
  "The CUSIP will change.",
] as const;

export const HEADINGS = [
  "{Name} Announces {Split}",
  "{short} Announces 1-for-{o} {Split}",
  "{Name} to Effect {Split}",
  "{short} Sets Date for {Split}",
  "{Name} Announces Effective Date of {Split}",
  "{short} Provides Corporate Update",
  "{short} to Implement {Split} to Maintain Listing",
  "Exhibit 99.1",
  "",
  "{short} Announces Board Approval of {Split}",
  "Press Release",
  "{NAME} ANNOUNCES {SPLIT}",
  "{short}’s {Split} to Take Effect on {T}",
] as const;

export const DATELINES = [
  "DULUTH, Minn., {today} (GLOBE NEWSWIRE) -- ",
  "NEW HAVEN, Conn., {today} /PRNewswire/ -- ",
  "LOS GATOS, Calif.--(BUSINESS WIRE)--{today}--",
  "BOISE, ID / ACCESS Newswire / {today} / ",
  "SINGAPORE – {today} – ",
  "{today} ",
  "Tel Aviv, Israel, {today} – ",
] as const;

export const CLOSINGS = [
  "",
  "About {short}\n{Name} is an {industry} company based in Duluth, Minnesota. For more information, visit www.example.com.",
  "Forward-Looking Statements\nThis press release contains forward-looking statements, including statements regarding the {Split}. Actual results may differ materially. The Company undertakes no obligation to update them.",
  "The {Split} is intended to bring the Company into compliance with the minimum bid price requirement for continued listing.",
  "The {Split} was approved by the Company’s stockholders at the annual meeting on {past} within a range of 1-for-2 to 1-for-{bound}, with the final ratio to be determined by the board.",
  "Outstanding warrants and options will be adjusted proportionately, and their exercise prices multiplied by {o}.",
  "In 2019 the Company completed a 1-for-7 reverse stock split.",
  "The Company’s transfer agent, Harlow Trust Company, is acting as exchange agent for the {Split}.",
] as const;
