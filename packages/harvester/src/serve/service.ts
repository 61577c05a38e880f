/** Hears of what went wrong in the background and is tried again. */
export type Report = (problem: unknown) => void;

/** Something at work in the background. */
export interface Service {
  /** Resolves when it has stopped and let go of everything; it never rejects. */
  readonly stopped: Promise<void>;
}
