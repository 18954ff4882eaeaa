import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { MAX_IMPORT_BYTES } from "../domain/settings/portable.ts";
import { decodeAttachedFile } from "./attached-file.ts";

describe("an attached file", () => {
  it.each([
    ["UTF-8", Buffer.from("ACME, Société"), "ACME, Société"],
    ["UTF-8 with a byte order mark", Buffer.from("\uFEFFACME"), "ACME"],
    ["UTF-16 little-endian", Buffer.from("\uFEFFACME é", "utf16le"), "ACME é"],
    ["UTF-16 big-endian", Buffer.from("\uFEFFACME", "utf16le").swap16(), "ACME"],
    ["Windows-1252", Buffer.from("ACME, Soci\xe9t\xe9", "latin1"), "ACME, Société"],
    ["text that begins like an image", Buffer.from("BMRN\nACME"), "BMRN\nACME"],
    ["text with tabs and line ends", Buffer.from("ACME\t1\r\nGLOBX\f"), "ACME\t1\r\nGLOBX\f"],
    ["empty text", Buffer.alloc(0), ""],
  ])("is decoded as %s", (_name, bytes, text) => {
    expect(decodeAttachedFile("list.txt", bytes)).toEqual({ kind: "text", name: "list.txt", text });
  });

  it.each([
    ["a zip archive or a spreadsheet", Buffer.from("PK\x03\x04ACME", "latin1")],
    ["a gzip archive", gzipSync("ACME")],
    ["an image (PNG)", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
    ["an image (JPEG)", Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ["a PDF", Buffer.from("%PDF-1.7")],
    ["a file that is not text", Buffer.from("ACME\x00\x01")],
  ])("is rejected as %s", (format, bytes) => {
    expect(decodeAttachedFile("list.txt", bytes)).toEqual({ kind: "not-text", name: "list.txt", format });
  });

  it("is rejected above the maximum size", () => {
    const atMaximum = decodeAttachedFile("list.txt", Buffer.alloc(MAX_IMPORT_BYTES, "A"));
    expect(atMaximum.kind).toBe("text");
    expect(decodeAttachedFile("list.txt", Buffer.alloc(MAX_IMPORT_BYTES + 1, "A"))).toEqual({
      kind: "too-large",
      name: "list.txt",
    });
  });
});
