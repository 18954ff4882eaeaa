import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createPngRenderer } from "./render-png.ts";

function anSvg(width: number, height: number, content = ""): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">${content}</svg>`;
}

/** Width and height from the file's header. */
function sizeOf(png: Uint8Array): readonly number[] {
  const bytes = Buffer.from(png);
  expect(bytes.subarray(0, 8).toString("hex")).toBe("89504e470d0a1a0a");
  expect(bytes.subarray(12, 16).toString("ascii")).toBe("IHDR");
  expect(bytes.subarray(-8, -4).toString("ascii")).toBe("IEND");
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

describe("rendering a picture", () => {
  it("returns a PNG of the SVG's size", async () => {
    expect(sizeOf(await createPngRenderer()(anSvg(120, 63)))).toEqual([120, 63]);
  });

  it("renders text, even on a machine without fonts", async () => {
    const draw = createPngRenderer();
    const blank = await draw(anSvg(200, 50, '<rect width="200" height="50" fill="#fff"/>'));
    const lengths = await Promise.all(
      ["ACME", "אב", "株式", "🚀"].map(async (text) => {
        const content = `<rect width="200" height="50" fill="#fff"/><text x="9" y="40" font-size="30">${text}</text>`;
        return (await draw(anSvg(200, 50, content))).length;
      }),
    );
    expect(Math.min(...lengths)).toBeGreaterThan(blank.length);
  });

  it("caches the most recent pictures", async () => {
    const draw = createPngRenderer();
    const first = draw(anSvg(10, 10));
    expect(draw(anSvg(10, 10))).toBe(first);
    for (const size of [11, 12, 13, 14]) await draw(anSvg(size, size));
    expect(draw(anSvg(14, 14))).toBe(draw(anSvg(14, 14)));
    expect(draw(anSvg(10, 10))).not.toBe(first);
    expect(await draw(anSvg(10, 10))).toEqual(await first);
  });

  it("renders many pictures concurrently", async () => {
    const draw = createPngRenderer();
    const sizes = Array.from({ length: 12 }, (_, n) => n + 20);
    const pictures = await Promise.all(sizes.map((size) => draw(anSvg(size, size))));
    expect(pictures.map(sizeOf)).toEqual(sizes.map((size) => [size, size]));
  });

  it("keeps the event loop free while it draws", async () => {
    const draw = createPngRenderer();
    await draw(anSvg(10, 10));
    let turns = 0;
    const count = (): void => {
      turns += 1;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    await draw(anSvg(900, 500, '<text x="9" y="40" font-size="30">ACME</text>'));
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });

  it("rejects all waiting pictures and draws the next ones after its thread has ended", async () => {
    const draw = createPngRenderer();
    const postMessage = vi.spyOn(Worker.prototype, "postMessage");
    onTestFinished(() => postMessage.mockRestore());
    const pictures = Promise.allSettled(Array.from({ length: 40 }, (_, n) => draw(anSvg(1_000, n + 1_000))));
    await (postMessage.mock.contexts[0] as Worker).terminate();
    expect((await pictures).at(-1)).toMatchObject({
      status: "rejected",
      reason: { message: expect.stringContaining("has ended") },
    });
    expect(sizeOf(await draw(anSvg(32, 32)))).toEqual([32, 32]);
  });

  it("rejects pictures above its limit immediately", async () => {
    const draw = createPngRenderer();
    const pictures = await Promise.allSettled(Array.from({ length: 60 }, (_, n) => draw(anSvg(n + 40, 10))));
    const reasons = pictures.flatMap((picture) => (picture.status === "rejected" ? [String(picture.reason)] : []));
    expect(new Set(reasons)).toEqual(new Set(["Error: More than 50 pictures are being drawn."]));
    expect(reasons).toHaveLength(10);
    expect(sizeOf(await draw(anSvg(33, 33)))).toEqual([33, 33]);
  });

  it("rejects an invalid SVG and does not cache the failure", async () => {
    const draw = createPngRenderer();
    const failedRender = draw("<svg");
    await expect(failedRender).rejects.toThrow(/SVG/);
    expect(draw("<svg")).not.toBe(failedRender);
    await expect(draw("<svg")).rejects.toThrow(/SVG/);
  });

  it("loads the fonts again after they could not be read", async () => {
    const font = createRequire(import.meta.url).resolve("dejavu-fonts-ttf/ttf/DejaVuSans.ttf");
    const folder = await mkdtemp(join(tmpdir(), "splitwatch-fonts-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    const path = join(folder, "font.ttf");
    const svg = anSvg(200, 50, '<text x="9" y="40" font-size="30">ACME</text>');
    const draw = createPngRenderer([path]);
    await expect(draw(svg)).rejects.toThrow(/ENOENT/);
    await copyFile(font, path);
    expect((await draw(svg)).length).toBeGreaterThan((await draw(anSvg(200, 50))).length);
  });
});
