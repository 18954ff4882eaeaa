// Run as a program, it prints the files of the page for `deserialize` of node:v8.
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { serialize } from "node:v8";
import { brotliCompress, constants, gzip } from "node:zlib";
import { rolldown } from "rolldown";

const PAGE = join(dirname(fileURLToPath(import.meta.url)), "../../src/chat/web/page");
const VERSION_LENGTH = 12;

/** The documents and their scripts. They share no script, so that the first load of the chat has no further request. */
const PAGES = { "index.html": "main", "operator.html": "operator" };

/**
 * Bundles the page of the web chat: one script for the first load and one for each dynamic import, style and icon as parts of the
 * document, and everything compressed. Returns the files by name. Addresses contain the version of the file's content, so that
 * browsers keep the files.
 */
export async function bundlePage() {
  const icon = await readPage("favicon.svg");
  // The sign-in form links its style sheet.
  const files = { "style.css": minifyStyle(await readPage("style.css")), "favicon.svg": icon };
  const documentOf = (html, scripts = {}) => withVersions(withIcon(html, icon), { ...scripts, ...addressesOf(files) });
  const sent = { ...files };
  for (const [page, name] of Object.entries(PAGES)) {
    const scripts = await bundleScripts(name);
    const html = await readPage(page);
    const style = minifyStyle((await Promise.all(styleSheetsOf(html).map(readPage))).join("\n"));
    Object.assign(sent, scripts.files, {
      [page]: documentOf(withStyle(html, style), { [`${name}.js`]: scripts.entry }),
    });
  }
  const encoded = await Promise.all(Object.entries(sent).map(([name, text]) => encode(name, text)));
  // The server completes the sign-in form with a message.
  return new Map([["sign-in.html", Buffer.from(documentOf(await readPage("sign-in.html")))], ...encoded.flat()]);
}

/**
 * Versions are part of the names of scripts: a script that is loaded later imports from the first one, and a browser would run
 * the first one again at another address.
 */
async function bundleScripts(entryName) {
  const input = join(PAGE, `${entryName}.ts`);
  // Without `false`, modules that several scripts share would be a script of their own, and a request of the first load.
  const build = await rolldown({ input, platform: "browser", preserveEntrySignatures: false });
  const name = `[name]-[hash:${VERSION_LENGTH}].js`;
  const { output } = await build.generate({ format: "esm", minify: true, entryFileNames: name, chunkFileNames: name });
  await build.close();
  const entry = output.find(({ isEntry }) => isEntry);
  return {
    entry: entry.fileName,
    files: Object.fromEntries(output.map(({ fileName, code }) => [fileName, code])),
  };
}

function readPage(name) {
  return readFile(join(PAGE, name), "utf8");
}

const STYLE_SHEET = /^ *<link rel="stylesheet" href="\/assets\/([\w-]+\.css)" \/>\n/gm;

function styleSheetsOf(html) {
  return [...html.matchAll(STYLE_SHEET)].map(([, name]) => name);
}

/** Replaces the links to style sheets by their content, which saves a request. The server allows it by its hash. */
function withStyle(html, style) {
  let count = 0;
  return html.replace(STYLE_SHEET, () => (count++ === 0 ? `<style>${style}</style>\n` : ""));
}

/** Removes comments and the indentation. */
function minifyStyle(text) {
  return text
    .replace(/\/\*[\s\S]*?\*\//g, "")
    .replace(/\n\s*/g, "\n")
    .trim();
}

/** Replaces images of the icon by the icon itself. It has no title there: the name is beside it. */
function withIcon(html, icon) {
  const image = icon
    .replace(/<title>.*?<\/title>/, "")
    .replace(/\n\s*/g, "")
    .trim();
  return html.replace(/<img src="\/assets\/favicon\.svg" alt="" (width="\d+" height="\d+") \/>/g, (_, size) =>
    image.replace("<svg ", `<svg ${size} aria-hidden="true" `),
  );
}

function addressesOf(files) {
  return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, `${name}?v=${versionOf(text)}`]));
}

function withVersions(html, addresses) {
  return html.replace(/"\/assets\/([\w.-]+)"/g, (_, name) => `"/assets/${addresses[name]}"`);
}

function versionOf(text) {
  return createHash("sha256").update(text).digest("base64url").slice(0, VERSION_LENGTH);
}

/** The file and its compressed copies. */
async function encode(name, text) {
  const bytes = Buffer.from(text);
  const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
  const [br, gz] = await Promise.all([
    promisify(brotliCompress)(bytes, { params }),
    promisify(gzip)(bytes, { level: constants.Z_BEST_COMPRESSION }),
  ]);
  return [
    [name, bytes],
    [`${name}.br`, br],
    [`${name}.gz`, gz],
  ];
}

if (resolve(process.argv[1] ?? "") === fileURLToPath(import.meta.url))
  process.stdout.write(serialize(await bundlePage()));
