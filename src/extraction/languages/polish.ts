import { dateWith, type Language, ratiosWith, symbolAfter, unicodeWords } from "./language.ts";

const MONTHS = ["sty", "lut", "mar", "kwi", "maj", "cze", "lip", "sie", "wrz", "pa[źz]", "lis", "gru"];

export const POLISH: Language = {
  words:
    /(?<!\p{L})(?:w|z|na|do|się|oraz|że|jest|przez|spółki|spółka|akcji|dnia|roku|nie|po|od|będzie|zostanie)(?!\p{L})/giu,
  split: unicodeWords(
    /\bscaleni[ea]\p{L}*[^.;]{0,60}\bakcji|\bakcji\b[^.;]{0,60}\bscal\p{L}+|\bscalen\p{L}+|\bresplit\p{L}*|\b(?:połączeni[ea]|łączeni[ea]) akcji|\bodwrotn\p{L}+ (?:podział|split)\p{L}*/iu,
  ),
  forwardSplit: unicodeWords(
    /(?<!odwrotny )(?<!odwrotnego )\bpodzia[łl]\p{L}* akcji|(?<!odwrotny )\bsplit\p{L}* akcji/iu,
  ),
  announces: unicodeWords(
    /\binformuj|\bpoinformowa|\bogłos|\bogłasza|\bzawiadam|\bkomunik|\bprzeprowadz|\bpodją[łl]|\bustali[łl]/iu,
  ),
  pending: unicodeWords(
    /\bproponuj|\bpropozycj|\bprojekt(?:y|u)? uchwał|\bzwołuj|\bzwołani|\bzamierza|\bplanuje|\bpod warunkiem|\bporządek obrad|\brozważa|\bmoże (?:dojść|zostać)/iu,
  ),
  decided: unicodeWords(
    /\b(?:zgromadzeni\p{L}*|akcjonariusz\p{L}*|uchwał\p{L}*)\b[^.;]{0,160}\b(?:podję\p{L}+|uchwali\p{L}+|zdecydowa\p{L}+|zatwierdzi\p{L}+)|\bzarejestrowan\p{L}+|\bsąd\b[^.;]{0,60}\bzarejestrował/iu,
  ),
  withdrawn: unicodeWords(
    /\bnie (?:będzie|dojdzie do|planuje|przeprowadzi) scaleni|\b(?:scaleni\p{L}*|resplit\p{L}*)\b[^.;]{0,60}\b(?:odroczon|odwołan|przesunięt|wstrzyman|nie dojdzie)|\b(?:odstąpieni|odwołani|wstrzymani)\p{L}* (?:od )?scaleni/iu,
  ),
  general: unicodeWords(
    /\bna przykład\b|\bnp\.|\bco to jest\b|\bczym jest\b|\b(?:scalenie|resplit)(?: akcji)? (?:to|polega|oznacza|jest)\b|\bpolega na\b/iu,
  ),
  numbers: {
    dwie: 2,
    trzy: 3,
    cztery: 4,
    pięć: 5,
    sześć: 6,
    siedem: 7,
    osiem: 8,
    dziewięć: 9,
    dziesięć: 10,
    dwanaście: 12,
    piętnaście: 15,
    dwadzieścia: 20,
    trzydzieści: 30,
    czterdzieści: 40,
    pięćdziesiąt: 50,
    sto: 100,
    tysiąc: 1000,
  },
  ratios: ratiosWith({
    one: "jedn(?:a|ą|ej)",
    share: "akcj(?:a|e|i|ę|ami)",
    per: "za|na|w zamian za|za każde|odpowiada",
    pair: "do|na|za",
  }),
  date: dateWith(MONTHS),
  months: MONTHS,
  trading: unicodeWords(/\bobr[óo]t|\bnotowa|\bsesj|\bhandl/iu),
  effective: unicodeWords(
    /\bnastąpi|\bscaleni\p{L}* nast|\bdzień scalenia|\bdniu scalenia|\bprzeprowadz|\bw życie|\boperacj/iu,
  ),
  today: unicodeWords(/\bdzisiaj\b|\bdziś\b/iu),
  afterClose: unicodeWords(/\bpo zamknięciu/iu),
  otherDay: unicodeWords(
    /\bostatni|\bdo dnia\b|\bzgromadzeni|\bdzień referencyjny|\bdniem referencyjnym|\buchwał|\bzawiesz|\brejestr|\bnajpóźniej|\bwniosek/iu,
  ),
  decides: unicodeWords(/\b(?:podję|uchwali|zdecydowa|zarejestrowa)/iu),
  fraction: unicodeWords(/\bniedobor\p{L}*|\bułamk\p{L}*|\bnadwyżk\p{L}*|\bresztówk\p{L}*/iu),
  cash: unicodeWords(/\bgotówk|\bpieniężn|\bsprzedan|\bsprzeda/iu),
  roundUp: unicodeWords(/\buzupełnion\p{L}*|\bzaokrągl\p{L}*[^.;]{0,60}\bw górę/iu),
  roundDown: unicodeWords(/\bzaokrągl\p{L}*[^.;]{0,60}\bw dół/iu),
  symbol: symbolAfter("ticker|symbol|skrót|oznaczenie"),
};
