import { LARGEST } from "./bounds.ts";

/** Bytes of a run: what costs the square of its length breaks the bounds. */
const RUN = LARGEST / 2;

/** A part of an input, repeated in its place. */
interface Part {
  /** Parts with one key are read alike. */
  readonly key: string;
  readonly end: number;
  readonly repeated: string;
}

/**
 * Inputs with a long run each: an element, a line, a value or the space behind it, where it stands in a known input.
 * Chance alone seldom repeats what a reader accepts many times.
 */
export function longRuns(inputs: readonly Uint8Array[]): readonly (() => Uint8Array)[] {
  const runs = new Map<string, () => Uint8Array>();
  for (const input of inputs) {
    const text = Buffer.from(input).toString("latin1");
    for (const part of partsOf(text)) {
      if (!runs.has(part.key)) runs.set(part.key, () => withRun(text, part));
    }
  }
  return [...runs.values()];
}

function withRun(text: string, { end, repeated }: Part): Uint8Array {
  const run = repeated.repeat(Math.ceil(RUN / repeated.length)).slice(0, RUN);
  // Cut off behind a whole one, so that what follows is read as before.
  const whole = run.slice(0, run.length - (run.length % repeated.length) || run.length);
  return Buffer.from(text.slice(0, end) + whole + text.slice(end), "latin1").subarray(0, LARGEST);
}

/** The parts of each document of an input. Documents of one kind are read alike. */
function* partsOf(text: string): Generator<Part> {
  let start = 0;
  for (const document of text.split("\f")) {
    const root = /<([\w:]+)[ >]/.exec(document)?.[1] ?? "";
    const capability = /capability="(\w+)/.exec(document)?.[1] ?? "";
    const kind = `${text.slice(0, 2)} ${root} ${capability}`;
    for (const { key, end, repeated } of partsOfDocument(document, root === "")) {
      yield { key: `${kind}: ${key}`, end: start + end, repeated };
    }
    start += document.length + 1;
  }
}

function* partsOfDocument(text: string, isPlain: boolean): Generator<Part> {
  yield* elementsIn(text);
  yield* valuesIn(text);
  if (isPlain) yield* linesIn(text);
}

/** Elements with all that is in them. */
function* elementsIn(text: string): Generator<Part> {
  for (const { 0: tag, 1: name = "", index } of text.matchAll(/<([\w:]+)[^<>]*>/g)) {
    const close = tag.endsWith("/>") ? -1 : text.indexOf(`</${name}>`, index);
    const end = close < 0 ? index + tag.length : close + name.length + "</>".length;
    yield { key: name, end, repeated: text.slice(index, end) };
  }
}

/** What stands in attributes and between tags, and space before its end. */
function* valuesIn(text: string): Generator<Part> {
  for (const { 0: whole, 1: name = "", 2: value = "", index } of text.matchAll(
    /([\w:]+="|<[\w:]+>)([^"<>]+)/g,
  )) {
    const end = index + whole.length;
    yield { key: `space in ${name}`, end: end - 1, repeated: " " };
    yield { key: `value of ${name}`, end, repeated: value };
  }
}

/** Of what is no markup; and parts of paths in it. */
function* linesIn(text: string): Generator<Part> {
  for (const { 0: line, index } of text.matchAll(/[^\n]*\n/g)) {
    const end = index + line.length;
    yield { key: `line ${line.slice(0, 8)}`, end, repeated: line };
    yield { key: `lines after ${line.slice(0, 8)}`, end, repeated: "\n" };
  }
  for (const { 0: name, index } of text.matchAll(/\/[\w.-]+/g)) {
    yield { key: "path", end: index + name.length, repeated: name };
  }
}
