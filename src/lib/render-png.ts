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

/** Answer of the thread. */
type Drawn =
  | { readonly id: number; readonly png: Uint8Array }
  | { readonly id: number; readonly png: null; readonly error: string };

/** Pictures that may wait for the thread, and the time after which it is ended. */
const MAX_PENDING = 50;
const MAX_DRAWING_MS = 30_000;

/**
 * Program of the thread, which uses no module of splitwatch: a thread can't load parts of the bundle. A font that can't be read is
 * read again for the next picture; a failure of WebAssembly ends the thread.
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
  await loaded;
  try {
    const png = draw(drawing);
    parentPort.postMessage({ id, png }, [png.buffer]);
  } catch (error) {
    if (error instanceof WebAssembly.RuntimeError) throw error;
    parentPort.postMessage({ id, png: null, error: error instanceof Error ? error.message : String(error) });
  }
});
`;

interface PendingPicture {
  readonly resolve: (png: Uint8Array) => void;
  readonly reject: (error: Error) => void;
  readonly deadline: NodeJS.Timeout;
}

/** Draws in a thread of its own: the first picture takes up to half a second, in which nothing else would be answered. */
class DrawingThread {
  readonly #worker = new Worker(THREAD, {
    eval: true,
    workerData: {
      resvg: require.resolve("@resvg/resvg-wasm"),
      wasm: require.resolve("@resvg/resvg-wasm/index_bg.wasm"),
    },
  });
  readonly #pending = new Map<number, PendingPicture>();
  #lastId = 0;
  #failure = new Error("The thread that draws pictures has ended.");

  /** `onEnd` is called when the thread has ended, which it does only after an error. */
  constructor(onEnd: () => void) {
    this.#worker.unref();
    this.#worker.on("message", (drawn: Drawn) => this.#settle(drawn));
    this.#worker.on("error", (error: Error) => {
      this.#failure = error;
    });
    this.#worker.on("exit", () => {
      onEnd();
      for (const id of this.#pending.keys()) this.#take(id)?.reject(this.#failure);
    });
  }

  draw(drawing: Drawing): Promise<Uint8Array> {
    if (this.#pending.size >= MAX_PENDING) throw new Error(`More than ${MAX_PENDING} pictures are being drawn.`);
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const deadline = setTimeout(() => this.#endAtDeadline(), MAX_DRAWING_MS);
      this.#pending.set(id, { resolve, reject, deadline });
      this.#worker.postMessage({ id, drawing });
    });
  }

  #endAtDeadline(): void {
    this.#failure = new Error(`A picture took longer than ${MAX_DRAWING_MS / 1_000} seconds.`);
    void this.#worker.terminate();
  }

  #settle(drawn: Drawn): void {
    const picture = this.#take(drawn.id);
    if (drawn.png === null) picture?.reject(new Error(drawn.error));
    else picture?.resolve(drawn.png);
  }

  #take(id: number): PendingPicture | undefined {
    const picture = this.#pending.get(id);
    this.#pending.delete(id);
    clearTimeout(picture?.deadline);
    return picture;
  }
}

let thread: DrawingThread | null = null;

async function drawInThread(drawing: Drawing): Promise<Uint8Array> {
  thread ??= new DrawingThread(() => {
    thread = null;
  });
  return thread.draw(drawing);
}
