import { TextDecoder } from "node:util";

const SNIFFED = 1024;
const TAIL = 16;
const DECLARED = /^[ \t\r\n]*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/;

/** Decodes a document in the encoding that its first bytes declare (XML 1.0, appendix F). */
export class Decoder {
  /** What is wrong with the bytes after the returned text. */
  problem: string | undefined;
  #held = new Uint8Array(0);
  #decoder: TextDecoder | undefined;
  #tail = new Uint8Array(0);
  #seen = 0;

  /** @returns the text up to the chunk's end, or up to the first invalid bytes */
  decode(chunk: Uint8Array): string {
    if (this.#decoder !== undefined) return this.#text(this.#decoder, chunk);
    this.#held = joined(this.#held, chunk);
    return sniffable(this.#held) ? this.#begin() : "";
  }

  /** @returns the text that was still held back */
  end(): string {
    const begun = this.#decoder === undefined ? this.#begin() : "";
    if (this.problem !== undefined || this.#decoder === undefined) return begun;
    try {
      return begun + this.#decoder.decode();
    } catch {
      this.problem = `a character is cut off in ${this.#decoder.encoding}`;
      return begun;
    }
  }

  #begin(): string {
    const label = encodingOf(this.#held);
    try {
      this.#decoder = new TextDecoder(label, { fatal: true });
    } catch {
      this.problem = `the encoding "${label.slice(0, 40)}" is not known`;
      return "";
    }
    return this.#text(this.#decoder, this.#held);
  }

  #text(decoder: TextDecoder, chunk: Uint8Array): string {
    try {
      const text = decoder.decode(chunk, { stream: true });
      this.#seen += chunk.length;
      const kept = TAIL + (this.#seen % 2); // begins at an even offset, as UTF-16 needs
      this.#tail = joined(this.#tail, chunk.subarray(-kept)).slice(-kept);
      return text;
    } catch {
      this.problem = `bytes that are not ${decoder.encoding}`;
      return textBeforeProblem(decoder.encoding, this.#tail, chunk);
    }
  }
}

/** A lenient decoder marks the first invalid byte. It starts slightly earlier, maybe inside a character. */
function textBeforeProblem(encoding: string, tail: Uint8Array, chunk: Uint8Array): string {
  const lenient = new TextDecoder(encoding);
  lenient.decode(tail, { stream: true });
  const text = lenient.decode(chunk);
  return text.slice(0, Math.max(0, text.indexOf("\uFFFD")));
}

function sniffable(bytes: Uint8Array): boolean {
  if (bytes.length >= SNIFFED) return true;
  if (bytes.length < 5) return false;
  const text = ascii(bytes).trimStart();
  return !text.startsWith("<?xml") || text.includes("?>");
}

function encodingOf(bytes: Uint8Array): string {
  const marked = markedEncoding(bytes);
  if (marked !== undefined) return marked;
  const [a, b] = bytes;
  if (a === 0x3c && b === 0) return "utf-16le";
  if (a === 0 && b === 0x3c) return "utf-16be";
  if (a === 0x1f && b === 0x8b) return "gzip";
  if (a === 0 && b === 0) return "utf-32be";
  const declared = DECLARED.exec(ascii(bytes))?.[1] ?? "utf-8";
  // A declaration that can be read byte by byte is not UTF-16.
  return /^utf-16/i.test(declared) ? "utf-8" : declared;
}

function ascii(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes.subarray(0, SNIFFED);
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** Encodings of text files. Programs for Windows mark them by U+FEFF at the beginning. */
type TextEncoding = "utf-8" | "utf-16le" | "utf-16be";

/** The encoding of the byte order mark; `undefined` without one. */
export function markedEncoding(bytes: Uint8Array): TextEncoding | undefined {
  const [a, b, c] = bytes;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  return a === 0xef && b === 0xbb && c === 0xbf ? "utf-8" : undefined;
}

/** Decodes a text file by its byte order mark, which is dropped; without one, as UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder(markedEncoding(bytes) ?? "utf-8").decode(bytes);
}
