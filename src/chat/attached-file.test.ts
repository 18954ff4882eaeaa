import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { textOfBytes } from "./attached-file.ts";

describe("the bytes of a file", () => {
  it.each([
    ["UTF-8", Buffer.from("ACME, Société"), "ACME, Société"],
    ["UTF-8 with a mark", Buffer.from("\uFEFFACME"), "ACME"],
    ["UTF-16, the low byte first", Buffer.from("\uFEFFACME é", "utf16le"), "ACME é"],
    ["UTF-16, the high byte first", Buffer.from("\uFEFFACME", "utf16le").swap16(), "ACME"],
    ["the old encoding of Windows", Buffer.from("ACME, Soci\xe9t\xe9", "latin1"), "ACME, Société"],
    ["a ticker that begins as an image does", Buffer.from("BMRN\nACME"), "BMRN\nACME"],
    ["tabs and line ends", Buffer.from("ACME\t1\r\nGLOBX\f"), "ACME\t1\r\nGLOBX\f"],
    ["nothing", Buffer.alloc(0), ""],
  ])("are read as %s", (_name, bytes, text) => {
    expect(textOfBytes(bytes)).toEqual({ kind: "text", text });
  });

  it.each([
    ["a zip archive or a spreadsheet", Buffer.from("PK\x03\x04ACME", "latin1")],
    ["a gzip archive", gzipSync("ACME")],
    ["an image (PNG)", Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a])],
    ["an image (JPEG)", Buffer.from([0xff, 0xd8, 0xff, 0xe0])],
    ["a PDF", Buffer.from("%PDF-1.7")],
    ["a file that is not text", Buffer.from("ACME\x00\x01")],
  ])("are %s", (what, bytes) => {
    expect(textOfBytes(bytes)).toEqual({ kind: "not-text", what });
  });
});
