/** Writes plain URLs by the package `sitemap`: `write-sitemap <file> <entries>`. */
import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { SitemapStream } from "sitemap";

const [, , path = "", count = ""] = process.argv;

function* urls(entries: number): Generator<{ url: string }> {
  for (let entry = 0; entry < entries; entry++) {
    yield { url: `/part-${entry % 500}/page-${entry}.html` };
  }
}

const stream = new SitemapStream({ hostname: "https://example.org/" });
await pipeline(Readable.from(urls(Number(count))), stream, createWriteStream(path));
