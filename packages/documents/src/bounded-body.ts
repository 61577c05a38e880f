/**
 * A response's body. In Node 20 a broken compression may bring neither an error nor the signal.
 * @throws {DOMException} `TimeoutError`, as `AbortSignal.timeout` does
 */
export async function* bodyWithin(
  body: AsyncIterable<Uint8Array> | null,
  milliseconds: number,
): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const error = new DOMException("The body did not come to its end.", "TimeoutError");
    // This timer keeps the process alive; the signal's timer does not.
    timer = setTimeout(() => reject(error), milliseconds);
  });
  const chunks = body[Symbol.asyncIterator]();
  let hasEnded = false;
  try {
    for (;;) {
      const { value, done } = await Promise.race([chunks.next(), late]);
      if (done === true) {
        hasEnded = true;
        return;
      }
      yield value;
    }
  } finally {
    clearTimeout(timer);
    // Not awaited, since it may never end.
    if (!hasEnded) chunks.return?.().catch(() => {});
  }
}

/**
 * The whole body, within a time.
 * @throws {RangeError} if it is larger than `most` bytes
 */
export async function wholeBodyWithin(
  body: AsyncIterable<Uint8Array> | null,
  milliseconds: number,
  most = Number.POSITIVE_INFINITY,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of bodyWithin(body, milliseconds)) {
    length += chunk.length;
    if (length > most) throw new RangeError(`is larger than ${most} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
