import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type * as resvg from "@resvg/resvg-wasm";
import { BoundedMap } from "./collections.ts";

const require = createRequire(import.meta.url);

/** Bundled fonts, so that pictures look the same on every machine. */
const FONT_PATHS: readonly string[] = [
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf"),
  require.resolve("dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf"),
];

const MAX_CACHED_PICTURES = 4;

/** Renders an SVG as a PNG, with a small cache. Rejects invalid SVGs. */
export type RenderPng = (svg: string) => Promise<Uint8Array>;

/** Creates a renderer that loads WebAssembly and fonts on first use. */
export function createPngRenderer(fontPaths = FONT_PATHS): RenderPng {
  const cache = new BoundedMap<string, Promise<Uint8Array>>(MAX_CACHED_PICTURES);
  const loadFonts = loadOnce(() => Promise.all(fontPaths.map((path) => readFile(path))));
  return (svg) => {
    const cached = cache.get(svg);
    if (cached) return cached;
    const png = draw(svg, loadFonts);
    cache.set(svg, png);
    png.catch(() => cache.delete(svg));
    return png;
  };
}

/** Renderer shared by the process. */
export const renderPng = createPngRenderer();

/** Reads the WebAssembly file before the initialization, which is possible only once. */
const loadResvg = loadOnce(async () => {
  const { initWasm, Resvg } = require("@resvg/resvg-wasm") as typeof resvg;
  await initWasm(await readFile(require.resolve("@resvg/resvg-wasm/index_bg.wasm")));
  return Resvg;
});

/** Returns a function that loads on first use; a failed load is retried on the next use. */
function loadOnce<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | null = null;
  return () => {
    loading ??= load().catch((error: unknown) => {
      loading = null;
      throw error;
    });
    return loading;
  };
}

async function draw(svg: string, loadFonts: () => Promise<readonly Uint8Array[]>): Promise<Uint8Array> {
  const fontBuffers = [...(await loadFonts())];
  const Resvg = await loadResvg();
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
