/**
 * The chunks of the body of a response to `fetch`. Node 20 may leave who reads without an answer, and end the process, where
 * the compression of a body breaks after its beginning: neither an error comes nor the signal's.
 *
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
    // It keeps the process alive, as the signal's timer does not.
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
    // Not awaited: it may not end either.
    if (!hasEnded) chunks.return?.().catch(() => {});
  }
}

/** All of a body, within a time. */
export async function wholeBodyWithin(
  body: AsyncIterable<Uint8Array> | null,
  milliseconds: number,
): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of bodyWithin(body, milliseconds)) chunks.push(chunk);
  return Buffer.concat(chunks);
}
