import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const require = createRequire(import.meta.url);

/** Bundled fonts, so that pictures look the same on every machine. */
const FONTS = [
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
] as const;

/** Most recent pictures kept in memory. */
const MAX_CACHED = 4;

/** Renders an SVG as a PNG, with a small cache. Rejects invalid SVGs. */
export type RenderPng = (svg: string) => Promise<Uint8Array>;

export function createPngRenderer(): RenderPng {
  const cache = new Map<string, Promise<Uint8Array>>();
  return (svg) => {
    const cached = cache.get(svg);
    if (cached) return cached;
    const drawing = draw(svg);
    cache.set(svg, drawing);
    drawing.catch(() => cache.delete(svg));
    const [oldest] = cache.keys();
    if (cache.size > MAX_CACHED && oldest !== undefined) cache.delete(oldest);
    return drawing;
  };
}

/** Renderer shared by the process; it is loaded at the first picture. */
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
    // Copied, because the WebAssembly memory is freed.
    const png = Uint8Array.from(pixels.asPng());
    pixels.free();
    return png;
  } finally {
    image.free();
  }
}
