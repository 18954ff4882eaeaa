import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["jan", "fev", "mar", "abr", "mai", "jun", "jul", "ago", "set", "out", "nov", "dez"];

export const PORTUGUESE: Language = {
  words: /(?<!\p{L})(?:o|a|os|as|do|da|dos|das|de|e|uma?|por|para|com|em|que|no|na|será|serão|ações)(?!\p{L})/giu,
  split: unicodeWords(
    /\bgrupamento|\bgrupad[oa]s?\b|\bagrupamento\b[^.;]{0,60}\bações|\bagrupamento de ações|\binplit\b|\bdesdobramento inverso|\breverse split/iu,
  ),
  forwardSplit: unicodeWords(/\bdesdobramento\b(?! inverso)|\bbonificação/iu),
  announces: unicodeWords(/\bcomunica|\binforma|\bfato relevante|\baviso aos acionistas|\banunci|\baprov|\brealiz/iu),
  pending: unicodeWords(
    /\bprop(?:õe|or|ôs|osta)\b|\bcaso aprovad|\bsubmet|\bconvoca|\bpoderá\b|\bpretende|\bsujeit[oa] à\b/iu,
  ),
  decided: unicodeWords(
    /\b(?:foi|foram|tendo sido) aprovad|\baprovou\b|\baprovad[oa]s?\b[^.;]{0,80}\bassembl[eé]ia|\bassembl[eé]ia\b[^.;]{0,160}\baprov(?:ou|ad)|\bcom a aprovação\b/iu,
  ),
  withdrawn: unicodeWords(
    /\bgrupamento\b[^.;]{0,60}\b(?:adiad|cancelad|suspens)|\b(?:adiamento|cancelamento|suspensão) do grupamento/iu,
  ),
  general: unicodeWords(
    /\bpor exemplo\b|^exemplo\b|\bo que é\b|\b(?:o|um) a?grupamento\b(?: de ações)?[^.;]{0,80}\b(?:é um|é o|é uma|ocorre|consiste|significa)|\buma empresa que\b|\bno grupamento de ações, a empresa/iu,
  ),
  numbers: {
    dois: 2,
    duas: 2,
    três: 3,
    quatro: 4,
    cinco: 5,
    seis: 6,
    sete: 7,
    oito: 8,
    nove: 9,
    dez: 10,
    doze: 12,
    quinze: 15,
    vinte: 20,
    trinta: 30,
    quarenta: 40,
    cinquenta: 50,
    cem: 100,
    mil: 1000,
  },
  ratios: ratiosWith({
    one: "uma?|única",
    share: "aç(?:ão|ões)",
    per: "por|para|a cada|cada|para cada",
    pair: "para|por",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bnegociad|\bnegociaç|\bnegociar\b|\bpregão|\bcotad|\bcotaç/iu),
  effective: unicodeWords(/\befeito|\befetiv|\bgrupadas?\b|\bentrar?á? em vigor|\bdata-base|\beficácia/iu),
  today: unicodeWords(/\bhoje\b|\bnesta data\b/iu),
  afterClose: unicodeWords(/\bapós o (?:fechamento|encerramento)|\bao final do pregão/iu),
  otherDay: unicodeWords(
    /\búltim|\baté\b|\bassembl[eé]ia|\bentre (?:os|o)\b|(?<!transcorrido o |encerrado o |após o )\bprazo\b|\bperíodo|\breunião|\bleilão|\bposição acionária|\bconvoca/iu,
  ),
  decides: unicodeWords(/\b(?:aprov|deliber|está aberto|foi )/iu),
  fraction: unicodeWords(/\bfraç(?:ão|ões)/iu),
  cash: unicodeWords(/\bleilão|\bvendid|\balienad|\bem dinheiro|\brateado|\bcreditad|\bprodut?o da venda/iu),
  roundUp: unicodeWords(/\barredond\w*[^.;]{0,40}\b(?:cima|superior|maior)/iu),
  roundDown: unicodeWords(/\barredond\w*[^.;]{0,40}\b(?:baixo|inferior|menor)/iu),
  symbol: symbolAfter("ticker|código de negociação|sob o código|código|códigos|símbolo"),
};
