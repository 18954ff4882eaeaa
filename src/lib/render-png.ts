import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { initWasm, Resvg } from "@resvg/resvg-wasm";

const require = createRequire(import.meta.url);

/** Bundled fonts, so that pictures look the same on every machine. */
const FONTS = [
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
] as const;

/** Maximum number of pictures in the cache. */
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

/** Renderer shared by the process. Loads WebAssembly and fonts on first use. */
export const renderPng = createPngRenderer();

let rendererLoad: Promise<readonly Uint8Array[]> | null = null;

/** Reads all files first: WebAssembly can be initialized only once. */
async function loadRenderer(): Promise<readonly Uint8Array[]> {
  const fontBuffers = await Promise.all(FONTS.map((path) => readFile(path)));
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return fontBuffers;
}

/** Loads the renderer once; a failed load is retried at the next picture. */
function loadedRenderer(): Promise<readonly Uint8Array[]> {
  rendererLoad ??= loadRenderer().catch((error: unknown) => {
    rendererLoad = null;
    throw error;
  });
  return rendererLoad;
}

async function draw(svg: string): Promise<Uint8Array> {
  const fontBuffers = [...(await loadedRenderer())];
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
