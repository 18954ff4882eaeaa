import { describe, expect, it } from "vitest";
import { growthFactor } from "../../test/support/timing.ts";
import { parseDay } from "../domain/time/day.ts";
import { extractFacts } from "./extract.ts";
import { findLanguage } from "./other-languages.ts";

interface Expected {
  readonly ticker?: string;
  readonly exchange?: string;
  readonly company: string | null;
  readonly old: number;
  readonly exDate: string | null;
  readonly fraction?: string;
}

const ANNOUNCEMENTS: readonly (readonly [name: string, heading: string, content: string, expected: Expected])[] = [
  [
    "French, Canada",
    "Mines Boréale annonce le regroupement de ses actions",
    `MONTRÉAL, le 4 mai 2026 - Mines Boréale inc. (TSXV : BORE) annonce qu'elle procédera au regroupement de ses actions ordinaires émises et en circulation, à raison d'une (1) action ordinaire postérieure au regroupement pour chaque dix (10) actions ordinaires antérieures au regroupement. Les actions regroupées devraient commencer à être négociées à la Bourse de croissance TSX à l'ouverture des marchés le 11 mai 2026. Aucune fraction d'action ne sera émise : toute fraction sera arrondie au nombre entier inférieur. Le regroupement a été approuvé par les actionnaires lors de l'assemblée tenue le 15 avril 2026.`,
    {
      ticker: "BORE",
      exchange: "TSXV",
      company: "Mines Boréale inc.",
      old: 10,
      exDate: "2026-05-11",
      fraction: "round_down",
    },
  ],
  [
    "French, with old shares first",
    "Vergerie : modalités du regroupement d'actions",
    `Paris, le 4 mai 2026 - Vergerie SA informe ses actionnaires que les opérations de regroupement, à raison de 50 actions anciennes contre 1 action nouvelle, débuteront. Dernier jour de cotation des actions anciennes : 9 juin 2026. Premier jour de cotation des actions nouvelles : 10 juin 2026. Les actions nouvelles correspondant à des droits formant rompus seront vendues et le produit de la vente sera réparti entre les titulaires.`,
    { company: "Vergerie SA", old: 50, exDate: "2026-06-10", fraction: "cash_in_lieu" },
  ],
  [
    "German",
    "Harzmühlen AG: Zusammenlegung der Aktien im Verhältnis 20:1",
    `Goslar, 4. Mai 2026 - Die Hauptversammlung der Harzmühlen AG hat am 15. April 2026 die Zusammenlegung der Aktien beschlossen. Für je zwanzig alte Aktien erhalten die Aktionäre eine neue Aktie. Letzter Handelstag der alten Aktien ist der 8. Mai 2026, erster Handelstag der konvertierten Aktien ist der 11. Mai 2026. Aktienspitzen werden von den Depotbanken verwertet.`,
    { company: "Harzmühlen AG", old: 20, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Swedish",
    "Nordkvarn fastställer avstämningsdag för sammanläggning av aktier",
    `Nordkvarn AB (publ) meddelar att styrelsen har fastställt tidsplanen för den sammanläggning av aktier som beslutades av årsstämman den 15 april 2026. Sammanläggningen innebär att tjugo (20) gamla aktier läggs samman till en (1) ny aktie. Sista dag för handel före sammanläggningen är den 8 maj 2026. Första dag för handel efter sammanläggningen är den 11 maj 2026 och avstämningsdag är den 12 maj 2026. Kortnamn: NKVA. Aktieägare vars innehav inte är jämnt delbart med 20 erhåller kontant likvid.`,
    { ticker: "NKVA", company: "Nordkvarn AB", old: 20, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Swedish, with the symbol after the share",
    "Nordkvarn offentliggör tidplan för sammanläggning av aktier",
    `I samband med sammanläggningen av aktier, varigenom 20 aktier sammanläggs till en (1) ny aktie, får Nordkvarn en ny ISIN-kod. Första dagen för handel med sammanlagda aktier är den 11 maj 2026. Från och med den dagen byter Nordkvarn:s aktie (NKVA) ISIN-kod.`,
    { ticker: "NKVA", company: "Nordkvarn", old: 20, exDate: "2026-05-11" },
  ],
  [
    "Norwegian",
    "Fjordmølle ASA: Aksjespleis gjennomføres",
    `Fjordmølle ASA viser til vedtaket i generalforsamlingen den 15. april 2026 om å gjennomføre en aksjespleis i forholdet 100:1, slik at 100 eksisterende aksjer gir en ny aksje. Siste dag inklusive: 8. mai 2026. Ex-dato: 11. mai 2026. Record date: 12. mai 2026. Brøkdeler rundes opp til nærmeste hele aksje.`,
    { company: "Fjordmølle ASA", old: 100, exDate: "2026-05-11", fraction: "round_up" },
  ],
  [
    "Danish",
    "Sundmølle gennemfører omvendt aktiesplit",
    `Sundmølle A/S meddeler, at den omvendte aktiesplit, som blev besluttet på generalforsamlingen den 15. april 2026, gennemføres i forholdet 10:1, således at ti aktier sammenlægges til én ny aktie. Den omvendte aktiesplit træder i kraft den 11. maj 2026.`,
    { company: "Sundmølle A/S", old: 10, exDate: "2026-05-11" },
  ],
  [
    "Spanish",
    "Molinos del Puerto comunica la agrupación de sus acciones",
    `Molinos del Puerto, S.A. comunica que la junta general aprobó la agrupación y cancelación de las acciones en circulación para su canje por acciones de nueva emisión, en la proporción de una acción nueva por cada cien acciones antiguas. Las nuevas acciones comenzarán a cotizar el 11 de mayo de 2026. El último día de cotización de las acciones antiguas será el 8 de mayo de 2026. Los picos se liquidarán en efectivo.`,
    { company: "Molinos del Puerto, S.A.", old: 100, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Portuguese",
    "Moinhos do Porto: grupamento de ações",
    `FATO RELEVANTE. Moinhos do Porto S.A. comunica que foi aprovado o grupamento da totalidade das ações, na proporção de 25 (vinte e cinco) ações para 1 (uma) ação. A partir de 11 de maio de 2026, inclusive, as ações passarão a ser negociadas grupadas sob o código MOPO3. As frações de ações serão vendidas em leilão na B3.`,
    { ticker: "MOPO3", company: "Moinhos do Porto S.A.", old: 25, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Italian",
    "Mulini Alti: raggruppamento delle azioni",
    `Mulini Alti S.p.A. comunica che, in esecuzione della delibera assunta dall'assemblea straordinaria del 15 aprile 2026, il raggruppamento delle azioni ordinarie nel rapporto di 1 nuova azione ogni 50 azioni esistenti avrà efficacia dal 11 maggio 2026.`,
    { company: "Mulini Alti S.p.A.", old: 50, exDate: "2026-05-11" },
  ],
  [
    "Dutch",
    "Poldermolen kondigt omgekeerde aandelensplitsing aan",
    `Poldermolen N.V. maakt bekend dat de omgekeerde aandelensplitsing in de verhouding 1 voor 10 op 11 mei 2026 van kracht wordt. Tien bestaande aandelen worden samengevoegd tot één nieuw aandeel. Fracties worden in contanten uitgekeerd.`,
    { company: "Poldermolen N.V.", old: 10, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Finnish",
    "Järvimylly Oyj: osakkeiden yhdistäminen",
    `Järvimylly Oyj:n yhtiökokous on päättänyt osakkeiden yhdistämisestä siten, että jokaiset 20 yhtiön osaketta yhdistetään yhdeksi osakkeeksi. Kaupankäynti yhtiön yhdistetyillä osakkeilla alkaa 11.5.2026.`,
    { company: "Järvimylly Oyj", old: 20, exDate: "2026-05-11" },
  ],
  [
    "Japanese news",
    "ひかりフィナンシャルグループが株式併合を発表",
    `2026年5月1日、ひかりフィナンシャルグループ(9411)が株式併合をすると発表しました。効力発生日は2026年5月11日です。今回は、10株を1株に併合します。`,
    { company: "ひかりフィナンシャルグループ", old: 10, exDate: "2026-05-11" },
  ],
  [
    "Japanese",
    "株式併合に関するお知らせ",
    `2026年5月1日\n会社名 北山製粉株式会社\n当社は、普通株式10株を1株に併合することを決定し、実施いたします。効力発生日は2026年5月11日です。1株に満たない端数が生じた場合は、一括して処分し、その代金をお支払いいたします。`,
    { company: "北山製粉株式会社", old: 10, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Chinese, traditional",
    "股份合併",
    `北山麵粉(01234)公佈,股東特別大會已獲正式通過股份合併,每二十股現有股份合併為一股合併股份。股份合併將於2026年5月11日生效。`,
    { company: "北山麵粉", old: 20, exDate: "2026-05-11" },
  ],
  [
    "Portuguese, news with the symbol beside the name",
    "Moinhos do Porto (MOPO3) aprova grupamento de 1 para cada 25",
    `A Moinhos do Porto (MOPO3) aprovou em assembleia o grupamento de 1 ação para cada 25. Os acionistas terão até o dia 8 de maio para formarem posições. As ações passarão a ser negociadas já sob o efeito do grupamento no pregão do dia 11 de maio.`,
    { ticker: "MOPO3", company: "Moinhos do Porto", old: 25, exDate: "2026-05-11" },
  ],
  [
    "French, after its heading, with a year and the number of shares",
    "Vergerie engagera 2026 sur un regroupement d'actions",
    `Vergerie engagera 2026 sur un regroupement d'actions
Ce regroupement se fera à raison de 1 action nouvelle Vergerie contre 5.000 anciennes...
Vergerie a décidé de mettre en oeuvre un regroupement de ses actions. Ce regroupement débutera le 6 avril 2026, pour s'achever le 8 mai. Le premier jour de cotation des nouvelles actions Vergerie regroupées est prévu au 11 mai 2026. Les actions formant rompus seront vendues en Bourse.`,
    { company: "Vergerie", old: 5000, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Portuguese, with an earlier plan and a period before the first day",
    "Como será o grupamento de ações da Moinhos do Porto",
    `Como será o grupamento de ações da Moinhos do Porto
Os acionistas da Moinhos do Porto aprovaram em assembleia o grupamento de ações da companhia. Em vez do grupamento de 50 ações em uma, cada ação resultará do grupamento de 10 ações. De 4 de maio a 8 de maio, os acionistas poderão ajustar suas posições, mediante negociação na B3. A partir de 11 de maio de 2026, as ações serão negociadas grupadas na proporção 10:1.`,
    { company: "Moinhos do Porto", old: 10, exDate: "2026-05-11" },
  ],
  [
    "Greek, with the English term",
    "Η Aigaion Shipping Corporation ανακοίνωσε reverse stock split",
    `ΠΕΙΡΑΙΑΣ. Η ναυτιλιακή Aigaion Shipping Corporation ανακοίνωσε ότι το διοικητικό συμβούλιο αποφάσισε reverse stock split με αντιστοιχία 1 προς 12. Οι μέτοχοι ενέκριναν το reverse stock split σε συνέλευση στις 15 Απριλίου 2026. Η μετοχή θα αρχίσει τη διαπραγμάτευση με τη σχετική προσαρμογή από το άνοιγμα της 11ης Μαΐου 2026.`,
    { company: "Aigaion Shipping Corporation", old: 12, exDate: "2026-05-11" },
  ],
  [
    "Greek, with words for the numbers",
    "Aigaion Foods S.A.: συνένωση μετοχών",
    `Η Aigaion Foods S.A. γνωστοποιεί ότι η γενική συνέλευση των μετόχων αποφάσισε τη συνένωση των μετοχών σε αναλογία 10 παλαιές μετοχές προς 1 νέα μετοχή. Τελευταία ημέρα διαπραγμάτευσης των παλαιών μετοχών είναι η 8 Μαΐου 2026. Η έναρξη διαπραγμάτευσης των νέων μετοχών θα γίνει στις 11 Μαΐου 2026. Τα κλασματικά υπόλοιπα θα εκποιηθούν.`,
    { company: "Aigaion Foods S.A.", old: 10, exDate: "2026-05-11", fraction: "cash_in_lieu" },
  ],
  [
    "Polish",
    "Scalenie akcji Orlok S.A.",
    `Zarząd Orlok S.A. informuje, że w dniu 11 maja 2026 r. nastąpi scalenie akcji spółki w stosunku 10:1, w ten sposób, że 10 dotychczasowych akcji zostanie zastąpionych jedną nową akcją. Walne zgromadzenie podjęło uchwałę 15 kwietnia 2026 r. Niedobory scaleniowe zostaną uzupełnione bez zapłaty.`,
    { company: "Orlok S.A.", old: 10, exDate: "2026-05-11", fraction: "round_up" },
  ],
  [
    "Polish, with the first session",
    "Resplit akcji Młyny Wisła S.A. od 11 maja",
    `Akcjonariusze Młyny Wisła S.A. na walnym zgromadzeniu podjęli uchwałę o scaleniu akcji w stosunku 50 do 1. Spółka poinformowała, że ostatnim dniem notowania akcji przed scaleniem będzie 8 maja 2026 r., a pierwsza sesja po scaleniu odbędzie się 11 maja 2026 r.`,
    { company: "Młyny Wisła S.A.", old: 50, exDate: "2026-05-11" },
  ],
  [
    "French, in capitals, with a tag of another exchange",
    "VERGERIE: REGROUPEMENT DES ACTIONS VERGERIE",
    `par VERGERIE (EPA:ALVER)\nParis, le 4 mai 2026\nVergerie annonce sa décision de procéder à un regroupement d'actions par échange de 5.000 actions anciennes contre 1 action nouvelle. Les opérations de regroupement débuteront le 5 mai 2026, pour s'achever le 8 mai 2026. Le premier jour de cotation des actions regroupées sera le 11 mai 2026.`,
    { ticker: "ALVER", company: "Vergerie", old: 5000, exDate: "2026-05-11" },
  ],
  [
    "Chinese, news",
    "北山麵粉盤前跌逾15%,公司將於5月11日進行拆股",
    `北山麵粉(BSMF.US)跌17%。北山麵粉宣佈將於2026年5月11日對其普通股進行3比1的反向拆股,即3股合成1股。公司普通股將於5月11日開盤後進行調整後交易。`,
    { ticker: "BSMF", company: "北山麵粉", old: 3, exDate: "2026-05-11" },
  ],
  [
    "Chinese, simplified",
    "北山面粉宣布反向拆股",
    `北山面粉(BSMF.US)宣布,将进行1比20的反向拆股,预计于2026年5月11日生效。`,
    { ticker: "BSMF", company: "北山面粉", old: 20, exDate: "2026-05-11" },
  ],
];

const NO_ANNOUNCEMENTS: readonly (readonly [name: string, heading: string, content: string])[] = [
  [
    "French definition",
    "Le regroupement d'actions",
    "Le regroupement d'actions consiste à échanger plusieurs actions. Par exemple, dans un regroupement de 1 pour 10, 10 actions anciennes donnent une action nouvelle.",
  ],
  [
    "French forward split",
    "Vergerie annonce la division du nominal",
    "Vergerie SA annonce la division par 10 de la valeur nominale de ses actions le 11 mai 2026.",
  ],
  [
    "French vote to come",
    "Vergerie : assemblée générale",
    "Vergerie SA propose à ses actionnaires un regroupement d'actions à raison de 1 action nouvelle pour 10 actions anciennes. L'assemblée se tiendra le 11 mai 2026.",
  ],
  [
    "French postponement",
    "Vergerie : report du regroupement d'actions",
    "Vergerie SA annonce que le regroupement de 10 actions anciennes pour 1 action nouvelle, prévu le 11 mai 2026, est reporté.",
  ],
  [
    "German agenda",
    "Einladung zur Hauptversammlung",
    "Beschlussfassung über die Zusammenlegung der Aktien der Harzmühlen AG im Verhältnis 10:1 und die Herabsetzung des Grundkapitals.",
  ],
  [
    "German definition",
    "Was ist eine Aktienzusammenlegung?",
    "Eine Aktienzusammenlegung ist eine Maßnahme, bei der je zehn alte Aktien zu einer neuen Aktie zusammengefasst werden.",
  ],
  [
    "Swedish forward split",
    "Nordkvarn genomför aktiesplit 2:1",
    "Nordkvarn AB meddelar att första dag för handel efter aktiesplit 2:1 är den 11 maj 2026.",
  ],
  [
    "Swedish proposal",
    "Kallelse till årsstämma",
    "Styrelsen i Nordkvarn AB föreslår en sammanläggning av aktier där 20 gamla aktier blir en ny aktie.",
  ],
  [
    "Spanish definition",
    "¿Qué es un contrasplit?",
    "La agrupación de acciones es una operación. Por ejemplo, una acción nueva por cada diez antiguas.",
  ],
  [
    "Italian proposal",
    "Mulini Alti convoca l'assemblea",
    "Mulini Alti S.p.A. proporrà all'assemblea il raggruppamento di 1 nuova azione ogni 100 azioni esistenti.",
  ],
  [
    "Portuguese proposal",
    "Proposta da administração",
    "A administração propõe o grupamento de ações na proporção de 10 ações para 1 ação. Caso aprovada, haverá um prazo.",
  ],
  [
    "Polish proposal",
    "Projekty uchwał Orlok S.A.",
    "Zarząd proponuje scalenie akcji w stosunku 10:1 i zwołuje walne zgromadzenie na dzień 11 maja 2026 r.",
  ],
  [
    "Polish forward split",
    "Orlok S.A.: podział akcji",
    "Spółka informuje, że podział akcji w stosunku 1:10 nastąpi w dniu 11 maja 2026 r. i nie będzie scalenia akcji.",
  ],
  [
    "Greek proposal",
    "Aigaion Foods: πρόταση συνένωσης μετοχών",
    "Το διοικητικό συμβούλιο της Aigaion Foods S.A. προτείνει τη συνένωση των μετοχών σε αναλογία 10 προς 1 από τις 11 Μαΐου 2026.",
  ],
  [
    "Greek forward split",
    "Aigaion Foods S.A.: διάσπαση μετοχών",
    "Η Aigaion Foods S.A. ανακοίνωσε τη διάσπαση των μετοχών της σε αναλογία 1 προς 10 από τις 11 Μαΐου 2026.",
  ],
  [
    "Finnish proposal",
    "Yhtiökokouskutsu",
    "Hallitus ehdottaa, että yhtiön osakkeiden yhdistäminen toteutetaan siten, että 20 osaketta yhdistetään yhdeksi osakkeeksi 11.5.2026.",
  ],
  [
    "Japanese forward split",
    "株式分割に関するお知らせ",
    "当社は、普通株式1株を10株に分割いたします。効力発生日は2026年5月11日です。",
  ],
  [
    "Japanese agenda",
    "第2号議案 株式併合の件",
    "普通株式10株を1株に併合することの承認をお願いするものであります。効力発生日 2026年5月11日",
  ],
  ["Chinese proposal", "建议股份合并", "董事会建议每10股现有股份合并为1股合并股份,须待股东特别大会批准。"],
  ["Chinese forward split", "北山面粉宣布拆股", "北山面粉(BSMF.US)宣布,将进行10比1的拆股,预计于2026年5月11日生效。"],
];

const published = parseDay("2026-05-04") ?? null;

describe("a text in another language", () => {
  it.each(ANNOUNCEMENTS)("states the terms of a split: %s", (_, heading, content, expected) => {
    const facts = extractFacts({ heading, content, published });
    expect({ kind: facts.kind, fraction: facts.fraction?.treatment ?? null, splits: facts.splits }).toMatchObject({
      kind: "reverse_split",
      fraction: expected.fraction ?? null,
      splits: [
        {
          ticker: expected.ticker ?? null,
          exchange: expected.exchange ?? null,
          company: expected.company,
          ratio: { newShares: 1, oldShares: expected.old },
          exDate: expected.exDate,
        },
      ],
    });
  });

  it.each(ANNOUNCEMENTS)("is quoted verbatim: %s", (_, heading, content) => {
    const { evidence } = extractFacts({ heading, content, published });
    for (const sentence of Object.values(evidence)) expect(`${heading}\n${content}`).toContain(sentence);
  });

  it.each(ANNOUNCEMENTS)("is history a month later: %s", (_, heading, content) => {
    const facts = extractFacts({ heading, content, published: parseDay("2026-07-20") ?? null });
    expect(facts.kind).toBe("completed_past");
    expect(facts.splits).toEqual([]);
  });

  it.each(NO_ANNOUNCEMENTS)("announces nothing: %s", (_, heading, content) => {
    const facts = extractFacts({ heading, content, published });
    expect(["other", "forward_split", "approval_only"]).toContain(facts.kind);
    expect(facts.splits).toEqual([]);
  });

  it("is read as English if most of its words are", () => {
    const english =
      "Mines Boréale inc. will effect a consolidation of its shares on the basis of one for ten of the old shares.";
    expect(findLanguage(english)).toBeUndefined();
    expect(findLanguage(`${english} ${english} Regroupement de ses actions à raison de une pour dix.`)).toBeUndefined();
  });

  it("is read as English if it has the announcement in English, too", () => {
    const english =
      "Seldon Therapeutics (Nasdaq: SLDN) has announced a 1-for-16 reverse stock split of its outstanding common shares, effective May 11, 2026, which aims to regain compliance with the minimum bid price of the exchange. Any fractions will be rounded up to the nearest whole share.";
    const italian =
      "Seldon Therapeutics (Nasdaq: SLDN) ha annunciato un raggruppamento delle azioni di 1 per 16 delle sue azioni ordinarie in circolazione, che entrerà in vigore il 12 maggio 2026. Qualsiasi frazione risultante sarà arrotondata all'azione intera più vicina, secondo quanto ha comunicato la società.";
    const spanish = italian.replace("ha annunciato un raggruppamento delle azioni", "ha anunciado un contrasplit");
    for (const content of [`${english}\n${italian}\n${spanish}`, `${italian}\n\n${english}`]) {
      const { splits, fraction } = extractFacts({
        heading: "Seldon Announces 1-for-16 Reverse Split",
        content,
        published,
      });
      expect(splits).toMatchObject([{ ticker: "SLDN", ratio: { oldShares: 16 }, exDate: "2026-05-11" }]);
      expect(fraction?.treatment).toBe("round_up");
    }
  });

  it.each([
    ["of both classes, which are combined", "MOPO3 e MOPO4", "ordinárias e preferenciais", ["MOPO3", "MOPO4"]],
    ["of two classes, of which one is combined", "MOPO3 e MOPO4", "ordinárias", [null]],
    ["of two companies", "MOPO3 e FERR3", "ordinárias e preferenciais", [null]],
    ["of the only class", "MOPO3", "ordinárias", ["MOPO3"]],
  ])("has the symbols %s", (_, symbols, classes, tickers) => {
    const content = `Foi aprovado o grupamento das ações ${classes} da companhia (${symbols}), na proporção de 10 ações para 1 ação. A partir de 11 de maio de 2026 as ações serão negociadas grupadas.`;
    const { splits } = extractFacts({ heading: "Grupamento de ações é aprovado", content, published });
    expect(splits.map(({ ticker }) => ticker)).toEqual(tickers);
  });

  it.each([
    [
      "of a partner",
      "Die Orlock AG, Partner der Harlan Freight Corp. (NYSE: HFRT), gibt die Zusammenlegung ihrer Aktien im Verhältnis 20:1 bekannt. Die Notierung der neuen Aktien erfolgt ab dem 11. Mai 2026.",
    ],
    [
      "of a company with a split last year",
      "Molinos S.A. anuncia, como Harlan Freight (NYSE: HFRT) el año pasado, una agrupación de acciones de una acción nueva por cada cien antiguas. Las nuevas acciones comenzarán a cotizar el 11 de mayo de 2026.",
    ],
  ])("doesn't give a share the tag %s", (_, content) => {
    const { splits } = extractFacts({ heading: "Reverse Split", content, published });
    expect(splits).toMatchObject([{ ticker: null, exchange: null, exDate: "2026-05-11" }]);
  });

  it("doesn't take a day after a sentence's first words for its dateline", () => {
    const content = "Ce regroupement débutera le 6 avril 2026, pour s'achever le 8 mai, a annoncé Vergerie SA.";
    expect(extractFacts({ heading: "Vergerie : regroupement d'actions", content }).announced).toBeNull();
  });

  it("doesn't give a share the symbol of another company", () => {
    const [, , , nordic] = ANNOUNCEMENTS;
    const [, heading = "", content = ""] = nordic ?? [];
    const listed = { ticker: "NKVA", exchange: "NASDAQ", company: "Another Mill Corp." };
    const directory = { find: () => [listed] };
    const { splits } = extractFacts({ heading, content, published }, directory as never);
    expect(splits).toMatchObject([{ ticker: null, company: "Nordkvarn AB" }]);
  });

  it.each([
    "regroupement des actions 1 pour ",
    "sammanläggning av aktier 10 ",
    "株式併合10株を1株に",
    "συνένωση μετοχών 1 προς ",
    "le 11 mai 2026 ",
    "em vez de ",
    "companhia (ABCD3 e ",
  ])("takes time linear in its length: %s", async (text) => {
    const read = (count: number): void => {
      extractFacts({ heading: "", content: `${text.repeat(count)} le la les de du och att av` });
    };
    read(500);
    expect(await growthFactor(read, 5_000)).toBeLessThan(8);
  });
});
