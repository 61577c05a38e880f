import { readFileSync, rmSync } from "node:fs";

const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

/**
 * Until the first document is written, Ctrl-C leaves nothing behind but the lock, which is removed.
 * A publication that has begun is let finish: it is short, and all or nothing.
 *
 * @returns what ends the watch
 */
export function watchInterrupts(isPublishing: () => boolean, leave: () => void): () => void {
  const listeners = Object.entries(SIGNALS).map(([signal, status]) => {
    const listener = () => {
      if (isPublishing()) return;
      leave();
      process.exit(status);
    };
    process.on(signal, listener);
    return () => process.off(signal, listener);
  });
  return () => {
    for (const stop of listeners) stop();
  };
}

/** Removes the lock of this process; another run's stays. */
export function removeOwnLock(lock: string): void {
  try {
    if (readFileSync(lock, "utf8").includes(`"process":${process.pid},`)) rmSync(lock);
  } catch {
    // No lock, nothing to leave behind.
  }
}
