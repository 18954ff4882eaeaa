import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const require = createRequire(import.meta.url);

/** DejaVu is drawn on every machine alike: none of the machine's own fonts is asked. */
const FONTS = [
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
] as const;

/** The last pictures that were drawn: what is asked for again and again is the same. */
const MAX_CACHED = 4;

/** Draws SVGs as PNGs, each once as long as it is remembered. Rejects for what is no SVG. */
export type RenderPng = (svg: string) => Promise<Uint8Array>;

export function createPngRenderer(): RenderPng {
  const kept = new Map<string, Promise<Uint8Array>>();
  return (svg) => {
    const known = kept.get(svg);
    if (known) return known;
    const drawing = draw(svg);
    kept.set(svg, drawing);
    drawing.catch(() => kept.delete(svg));
    const [oldest] = kept.keys();
    if (kept.size > MAX_CACHED && oldest !== undefined) kept.delete(oldest);
    return drawing;
  };
}

/** For the whole process: the drawing program is started at the first picture, once. */
export const renderPng = createPngRenderer();

let rendererLoad: Promise<readonly Uint8Array[]> | null = null;

async function loadRenderer(): Promise<readonly Uint8Array[]> {
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return Promise.all(FONTS.map((path) => readFile(path)));
}

async function draw(svg: string): Promise<Uint8Array> {
  rendererLoad ??= loadRenderer();
  const fontBuffers = [...(await rendererLoad)];
  const image = new Resvg(svg, { font: { fontBuffers, loadSystemFonts: false, defaultFontFamily: "DejaVu Sans" } });
  try {
    const pixels = image.render();
    // A copy: the program's own memory is given back.
    const png = Uint8Array.from(pixels.asPng());
    pixels.free();
    return png;
  } finally {
    image.free();
  }
}
