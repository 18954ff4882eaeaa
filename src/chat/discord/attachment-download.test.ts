import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { createAttachmentDownloader } from "./attachment-download.ts";

const MB = 1024 * 1024;
const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** Starts a file server and returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  opened.push(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function fetchFrom(
  apiUrl: string | null,
  url: string,
  size = 100,
): ReturnType<ReturnType<typeof createAttachmentDownloader>["fetch"]> {
  const downloads = createAttachmentDownloader(apiUrl);
  opened.push(() => downloads.close());
  return downloads.fetch({ filename: "list.txt", size, url });
}

describe("an attachment", () => {
  it("is returned as text", async () => {
    const address = await serve((_request, response) => response.end("\uFEFFACME\n"));
    expect(await fetchFrom(`${address}/api`, `${address}/attachments/1/2/list.txt?ex=1`)).toEqual({
      kind: "text",
      name: "list.txt",
      text: "ACME\n",
    });
  });

  it("of a gigabyte is rejected at the size limit, regardless of its stated size", async () => {
    let sent = 0;
    const chunk = Buffer.alloc(64 * 1024, "A,");
    const address = await serve((_request, response) => {
      const writeChunks = (): void => {
        while (sent < 1024 * MB && !response.destroyed) {
          sent += chunk.length;
          if (!response.write(chunk)) break;
        }
        if (sent >= 1024 * MB) response.end();
      };
      response.on("drain", writeChunks);
      writeChunks();
    });
    const before = process.memoryUsage.rss();
    expect(await fetchFrom(address, `${address}/list.txt`)).toEqual({ kind: "too-large", name: "list.txt" });
    expect(sent).toBeLessThan(32 * MB);
    expect(process.memoryUsage.rss() - before).toBeLessThan(64 * MB);
  });

  it("with a stated size above the limit is not requested", async () => {
    let requestCount = 0;
    const address = await serve((_request, response) => {
      requestCount += 1;
      response.end("ACME");
    });
    expect(await fetchFrom(address, `${address}/list.txt`, MB + 1)).toEqual({ kind: "too-large", name: "list.txt" });
    expect(requestCount).toBe(0);
  });

  it("with a compressed body is not decompressed beyond the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(200 * MB));
    const address = await serve((_request, response) => response.setHeader("content-encoding", "gzip").end(bomb));
    expect(await fetchFrom(address, `${address}/list.txt`)).toEqual({ kind: "too-large", name: "list.txt" });
  });

  it("that is an archive is not unpacked", async () => {
    const address = await serve((_request, response) => response.end(gzipSync("ACME")));
    expect(await fetchFrom(address, `${address}/list.txt`)).toMatchObject({
      kind: "not-text",
      format: "a gzip archive",
    });
  });

  it.each([
    "http://cdn.discordapp.com/attachments/1/2/list.txt",
    "https://cdn.discordapp.com.evil.example/list.txt",
    "https://cdn.discordapp.com:8443/list.txt",
    "https://user@evil.example/cdn.discordapp.com",
    "https://169.254.169.254/latest/meta-data",
    "http://127.0.0.1:1/list.txt",
    "file:///etc/passwd",
    "nonsense",
  ])("is not requested from %s", async (url) => {
    expect(await fetchFrom(null, url)).toEqual({
      kind: "unreachable",
      name: "list.txt",
      reason: "its address doesn't belong to Discord",
    });
  });

  it("does not follow redirects", async () => {
    let requestCount = 0;
    const redirectTarget = await serve((_request, response) => {
      requestCount += 1;
      response.end("ACME");
    });
    const address = await serve((_request, response) => response.writeHead(302, { location: redirectTarget }).end());
    expect(await fetchFrom(address, `${address}/list.txt`)).toMatchObject({
      kind: "unreachable",
      reason: "Discord answered with status 302",
    });
    expect(requestCount).toBe(0);
  });

  it("that no longer exists is reported as unreachable", async () => {
    const address = await serve((_request, response) => response.writeHead(404).end("gone"));
    expect(await fetchFrom(address, `${address}/list.txt`)).toMatchObject({
      reason: "Discord answered with status 404",
    });
  });
});
