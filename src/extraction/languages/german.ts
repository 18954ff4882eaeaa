import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["jan", "feb", "m[äa]r", "apr", "mai", "jun", "jul", "aug", "sep", "okt", "nov", "dez"];

export const GERMAN: Language = {
  words: /(?<!\p{L})(?:der|die|das|und|von|im|am|zu|mit|auf|ist|wird|werden|den|dem|des|für|eine?r?)(?!\p{L})/giu,
  split: unicodeWords(
    /aktienzusammenlegung|\bzusammen(?:ge|zu)?leg\w*|\breverse[ -]?(?:stock[ -]?|aktien[ -]?)?split|\b(?:legt|legen)\b[^.;]{0,80}\baktien\b[^.;]{0,80}\bzusammen\b|\bumgekehrte[rn]? aktiensplit/iu,
  ),
  forwardSplit: unicodeWords(/\baktiensplit\b(?<!umgekehrte[rn]? aktiensplit)|\baktienteilung/iu),
  announces: unicodeWords(
    /\bgibt\b|\bgaben?\b|\bbekannt|\bmitteilung|\bteilt\b[^.;]{0,60}\bmit\b|\bk[üu]ndigt|\bdurchgef[üu]hrt|\bbeschlossen|\bvollzogen|\babgeschlossen/iu,
  ),
  pending: unicodeWords(
    /\b(?:vorschl|beschlussfassung|tagesordnung|einladung|einberufung|schl[äa]gt|soll(?:en)?\b|k[öo]nnte|plant|beabsichtigt|erw[äa]gt|vorbehaltlich)|^TOP \d/iu,
  ),
  decided: unicodeWords(
    /\bhauptversammlung\b[^.;]{0,160}\b(?:beschlossen|zugestimmt|genehmigt|beschloss)|\baktion[äa]re haben\b[^.;]{0,80}\b(?:zugestimmt|genehmigt|beschlossen)|\bhandelsregister\b[^.;]{0,60}\beingetragen/iu,
  ),
  withdrawn: unicodeWords(
    /\bzusammenlegung\b[^.;]{0,60}\b(?:verschoben|abgesagt|nicht durchgef)|\b(?:verschiebung|absage) der (?:aktien)?zusammenlegung/iu,
  ),
  general: unicodeWords(
    /\bzum beispiel\b|\bz\. ?b\.|\bbeispielsweise\b|\b(?:die|eine|unter|einer|jede) (?:aktien)?(?:zusammenlegung|reverse[ -]split)\b[^.;]{0,80}\b(?:ist|versteht|verstehen|bedeutet|muss|bezeichnet)|\bgegenteil\b|\beiner aktiengesellschaft\b|\bgut oder schlecht\b|\bwas (?:ist|bedeutet)\b/iu,
  ),
  numbers: {
    zwei: 2,
    drei: 3,
    vier: 4,
    fünf: 5,
    sechs: 6,
    sieben: 7,
    acht: 8,
    neun: 9,
    zehn: 10,
    zwölf: 12,
    fünfzehn: 15,
    zwanzig: 20,
    fünfundzwanzig: 25,
    dreißig: 30,
    vierzig: 40,
    fünfzig: 50,
    hundert: 100,
    einhundert: 100,
    tausend: 1000,
  },
  ratios: ratiosWith({
    one: "eine?[rn]?|eins",
    share: "(?:stück|stamm|inhaber|namens|alt)?aktien?",
    per: "für|je|pro",
    pair: "zu|auf|für",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bhandel|\bgehandelt|\bnotier|\blieferbar|\bb[öo]rsenhandel|\bpreisfeststellung/iu),
  effective: unicodeWords(
    /\bwirksam|\bin kraft|\bstichtag der zusammenlegung|\bzusammengelegt|\bzusammenlegung\b[^.;]{0,60}\b(?:erfolgt|am|zum|per)\b|\bumstellung/iu,
  ),
  today: unicodeWords(/\b(?:heute|heutigen tag)\b/iu),
  afterClose: unicodeWords(/\bnach (?:b[öo]rsenschluss|handelsschluss)|\b(?:abends?|ablauf des)\b/iu),
  otherDay: unicodeWords(
    /\bletzte[rnm]?\b|\bbis\b|\bsp[äa]testens|\bhauptversammlung\b|\beingetragen|\bhandelsregister|\beintragung|\babend des|\bbekanntmachung|\brecord date|\bvom\b/iu,
  ),
  decides: unicodeWords(/\bbeschloss|\bhat\b[^.;]{0,40}\bbeschlossen|\bgenehmigt/iu),
  fraction: unicodeWords(/\b(?:spitzen|aktienspitzen|bruchteil|teilrechte|bruchst[üu]ck|spitzenregulierung)/iu),
  cash: unicodeWords(/\b(?:verwertet|ver[äa]u[ßs]er|verkauft|barausgleich|barabfindung|in bar|erl[öo]s)/iu),
  roundUp: unicodeWords(/\baufgerundet|\baufrund/iu),
  roundDown: unicodeWords(/\babgerundet|\babrund/iu),
  capitalizesNouns: true,
  symbol: symbolAfter("kürzel|ticker|tickersymbol|ticker-symbol|börsenkürzel|handelssymbol|symbol"),
};
