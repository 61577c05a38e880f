/** What reading one input may cost, in each function that reads it. */
export interface Bounds {
  /** Milliseconds of a processor, whatever the length of the input. */
  readonly milliseconds: number;
  /** Microseconds of a processor for each byte of the input, on top of that. */
  readonly microsecondsPerByte: number;
  /** Bytes by which the memory of the process may grow, whatever the length of the input. */
  readonly memory: number;
  /** Bytes of memory for each byte of the input, on top of that. */
  readonly memoryPerByte: number;
}

/** Bytes of the longest input. What costs the square of its length breaks the bounds long before. */
export const LARGEST = 262_144;

/**
 * The time is of the thread that reads, not of the clock on the wall: other programs do not count. The fixed part has room
 * for a collection of garbage and for code that was never run before.
 */
export const BOUNDS: Bounds = {
  milliseconds: 250,
  microsecondsPerByte: 2,
  memory: 64_000_000,
  memoryPerByte: 512,
};

/** Deflated bytes unpack to a thousand times as many, and all of them are read. */
export const PACKED_BOUNDS: Bounds = {
  milliseconds: 250,
  microsecondsPerByte: 40,
  memory: 128_000_000,
  memoryPerByte: 2048,
};

/** Each document of a site is read by several steps, and each of its entries may lead to another request. */
export const SITE_BOUNDS: Bounds = {
  milliseconds: 500,
  microsecondsPerByte: 8,
  memory: 64_000_000,
  memoryPerByte: 1024,
};

/** What counts is how much more the longer page costs. */
export const COST_BOUNDS: Bounds = {
  milliseconds: 60_000,
  microsecondsPerByte: 0,
  memory: 2_000_000_000,
  memoryPerByte: 0,
};

/** Milliseconds of a processor, after which an input is given up: by far more than any bound. */
export const GIVEN_UP = 12_000;

export function mostMilliseconds(bounds: Bounds, bytes: number): number {
  return bounds.milliseconds + (bounds.microsecondsPerByte * bytes) / 1000;
}

export function mostMemory(bounds: Bounds, bytes: number): number {
  return bounds.memory + bounds.memoryPerByte * bytes;
}
