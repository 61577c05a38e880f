/** Something at work in the background. */
export interface Service {
  /** Resolves when it has stopped and let go of everything; it never rejects. */
  readonly stopped: Promise<void>;
}
