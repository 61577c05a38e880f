const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/**
 * Runs a short action to its end, whatever Ctrl-C or SIGTERM come meanwhile. At any other time no
 * handler stands, so that the system ends the run at once, also while it is busy.
 */
export function uninterrupted(action: () => void): void {
  const ignore = () => {};
  for (const signal of SIGNALS) process.on(signal, ignore);
  try {
    action();
  } finally {
    for (const signal of SIGNALS) process.off(signal, ignore);
  }
}
