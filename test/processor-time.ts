/** Seconds of a processor that some work takes. Not the clock's, so that other programs do not count. */
export async function processorSeconds(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1e6;
}
