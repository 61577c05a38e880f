import type { XMLBuilder } from "xmlbuilder2/lib/interfaces.js";
import { limitError } from "../errors.ts";
import { WRITE_LIMITS, type WriteLimits } from "../limits.ts";
import type { AnyDocument } from "../model.ts";
import { CheckedDocument, type Output, type WriteOptions } from "./checked-document.ts";

/**
 * Uses xmlbuilder2. `ListWriter` is many times as fast, for lists that grow with the site.
 * @throws {DocumentError} `INVALID_VALUE` `MISSING_VALUE` where something cannot be written, `LIMIT` beyond a
 * limit
 */
export async function writeBounded(
  document: AnyDocument,
  options: WriteOptions = {},
): Promise<string> {
  const limits = { ...WRITE_LIMITS, ...options };
  if (document.entries.length > limits.entries) refuse("entries", limits);
  const checked = new CheckedDocument(document, options);
  const { default: xmlbuilder } = await import("xmlbuilder2");
  const builder = xmlbuilder.create({ version: "1.0", encoding: "UTF-8" });
  for (const comment of document.comments) builder.com(comment);
  const output = new BuilderOutput(builder);
  checked.begin(output);
  for (const entry of document.entries) checked.entry(entry, output);
  const text = `${builder.end({ prettyPrint: true })}\n`;
  if (Buffer.byteLength(text) > limits.bytes) refuse("bytes", limits);
  return text;
}

/** Passes elements to xmlbuilder2, which keeps the references of escaped values. */
class BuilderOutput implements Output {
  #node: XMLBuilder;

  constructor(document: XMLBuilder) {
    this.#node = document;
  }

  open(name: string): void {
    this.#node = this.#node.ele(name);
  }

  attribute(name: string, value: string): void {
    this.#node.att(name, value);
  }

  leaf(name: string, text: string): void {
    this.#node.ele(name).txt(text);
  }

  close(): void {
    this.#node = this.#node.up();
  }
}

function refuse(limit: keyof WriteLimits, limits: WriteLimits): never {
  throw limitError(limit, limits[limit], "Split it behind an index.");
}
