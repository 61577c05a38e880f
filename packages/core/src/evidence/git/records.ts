const NUL = 0;

/**
 * Cuts a stream into records that end with a mark, and shows each as a range of bytes, which costs
 * nothing where the record is not wanted. Ends early when the visitor says "stop".
 */
export async function eachRecord(
  chunks: AsyncIterable<Buffer>,
  visit: (data: Buffer, start: number, end: number) => "stop" | undefined,
  mark = NUL,
): Promise<void> {
  let rest: Buffer | undefined;
  for await (const chunk of chunks) {
    const data = rest ? Buffer.concat([rest, chunk]) : chunk;
    let start = 0;
    for (let end = data.indexOf(mark); end >= 0; end = data.indexOf(mark, start)) {
      if (visit(data, start, end) === "stop") return;
      start = end + 1;
    }
    rest = start < data.length ? data.subarray(start) : undefined;
  }
}
