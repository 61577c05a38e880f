import { type Bounds, mostMemory, mostMilliseconds } from "./bounds.ts";
import { PeakMemory } from "./peak-memory.ts";
import type { FuzzedFunction, Reader } from "./reader.ts";

export type FaultKind = "throws" | "time" | "memory";

/** A bound that an input breaks. */
export interface Fault {
  readonly kind: FaultKind;
  /** The function that reads it; of memory, which no thread has for itself, all of them together. */
  readonly function: string;
  readonly detail: string;
}

const MISTAKES = [TypeError, ReferenceError, SyntaxError];

/** Times that an input is read again before it counts as slow: the first time may have met other work of V8. */
const AGAIN = 2;

/**
 * Lets every function of a reader read an input.
 *
 * @param onBegin is told which function begins
 */
export async function judge(
  { functions, bounds }: Pick<Reader, "functions" | "bounds">,
  bytes: Uint8Array,
  onBegin: (index: number) => void = () => {},
): Promise<Fault | undefined> {
  const memory = new PeakMemory();
  for (const [index, fuzzed] of functions.entries()) {
    onBegin(index);
    const fault = await judgeFunction(fuzzed, bounds, bytes);
    if (fault !== undefined) return fault;
  }
  const growth = memory.growth();
  if (growth <= mostMemory(bounds, bytes.length)) return undefined;
  const detail = `${megabytes(growth)} more memory for ${bytes.length} bytes`;
  return { kind: "memory", function: functions.map(({ name }) => name).join(", "), detail };
}

async function judgeFunction(
  fuzzed: FuzzedFunction,
  bounds: Bounds,
  bytes: Uint8Array,
): Promise<Fault | undefined> {
  const most = mostMilliseconds(bounds, bytes.length);
  let least = Number.POSITIVE_INFINITY;
  for (let time = 0; time <= AGAIN && least > most; time += 1) {
    const { error, milliseconds } = await timed(fuzzed, bytes);
    if (error !== undefined && !isExpected(error, fuzzed))
      return { kind: "throws", function: fuzzed.name, detail: inWords(error) };
    least = Math.min(least, milliseconds);
  }
  if (least <= most) return undefined;
  const detail = `${Math.round(least)} ms for ${bytes.length} bytes, at most ${Math.round(most)}`;
  return { kind: "time", function: fuzzed.name, detail };
}

/** A typed error that was made of a mistake in the program hides it. */
function isExpected(error: unknown, { throws }: FuzzedFunction): boolean {
  if (!throws.some((one) => error instanceof one)) return false;
  const cause = error instanceof Error ? error.cause : undefined;
  return !MISTAKES.some((mistake) => cause instanceof mistake);
}

/** Each reading has bytes of its own, since one may change them. */
async function timed({ run }: FuzzedFunction, bytes: Uint8Array) {
  const start = process.threadCpuUsage();
  const { error } = await caught(run, Uint8Array.from(bytes));
  const { user, system } = process.threadCpuUsage(start);
  return { error, milliseconds: (user + system) / 1000 };
}

async function caught(
  run: FuzzedFunction["run"],
  bytes: Uint8Array,
): Promise<{ readonly error?: unknown }> {
  try {
    await run(bytes);
    return {};
  } catch (error) {
    return { error: error ?? new TypeError("undefined was thrown") };
  }
}

function inWords(error: unknown): string {
  return error instanceof Error ? (error.stack ?? String(error)) : `${error} was thrown`;
}

export function megabytes(bytes: number): string {
  return `${Math.round(bytes / 1_000_000)} MB`;
}
