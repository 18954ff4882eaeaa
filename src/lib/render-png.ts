import { createRequire } from "node:module";
import { Worker } from "node:worker_threads";
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
  return (svg) => {
    const cached = cache.get(svg);
    if (cached) return cached;
    const png = drawInThread({ svg, fontPaths });
    cache.set(svg, png);
    png.catch(() => cache.delete(svg));
    return png;
  };
}

/** Renderer shared by the process. */
export const renderPng = createPngRenderer();

interface Drawing {
  readonly svg: string;
  readonly fontPaths: readonly string[];
}

/** Answer of the thread. `error`: null if the picture was drawn. */
interface Drawn {
  readonly id: number;
  readonly png: Uint8Array;
  readonly error: string | null;
}

/**
 * Program of the thread, which uses no module of splitwatch: a thread can't load parts of the bundle. A font that can't be read is
 * read again for the next picture.
 */
const THREAD = `
const { readFileSync } = require("node:fs");
const { parentPort, workerData } = require("node:worker_threads");
const { initWasm, Resvg } = require(workerData.resvg);
const loaded = initWasm(readFileSync(workerData.wasm));
const fonts = new Map();

function fontAt(path) {
  if (!fonts.has(path)) fonts.set(path, readFileSync(path));
  return fonts.get(path);
}

function draw({ svg, fontPaths }) {
  const fontBuffers = fontPaths.map(fontAt);
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

parentPort.on("message", async ({ id, drawing }) => {
  try {
    await loaded;
    parentPort.postMessage({ id, png: draw(drawing), error: null });
  } catch (error) {
    parentPort.postMessage({ id, png: null, error: error instanceof Error ? error.message : String(error) });
  }
});
`;

/** Functions that end the promise of a picture. */
interface Waiting {
  readonly resolve: (png: Uint8Array) => void;
  readonly reject: (error: Error) => void;
}

/** Draws in a thread of its own: a picture takes up to a third of a second, in which nothing else would be answered. */
class DrawingThread {
  readonly #worker = new Worker(THREAD, {
    eval: true,
    workerData: {
      resvg: require.resolve("@resvg/resvg-wasm"),
      wasm: require.resolve("@resvg/resvg-wasm/index_bg.wasm"),
    },
  });
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;

  /** `onEnd` is called if the thread ends, which it does only after an error. */
  constructor(onEnd: () => void) {
    this.#worker.unref();
    this.#worker.on("message", (drawn: Drawn) => this.#settle(drawn));
    this.#worker.on("error", (error: Error) => {
      onEnd();
      for (const { reject } of this.#waiting.values()) reject(error);
    });
  }

  draw(drawing: Drawing): Promise<Uint8Array> {
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, drawing });
    });
  }

  #settle({ id, png, error }: Drawn): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === null) waiting?.resolve(png);
    else waiting?.reject(new Error(error));
  }
}

let thread: DrawingThread | null = null;

function drawInThread(drawing: Drawing): Promise<Uint8Array> {
  thread ??= new DrawingThread(() => {
    thread = null;
  });
  return thread.draw(drawing);
}
