// Runs inside the page: what a reader with a screen reader, or with weak eyes, would stumble over. Gives a list of complaints.
() => {
  const complaints = [];

  function visible(element) {
    const { visibility, display } = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    return visibility !== "hidden" && display !== "none" && box.width > 1 && box.height > 1;
  }

  function describe(element) {
    return `<${element.tagName.toLowerCase()}${element.id ? ` id=${element.id}` : ""}${element.className ? ` class=${element.className}` : ""}> "${element.textContent.trim().slice(0, 40)}"`;
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
    const layers = [];
    for (let at = element; at; at = at.parentElement) layers.push(colourOf(getComputedStyle(at).backgroundColor));
    return layers.reverse().reduce((below, layer) => over(layer, below), { r: 255, g: 255, b: 255, a: 1 });
  }

  function luminance({ r, g, b }) {
    const [x, y, z] = [r, g, b].map((part) => {
      const share = part / 255;
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * x + 0.7152 * y + 0.0722 * z;
  }

  function contrast(one, other) {
    const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a);
    return (light + 0.05) / (dark + 0.05);
  }

  function checkContrast() {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const element = walker.currentNode.parentElement;
      if (!walker.currentNode.nodeValue.trim() || !visible(element) || element.closest(".hidden, noscript")) continue;
      const background = backgroundOf(element);
      const ratio = contrast(over(colourOf(getComputedStyle(element).color), background), background);
      if (ratio < 4.5) complaints.push(`contrast ${ratio.toFixed(2)}: ${describe(element)}`);
    }
    for (const input of document.querySelectorAll("input")) {
      const colour = colourOf(getComputedStyle(input, "::placeholder").color);
      const ratio = contrast(colour, backgroundOf(input));
      if (visible(input) && ratio < 4.5)
        complaints.push(`contrast of the placeholder ${ratio.toFixed(2)}: ${describe(input)}`);
    }
  }

  function nameOf(element) {
    const labels = element.labels ? [...element.labels].map((label) => label.textContent) : [];
    const pointed = (element.getAttribute("aria-labelledby") ?? "")
      .split(/\s+/)
      .map((id) => document.getElementById(id)?.textContent ?? "");
    return [element.getAttribute("aria-label"), ...pointed, ...labels, element.textContent].join("").trim();
  }

  function checkNames() {
    for (const control of document.querySelectorAll("button, a[href], input, select, [role=listbox], dialog, table")) {
      if (control.tagName !== "TABLE" && !nameOf(control)) complaints.push(`no name: ${describe(control)}`);
    }
    for (const region of document.querySelectorAll("section, aside, nav")) {
      if (!nameOf(region)) complaints.push(`a region without a name: ${describe(region)}`);
    }
    for (const image of document.querySelectorAll("img")) {
      if (!image.hasAttribute("alt")) complaints.push(`no alternative text: ${describe(image)}`);
    }
  }

  function checkReferences() {
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    for (const id of new Set(ids))
      if (ids.filter((other) => other === id).length > 1) complaints.push(`id twice: ${id}`);
    for (const attribute of ["aria-controls", "aria-describedby", "aria-labelledby", "aria-activedescendant", "for"]) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        for (const id of element.getAttribute(attribute).split(/\s+/)) {
          if (!document.getElementById(id)) complaints.push(`${attribute} leads nowhere: ${describe(element)}`);
        }
      }
    }
  }

  function checkOutline() {
    if (!document.documentElement.lang) complaints.push("the page does not say its language");
    if (document.querySelectorAll("main").length !== 1) complaints.push("the page has not exactly one main part");
    if (document.querySelectorAll("h1").length !== 1) complaints.push("the page has not exactly one first heading");
    for (const element of document.querySelectorAll("[tabindex]")) {
      if (element.tabIndex > 0) complaints.push(`a tabindex that changes the order: ${describe(element)}`);
    }
    for (const control of document.querySelectorAll("button, select, input")) {
      const { height } = control.getBoundingClientRect();
      const inline = control.matches(".ticker, .text-button, th button");
      if (visible(control) && !inline && height < 24) complaints.push(`${height}px high: ${describe(control)}`);
    }
    if (document.documentElement.scrollWidth > innerWidth) complaints.push("the page is wider than the screen");
  }

  checkContrast();
  checkNames();
  checkReferences();
  checkOutline();
  return complaints;
};
