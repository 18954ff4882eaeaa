// Runs inside the page: what a reader with a screen reader, or with weak eyes, would stumble over. Its value is the list of complaints.

const LEAST_CONTRAST = 4.5;
const LEAST_HEIGHT = 24;
const REFERENCES = ["aria-controls", "aria-describedby", "aria-labelledby", "aria-activedescendant", "for"];

const all = (selector) => [...document.querySelectorAll(selector)];
const named = (element) =>
  `<${element.tagName.toLowerCase()} id="${element.id}" class="${element.className}"> ${element.textContent.trim().slice(0, 40)}`;

function visible(element) {
  const { visibility, display } = getComputedStyle(element);
  const box = element.getBoundingClientRect();
  return visibility !== "hidden" && display !== "none" && box.width > 1 && box.height > 1;
}

function colourOf(text) {
  const [r, g, b, a = 1] = text.match(/[\d.]+/g).map(Number);
  return { r, g, b, a };
}

function over(top, bottom) {
  const mix = (x, y) => x * top.a + y * (1 - top.a);
  return { r: mix(top.r, bottom.r), g: mix(top.g, bottom.g), b: mix(top.b, bottom.b), a: 1 };
}

function backgroundOf(element) {
  const own = colourOf(getComputedStyle(element).backgroundColor);
  if (own.a === 1) return own;
  return over(own, element.parentElement ? backgroundOf(element.parentElement) : { r: 255, g: 255, b: 255, a: 1 });
}

function luminance({ r, g, b }) {
  const [x, y, z] = [r, g, b].map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * x + 0.7152 * y + 0.0722 * z;
}

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrastOn(element, colour) {
  const background = backgroundOf(element);
  const [dark, light] = [luminance(over(colourOf(colour), background)), luminance(background)].toSorted(
    (a, b) => a - b,
  );
  return (light + 0.05) / (dark + 0.05);
}

function elementsWithText() {
  const found = new Set();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) if (walker.currentNode.nodeValue.trim()) found.add(walker.currentNode.parentElement);
  return [...found].filter((element) => visible(element) && !element.closest(".hidden, noscript"));
}

function faintTexts() {
  const texts = elementsWithText().map((element) => [element, getComputedStyle(element).color]);
  const placeholders = all("input").filter(visible);
  return [...texts, ...placeholders.map((input) => [input, getComputedStyle(input, "::placeholder").color])]
    .map(([element, colour]) => [element, contrastOn(element, colour)])
    .filter(([, contrast]) => contrast < LEAST_CONTRAST)
    .map(([element, contrast]) => `contrast ${contrast.toFixed(2)}: ${named(element)}`);
}

function nameOf(element) {
  const pointed = (element.getAttribute("aria-labelledby") ?? "").split(" ").map((id) => document.getElementById(id));
  const labels = [...(element.labels ?? []), ...pointed].map((label) => label?.textContent ?? "");
  return [element.getAttribute("aria-label"), ...labels, element.textContent].join("").trim();
}

function namelessElements() {
  const controls = all("button, a[href], input, select, [role=listbox], dialog, section, aside, nav");
  const images = all("img:not([alt])");
  return [...controls.filter((element) => !nameOf(element)), ...images].map((element) => `no name: ${named(element)}`);
}

function brokenReferences() {
  const leads = REFERENCES.flatMap((attribute) =>
    all(`[${attribute}]`).flatMap((element) =>
      element
        .getAttribute(attribute)
        .split(" ")
        .map((id) => [element, id]),
    ),
  );
  const ids = all("[id]").map((element) => element.id);
  return [
    ...leads.filter(([, id]) => !ids.includes(id)).map(([element, id]) => `leads to no ${id}: ${named(element)}`),
    ...ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `id twice: ${id}`),
  ];
}

function badOutline() {
  return [
    document.documentElement.lang ? "" : "the page does not say its language",
    all("main").length === 1 ? "" : "the page has not exactly one main part",
    all("h1").length === 1 ? "" : "the page has not exactly one first heading",
    all("[tabindex]").some((element) => element.tabIndex > 0) ? "a tabindex changes the order" : "",
    document.documentElement.scrollWidth > innerWidth ? "the page is wider than the screen" : "",
  ].filter((complaint) => complaint !== "");
}

function smallTargets() {
  return all("button, select, input")
    .filter((control) => visible(control) && !control.matches(".ticker, .text-button, th button"))
    .filter((control) => control.getBoundingClientRect().height < LEAST_HEIGHT)
    .map((control) => `too small to hit: ${named(control)}`);
}

[faintTexts, namelessElements, brokenReferences, badOutline, smallTargets].flatMap((check) => check());
